"""Bounding box on the torus against a box of unbounded integers."""

from __future__ import annotations

import random

import pytest
from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import BoxGrowth, exit_sides, extent
from loopline.hdl.core.types import box_layout, place_layout
from tests.hdl.support import simulate


def torus(size, **edges):
    """Plain integers as coordinates of the torus."""
    return {name: value % size for name, value in edges.items()}


def lines(size):
    """Every first and last column (or row) of a box, and a place in it or right beside it."""
    for low in range(size):
        for length in range(1, size - 1):
            for place in range(low - 1, low + length + 1):
                yield low, low + length - 1, place


def cases(size, rng, count=None):
    """Boxes with a place inside or beside them; each line once, as columns and as rows."""
    every = list(lines(size))
    if count is not None:
        every = rng.sample(every, count)
    for west, east, x in every:
        inside = [line for line in every if line[0] <= line[2] <= line[1]]
        north, south, y = rng.choice(inside)
        yield (west, north, east, south), (x, y)
        yield (north, west, south, east), (y, x)


class Exits(wiring.Component):
    """The functions on boxes, as a component."""

    def __init__(self, grid):
        super().__init__(
            {
                "box": In(box_layout(grid)),
                "place": In(place_layout(grid)),
                "exits": Out(4),
                "columns": Out(grid.coord_bits),
                "rows": Out(grid.coord_bits),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.d.comb += [
            self.exits.eq(exit_sides(self.box, self.place)),
            self.columns.eq(extent(self.box.west, self.box.east)),
            self.rows.eq(extent(self.box.north, self.box.south)),
        ]
        return m


@pytest.mark.parametrize(("size", "count"), [(8, None), (16, 300), (64, 300)])
def test_exits_and_extent(size, count):
    dut = Exits(GridConfig(size=size))
    rng = random.Random(size)

    async def bench(ctx):
        for (west, north, east, south), (x, y) in cases(size, rng, count):
            ctx.set(dut.box, torus(size, west=west, north=north, east=east, south=south))
            ctx.set(dut.place, torus(size, x=x, y=y))
            outside = {
                Side.NORTH: y < north,
                Side.EAST: x > east,
                Side.SOUTH: y > south,
                Side.WEST: x < west,
            }
            expected = sum(side.bit for side, out in outside.items() if out)
            assert ctx.get(dut.exits) == expected, (west, north, east, south, x, y)
            assert ctx.get(dut.columns) == east - west
            assert ctx.get(dut.rows) == south - north

    simulate(dut, bench)


@pytest.mark.parametrize(("size", "count"), [(8, None), (16, 300), (64, 300)])
def test_growth(size, count):
    grid = GridConfig(size=size)
    dut = BoxGrowth(grid)
    rng = random.Random(size)
    refused = 0

    async def bench(ctx):
        nonlocal refused
        for (west, north, east, south), (x, y) in cases(size, rng, count):
            box = torus(size, west=west, north=north, east=east, south=south)
            ctx.set(dut.box, {**box, "empty": 0})
            ctx.set(dut.place, torus(size, x=x, y=y))
            west, north, east, south = min(west, x), min(north, y), max(east, x), max(south, y)
            too_large = max(east - west, south - north) + 1 > grid.limit
            refused += too_large
            assert ctx.get(dut.too_large) == too_large, (box, x, y)
            grown = ctx.get(dut.grown)
            found = {name: grown[name] for name in ("west", "north", "east", "south", "empty")}
            assert found == {
                **torus(size, west=west, north=north, east=east, south=south),
                "empty": 0,
            }, (box, x, y)

    simulate(dut, bench)
    assert refused


@pytest.mark.parametrize("size", [8, 64])
def test_first_tile_is_the_box(size):
    dut = BoxGrowth(GridConfig(size=size))
    rng = random.Random(size)

    async def bench(ctx):
        for x, y in [(0, 0), (size - 1, 0), (0, size - 1), (size // 2, 3)]:
            # Whatever an empty box holds does not matter.
            edges = {name: rng.randrange(size) for name in ("west", "north", "east", "south")}
            ctx.set(dut.box, {**edges, "empty": 1})
            ctx.set(dut.place, {"x": x, "y": y})
            assert not ctx.get(dut.too_large)
            grown = ctx.get(dut.grown)
            assert (grown.west, grown.north, grown.east, grown.south) == (x, y, x, y)
            assert not grown.empty

    simulate(dut, bench)
