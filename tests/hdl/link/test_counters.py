# amaranth: UnusedElaboratable=no
"""Counters, against a list of numbers."""

import random

import pytest

from loopline.hdl.link.counters import Counters
from tests.hdl.support import pulse, simulate

KINDS = 5


async def read_all(ctx, dut, word=16):
    """Hold the counters, and return all of them."""
    ctx.set(dut.read.hold, 1)
    while not ctx.get(dut.read.settled):
        await ctx.tick()
    words = []
    for index in range(KINDS):
        for half in (1, 0):
            ctx.set(dut.read.index, index)
            ctx.set(dut.read.half, half)
            await ctx.tick()
            words.append(ctx.get(dut.read.word))
    ctx.set(dut.read.hold, 0)
    return [high << word | low for high, low in zip(words[::2], words[1::2], strict=True)]


async def settle(ctx, dut):
    while ctx.get(dut.busy):
        await ctx.tick()


@pytest.mark.parametrize("seed", range(3))
def test_every_event_is_counted(seed):
    """Two events of one kind are as close as allowed; those of other kinds come at any time."""
    choice = random.Random(seed)
    dut = Counters(KINDS)
    counts = [0] * KINDS

    async def drive(ctx):
        due = [choice.randrange(15) for _ in counts]
        for cycle in range(1000):
            events = 0
            for kind in range(KINDS):
                if cycle >= due[kind]:
                    events |= 1 << kind
                    counts[kind] += 1
                    due[kind] = cycle + 3 * KINDS + choice.choice([0, 0, 1, 30])
            ctx.set(dut.events, events)
            await ctx.tick()
        ctx.set(dut.events, 0)
        await settle(ctx, dut)
        assert await read_all(ctx, dut) == counts
        await pulse(ctx, dut.clear)
        await settle(ctx, dut)
        assert await read_all(ctx, dut) == [0] * KINDS

    simulate(dut, drive)


def test_what_happens_while_they_are_read_is_counted_afterwards():
    dut = Counters(KINDS)

    async def drive(ctx):
        ctx.set(dut.read.hold, 1)
        await ctx.tick()
        ctx.set(dut.events, 0b10001)
        await ctx.tick()
        ctx.set(dut.events, 0)
        assert await read_all(ctx, dut) == [0] * KINDS
        await settle(ctx, dut)
        assert await read_all(ctx, dut) == [1, 0, 0, 0, 1]

    simulate(dut, drive)
