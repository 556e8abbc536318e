"""Spaces of the endless plane as single integers.

A *space key* is a multiple of four; moving to a neighbour adds one of :data:`STEPS`. A track that
enters a space through one of its sides is an *end*, and its key is the space key plus the side.
Columns lie in a range of 2⁶⁴, more than notation can name; rows have no limit.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from loopline.game.tiles import Side

__all__ = ["EMPTY_BOX", "STEPS", "Box", "coordinates", "key"]

_COLUMN_BITS: Final = 64
_HALF: Final = 1 << (_COLUMN_BITS - 1)


def key(x: int, y: int) -> int:
    """Return the key of the space in column ``x`` and row ``y``."""
    return ((y << _COLUMN_BITS) + x) << 2


def coordinates(space_or_end: int) -> tuple[int, int]:
    """Return the column and row of a space, or of the space that an end belongs to."""
    cell = space_or_end >> 2
    y = (cell + _HALF) >> _COLUMN_BITS
    return cell - (y << _COLUMN_BITS), y


STEPS: Final[tuple[int, ...]] = tuple(key(*side.step) for side in Side)
"""What to add to a key to reach the neighbour on each side."""


class Box(NamedTuple):
    """The smallest rectangle that holds all tiles, limits included."""

    west: int
    north: int
    east: int
    south: int

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.east - self.west + 1

    @property
    def height(self) -> int:
        """The number of rows."""
        return self.south - self.north + 1

    def including(self, x: int, y: int) -> Box:
        """Return the box that also holds this space."""
        if self.width == 0:
            return Box(x, y, x, y)
        return Box(min(x, self.west), min(y, self.north), max(x, self.east), max(y, self.south))

    def is_within(self, size: int | None) -> bool:
        """Return whether the box has at most ``size`` columns and rows; None limits nothing."""
        return size is None or (self.width <= size and self.height <= size)

    def side_of(self, space_or_end: int) -> Side | None:
        """Return the side of the box on which a space outside it lies; None if it lies inside."""
        x, y = coordinates(space_or_end)
        if x < self.west:
            return Side.WEST
        if x > self.east:
            return Side.EAST
        if y < self.north:
            return Side.NORTH
        return Side.SOUTH if y > self.south else None

    def label(self, x: int, y: int) -> tuple[int, int]:
        """Return column and row of a space as notation counts them: the box begins at 1, 1."""
        return x - self.west + 1, y - self.north + 1

    def locate(self, column: int, row: int) -> tuple[int, int]:
        """Return the coordinates of a space by its label, the inverse of :meth:`label`.

        Raises :exc:`ValueError` for a column or row below zero, which notation does not have.
        """
        if column < 0 or row < 0:
            raise ValueError(f"a column and a row are 0 or more, not {column} and {row}")
        return column + self.west - 1, row + self.north - 1

    def extent(self, side: Side) -> int:
        """Return the box's length in the direction of this side."""
        return self.height if side in (Side.NORTH, Side.SOUTH) else self.width


EMPTY_BOX: Final = Box(1, 1, 0, 0)
"""The box of the empty board: it has no columns and rows, and (0, 0) is its ``@0``."""
