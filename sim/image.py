"""What the memories of a turn unit say of its position, to tell whether it is as it was."""

from __future__ import annotations

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import cell_layout

from .packing import Packing
from .probe import Probe

__all__ = ["Image", "image_of"]

Image = dict[str, list[int]]
"""Words by the name of their memory."""

_TABLES = ("places", "partners", "entries")
"""Memories by frontier index: coordinates, ends of tracks, what the trials read."""


def image_of(probe: Probe, grid: GridConfig) -> Image:
    """The whole cell map, and the rows of all tables that belong to a frontier space.

    Two images are equal if the unit holds the same position in the same words, which it does after
    turns have been taken back. Not in an image is what has no meaning in between: rows of free
    indices, and what journals, trials and the queue have left behind.
    """
    cells = [name for name in probe.memories if ".cells." in name]
    image = {name: probe.read_memory(name) for name in cells}
    words = [word for bank in image.values() for word in bank]
    if len(words) != grid.size**2:
        raise ValueError(f"the cell map has {len(words)} words on a grid of {grid.size}")
    indices = sorted(_indices(words, Packing(cell_layout(grid))))
    for name in probe.memories:
        if name.rpartition(".")[2] in _TABLES:
            rows = probe.read_memory(name)
            image[name] = [rows[index] for index in indices]
    return image


def _indices(words: list[int], layout: Packing) -> list[int]:
    """The frontier indices in words of the cell map: those of empty cells with sockets."""
    white, red, index = (layout.fields[name][0] for name in ("white", "red", "index"))
    tile = 1 << white | 1 << red
    sockets = 15 << white | 15 << red
    return [word >> index for word in words if word & sockets and word & tile != tile]
