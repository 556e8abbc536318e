"""The ring finder against a model of the scan and of the walk."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Meeting
from loopline.hdl.search.evaluation.ring_finder import RingFinder
from tests.hdl.support import simulate

GRID = GridConfig(size=16, frontier_entries=32)
SIDES = {"white": 0b0010, "red": 0b1000}


class Position:
    """Entries of a frontier table, some of them free, in rings. White enters from the east, Red
    from the west."""

    def __init__(self, chance: random.Random, rings: int) -> None:
        self.high = chance.randrange(8, GRID.frontier_entries + 1)
        kinds = (("white",), ("red",), ("white", "red"))
        self.entries = [chance.choice(kinds) for _ in range(self.high)]
        self.ring = [chance.randrange(rings) for _ in range(self.high)]
        for free in chance.sample(range(self.high), self.high // 4):
            self.entries[free], self.ring[free] = (), -1

    def sockets(self, ring: int) -> int:
        return sum(len(self.entries[n]) for n in range(self.high) if self.ring[n] == ring)

    def show(self, ctx, dut, index: int) -> None:
        """What the reader returns for an entry."""
        ends = self.entries[index]
        masks = {name: mask if name in ends else 0 for name, mask in SIDES.items()}
        ctx.set(dut.entry, {"place": {"x": index % 16, "y": index // 16}, **masks})
        for colour, (name, side) in enumerate((("white", 1), ("red", 3))):
            meeting = Meeting.ALONE if name in ends else Meeting.ABSENT
            place = {"x": index % 16, "y": index // 16}
            ctx.set(dut.ends[colour], {"place": place, "side": side, "meeting": meeting})


class Run:
    """One evaluation: the entries that the scan passes, and the walk at the same time."""

    def __init__(self, chance: random.Random, position: Position) -> None:
        self.chance, self.position = chance, position
        self.begun: list[int] = []
        """The spaces in which rings began that were not known."""
        self.windows = self.looks = 0

    async def scan(self, ctx, dut) -> None:
        first = self.chance.randrange(self.position.high)
        for n in range(self.position.high):
            index = (first + n) % self.position.high
            self.position.show(ctx, dut, index)
            ctx.set(dut.entered, {"valid": 1, "index": index})
            while self.chance.random() < 0.2:
                ctx.set(dut.counts, 0)
                await ctx.tick()
            ctx.set(dut.counts, 1)
            await ctx.tick()
            ctx.set(dut.entered.valid, 0)
            if self.chance.random() < 0.3:
                await ctx.tick()
        ctx.set(dut.scanned, 1)
        while not ctx.get(dut.done):
            _, _, reads, index = await ctx.tick().sample(dut.reads, dut.index)
            if reads and index < self.position.high:
                self.position.show(ctx, dut, index)

    async def walk(self, ctx, dut) -> None:
        position = self.position
        while not (ctx.get(dut.done) and ctx.get(dut.scanned)):
            ring = dut.rings.payload
            if not ctx.get(dut.rings.valid):
                await ctx.tick()
                continue
            index, ends = ctx.get(ring.cell.index), position.entries[ctx.get(ring.cell.index)]
            assert ends
            assert ctx.get(ring.side) == (1 if "white" in ends else 3)
            assert ctx.get(ring.place.x) + 16 * ctx.get(ring.place.y) == index
            assert ctx.get(ring.cell.white) == (SIDES["white"] if "white" in ends else 0)
            assert ctx.get(ring.cell.red) == (SIDES["red"] if "red" in ends else 0)
            look, number = ctx.get(ring.look), position.ring[index]
            assert look == bool(self.begun)
            self.looks += look
            await ctx.tick()
            ctx.set(dut.rings.ready, 0)
            ctx.set(dut.idle, 0)
            known = number in (position.ring[n] for n in self.begun)
            if not known:
                self.begun.append(index)
            for _ in range(0 if known else position.sockets(number)):
                for _ in range(self.chance.randrange(3)):
                    await ctx.tick()
                ctx.set(dut.window, 1)
                await ctx.tick()
                ctx.set(dut.window, 0)
                self.windows += 1
            await ctx.tick()
            ctx.set(dut.idle, 1)
            ctx.set(dut.rings.ready, 1)


@pytest.mark.parametrize("rings", [1, 2, 4])
def test_each_ring_is_found_once(rings: int) -> None:
    dut, chance = RingFinder(GRID), random.Random(rings)
    runs = [Run(chance, Position(chance, rings)) for _ in range(30)]

    async def scan(ctx) -> None:
        for run, _ in pairwise([*runs, None]):
            ctx.set(dut.high, run.position.high)
            ctx.set(dut.scanned, 0)
            ctx.set(dut.idle, 1)
            ctx.set(dut.rings.ready, 1)
            ctx.set(dut.start, 1)
            await ctx.tick()
            ctx.set(dut.start, 0)
            assert not ctx.get(dut.done)
            await run.scan(ctx, dut)
            position = run.position
            assert run.windows == sum(map(len, position.entries))
            assert len(run.begun) == len({ring for ring in position.ring if ring >= 0})
            # Without a second ring no space is looked at.
            assert (run.looks > 0) == (len(run.begun) > 1)
            await ctx.tick()

    async def walk(ctx) -> None:
        for run in runs:
            while ctx.get(dut.done):
                await ctx.tick()
            await run.walk(ctx, dut)

    # The walk sees what the scan has set in the same cycle.
    simulate(dut, scan, walk)


def test_nothing_is_found_on_an_empty_board_or_after_a_drop() -> None:
    dut = RingFinder(GRID)

    async def testbench(ctx) -> None:
        assert ctx.get(dut.done)
        ctx.set(dut.idle, 1)
        ctx.set(dut.start, 1)
        await ctx.tick()
        ctx.set(dut.start, 0)
        for _ in range(5):
            assert not ctx.get(dut.done)
            await ctx.tick()
        ctx.set(dut.scanned, 1)
        await ctx.tick()
        assert ctx.get(dut.done)
        ctx.set(dut.start, 1)
        ctx.set(dut.scanned, 0)
        await ctx.tick()
        ctx.set(dut.start, 0)
        assert not ctx.get(dut.done)
        ctx.set(dut.drop, 1)
        await ctx.tick()
        assert ctx.get(dut.done)

    simulate(dut, testbench)
