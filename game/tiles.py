"""Colours, sides and the six oriented tiles: the encodings that all of Loopline shares.

A tile has four edges, one per :class:`Side`; two are white and two are red, so a tile is fully
given by the set of its white edges: a four-bit mask, bit ``n`` for side ``n``. The gateware stores
exactly this mask.
"""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Final

__all__ = ["ALL_SIDES", "SHAPE_OF_CODE", "Colour", "Shape", "Side", "Tile"]


class Colour(IntEnum):
    """The colour of a track, and the player who owns it."""

    WHITE = 0
    RED = 1

    @property
    def other(self) -> Colour:
        """The opponent's colour."""
        return Colour(1 - self)

    @property
    def letter(self) -> str:
        """``W`` or ``R``, as the contest's records write it."""
        return "WR"[self]


class Side(IntEnum):
    """An edge of a tile, clockwise from the top. Rows grow to the south, columns to the east."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    @property
    def opposite(self) -> Side:
        """The side that faces this one across the edge."""
        return Side(self ^ 2)

    @property
    def step(self) -> tuple[int, int]:
        """The neighbour on this side, as (columns, rows) to add."""
        return ((0, -1), (1, 0), (0, 1), (-1, 0))[self]

    @property
    def bit(self) -> int:
        """This side in a four-bit mask of sides."""
        return 1 << self


ALL_SIDES = 0b1111
"""The mask of all four sides."""


class Shape(Enum):
    """A tile as the standard notation names it: without the colours, which the sockets decide."""

    CROSS = "+"
    SLASH = "/"
    BACKSLASH = "\\"

    @property
    def code(self) -> int:
        """The gateware's two-bit code: 0 for ``+``, 1 for ``/``, 2 for ``\\``."""
        return "+/\\".index(self.value)

    @property
    def tiles(self) -> tuple[Tile, Tile]:
        """The two oriented tiles of this shape, the one with a white north edge first."""
        return _TILES_OF_SHAPE[self]


SHAPE_OF_CODE: Final = tuple(Shape)
"""The shapes in the order of their codes."""


class Tile(IntEnum):
    """One of the six oriented tiles; the value is the mask of its white edges."""

    NORTH_SOUTH = Side.NORTH.bit | Side.SOUTH.bit
    EAST_WEST = Side.EAST.bit | Side.WEST.bit
    NORTH_WEST = Side.NORTH.bit | Side.WEST.bit
    EAST_SOUTH = Side.EAST.bit | Side.SOUTH.bit
    NORTH_EAST = Side.NORTH.bit | Side.EAST.bit
    SOUTH_WEST = Side.SOUTH.bit | Side.WEST.bit

    @property
    def shape(self) -> Shape:
        """The tile's name in notation."""
        return _SHAPE_OF_TILE[self]

    def edges(self, colour: Colour) -> int:
        """Return the mask of the sides where this tile has the given colour."""
        return self.value if colour is Colour.WHITE else ALL_SIDES & ~self.value

    def colour(self, side: Side) -> Colour:
        """Return the colour of one edge."""
        return Colour.WHITE if self.value >> side & 1 else Colour.RED


_TILES_OF_SHAPE = {
    Shape.CROSS: (Tile.NORTH_SOUTH, Tile.EAST_WEST),
    Shape.SLASH: (Tile.NORTH_WEST, Tile.EAST_SOUTH),
    Shape.BACKSLASH: (Tile.NORTH_EAST, Tile.SOUTH_WEST),
}
_SHAPE_OF_TILE = {tile: shape for shape, tiles in _TILES_OF_SHAPE.items() for tile in tiles}
