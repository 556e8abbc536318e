"""The command ``go`` of the Universal Game Interface: what a search may take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from loopline.game import Colour

__all__ = ["Go", "parse_go"]

_LEAST = {
    "movetime": 1,
    "depth": 0,
    "nodes": 1,
    "p1time": 1,
    "p2time": 1,
    "p1inc": 0,
    "p2inc": 0,
}
"""The limits that UGI has, each with the least number that it takes. Times are milliseconds."""

_OF_CHESS = {"wtime": "p1time", "btime": "p2time", "winc": "p1inc", "binc": "p2inc"}
"""The same as chess programs call it."""

_MOST_DIGITS = 12
_TURNS_LEFT = 20
"""For how many turns more a player's time is to last."""


@dataclass(frozen=True, slots=True)
class Go:
    """The limits of one search, by UGI's names, as far as they were given."""

    limits: dict[str, int]

    @property
    def depth(self) -> int | None:
        """How many turns deep; None for no limit."""
        return self.limits.get("depth")

    @property
    def nodes(self) -> int | None:
        """How many turns may be tried; None for no limit."""
        return self.limits.get("nodes")

    def seconds(self, colour: Colour) -> float | None:
        """The time for this turn of a player; None for no limit.

        Of the time left for the game it is a part that leaves enough for the turns to come.
        """
        if "movetime" in self.limits:
            return self.limits["movetime"] / 1000
        player = f"p{colour + 1}"
        left = self.limits.get(f"{player}time")
        if left is None:
            return None
        more = self.limits.get(f"{player}inc", 0)
        return min(left / _TURNS_LEFT + more, 0.8 * left) / 1000


def parse_go(words: Sequence[str], complain: Callable[[str], None]) -> Go:
    """Read what follows ``go``.

    What is wrong is left out, and ``complain`` is called with a line that says so.
    """
    limits = {}
    rest = iter(words)
    for word in rest:
        name = _OF_CHESS.get(word, word)
        if name == "infinite":
            continue
        if name not in _LEAST:
            complain(f"go: {word[:24]!r} is unknown: use {', '.join(_LEAST)} or infinite")
            continue
        text = next(rest, "")
        digits = text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS
        if not digits or int(text) < _LEAST[name]:
            complain(f"go: {word} takes a number from {_LEAST[name]}, not {text[:24]!r}")
            continue
        limits[name] = int(text)
    return Go(limits)
