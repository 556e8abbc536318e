"""A space's neighbours as its candidates see them: its sockets, and which spaces a tile forces."""

from __future__ import annotations

from amaranth.hdl import Cat, Mux, Value
from amaranth.lib import data

from loopline.game import Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import cell_layout

__all__ = [
    "codes_layout",
    "codes_of",
    "forced_sides",
    "neighbour_layout",
    "own_sockets",
]


def codes_layout() -> data.ArrayLayout:
    """A neighbour as a candidate sees it, by colour.

    - A space: 0 without a socket of the colour, otherwise how many sides that socket is on from the
      side that the candidate sees.
    - A tile: one code for both colours, which no space has: 1 if it shows a white edge, 2 if a red
      one.
    """
    return data.ArrayLayout(2, 2)


def neighbour_layout(grid: GridConfig) -> data.StructLayout:
    """A space's neighbour: its codes, see :func:`codes_layout`, and its frontier index."""
    return data.StructLayout({"codes": codes_layout(), "index": cell_layout(grid)["index"].shape})


def codes_of(word: data.View, side: Side) -> Value:
    """Return the codes of the neighbour on a side, from its word in the cell map."""
    entry = side.opposite
    edge = word.index[entry]
    codes = []
    for mask in (word.white, word.red):
        one, two, three = (mask[(entry + n) % 4] for n in range(1, 4))
        # A tile's sockets are all ones, see :func:`cell_layout`; a space has one of a colour.
        tile = one & two
        codes.append(Cat(Mux(tile, edge, one | three), Mux(tile, ~edge, two | three)))
    return Cat(codes)


def own_sockets(neighbours: data.View) -> tuple[Value, Value]:
    """Return the sides on which a space has a white and a red socket, by the tiles beside it."""
    codes = [neighbours[side].codes.as_value() for side in Side]
    return Cat(code == 0b0101 for code in codes), Cat(code == 0b1010 for code in codes)


def forced_sides(neighbours: data.View, open_sides: Value, tile: Value) -> Value:
    """Return the sides on which a tile (its white edges) forces the space beyond.

    Cells outside of the box have no sockets, so they are not forced.
    """
    meets = (
        Mux(tile[side], neighbours[side].codes[0].any(), neighbours[side].codes[1].any())
        for side in Side
    )
    return Cat(meets) & open_sides
