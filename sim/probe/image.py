"""Images of a turn unit's memories, to tell whether its position is as it was."""

from __future__ import annotations

from functools import cache

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import cell_layout
from loopline.sim.probe.packing import Packing
from loopline.sim.probe.probe import Probe

__all__ = ["Image", "image_of"]

Image = dict[str, list[int]]
"""Words by the name of their memory."""

_TABLES = ("unit.spaces.white", "unit.spaces.red")
"""Memories by frontier index."""

_PARTNERS = "unit.joiner.partners"
"""By frontier index: the other ends of the white and of the red track there, if there are any."""


def image_of(probe: Probe, grid: GridConfig) -> Image:
    """Return the whole cell map, and the rows of all tables that belong to a frontier space.

    Two images are equal if the unit holds the same position in the same words, as it does after a
    turn is made and taken back. An image leaves out what has no meaning between commands: rows of
    free indices, the journal, the queue, and the memories of the evaluator. Raises ``ValueError``
    if the cell map is not that of ``grid``.
    """
    cells = [name for name in probe.memories if ".cells." in name]
    image = {name: probe.read_memory(name) for name in cells}
    count = sum(map(len, image.values()))
    if count != grid.size**2:
        raise ValueError(f"the cell map has {count} words on a grid of {grid.size}")
    # Most cells are empty or one of few tiles; words of spaces all differ, as they have an index.
    words = filter(_is_space, set().union(*image.values()))
    spaces = sorted(map(_cell(grid).unpack, words), key=lambda cell: cell.index)
    for name in _TABLES:
        rows = probe.read_memory(name)
        image[name] = [rows[cell.index] for cell in spaces]
    rows = probe.read_memory(_PARTNERS)
    half = (1 << grid.index_bits) - 1
    masks = (
        (half if cell.white else 0) | (half << grid.index_bits if cell.red else 0)
        for cell in spaces
    )
    image[_PARTNERS] = [rows[cell.index] & mask for cell, mask in zip(spaces, masks, strict=True)]
    return image


@cache
def _cell(grid: GridConfig) -> Packing:
    """The packing of a word of the cell map; cached, as it takes longer to make than an image."""
    return Packing(cell_layout(grid))


def _is_space(word: int) -> bool:
    """Whether a word of the cell map is an empty cell with sockets; see ``is_frontier``."""
    return word & 0x11 != 0x11 and word & 0xFF != 0
