"""Which cells lie outside of the box, and which of them count, for every place of small boxes."""

import random

import pytest

from loopline.game import LINE_LENGTH, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.trials.exits import Exits
from tests.hdl.support import simulate

STEPS = {Side.NORTH: (0, -1), Side.EAST: (1, 0), Side.SOUTH: (0, 1), Side.WEST: (-1, 0)}


class Box:
    """A box anywhere on the torus, in plain coordinates."""

    def __init__(self, west: int, north: int, width: int, height: int):
        self.west, self.north = west, north
        self.east, self.south = west + width - 1, north + height - 1

    def grown(self, side: Side | None) -> "Box":
        box = Box(self.west, self.north, 0, 0)
        box.east, box.south = self.east + (side is Side.EAST), self.south + (side is Side.SOUTH)
        box.west, box.north = self.west - (side is Side.WEST), self.north - (side is Side.NORTH)
        return box

    @property
    def width(self) -> int:
        return self.east - self.west + 1

    @property
    def height(self) -> int:
        return self.south - self.north + 1

    def outside(self, x: int, y: int) -> int:
        """The sides on which a cell lies outside."""
        sides = {
            Side.NORTH: y < self.north,
            Side.EAST: x > self.east,
            Side.SOUTH: y > self.south,
            Side.WEST: x < self.west,
        }
        return sum(side.bit for side, there in sides.items() if there)


@pytest.mark.parametrize("size", [16, 32])
@pytest.mark.parametrize("lines", [0, 1])
def test_exits(size, lines):
    grid = GridConfig(size=size, spaces=64)
    dut, chance = Exits(grid), random.Random(size + lines)
    lengths = (1, LINE_LENGTH - 2, LINE_LENGTH - 1, LINE_LENGTH, grid.limit - 1)
    seen = {"counts": 0, "grown to a line": 0, "outside": 0, "exit": 0}

    async def bench(ctx):
        ctx.set(dut.lines, lines)
        for _ in range(60):
            width, height = (chance.choice(lengths) for _ in range(2))
            box = Box(chance.randrange(size), chance.randrange(size), width, height)
            for name in ("west", "north", "east", "south"):
                ctx.set(getattr(dut.box, name), getattr(box, name) % size)
            beside = (box.north - 1, box.east + 1, box.south + 1, box.west - 1)
            for side in Side:
                ctx.set(dut.beside[side], beside[side] % size)
            await ctx.tick()
            for side in (None, *Side):
                grown = box.grown(side)
                growth = {"any": side is not None, "side": side or 0}
                ctx.set(dut.growth, growth)
                ctx.set(dut.ends_growth, growth)
                tall = lines and grown.height >= LINE_LENGTH
                wide = lines and grown.width >= LINE_LENGTH
                assert ctx.get(dut.counting) == (bool(tall) | bool(wide) << 1)
                seen["counts"] += tall or wide
                seen["grown to a line"] += (tall or wide) and max(width, height) < LINE_LENGTH

                x = chance.randint(grown.west, grown.east)
                y = chance.randint(grown.north, grown.south)
                ctx.set(dut.place, {"x": x % size, "y": y % size})
                beyond = [(each, *STEPS[each]) for each in Side]
                outside = sum(each.bit for each, dx, dy in beyond if grown.outside(x + dx, y + dy))
                assert ctx.get(dut.outside) == outside
                seen["outside"] += outside > 0

                for n in range(2):
                    x = chance.choice((box.west - 1, box.east + 1, box.west))
                    y = chance.choice((box.north - 1, box.south + 1, box.south))
                    if box.outside(x, y).bit_count() > 1:
                        y = box.north
                    ctx.set(dut.ends[n], {"x": x % size, "y": y % size})
                    counts = 5 * bool(tall) | 10 * bool(wide)
                    assert ctx.get(dut.exits[n]) == grown.outside(x, y) & counts
                    seen["exit"] += grown.outside(x, y) & counts > 0

    simulate(dut, bench)
    if not lines:
        assert not seen["counts"]
        del seen["counts"], seen["grown to a line"], seen["exit"]
    assert min(seen.values()) > 5, seen
