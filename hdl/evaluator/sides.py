"""Sides by number and by mask, and one of two values by a colour. All combinational."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Mux, Value
from amaranth.lib import data

from loopline.game import Side

__all__ = ["bank_of", "by_colour", "opposite", "side_of", "unit_step", "whole"]


def by_colour(values, colour: Value) -> Value:
    """One of two values, by a colour."""
    return Mux(colour, Value.cast(values[1]), Value.cast(values[0]))


def whole(mask: Value) -> Value:
    """Whether a mask of exits has two opposite sides: then it is that of a line."""
    return (mask[Side.NORTH] & mask[Side.SOUTH]) | (mask[Side.EAST] & mask[Side.WEST])


def opposite(side: Value) -> Value:
    """The opposite of a side given by its number."""
    return side ^ 2


def side_of(mask: Value) -> Value:
    """The number of the side in a mask of one side."""
    return Cat(mask[1] | mask[3], mask[2] | mask[3])


def unit_step(side: Value, width: int) -> tuple[Value, Value]:
    """Columns and rows from a cell to the one on a side, modulo ``2 ** width``."""
    columns = Cat(side[0], (side == Side.WEST).replicate(width - 1))
    rows = Cat(~side[0], (side == Side.NORTH).replicate(width - 1))
    return columns, rows


def bank_of(place: data.View, side: Value | Side) -> Value:
    """The bank of the neighbour on a side; see :class:`CellMap`."""
    if isinstance(side, Side):
        side = Const(side, 2)
    vertical = ~side[0]
    low = place.x[0] ^ ~vertical
    # x[1] changes to the east if x[0] is set, to the west if it is not; and likewise y[1].
    x1 = place.x[1] ^ (~vertical & (place.x[0] ^ (side == Side.WEST)))
    y1 = place.y[1] ^ (vertical & (place.y[0] ^ (side == Side.NORTH)))
    return Cat(low, x1 ^ y1)
