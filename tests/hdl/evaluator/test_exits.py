"""Which cells lie outside of the box, and which of them count, for every place of small boxes."""

import random

import pytest

from loopline.game import LINE_LENGTH, Side
from loopline.game.grid import Box
from loopline.hdl.config import GridConfig
from loopline.hdl.evaluator.exits import Exits
from tests.hdl.core.edges import edges_of
from tests.hdl.support import simulate


def grown(box: Box, side: Side | None) -> Box:
    """The box with one column or row more on a side."""
    across, down = side.step if side is not None else (0, 0)
    x, y = (
        max(low, high) if step > 0 else min(low, high)
        for low, high, step in ((box.west, box.east, across), (box.north, box.south, down))
    )
    return box.including(x + across, y + down)


def outside(box: Box, x: int, y: int) -> int:
    """The sides on which a cell lies outside."""
    sides = {
        Side.NORTH: y < box.north,
        Side.EAST: x > box.east,
        Side.SOUTH: y > box.south,
        Side.WEST: x < box.west,
    }
    return sum(side.bit for side, there in sides.items() if there)


@pytest.mark.parametrize("size", [16, 32])
@pytest.mark.parametrize("lines", [0, 1])
def test_exits(size, lines):
    grid = GridConfig(size=size, frontier_entries=64)
    dut, chance = Exits(grid), random.Random(size + lines)
    lengths = (1, LINE_LENGTH - 2, LINE_LENGTH - 1, LINE_LENGTH, grid.limit - 1)
    seen = {"counts": 0, "grown to a line": 0, "outside": 0, "exit": 0}

    async def driver(ctx):
        for _ in range(60):
            width, height = (chance.choice(lengths) for _ in range(2))
            west, north = chance.randrange(size), chance.randrange(size)
            box = Box(west, north, west + width - 1, north + height - 1)
            for name in ("west", "north", "east", "south"):
                ctx.set(getattr(dut.box, name), getattr(box, name) % size)
            plane = box.west, box.north, box.east, box.south
            ctx.set(dut.edges, edges_of(plane, grid, lines=bool(lines)))
            lengths_matter = lines and max(width, height) >= LINE_LENGTH - 1
            assert ctx.get(dut.matter) == bool(lengths_matter)
            await ctx.tick()
            for side in (None, *Side):
                larger = grown(box, side)
                growth = {"valid": side is not None, "side": side or 0}
                ctx.set(dut.growth, growth)
                ctx.set(dut.ends_growth, growth)
                tall = lines and larger.height >= LINE_LENGTH
                wide = lines and larger.width >= LINE_LENGTH
                assert ctx.get(dut.counting) == (bool(tall) | bool(wide) << 1)
                seen["counts"] += tall or wide
                seen["grown to a line"] += (tall or wide) and max(width, height) < LINE_LENGTH

                x = chance.randint(larger.west, larger.east)
                y = chance.randint(larger.north, larger.south)
                ctx.set(dut.place, {"x": x % size, "y": y % size})
                beyond = [(each, *each.step) for each in Side]
                leaving = sum(
                    each.bit for each, dx, dy in beyond if outside(larger, x + dx, y + dy)
                )
                assert ctx.get(dut.outside) == leaving
                seen["outside"] += leaving > 0

                for n in range(2):
                    x = chance.choice((box.west - 1, box.east + 1, box.west))
                    y = chance.choice((box.north - 1, box.south + 1, box.south))
                    if outside(box, x, y).bit_count() > 1:
                        y = box.north
                    ctx.set(dut.ends[n], {"x": x % size, "y": y % size})
                    counts = 5 * bool(tall) | 10 * bool(wide)
                    assert ctx.get(dut.exits[n]) == outside(larger, x, y) & counts
                    seen["exit"] += outside(larger, x, y) & counts > 0

    simulate(dut, driver)
    if not lines:
        assert not seen["counts"]
        del seen["counts"], seen["grown to a line"], seen["exit"]
    assert min(seen.values()) > 5, seen
