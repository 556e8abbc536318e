"""The notation of the years before 1998: ``A1C``, ``B1S``, ``1AL``.

A letter and a number name the space as it is counted *after* the tile is laid, so the leftmost
column is always ``A`` and the topmost row always ``1``. A mark names the tile by what it does to
the tracks that enter the space:

======== ==========================================================================================
``S``    straight: both colours go straight on
``C``    a curve, where only one fits: the first tile, and against two edges round a corner
``ULDR`` a curve against one edge: where it turns the track that it continues, up, left, down or
         right. Between two opposite edges, where both curves fit: where the white track turns
======== ==========================================================================================

Beside a tile in the corner, ``A1`` would name two spaces: ``A1`` is the one to the left of it, and
``1A``, number first, the one above. The meaning of a text depends on the position, so reading and
writing take one.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from loopline.game.errors import NotationError
from loopline.game.notation import (
    Turn,
    column_name,
    column_number,
    parse_turn,
    scan_column,
    scan_row,
)
from loopline.game.position import Position
from loopline.game.tiles import Colour, Shape, Side

__all__ = ["OldTurn", "format_old_turn", "parse_old_turn", "read_turn"]

_DIRECTIONS: Final = {"U": Side.NORTH, "L": Side.WEST, "D": Side.SOUTH, "R": Side.EAST}
_LETTER: Final = {side: letter for letter, side in _DIRECTIONS.items()}
_MARKS: Final = "SCULDR"


class OldTurn(NamedTuple):
    """A turn in this notation: column and row from 1, whether the number is first, the mark."""

    column: int
    row: int
    number_first: bool
    mark: str

    def __str__(self) -> str:
        """Return the turn in this notation."""
        names = column_name(self.column), str(self.row)
        return "".join(reversed(names) if self.number_first else names) + self.mark


def parse_old_turn(text: str) -> OldTurn:
    """Parse a text without regard to a position.

    Raises :exc:`NotationError`, which says what was expected and where.
    """
    number_first = text[:1] != "" and text[0] in "0123456789"
    if number_first:
        row_at, column_at = 0, scan_row(text, 0)
        # One letter: a mark is a letter, too.
        end = scan_column(text[: column_at + 1], column_at)
        row, name = text[:column_at], text[column_at:end]
    else:
        row_at, column_at = scan_column(text, 0), 0
        end = scan_row(text, row_at)
        row, name = text[row_at:end], text[:row_at]
    if row == "0":
        raise NotationError(text, "rows are counted from 1", row_at)
    if name == "@":
        raise NotationError(text, "columns are counted from 'A'", column_at)
    if number_first and (row, name) != ("1", "A"):
        raise NotationError(text, "only 1A begins with the number, expected a column", 0)
    mark = text[end : end + 1]
    if not mark or mark not in _MARKS:
        raise NotationError(text, "expected a tile, S, C, U, L, D or R", end)
    if len(text) > end + 1:
        raise NotationError(text, "expected nothing after the tile", end + 1)
    return OldTurn(column_number(name), int(row), number_first, mark)


def read_turn(position: Position, text: str) -> Turn:
    """Read a turn in either notation, to be made in this position.

    Raises :exc:`NotationError` for a text that is not a turn, or whose mark does not apply to the
    space. Only :meth:`Position.play` checks that the turn is legal: of a space that is not on the
    frontier the shape means nothing.
    """
    if not text or text[-1] not in _MARKS:
        return parse_turn(text)
    old = parse_old_turn(text)
    column, row = _space(position, old, text)
    if not position.tiles:
        if old.mark in "SC":
            return Turn(0, 0, Shape.CROSS if old.mark == "S" else Shape.SLASH)
        raise NotationError(text, "the first tile is S or C", len(text) - 1)
    sockets = position.sockets(*position.locate(Turn(column, row, Shape.CROSS)))
    if not sockets or old.mark == "S":
        return Turn(column, row, Shape.CROSS)
    shapes = _curves(sockets)
    if old.mark not in shapes:
        straight = ["S"] if Shape.CROSS in _fitting(sockets) else []
        expected = " or ".join([*straight, *sorted(shapes)])
        raise NotationError(text, f"expected {expected} in this space", len(text) - 1)
    return Turn(column, row, shapes[old.mark])


def format_old_turn(position: Position, turn: Turn) -> str:
    """Write a turn that is legal in this position; :func:`read_turn` reads it back.

    Raises :exc:`ValueError` for a turn whose tile does not fit.
    """
    if not position.tiles:
        return str(OldTurn(1, 1, False, "S" if turn.shape is Shape.CROSS else "C"))
    sockets = position.sockets(*position.locate(turn))
    if turn.shape not in _fitting(sockets) or not sockets:
        raise ValueError(f"{turn} does not fit in this position")
    mark = "S"
    if turn.shape is not Shape.CROSS:
        mark = next(mark for mark, shape in _curves(sockets).items() if shape is turn.shape)
    above_corner = (turn.column, turn.row) == (1, 0)
    return str(OldTurn(max(turn.column, 1), max(turn.row, 1), above_corner, mark))


def _space(position: Position, old: OldTurn, text: str) -> tuple[int, int]:
    """Return column and row in the standard notation of the space that an old turn names."""
    if not position.tiles:
        if (old.column, old.row, old.number_first) != (1, 1, False):
            raise NotationError(text, "the first tile is at A1", 0)
        return 0, 0
    column, row = old.column, old.row
    occupied = position.tile_at(*position.locate(Turn(column, row, Shape.CROSS))) is not None
    if old.number_first and not occupied:
        raise NotationError(text, "there is no tile in the corner, expected A1", 0)
    if occupied and row == 1 and (column > 1 or old.number_first):
        return column, 0
    if occupied and column == 1:
        return 0, row
    return column, row


def _fitting(sockets: dict[Side, Colour]) -> set[Shape]:
    """Return the shapes that fit the sockets of a space."""
    return {
        shape
        for shape in Shape
        for tile in shape.tiles
        if all(tile.colour(side) is colour for side, colour in sockets.items())
    }


def _curves(sockets: dict[Side, Colour]) -> dict[str, Shape]:
    """Return the curves that fit a space of the frontier: their shapes by mark."""
    sides = list(sockets)
    if len(sides) == 2 and sides[1] is not sides[0].opposite:
        [shape] = _fitting(sockets) - {Shape.CROSS}
        return {"C": shape}
    side, colour = next(
        ((s, c) for s, c in sockets.items() if c is Colour.WHITE), (sides[0], sockets[sides[0]])
    )
    return {
        _LETTER[turned]: tile.shape
        for turned in (Side((side + 1) % 4), Side((side + 3) % 4))
        for shape in (Shape.SLASH, Shape.BACKSLASH)
        for tile in shape.tiles
        if tile.edges(colour) == side.bit | turned.bit
    }
