"""Tables of the rules for the compiled software, made from those of the reference model.

A space's sockets are eight bits, bit ``n`` for a white track that enters on side ``n``, bit
``4 + n`` for a red one. A tile is the mask of its white edges. Cells are numbered row by row on a
plane of ``1 << ROW_BITS`` columns and as many rows, so that a neighbour is one addition away; an
*end* is ``cell << 2 | side``.
"""

from __future__ import annotations

import numpy as np

from loopline.game import ALL_SIDES, Colour, Shape, Side, Tile
from loopline.game.board import FIRST_TILES
from loopline.game.chain import FITTING, socket

__all__ = [
    "CONFLICT",
    "EDGES",
    "FITTING_TILES",
    "FORCED",
    "OPENINGS",
    "ORIGIN",
    "ROW",
    "ROW_BITS",
    "SHAPE",
    "STEP",
    "TILE_OF_SHAPE",
]

ROW_BITS = 7
ROW = 1 << ROW_BITS
ORIGIN = ROW // 2
"""Column and row of the first tile. A formation may grow ``ORIGIN - 2`` cells to each side."""

CONFLICT = 16
"""In :data:`FORCED`: three tracks of one colour enter, which makes the turn illegal. No tile has
this bit."""


def _forced(sockets: int) -> int:
    """Return the tile that the sockets force, 0 for no forced play, or :data:`CONFLICT`."""
    white, red = sockets & ALL_SIDES, sockets >> 4
    if max(white.bit_count(), red.bit_count()) > 2 or white & red:
        return CONFLICT
    if white.bit_count() == 2:
        return white
    return ALL_SIDES & ~red if red.bit_count() == 2 else 0


def _openings(closed: int, tile: int) -> int:
    """Return the sockets that a tile gives its neighbours: a byte each, the north lowest."""
    openings = 0
    for side in Side:
        if not closed & side.bit:
            colour = Colour.WHITE if tile & side.bit else Colour.RED
            openings |= socket(side.opposite, colour) << (8 * side)
    return openings


def _tile_of_shape(sockets: int) -> list[int]:
    """Return the tile of each shape code that fits the sockets, or 0; without sockets the first."""
    tiles = FITTING[sockets] if sockets else FIRST_TILES
    fitting = {tile.shape.code: int(tile) for tile in tiles}
    return [fitting.get(code, 0) for code in range(len(Shape))]


FORCED = np.array([_forced(sockets) for sockets in range(256)], np.uint8)

TILE_OF_SHAPE = np.array([_tile_of_shape(sockets) for sockets in range(256)], np.uint8)
"""By sockets and shape code: the tile that fits, or 0."""

FITTING_TILES = np.zeros((256, 1 + len(Tile)), np.uint8)
"""By sockets: the number of tiles that fit, then these tiles, ordered by shape."""
for _sockets, _tiles in enumerate(FITTING):
    FITTING_TILES[_sockets, : len(_tiles) + 1] = [len(_tiles), *_tiles]

SHAPE = np.zeros(16, np.uint8)
EDGES = np.zeros((16, len(Colour), 2), np.uint8)
"""By tile and colour: the two sides that a track joins."""
for _tile in Tile:
    SHAPE[_tile] = _tile.shape.code
    for _colour in Colour:
        EDGES[_tile, _colour] = [side for side in Side if _tile.colour(side) is _colour]

OPENINGS = np.array(
    [[_openings(closed, tile) for tile in range(16)] for closed in range(16)], np.int64
)
"""By the sides on which tracks enter, and by tile: the neighbours' new sockets, a byte each."""

STEP = np.array([side.step[0] + side.step[1] * ROW for side in Side], np.int64)
"""What to add to a cell to reach its neighbour on each side."""
