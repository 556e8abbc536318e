"""Bounding box on the torus against a box of unbounded integers."""

from __future__ import annotations

import random

import pytest
from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import BoxEdges, BoxGrowth, beside_of, exit_sides, extent
from loopline.hdl.core.types import box_layout, place_layout
from tests.hdl.core.edges import edges_of
from tests.hdl.support import simulate


def torus(size, **edges):
    """Plain integers as coordinates of the torus."""
    return {name: value % size for name, value in edges.items()}


def lines(size):
    """First and last column (or row) of a box, and a place in it or right beside it.

    All of them on a small torus; on a large one the shortest and the longest boxes.
    """
    limit = size - 2
    for low in range(size):
        for length in range(1, limit + 1) if size == 8 else (1, 2, limit - 1, limit):
            high = low + length - 1
            places = range(low - 1, high + 2) if size == 8 else {low - 1, low, high, high + 1}
            for place in sorted(places):
                yield low, high, place


def cases(size, rng):
    """Boxes with a place inside or beside them; each line once, as columns and as rows."""
    every = list(lines(size))
    inside = [line for line in every if line[0] <= line[2] <= line[1]]
    for west, east, x in every:
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
            self.exits.eq(exit_sides(beside_of(self.box), self.place)),
            self.columns.eq(extent(self.box.west, self.box.east)),
            self.rows.eq(extent(self.box.north, self.box.south)),
        ]
        return m


@pytest.mark.parametrize("size", [8, 16, 64])
def test_exits_and_extent(size):
    dut = Exits(GridConfig(size=size))
    rng = random.Random(size)

    async def driver(ctx):
        for (west, north, east, south), (x, y) in cases(size, rng):
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

    simulate(dut, driver)


@pytest.mark.parametrize("size", [8, 16, 64])
def test_growth(size):
    grid = GridConfig(size=size)
    dut = BoxGrowth(grid)
    rng = random.Random(size)
    refused = outside = 0

    async def driver(ctx):
        nonlocal refused, outside
        for (west, north, east, south), (x, y) in cases(size, rng):
            box = torus(size, west=west, north=north, east=east, south=south)
            ctx.set(dut.box, {**box, "empty": 0})
            plane = west, north, east, south
            ctx.set(dut.edges, edges_of(plane, grid))
            ctx.set(dut.place, torus(size, x=x, y=y))
            west, north, east, south = min(west, x), min(north, y), max(east, x), max(south, y)
            too_large = max(east - west, south - north) + 1 > grid.limit
            refused += too_large
            assert ctx.get(dut.too_large) == too_large, (box, x, y)
            columns, rows = east - west + 1, south - north + 1
            # An area that the box fits into without the new tile; 0 is none.
            before = max((box["east"] - box["west"]) % size, (box["south"] - box["north"]) % size)
            for area in {0, before + 1, rng.randint(before + 1, size - 1)}:
                ctx.set(dut.edges, edges_of(plane, grid, area=area))
                assert ctx.get(dut.outside) == (area > 0 and max(columns, rows) > area)
                outside += area > 0 and max(columns, rows) > area
            grown = ctx.get(dut.grown)
            found = {name: grown[name] for name in ("west", "north", "east", "south", "empty")}
            assert found == {
                **torus(size, west=west, north=north, east=east, south=south),
                "empty": 0,
            }, (box, x, y)

    simulate(dut, driver)
    assert refused
    assert outside


@pytest.mark.parametrize("size", [8, 16, 64])
@pytest.mark.parametrize("lines", [False, True])
def test_edges(size, lines):
    grid = GridConfig(size=size)
    dut = BoxEdges(grid)
    rng = random.Random(size)
    seen = dict.fromkeys(("grid_full", "area_full", "long", "almost"), 0)
    lengths = [length for length in (1, 5, 6, 7, 8, 9, grid.limit) if length <= grid.limit]

    async def driver(ctx):
        ctx.set(dut.lines, lines)
        for width in lengths:
            for height in lengths:
                west, north = rng.randrange(size), rng.randrange(size)
                box = west, north, west + width - 1, north + height - 1
                area = rng.choice([0, width, height, max(width, height) + 1])
                area = 0 if area < max(width, height) else area % size
                names = ("west", "north", "east", "south")
                ctx.set(dut.box, torus(size, **dict(zip(names, box, strict=True))))
                ctx.set(dut.area, area)
                await ctx.tick()
                expected = edges_of(box, grid, area=area, lines=lines)
                edges = ctx.get(dut.edges)
                assert list(edges.beside) == expected.pop("beside"), box
                assert {name: edges[name] for name in expected} == expected, (box, area)
                for name, value in expected.items():
                    seen[name] += value != 0

    simulate(dut, driver)
    assert seen["grid_full"]
    assert seen["area_full"]
    assert bool(seen["long"]) == (lines and size > 8)
    assert bool(seen["almost"]) == (lines and size > 8)


@pytest.mark.parametrize("size", [8, 64])
def test_first_tile_is_the_box(size):
    dut = BoxGrowth(GridConfig(size=size))
    rng = random.Random(size)

    async def driver(ctx):
        for x, y in [(0, 0), (size - 1, 0), (0, size - 1), (size // 2, 3)]:
            # Whatever an empty box holds does not matter.
            edges = {name: rng.randrange(size) for name in ("west", "north", "east", "south")}
            ctx.set(dut.box, {**edges, "empty": 1})
            ctx.set(dut.place, {"x": x, "y": y})
            assert not ctx.get(dut.too_large)
            grown = ctx.get(dut.grown)
            assert (grown.west, grown.north, grown.east, grown.south) == (x, y, x, y)
            assert not grown.empty

    simulate(dut, driver)
