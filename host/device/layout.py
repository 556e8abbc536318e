"""The position on a device, assembled from its answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from loopline.game import Colour, Tile
from loopline.game.tiles import ALL_SIDES
from loopline.game.wire import GameFlag, RuleFlag
from loopline.host.device.errors import AnswerError

__all__ = [
    "BoardPosition",
    "Label",
    "Row",
    "Space",
    "Summary",
    "put_together",
]

Label = tuple[int, int]
"""Column and row as in notation: 1, 1 is the first cell of the formation."""

_NOWHERE = 0xFF
_SIDE_BITS = 4


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the formation, as in the message: White's sides high, Red's low."""

    row: int
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Space:
    """A space that a track enters, as in the message."""

    column: int
    row: int
    sockets: int
    white_column: int
    white_row: int
    red_column: int
    red_row: int

    def other_end(self, colour: Colour) -> Label | None:
        """Return the other end of the track of this colour that ends here, or None."""
        ends = ((self.white_column, self.white_row), (self.red_column, self.red_row))
        end = ends[colour]
        return None if end[0] == _NOWHERE else end


@dataclass(frozen=True, slots=True)
class Summary:
    """The last part of a position, after all rows and spaces."""

    state: GameFlag
    turns: int
    area: int
    rules: RuleFlag
    columns: int
    rows: int
    tiles: int
    spaces: int


@dataclass(frozen=True, slots=True)
class BoardPosition:
    """A whole position, by labels.

    Attributes
    ----------
    state, turns, area, rules, columns, rows
        As in the message.
    tiles : dict
        The tile in each occupied cell.
    sockets : dict
        The sides of each space that tracks enter, White's high, Red's low.
    ends : dict
        The other end of the track that ends in a space, by space and colour.
    """

    state: GameFlag
    turns: int
    area: int
    rules: RuleFlag
    columns: int
    rows: int
    tiles: dict[Label, Tile]
    sockets: dict[Label, int]
    ends: dict[tuple[Label, Colour], Label]


def put_together(rows: Sequence[Row], spaces: Sequence[Space], summary: Summary) -> BoardPosition:
    """Assemble a position. Raises :exc:`AnswerError` if its parts contradict each other."""
    tiles, inner = _cells(rows, summary)
    sockets = {(space.column, space.row): space.sockets for space in spaces}
    if len(sockets) != summary.spaces or len(tiles) != summary.tiles:
        raise AnswerError("a position with other numbers of tiles or spaces than it says")
    for label, bits in inner.items():
        if sockets.get(label) != bits:
            raise AnswerError(f"a position that contradicts itself in column and row {label}")
    ends = {}
    for space in spaces:
        for colour in Colour:
            other = space.other_end(colour)
            entered = space.sockets >> (0 if colour else _SIDE_BITS) & ALL_SIDES
            if (other is None) != (not entered) or (other is not None and other not in sockets):
                raise AnswerError(f"a track that has no other end, in {space.column, space.row}")
            if other is not None:
                ends[(space.column, space.row), colour] = other
    return BoardPosition(
        summary.state,
        summary.turns,
        summary.area,
        summary.rules,
        summary.columns,
        summary.rows,
        tiles,
        sockets,
        ends,
    )


def _cells(rows: Sequence[Row], summary: Summary) -> tuple[dict[Label, Tile], dict[Label, int]]:
    """Return the tiles of the formation, and the sockets of the spaces within it."""
    if [row.row for row in rows] != list(range(1, summary.rows + 1)) or any(
        len(row.cells) != summary.columns for row in rows
    ):
        raise AnswerError("a position with other columns or rows than it says")
    tiles, inner = {}, {}
    for row in rows:
        for column, cell in enumerate(row.cells, start=1):
            white, red = cell >> _SIDE_BITS, cell & ALL_SIDES
            if white ^ red == ALL_SIDES and white.bit_count() == red.bit_count():
                tiles[column, row.row] = Tile(white)
            elif max(white.bit_count(), red.bit_count()) <= 1 and not white & red:
                if cell:
                    inner[column, row.row] = cell
            else:
                raise AnswerError(f"a cell {cell:#04x}, which is neither a tile nor a space")
    return tiles, inner
