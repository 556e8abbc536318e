"""The rules as look-up tables of the compiled search, made from the reference model.

A space's sockets are eight bits as in :mod:`loopline.game.chain`. A cell is ``y << 6 | x`` on the
torus of the gateware; a placement, or *move*, is ``cell << 2 | shape code``.
"""

from __future__ import annotations

import numpy as np

from loopline.game import ALL_SIDES, Colour, Shape, Side, Tile
from loopline.game.board import FIRST_TILES
from loopline.game.chain import FITTING
from loopline.hdl.config import SEED_BITS
from loopline.hdl.search.hashing import (
    BEGIN,
    HASH_HALF,
    LEFT_TURN,
    RIGHT_TURN,
    ROUNDS,
    STIR,
    VARIETY_BITS,
)

__all__ = [
    "ACROSS",
    "CELLS",
    "COLUMN",
    "CONFLICT",
    "DOWN",
    "EDGES",
    "FORCED",
    "HASH",
    "NO_MOVE",
    "OCCUPIED",
    "ROW_BITS",
    "SHAPES",
    "SIDE_OF",
    "SIZE",
    "TILE_OF_SHAPE",
    "hash_of",
    "variety_of",
]

ROW_BITS = 6
SIZE = 1 << ROW_BITS
CELLS = SIZE * SIZE
COLUMN = SIZE - 1
"""The bits of a cell that are its column."""

OCCUPIED = 0xFF
"""The sockets of a cell that holds a tile: all bits, which no space can have."""

NO_MOVE = 3
"""No placement: there is no shape with this code."""

SHAPES = len(Shape)
CONFLICT = 16
"""In :data:`FORCED`: three tracks of one colour enter, which makes the turn illegal."""


def _forced(sockets: int) -> int:
    """Return the tile that the sockets force, 0 for none, or :data:`CONFLICT`."""
    white, red = sockets & ALL_SIDES, sockets >> 4
    if max(white.bit_count(), red.bit_count()) > 2 or white & red:
        return CONFLICT
    if white.bit_count() == 2:
        return white
    return ALL_SIDES & ~red if red.bit_count() == 2 else 0


def _tile_of_shape(sockets: int) -> list[int]:
    """Return the tile of each shape code that fits the sockets, 0 for none.

    Without sockets: the first tiles of a game.
    """
    tiles = FITTING[sockets] if sockets else FIRST_TILES
    fitting = {tile.shape.code: int(tile) for tile in tiles}
    return [fitting.get(code, 0) for code in range(SHAPES)]


def _rounds(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the bits that the rounds of :mod:`loopline.hdl.search.hashing` make of two halves."""
    mask = (1 << HASH_HALF) - 1
    for number in range(ROUNDS):
        left = ((left >> LEFT_TURN | left << (HASH_HALF - LEFT_TURN)) & mask) + right & mask
        left ^= STIR >> number
        right = (right << RIGHT_TURN | right >> (HASH_HALF - RIGHT_TURN)) & mask ^ left
    return left << HASH_HALF | right


def hash_of(cell: np.ndarray, tile: np.ndarray) -> np.ndarray:
    """Return the 40 bits that a tile in a cell contributes to the hash of a position.

    Six rounds of addition, rotation and exclusive or on two halves of 20 bits, as in a cipher: in
    gateware one round per clock cycle, finished before the tile is laid.
    """
    left = np.asarray(cell, np.int64) | np.asarray(tile, np.int64) << (2 * ROW_BITS)
    return _rounds(left, np.full_like(left, BEGIN))


def variety_of(cell: int, shape: int, seed: int, turns: int) -> int:
    """Return the points, 0 to 15, by which a seed raises the value of a turn of the root.

    They are the highest bits of the same six rounds as :func:`hash_of`.

    Parameters
    ----------
    cell, shape : int
        The turn; the cell's coordinates are those on the gateware's torus.
    seed : int
        The seed; all but its lowest ``SEED_BITS`` bits are cut.
    turns : int
        The turns of the game before it.
    """
    left = (cell | shape << 2 * ROW_BITS) ^ seed & ((1 << SEED_BITS) - 1)
    number = _rounds(np.array(left, np.int64), np.array(BEGIN ^ turns, np.int64))
    return int(number) >> (2 * HASH_HALF - VARIETY_BITS)


FORCED = np.array([_forced(sockets) for sockets in range(256)], np.int64)

TILE_OF_SHAPE = np.array([_tile_of_shape(sockets) for sockets in range(256)], np.int64)
"""The tile that fits, by sockets and shape code; 0 for none."""

EDGES = np.zeros((16, 2), np.int64)
"""The mask of a tile's edges of a colour, by tile and colour."""
for _tile in Tile:
    for _colour in Colour:
        EDGES[_tile, _colour] = _tile.edges(_colour)

SIDE_OF = np.array([max(mask.bit_length() - 1, 0) for mask in range(16)], np.int64)
"""The highest side of a mask of sides."""

ACROSS = np.array([side.step[0] for side in Side], np.int64)
DOWN = np.array([side.step[1] << ROW_BITS for side in Side], np.int64)
"""The differences from a cell to its neighbour's column and row, by side."""

HASH = hash_of(
    np.arange(CELLS, dtype=np.int64)[:, None], np.arange(16, dtype=np.int64)[None, :]
).reshape(-1)
"""The contribution of a tile to the hash, by ``cell << 4 | tile``."""
