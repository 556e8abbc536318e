"""Sides by number and by mask, and small choices and comparisons. All combinational."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data

from loopline.game import Side

__all__ = [
    "bank_of",
    "by_colour",
    "equal",
    "is_line",
    "mask_of",
    "opposite",
    "side_of",
    "unit_step",
]


def by_colour(values, colour: Value) -> Value:
    """Return one of two values, by a colour."""
    return Mux(colour, Value.cast(values[1]), Value.cast(values[0]))


def is_line(exits: Value) -> Value:
    """Return whether a track that leaves the box on these sides (a mask) is a line: two of them
    are opposite."""
    return (exits[Side.NORTH] & exits[Side.SOUTH]) | (exits[Side.EAST] & exits[Side.WEST])


def opposite(side: Value) -> Value:
    """Return the number of the opposite side."""
    return side ^ 2


def mask_of(side: Value) -> Value:
    """Return the mask of a side."""
    return (1 << side)[:4]


def side_of(mask: Value) -> Value:
    """Return the number of the side in a mask of one side."""
    return Cat(mask[1] | mask[3], mask[2] | mask[3])


def unit_step(side: Value, width: int) -> tuple[Value, Value]:
    """Return columns and rows from a cell to its neighbour on a side, modulo ``2 ** width``."""
    columns = Cat(side[0], (side == Side.WEST).replicate(width - 1))
    rows = Cat(~side[0], (side == Side.NORTH).replicate(width - 1))
    return columns, rows


def bank_of(place: data.View, side: Value | Side) -> Value:
    """Return the bank of the neighbour on a side; see :class:`CellMap`."""
    if isinstance(side, Side):
        side = Const(side, 2)
    vertical = ~side[0]
    low = place.x[0] ^ ~vertical
    # x[1] changes to the east if x[0] is set, to the west if it is not; and likewise y[1].
    x1 = place.x[1] ^ (~vertical & (place.x[0] ^ (side == Side.WEST)))
    y1 = place.y[1] ^ (vertical & (place.y[0] ^ (side == Side.NORTH)))
    return Cat(low, x1 ^ y1)


def equal(m: Module, left: Value, right: Value, name: str) -> Value:
    """Return whether two words are equal, in two steps of logic: pairs of bits, then all pairs.

    For words from a block RAM, whose output is late. Synthesis for the ECP5 does not know that and
    would save cells by a longer path, unless the signal of the first step (``name``) is kept.
    """
    width = len(left)
    pairs = Signal((width + 1) // 2, name=name, attrs={"keep": 1})
    m.d.comb += pairs.eq(Cat(left[n : n + 2] == right[n : n + 2] for n in range(0, width, 2)))
    return pairs.all()
