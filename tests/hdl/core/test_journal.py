"""Journal against a list, with the latencies that it documents."""

from __future__ import annotations

import random

import pytest
from amaranth.hdl import Value
from amaranth.lib import data

from loopline.hdl.core.journal import Journal
from loopline.hdl.core.memory import WithMemories
from tests.hdl.support import simulate

ENTRY = data.StructLayout({"index": 5, "old": 4})


async def step(ctx, dut, *, push=None, pop=False, clear=False):
    """One cycle."""
    ctx.set(dut.push, push is not None)
    if push is not None:
        ctx.set(Value.cast(dut.entry), push)
    ctx.set(dut.pop, pop)
    ctx.set(dut.clear, clear)
    await ctx.tick()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("depth", [4, 32])
def test_random_traffic(depth, seed):
    dut = WithMemories(Journal(ENTRY, depth))
    rng = random.Random(seed)
    seen_full = seen_empty_pop = 0

    async def bench(ctx):
        nonlocal seen_full, seen_empty_pop
        entries: list[int] = []
        for _ in range(2500):
            # Long runs in one direction, so that both ends are reached.
            if rng.random() < 0.02:
                rising = rng.random()
            elif not entries:
                rising = 0.8
            kind = rng.random()
            accepted = False
            if kind < 0.02 and rng.random() < 0.3:
                await step(ctx, dut, clear=True)
                entries.clear()
            elif kind < 0.2:
                await step(ctx, dut)
            elif rng.random() < rising:
                entry = rng.randrange(1 << ENTRY.size)
                await step(ctx, dut, push=entry)
                accepted = len(entries) < depth
                seen_full += not accepted
                if accepted:
                    entries.append(entry)
            else:
                await step(ctx, dut, pop=True)
                seen_empty_pop += not entries
                del entries[-1:]
            assert ctx.get(dut.level) == len(entries)
            # Valid from the second cycle after a push, and from the first after a pop.
            if entries and not accepted:
                assert ctx.get(Value.cast(dut.top)) == entries[-1]

    simulate(dut, bench)
    assert seen_full
    assert seen_empty_pop


@pytest.mark.parametrize("count", [1, 2, 7, 8])
def test_entries_are_popped_one_per_cycle(count):
    dut = WithMemories(Journal(8, 8))
    popped = []

    async def bench(ctx):
        for value in range(count):
            await step(ctx, dut, push=100 + value)
        await step(ctx, dut)
        for _ in range(count):
            popped.append(ctx.get(dut.top))
            await step(ctx, dut, pop=True)
        assert ctx.get(dut.level) == 0

    simulate(dut, bench)
    assert popped == [100 + value for value in reversed(range(count))]


def test_push_onto_full_journal_is_lost():
    dut = WithMemories(Journal(8, 4))

    async def bench(ctx):
        for value in range(4):
            await step(ctx, dut, push=value)
        for _ in range(3):
            await step(ctx, dut, push=99)
            assert ctx.get(dut.level) == 4
            assert ctx.get(dut.top) == 3
        for value in (3, 2, 1, 0):
            assert ctx.get(dut.top) == value
            await step(ctx, dut, pop=True)

    simulate(dut, bench)


def test_clear_wins_over_push():
    dut = WithMemories(Journal(8, 4))

    async def bench(ctx):
        await step(ctx, dut, push=1)
        await step(ctx, dut, push=2, clear=True)
        assert ctx.get(dut.level) == 0
        await step(ctx, dut, push=3)
        await step(ctx, dut)
        assert ctx.get(dut.level) == 1
        assert ctx.get(dut.top) == 3

    simulate(dut, bench)
