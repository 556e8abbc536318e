"""Bounding box: what is right beside it, its growth with a turn, and which way an end leaves it."""

from __future__ import annotations

from collections.abc import Sequence

from amaranth.hdl import Cat, Const, Module, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import LINE_LENGTH, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import box_layout, place_layout

__all__ = [
    "BoxEdges",
    "BoxGrowth",
    "beside_of",
    "completes_line",
    "crosses",
    "edges_layout",
    "exit_sides",
    "extent",
    "is_full",
    "is_long",
    "leaves",
]


def edges_layout(grid: GridConfig) -> data.StructLayout:
    """What follows from the box alone.

    ``beside``: by side, the column or row right beside it. By direction, from north to south and
    from west to east: whether it is as large as the grid holds (``grid_full``), or as the variant
    allows (``area_full``); whether it is long enough for a line (``long``), or by one too short for
    it (``almost``), neither where lines do not count. Undefined while the box is empty.
    """
    return data.StructLayout(
        {
            "beside": data.ArrayLayout(grid.coord_bits, 4),
            "grid_full": 2,
            "area_full": 2,
            "long": 2,
            "almost": 2,
        }
    )


def extent(low: Value, high: Value) -> Value:
    """Cells from ``low`` to ``high`` on the torus, less one: 0 for a single one."""
    return (high - low)[: len(low)]


def beside_of(box: data.View) -> list[Value]:
    """By side, the column or row right beside the box."""
    bits = len(box.west)
    beside = {
        Side.NORTH: box.north - 1,
        Side.EAST: box.east + 1,
        Side.SOUTH: box.south + 1,
        Side.WEST: box.west - 1,
    }
    return [beside[side][:bits] for side in Side]


def exit_sides(beside: Sequence[Value], place: data.View) -> Value:
    """The sides (a mask) on which a space next to the box lies outside of it; see
    :func:`beside_of`.

    A frontier space outside the box is right beside it, so that comparing for equality does; and
    the box is at least two smaller than the torus, so that opposite sides are told apart.
    """
    at = {Side.NORTH: place.y, Side.EAST: place.x, Side.SOUTH: place.y, Side.WEST: place.x}
    return Cat(at[side] == beside[side] for side in Side)


def crosses(first: Value, second: Value, side: Side) -> Value:
    """Whether a track whose ends leave the box on these sides (masks) does so on ``side`` and the
    side opposite to it, in either order."""
    return (first[side] & second[side.opposite]) | (first[side.opposite] & second[side])


def is_long(box: data.View, length: int) -> Value:
    """Whether the box has so many rows (bit 0) and columns (bit 1), or more."""
    wide = extent(box.west, box.east) >= length - 1
    high = extent(box.north, box.south) >= length - 1
    return Cat(high, wide)


def completes_line(long: Value, first: Value, second: Value) -> Value:
    """Whether a track whose ends leave the box on these sides (masks) is a line (rule 7), where the
    box is ``long`` enough; see :func:`edges_layout`."""
    return (long[0] & crosses(first, second, Side.NORTH)) | (
        long[1] & crosses(first, second, Side.WEST)
    )


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


class BoxEdges(wiring.Component):
    """Keeps in registers what follows from the box, so that nobody waits for it.

    Parameters
    ----------
    grid : GridConfig
        Size of the torus and with it the largest box.

    Members
    -------
    box : In(box_layout)
        The box.
    area : In, lines : In(1)
        The most columns and rows that the variant allows, and whether lines count; see
        :func:`rules_layout`.
    edges : Out(edges_layout)
        One cycle later.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "box": In(box_layout(grid)),
                "area": In(grid.coord_bits),
                "lines": In(1),
                "edges": Out(edges_layout(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        box, edges = self.box, self.edges
        limit = Const(self._grid.limit, self._grid.coord_bits)
        long = is_long(box, LINE_LENGTH)
        counts = self.lines.replicate(2)
        m.d.sync += [
            *(edges.beside[side].eq(at) for side, at in zip(Side, beside_of(box), strict=True)),
            edges.grid_full.eq(is_full(box, limit)),
            edges.area_full.eq(is_full(box, self.area)),
            edges.long.eq(long & counts),
            edges.almost.eq(is_long(box, LINE_LENGTH - 1) & ~long & counts),
        ]
        return m


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
    edges : In(edges_layout)
        What follows from it.
    place : In(place_layout)
        Where the tile goes: a cell of the box, or beside it.
    grown : Out(box_layout)
        The box after.
    grows : Out(1)
        The box was not empty, and ``grown`` is larger.
    too_large : Out(1)
        ``grown`` would exceed ``grid.limit`` columns or rows.
    outside : Out(1)
        ``grown`` would exceed the variant's area.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(
            {
                "box": In(box_layout(grid)),
                "edges": In(edges_layout(grid)),
                "place": In(place_layout(grid)),
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
            out = exit_sides(self.edges.beside, self.place)
            with m.If(out[Side.NORTH]):
                m.d.comb += self.grown.north.eq(self.place.y)
            with m.If(out[Side.EAST]):
                m.d.comb += self.grown.east.eq(self.place.x)
            with m.If(out[Side.SOUTH]):
                m.d.comb += self.grown.south.eq(self.place.y)
            with m.If(out[Side.WEST]):
                m.d.comb += self.grown.west.eq(self.place.x)
            m.d.comb += self.grows.eq(out.any())
            m.d.comb += self.too_large.eq(leaves(self.edges.grid_full, out))
            m.d.comb += self.outside.eq(leaves(self.edges.area_full, out))
        return m
