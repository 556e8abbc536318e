"""How a game has ended: by the rules, or because a player gave up or failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from loopline.game.position import Position
from loopline.game.tiles import Colour

__all__ = ["REASONS", "EndReason", "Ending", "ending_of"]

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
"""What has ended a game; :data:`REASONS` says what each means."""

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
"""Every reason with the words that say so. ``both`` to ``agreement`` are reasons for a draw, those
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
            raise ValueError(f"{self.reason!r} is no reason: use {', '.join(REASONS)}")
        if self.winner is None and self.reason not in _OF_DRAWS:
            raise ValueError(f"{self.reason!r} is no reason for a draw")
        if self.winner is not None and self.reason in _NOT_OF_WINS:
            raise ValueError(f"{self.reason!r} is no reason for a win")

    def __str__(self) -> str:
        """A clause such as ``white wins on time``."""
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


def ending_of(position: Position) -> Ending | None:
    """How the game has ended by the rules; none if it goes on."""
    if position.result:
        return Ending(position.result.winner, position.result.kind)
    return Ending(None, position.draw.reason) if position.draw else None
