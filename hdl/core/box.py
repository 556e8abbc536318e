"""Bounding box: growth with the first tile of a turn, and which way an end leaves it."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import LINE_LENGTH, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import box_layout, place_layout

__all__ = ["BoxGrowth", "completes_line", "crosses", "exit_sides", "extent", "is_full", "leaves"]


def extent(low: Value, high: Value) -> Value:
    """Cells from ``low`` to ``high`` on the torus, less one: 0 for a single one."""
    return (high - low)[: len(low)]


def exit_sides(box: data.View, place: data.View) -> Value:
    """The sides (a mask) on which a space next to the box lies outside of it.

    A frontier space outside the box is right beside it, so that comparing for equality does; and
    the box is at least two smaller than the torus, so that opposite sides are told apart.
    """
    bits = len(box.west)
    outside = {
        Side.NORTH: place.y == (box.north - 1)[:bits],
        Side.EAST: place.x == (box.east + 1)[:bits],
        Side.SOUTH: place.y == (box.south + 1)[:bits],
        Side.WEST: place.x == (box.west - 1)[:bits],
    }
    return Cat(*(outside[side] for side in Side))


def crosses(first: Value, second: Value, side: Side) -> Value:
    """Whether a track whose ends leave the box on these sides (masks) does so on ``side`` and the
    side opposite to it, in either order."""
    return (first[side] & second[side.opposite]) | (first[side.opposite] & second[side])


def completes_line(box: data.View, first: Value, second: Value) -> Value:
    """Whether a track whose ends leave the box on these sides (masks) is a line (rule 7)."""
    wide = extent(box.west, box.east) >= LINE_LENGTH - 1
    high = extent(box.north, box.south) >= LINE_LENGTH - 1
    return (wide & crosses(first, second, Side.WEST)) | (high & crosses(first, second, Side.NORTH))


def is_full(box: data.View, area: Value) -> Value:
    """Whether the box, which is not larger, is ``area`` rows high (bit 0) and columns wide (bit 1);
    never if that is 0."""
    last = (area - 1)[: len(area)]
    return Cat(extent(box.north, box.south) == last, extent(box.west, box.east) == last)


def leaves(full: Value, out: Value) -> Value:
    """Whether a tile in a space that lies outside of the box on these sides (a mask) would make it
    larger where it is ``full``; see :func:`is_full`."""
    return (full[0] & (out[Side.NORTH] | out[Side.SOUTH])) | (
        full[1] & (out[Side.WEST] | out[Side.EAST])
    )


class BoxGrowth(wiring.Component):
    """The box with one more tile. Combinational.

    Parameters
    ----------
    grid : GridConfig
        Size of the torus and with it the largest box.

    Members
    -------
    box : In(box_layout)
        The box before.
    place : In(place_layout)
        Where the tile goes: a cell of the box, or beside it.
    area : In
        The most columns and rows that the variant allows; see :func:`rules_layout`.
    grown : Out(box_layout)
        The box after.
    grows : Out(1)
        The box was not empty, and ``grown`` is larger.
    too_large : Out(1)
        ``grown`` would exceed ``grid.limit`` columns or rows.
    outside : Out(1)
        ``grown`` would exceed ``area`` columns or rows.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "box": In(box_layout(grid)),
                "place": In(place_layout(grid)),
                "area": In(grid.coord_bits),
                "grown": Out(box_layout(grid)),
                "grows": Out(1),
                "too_large": Out(1),
                "outside": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        m.d.comb += [self.grown.eq(self.box), self.grown.empty.eq(0)]
        with m.If(self.box.empty):
            m.d.comb += [
                self.grown.west.eq(self.place.x),
                self.grown.east.eq(self.place.x),
                self.grown.north.eq(self.place.y),
                self.grown.south.eq(self.place.y),
            ]
        with m.Else():
            out = exit_sides(self.box, self.place)
            limit = Const(self._grid.limit, self._grid.coord_bits)
            with m.If(out[Side.NORTH]):
                m.d.comb += self.grown.north.eq(self.place.y)
            with m.If(out[Side.EAST]):
                m.d.comb += self.grown.east.eq(self.place.x)
            with m.If(out[Side.SOUTH]):
                m.d.comb += self.grown.south.eq(self.place.y)
            with m.If(out[Side.WEST]):
                m.d.comb += self.grown.west.eq(self.place.x)
            m.d.comb += self.grows.eq(out.any())
            m.d.comb += self.too_large.eq(leaves(is_full(self.box, limit), out))
            m.d.comb += self.outside.eq(leaves(is_full(self.box, self.area), out))
        return m
