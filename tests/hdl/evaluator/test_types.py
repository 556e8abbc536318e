"""Widths that follow from the size of the grid."""

import pytest

from loopline.hdl.config import GridConfig
from loopline.hdl.evaluator.types import (
    TILE_NUMBER_BITS,
    block_layout,
    track_id_layout,
    window_bits,
    window_layout,
)


@pytest.mark.parametrize("size", [8, 16, 32, 64])
def test_windows_and_names(size):
    """A window is no larger than the torus, and a name holds either number that it may be."""
    grid = GridConfig(size=size)
    assert window_bits(grid) == {8: 3, 16: 4, 32: 4, 64: 4}[size]
    assert window_layout(grid).size == 2 * window_bits(grid)
    # Where the window is all of the torus, nothing has the low bits of something else.
    assert block_layout(grid).size == (0 if size <= 16 else 2 * (window_bits(grid) - 1))
    for spaces in (16, 64, 256):
        width = track_id_layout(GridConfig(size=size, frontier_entries=spaces))["number"].width
        # The number of a tile is told apart from the lowest indices by one bit more.
        assert width >= (spaces - 1).bit_length()
        assert width > TILE_NUMBER_BITS
