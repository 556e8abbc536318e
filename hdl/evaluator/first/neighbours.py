"""A space's neighbours as its candidates see them: its sockets, and what a tile would force."""

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

    Of a space: how many sides on from the one that is seen its socket is, or 0. A tile has one
    code for both colours, which no space has: 1 if it shows a white edge, 2 if a red one.
    """
    return data.ArrayLayout(2, 2)


def neighbour_layout(grid: GridConfig) -> data.StructLayout:
    """A space's neighbour: its codes, see :func:`codes_layout`, and its frontier index."""
    return data.StructLayout({"codes": codes_layout(), "index": cell_layout(grid)["index"].shape})


def codes_of(word: data.View, side: Side) -> Value:
    """The codes of the cell on a side."""
    entry = side.opposite
    edge = word.index[entry]
    codes = []
    for mask in (word.white, word.red):
        one, two, three = (mask[(entry + n) % 4] for n in range(1, 4))
        # A tile's sockets are all ones, see :func:`cell_layout`; a space has one of a colour.
        tile = one & two
        codes.append(Cat(Mux(tile, edge, one | three), Mux(tile, ~edge, two | three)))
    return Cat(codes)


def own_sockets(near: data.View) -> tuple[Value, Value]:
    """The sides on which a space has a white and a red socket, by the tiles beside it."""
    codes = [near[side].codes.as_value() for side in Side]
    return Cat(code == 0b0101 for code in codes), Cat(code == 0b1010 for code in codes)


def forced_sides(near: data.View, open_sides: Value, tile: Value) -> Value:
    """The sides on which a tile forces the space beyond it. Outside of the box none has sockets."""
    meets = (Mux(tile[side], near[side].codes[0].any(), near[side].codes[1].any()) for side in Side)
    return Cat(meets) & open_sides
