"""The hash of a position: its constants, which engine and gateware share.

A tile contributes the 40 bits that six rounds make of two halves of 20 bits. The left half begins
with the cell and the tile, the right half with :data:`BEGIN`. Round ``n`` is::

    left = (left rotated right by LEFT_TURN) + right
    left = left ^ (STIR >> n)
    right = (right rotated left by RIGHT_TURN) ^ left

The cell is ``y << CELL_BITS // 2 | x``, in 12 bits, with the coordinates on the torus of the grid.
The hash is the exclusive or of the contributions of all tiles, and of :data:`TO_MOVE_HASH` for
each turn.
"""

from __future__ import annotations

__all__ = [
    "BEGIN",
    "CELL_BITS",
    "HASH_BITS",
    "HASH_HALF",
    "LEFT_TURN",
    "RIGHT_TURN",
    "ROUNDS",
    "STIR",
    "TO_MOVE_HASH",
    "VARIETY_BITS",
]

CELL_BITS = 12
"""The width of a cell, whatever the size of the grid."""

HASH_HALF = 20
"""The width of half of a hash."""

HASH_BITS = 2 * HASH_HALF
"""The width of a hash."""

ROUNDS = 6

LEFT_TURN, RIGHT_TURN = 7, 3

BEGIN = 0x9E377
"""The right half before the first round."""

STIR = 0xB7E15

TO_MOVE_HASH = 0x5A5A5A5A5A
"""The contribution of each turn, so that positions differ by the side to move."""

VARIETY_BITS = 4
"""The highest bits of the same rounds, begun with the seed, are points on top of a turn's value."""
