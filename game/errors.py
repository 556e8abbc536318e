"""What can be wrong with a turn or a record: one exception for each reason.

Every message is one line that begins with the turn in question, or with its place in a file. The
same facts are attributes, for programs. The constructor's arguments are those attributes, so the
exceptions can be pickled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from loopline.game.notation import Turn
    from loopline.game.result import Draw, Result
    from loopline.game.tiles import Colour, Side

__all__ = [
    "ColourMismatchError",
    "FirstTurnError",
    "ForcedPlayError",
    "GameOverError",
    "IllegalTurnError",
    "NotAdjacentError",
    "NotationError",
    "OccupiedError",
    "OutsideAreaError",
    "RecordError",
    "TraxError",
]

_QUOTED: Final = 24
"""How much of an unreadable text a message repeats."""


class TraxError(Exception):
    """The base of all errors that the game raises."""


class NotationError(TraxError):
    """A text that is not a turn: ``text``, the ``reason``, and the ``position`` from 0 on."""

    def __init__(self, text: str, reason: str, position: int) -> None:
        """Keep the facts, for the message and for programs."""
        super().__init__(text, reason, position)
        self.text = text
        self.reason = reason
        self.position = position

    def __str__(self) -> str:
        """Where, what was expected, and what is there."""
        found = self.text[self.position : self.position + 1]
        found = f"found {_quote(found)}" if found else "the text ends"
        return f"{_quote(self.text)}: {self.reason}, at character {self.position + 1}: {found}"


class RecordError(TraxError):
    """A record that cannot be read: ``line`` and ``column``, both from 1, and the ``reason``."""

    def __init__(self, line: int, column: int, reason: str) -> None:
        """Keep the facts, for the message and for programs."""
        super().__init__(line, column, reason)
        self.line = line
        self.column = column
        self.reason = reason

    def __str__(self) -> str:
        """Where, and what is wrong there."""
        return f"line {self.line}, column {self.column}: {self.reason}"


class IllegalTurnError(TraxError):
    """A turn that the rules do not allow in this position: ``turn``."""

    def __init__(self, turn: Turn, *facts: object) -> None:
        """Keep the turn; ``facts`` are the further arguments of a subclass."""
        super().__init__(turn, *facts)
        self.turn = turn

    def __str__(self) -> str:
        """The turn in notation, and the reason."""
        return f"{self.turn}: {self._reason()}"

    def _reason(self) -> str:
        """Why the turn is not legal, in words."""
        return "the turn is not legal"


class GameOverError(IllegalTurnError):
    """A turn after the end of the game: ``result`` is what ended it, a win or a draw."""

    def __init__(self, turn: Turn, result: Result | Draw) -> None:
        """Keep the facts, for the message and for programs."""
        super().__init__(turn, result)
        self.result = result

    def _reason(self) -> str:
        return f"the game is over, {self.result}"


class FirstTurnError(IllegalTurnError):
    """A first turn other than the two that the notation knows."""

    def _reason(self) -> str:
        return "the first turn is @0/ or @0+"


class OccupiedError(IllegalTurnError):
    """There is a tile in that space already."""

    def _reason(self) -> str:
        return f"{self.turn.space} is occupied"


class NotAdjacentError(IllegalTurnError):
    """The space touches no tile."""

    def _reason(self) -> str:
        return f"{self.turn.space} is not adjacent to any tile"


class OutsideAreaError(IllegalTurnError):
    """The formation would have more than ``size`` columns or rows, more than the variant allows."""

    def __init__(self, turn: Turn, size: int) -> None:
        """Keep the facts, for the message and for programs."""
        super().__init__(turn, size)
        self.size = size

    def _reason(self) -> str:
        return f"{self.turn.space} lies outside the area of {self.size} x {self.size} spaces"


class ColourMismatchError(IllegalTurnError):
    """The tile does not fit: on ``side`` the neighbour's edge has ``colour``, the tile's not."""

    def __init__(self, turn: Turn, side: Side, colour: Colour) -> None:
        """Keep the facts, for the message and for programs."""
        super().__init__(turn, side, colour)
        self.side = side
        self.colour = colour

    def _reason(self) -> str:
        side, colour = self.side.name.lower(), self.colour.name.lower()
        return (
            f"the {side} edge would be {self.colour.other.name.lower()} "
            f"but the neighbour's edge is {colour}"
        )


class ForcedPlayError(IllegalTurnError):
    """A forced play cannot be made: three tracks of ``colour`` enter the space ``label``.

    The label is as in the turn itself: as the board stands before the turn.
    """

    def __init__(self, turn: Turn, label: str, colour: Colour) -> None:
        """Keep the facts, for the message and for programs."""
        super().__init__(turn, label, colour)
        self.label = label
        self.colour = colour

    def _reason(self) -> str:
        return (
            f"the forced play at {self.label} cannot be made, "
            f"three {self.colour.name.lower()} tracks enter there"
        )


def _quote(text: str) -> str:
    """The text in quotation marks, on one line, and shortened if it is long."""
    shown = text if len(text) <= _QUOTED else text[:_QUOTED] + "..."
    if shown.isprintable():
        return f"'{shown}'"
    return repr(shown)
