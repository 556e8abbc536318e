"""Bounding box: what lies beside it, how a turn makes it larger, and where ends leave it."""

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
    """What follows from the bounding box alone. Not valid while the box is empty.

    ``beside`` is, by side, the column or row next to the box. The others have bit 0 for the
    direction from north to south and bit 1 for that from west to east:

    - ``grid_full``: the box is as large as the grid holds;
    - ``area_full``: the box is as large as the variant allows;
    - ``long``: the box is long enough for a line;
    - ``almost``: the box is one too short for a line. Neither is set where lines do not count.
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
    """The number of cells from ``low`` to ``high`` on the torus, less 1."""
    return (high - low)[: len(low)]


def beside_of(box: data.View) -> list[Value]:
    """By side, the column or row next to the box."""
    bits = len(box.west)
    beside = {
        Side.NORTH: box.north - 1,
        Side.EAST: box.east + 1,
        Side.SOUTH: box.south + 1,
        Side.WEST: box.west - 1,
    }
    return [beside[side][:bits] for side in Side]


def exit_sides(beside: Sequence[Value], place: data.View) -> Value:
    """The sides (a mask) on which a frontier space lies outside the box; see :func:`beside_of`.

    A frontier space outside the box is next to it, so a comparison for equality is enough. The box
    is at least two smaller than the torus, so opposite sides differ.
    """
    at = {Side.NORTH: place.y, Side.EAST: place.x, Side.SOUTH: place.y, Side.WEST: place.x}
    return Cat(at[side] == beside[side] for side in Side)


def crosses(first: Value, second: Value, side: Side) -> Value:
    """Whether a track whose ends leave the box on these sides (masks) leaves it on ``side`` and on
    the opposite side."""
    return (first[side] & second[side.opposite]) | (first[side.opposite] & second[side])


def is_long(box: data.View, length: int) -> Value:
    """Whether the box has at least ``length`` rows (bit 0) and columns (bit 1)."""
    wide = extent(box.west, box.east) >= length - 1
    high = extent(box.north, box.south) >= length - 1
    return Cat(high, wide)


def completes_line(long: Value, first: Value, second: Value) -> Value:
    """Whether a track whose ends leave the box on these sides (masks) is a line. For ``long`` see
    :func:`edges_layout`."""
    return (long[0] & crosses(first, second, Side.NORTH)) | (
        long[1] & crosses(first, second, Side.WEST)
    )


def is_full(box: data.View, area: Value) -> Value:
    """Whether the box has ``area`` rows (bit 0) and columns (bit 1). It must not have more. With an
    ``area`` of 0 the result is 0."""
    last = (area - 1)[: len(area)]
    return Cat(extent(box.north, box.south) == last, extent(box.west, box.east) == last)


def leaves(full: Value, out: Value) -> Value:
    """Whether a tile outside the box, on these sides (a mask), makes it larger where it is full.
    For ``full`` see :func:`is_full`."""
    return (full[0] & (out[Side.NORTH] | out[Side.SOUTH])) | (
        full[1] & (out[Side.WEST] | out[Side.EAST])
    )


class BoxEdges(wiring.Component):
    """Computes what follows from the box ahead of its use, as a pipeline stage of one cycle.

    Members
    -------
    box : In(box_layout)
        The box.
    area : In, lines : In(1)
        Fields of :func:`rules_layout`.
    edges : Out(edges_layout)
        What follows from the box of the cycle before.
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
    """Extends the box by one tile. Combinational.

    Members
    -------
    box : In(box_layout)
        The box before.
    edges : In(edges_layout)
        What follows from it.
    place : In(place_layout)
        The place of the tile: in the box, or next to it.
    grown : Out(box_layout)
        The box after.
    grows : Out(1)
        The box was not empty, and ``grown`` is larger.
    too_large : Out(1)
        ``grown`` has more than ``grid.limit`` columns or rows.
    outside : Out(1)
        ``grown`` is larger than the variant's area.
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
