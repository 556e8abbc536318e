"""How a game ends, and what one turn did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from loopline.game.notation import Turn
from loopline.game.tiles import Colour, Tile

__all__ = ["Draw", "DrawReason", "Kind", "Placed", "Played", "Result", "judge"]

Kind = Literal["loop", "line", "loop+line"]
"""What the winner's colour has completed."""


DrawReason = Literal["both", "blocked"]
"""Why a game is drawn: both colours have completed something, or no legal turn is left."""


@dataclass(frozen=True, slots=True)
class Result:
    """A game that is won: by whom, by what, and whether both colours completed on that turn."""

    winner: Colour
    kind: Kind
    both: bool

    def __str__(self) -> str:
        """A clause such as ``white has won by a loop``."""
        what = " and ".join(f"a {kind}" for kind in self.kind.split("+"))
        return f"{self.winner.name.lower()} has won by {what}"


@dataclass(frozen=True, slots=True)
class Draw:
    """A game that is drawn, as some variants have it, and why."""

    reason: DrawReason

    def __str__(self) -> str:
        """A clause such as ``a draw, as no legal turn is left``."""
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


def judge(mover: Colour, loops: frozenset[Colour], lines: frozenset[Colour]) -> Result | None:
    """The result after a turn of ``mover``, who wins if both colours have completed something."""
    completed = loops | lines
    if not completed:
        return None
    winner = mover if mover in completed else mover.other
    kind: Kind = "line"
    if winner in loops:
        kind = "loop+line" if winner in lines else "loop"
    return Result(winner, kind, both=len(completed) == 2)
