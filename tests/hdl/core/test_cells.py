"""Cell map against a dictionary: reads, neighbours over the torus's edges, writes, wiping."""

from __future__ import annotations

import random

import pytest
from amaranth.hdl import Value

from loopline.game import Side
from loopline.hdl.config import Banks, GridConfig
from loopline.hdl.core.cells import CellMap
from tests.hdl.core.unit.scrambled import scramble
from tests.hdl.support import simulate

SIZES = [8, 16, 32, 64]


class Driver:
    """One cell map, driven by words of bits: a read and a write in every cycle."""

    def __init__(self, size, banks=Banks.DUAL_PORT):
        self.size = size
        self.rng = random.Random(size + 1)
        self.dut = CellMap(GridConfig(size=size, banks=banks))
        self.word = Value.cast(self.dut.write.cell)
        self.near = [Value.cast(self.dut.neighbours[side]) for side in Side]
        self.cell = Value.cast(self.dut.read.cell)

    def write(self, ctx, x, y, word):
        ctx.set(self.dut.write.x, x)
        ctx.set(self.dut.write.y, y)
        ctx.set(self.word, word)
        ctx.set(self.dut.write.en, 1)

    def read(self, ctx, x, y, *, around):
        asked, other = self.dut.read, self.dut.centre
        if around:
            asked, other = other, asked
        ctx.set(asked.x, x)
        ctx.set(asked.y, y)
        ctx.set(other.x, self.rng.randrange(self.size))
        ctx.set(other.y, self.rng.randrange(self.size))
        ctx.set(self.dut.around, around)
        ctx.set(self.dut.read.en, 1)

    def answer(self, ctx, *, around):
        """What the last read gave: a word, or the words of the neighbours by side."""
        return [ctx.get(word) for word in self.near] if around else ctx.get(self.cell)

    def expected(self, cells, x, y, *, around):
        if not around:
            return cells.get((x, y), 0)
        places = [((x + side.step[0]) % self.size, (y + side.step[1]) % self.size) for side in Side]
        return [cells.get(place, 0) for place in places]

    async def wipe(self, ctx, rows):
        ctx.set(self.dut.wipe, 1)
        for row in rows:
            ctx.set(self.dut.wipe_row, row)
            await ctx.tick()
        ctx.set(self.dut.wipe, 0)

    def run(self, testbench):
        simulate(self.dut, testbench)


@pytest.mark.parametrize("size", [8, 16])
def test_every_cell_has_a_place_of_its_own(size):
    driver = Driver(size)
    cells = {(x, y): 1 + x + size * y for x in range(size) for y in range(size)}

    async def check(ctx):
        for (x, y), word in cells.items():
            driver.write(ctx, x, y, word)
            await ctx.tick()
        ctx.set(driver.dut.write.en, 0)
        for x, y in cells:
            for around in (0, 1):
                driver.read(ctx, x, y, around=around)
                await ctx.tick()
                found = driver.answer(ctx, around=around)
                assert found == driver.expected(cells, x, y, around=around), (x, y)

    driver.run(check)


@pytest.mark.parametrize("size", SIZES)
def test_random_traffic(size):
    driver = Driver(size)
    rng = random.Random(size)
    cells = {}
    # Few columns and rows, at the edges of the torus and elsewhere, so that much is met again.
    lines = [0, 1, size - 1, size - 2, size // 2]

    def place():
        if rng.random() < 0.9:
            return rng.choice(lines), rng.choice(lines)
        return rng.randrange(size), rng.randrange(size)

    async def check(ctx):
        expected, around = None, 0
        for _ in range(1500):
            # What is written in the same cycle is not read, and a pause keeps the answer.
            reads = rng.random() < 0.8
            x, y = place()
            ctx.set(driver.dut.read.en, 0)
            if reads:
                around = rng.randrange(2)
                driver.read(ctx, x, y, around=around)
                expected = driver.expected(cells, x, y, around=around)
            else:
                ctx.set(driver.dut.read.x, x)
                ctx.set(driver.dut.around, rng.randrange(2))
            ctx.set(driver.dut.write.en, 0)
            written = rng.random() < 0.5
            if written:
                x, y = (x, y) if rng.random() < 0.2 else place()
                word = rng.randrange(1 << len(driver.word))
                driver.write(ctx, x, y, word)
            await ctx.tick()
            if written:
                cells[x, y] = word
            if expected is not None:
                assert driver.answer(ctx, around=around) == expected

    driver.run(check)


@pytest.mark.parametrize("banks", [Banks.SINGLE_PORT, Banks.PAIRED])
@pytest.mark.parametrize("size", [8, 64])
def test_random_traffic_through_one_port(monkeypatch, size, banks):
    """In a cycle neighbours are read; or a cell, and one of another bank may be written."""
    scramble(monkeypatch)
    driver = Driver(size, banks)
    rng = random.Random(size)
    cells = {}
    lines = [0, 1, size - 1, size - 2, size // 2]

    def place():
        return rng.choice(lines), rng.choice(lines)

    def bank(x, y):
        return x & 1, (x ^ y) >> 1 & 1

    async def check(ctx):
        await driver.wipe(ctx, range(driver.dut.rows))
        pairs, kept = 0, 0
        expected, around, lost = None, 0, False
        for _ in range(2500):
            reads, writes = rng.random() < 0.7, rng.random() < 0.6
            (x, y), (to_x, to_y) = place(), place()
            apart = rng.random() < 0.5
            if reads and apart and bank(x, y) == bank(to_x, to_y):
                continue
            writes = writes and (apart or not reads)
            ctx.set(driver.dut.read.en, 0)
            ctx.set(driver.dut.write.en, 0)
            if reads:
                around = 0 if apart else rng.randrange(2)
                driver.read(ctx, x, y, around=around)
                expected = driver.expected(cells, x, y, around=around)
                lost = False
            elif writes:
                lost = True
                ctx.set(driver.dut.around, 0)
            if writes:
                word = rng.randrange(1 << len(driver.word))
                driver.write(ctx, to_x, to_y, word)
                pairs += reads
            await ctx.tick()
            if writes:
                cells[to_x, to_y] = word
            if expected is not None and not lost:
                assert driver.answer(ctx, around=around) == expected
                kept += not reads
        assert pairs > 300
        assert kept > 100

    driver.run(check)


@pytest.mark.parametrize("banks", Banks)
@pytest.mark.parametrize("size", SIZES)
def test_wipe_clears_all_cells(monkeypatch, size, banks):
    scramble(monkeypatch)
    driver = Driver(size, banks)
    rng = random.Random(size)
    places = [(rng.randrange(size), rng.randrange(size)) for _ in range(60)]
    places += [(x, y) for x in (0, size - 1) for y in (0, size - 1)]

    async def check(ctx):
        for x, y in places:
            driver.write(ctx, x, y, (1 << len(driver.word)) - 1)
            await ctx.tick()
        ctx.set(driver.dut.write.en, 0)
        assert driver.dut.rows == size * size // 4
        await driver.wipe(ctx, range(driver.dut.rows))
        for x, y in places:
            driver.read(ctx, x, y, around=0)
            await ctx.tick()
            assert driver.answer(ctx, around=0) == 0, (x, y)

    driver.run(check)


def test_one_row_of_the_banks_is_four_cells():
    driver = Driver(8)
    left = []

    async def check(ctx):
        for x in range(8):
            for y in range(8):
                driver.write(ctx, x, y, 1)
                await ctx.tick()
        ctx.set(driver.dut.write.en, 0)
        await driver.wipe(ctx, [5])
        for x in range(8):
            for y in range(8):
                driver.read(ctx, x, y, around=0)
                await ctx.tick()
                left.append(driver.answer(ctx, around=0))

    driver.run(check)
    assert left.count(0) == 4
