"""What one turn did, and how a game ends: by the rules, or by what a player did or failed to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from loopline.game.notation import Turn
from loopline.game.tiles import Colour, Tile

__all__ = [
    "REASONS",
    "Draw",
    "DrawReason",
    "EndReason",
    "Ending",
    "Kind",
    "Placed",
    "Played",
    "Result",
    "result_after",
]

Kind = Literal["loop", "line", "loop+line"]
"""What the winner's colour has completed."""


DrawReason = Literal["both", "blocked"]
"""Why a game is drawn: both colours have completed something, or no legal turn is left."""


@dataclass(frozen=True, slots=True)
class Result:
    """A win: the winner, what it completed, and whether both colours completed something."""

    winner: Colour
    kind: Kind
    both: bool

    def __str__(self) -> str:
        """Return a clause such as ``white has won by a loop``."""
        what = " and ".join(f"a {kind}" for kind in self.kind.split("+"))
        return f"{self.winner.name.lower()} has won by {what}"


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw by the rules of some variants, and its reason."""

    reason: DrawReason

    def __str__(self) -> str:
        """Return a clause such as ``a draw, as no legal turn is left``."""
        if self.reason == "both":
            return "a draw, as both colours have completed a loop or line"
        return "a draw, as no legal turn is left"


class Placed(NamedTuple):
    """A tile on the board; the first tile of the game is at (0, 0), rows grow to the south."""

    x: int
    y: int
    tile: Tile


class Played(NamedTuple):
    """A completed turn.

    ``tiles`` holds the first tile and then the forced ones in the order in which they were made;
    ``loops`` and ``lines`` the colours that have completed one; ``result`` the win or ``draw`` the
    draw, if the game has ended with this turn.
    """

    turn: Turn
    colour: Colour
    tiles: tuple[Placed, ...]
    loops: frozenset[Colour]
    lines: frozenset[Colour]
    result: Result | None
    draw: Draw | None = None

    @property
    def ends_game(self) -> bool:
        """Whether the game has ended with this turn, won or drawn."""
        return self.result is not None or self.draw is not None


def result_after(
    mover: Colour, loops: frozenset[Colour], lines: frozenset[Colour]
) -> Result | None:
    """Return the result after a turn of ``mover``, who wins if both colours completed something."""
    completed = loops | lines
    if not completed:
        return None
    winner = mover if mover in completed else mover.other
    kind: Kind = "line"
    if winner in loops:
        kind = "loop+line" if winner in lines else "loop"
    return Result(winner, kind, both=len(completed) == 2)


EndReason = Literal[
    "loop",
    "line",
    "loop+line",
    "resignation",
    "time",
    "illegal turn",
    "fault",
    "both",
    "blocked",
    "turn limit",
    "agreement",
    "unstated",
]
"""The reason why a game has ended; :data:`REASONS` has the words for each."""

_ON_THE_BOARD: Final = ("loop", "line", "loop+line", "both", "blocked")

REASONS: Final[dict[EndReason, str]] = {
    "loop": "by a loop",
    "line": "by a line",
    "loop+line": "by a loop and a line",
    "resignation": "by resignation",
    "time": "on time",
    "illegal turn": "as the opponent made an illegal turn",
    "fault": "as the opponent stopped answering",
    "both": "as both colours have completed a loop or line",
    "blocked": "as no legal turn is left",
    "turn limit": "as the most turns allowed have been made",
    "agreement": "by agreement",
    "unstated": "",
}
"""Every reason and its words. ``both`` to ``agreement`` are reasons for a draw, those
before them for a win, and ``unstated`` goes with either."""

_OF_DRAWS: Final = ("both", "blocked", "turn limit", "agreement", "unstated")
_NOT_OF_WINS: Final = ("both", "blocked", "turn limit", "agreement")


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game: the winner, or none for a draw, and the reason."""

    winner: Colour | None
    reason: EndReason

    def __post_init__(self) -> None:
        """Refuse a reason that does not go with a win, or with a draw."""
        if self.reason not in REASONS:
            raise ValueError(f"{self.reason!r} is not a reason: use {', '.join(REASONS)}")
        if self.winner is None and self.reason not in _OF_DRAWS:
            raise ValueError(f"{self.reason!r} is not a reason for a draw")
        if self.winner is not None and self.reason in _NOT_OF_WINS:
            raise ValueError(f"{self.reason!r} is not a reason for a win")

    def __str__(self) -> str:
        """Return a clause such as ``white wins on time``."""
        what = "a draw" if self.winner is None else f"{self.winner.name.lower()} wins"
        return f"{what} {REASONS[self.reason]}".strip()

    @property
    def score(self) -> str:
        """``1-0`` if white has won, ``0-1`` if red has, ``1/2-1/2`` for a draw."""
        if self.winner is None:
            return "1/2-1/2"
        return "1-0" if self.winner is Colour.WHITE else "0-1"

    @property
    def on_the_board(self) -> bool:
        """Whether the position itself shows this end."""
        return self.reason in _ON_THE_BOARD
