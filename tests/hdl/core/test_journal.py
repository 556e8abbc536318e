"""Journal against a list, with the latencies that it documents."""

from __future__ import annotations

import random

import pytest
from amaranth.hdl import Value

from loopline.hdl.config import GridConfig
from loopline.hdl.core.journal import EntryKind, Journal
from loopline.hdl.core.memory import WithMemories
from tests.hdl.support import simulate

GRID = GridConfig(size=16, frontier_entries=64, journal=32)


def journal(depth: int) -> WithMemories:
    return WithMemories(Journal(GRID, reserved=GRID.journal - depth))


async def step(ctx, dut, *, push=None, pop=False, clear=False):
    """One cycle; ``push`` is an entry as (kind, bits of the body)."""
    kind, bits = push or (EntryKind.TRACK, 0)
    ctx.set(dut.push_track, push is not None and kind is EntryKind.TRACK)
    ctx.set(dut.push_tile, push is not None and kind is not EntryKind.TRACK)
    ctx.set(dut.kind, EntryKind.FIRST if kind is EntryKind.TRACK else kind)
    # The other input has something else.
    ctx.set(Value.cast(dut.track), bits if kind is EntryKind.TRACK else ~bits)
    ctx.set(Value.cast(dut.tile), ~bits if kind is EntryKind.TRACK else bits)
    ctx.set(dut.pop, pop)
    ctx.set(dut.clear, clear)
    await ctx.tick()


def top(ctx, dut):
    """The newest entry."""
    kind = ctx.get(dut.top.kind)
    body = dut.top.body.track if kind is EntryKind.TRACK else dut.top.body.tile
    return kind, ctx.get(Value.cast(body))


def some_entry(rng, dut):
    kind = rng.choice(list(EntryKind))
    body = dut.track if kind is EntryKind.TRACK else dut.tile
    return kind, rng.randrange(1 << len(Value.cast(body)))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("depth", [4, 32])
def test_random_traffic(depth, seed):
    dut, rng = journal(depth), random.Random(seed)
    lost = ignored = 0

    async def driver(ctx):
        nonlocal lost, ignored
        entries = []
        for cycle in range(2000):
            # Long runs in one direction, so that both ends are reached.
            if rng.random() < 0.02:
                rising = rng.random()
            elif not entries:
                rising = 0.8
            choice, accepted = rng.random(), False
            if choice < 0.006:
                await step(ctx, dut, clear=True)
                entries.clear()
            elif choice < 0.2:
                await step(ctx, dut)
            elif rng.random() < rising:
                entry = some_entry(rng, dut)
                await step(ctx, dut, push=entry)
                accepted = len(entries) < depth
                lost += not accepted
                if accepted:
                    entries.append(entry)
            else:
                await step(ctx, dut, pop=True)
                ignored += not entries
                del entries[-1:]
            assert ctx.get(dut.level) == len(entries), f"cycle {cycle}"
            # Valid from the second cycle after a push, and from the first after a pop.
            if entries and not accepted:
                assert top(ctx, dut) == entries[-1], f"cycle {cycle}"

    simulate(dut, driver)
    assert lost
    assert ignored


@pytest.mark.parametrize("count", [1, 2, 7, 8])
def test_entries_are_popped_one_per_cycle(count):
    dut, popped = journal(8), []
    entries = [(EntryKind.TRACK, 100 + number) for number in range(count)]

    async def driver(ctx):
        for entry in entries:
            await step(ctx, dut, push=entry)
        await step(ctx, dut)
        for _ in range(count):
            popped.append(top(ctx, dut))
            await step(ctx, dut, pop=True)
        assert ctx.get(dut.level) == 0

    simulate(dut, driver)
    assert popped == entries[::-1]


def test_push_onto_full_journal_is_lost():
    dut = journal(4)
    entries = [(EntryKind.FORCED, number) for number in range(4)]

    async def driver(ctx):
        for entry in entries:
            await step(ctx, dut, push=entry)
        for _ in range(3):
            await step(ctx, dut, push=(EntryKind.TRACK, 99))
            assert ctx.get(dut.level) == 4
            assert top(ctx, dut) == entries[3]
        for entry in reversed(entries):
            assert top(ctx, dut) == entry
            await step(ctx, dut, pop=True)

    simulate(dut, driver)


def test_clear_wins_over_push():
    dut = journal(4)

    async def driver(ctx):
        await step(ctx, dut, push=(EntryKind.FIRST, 1))
        await step(ctx, dut, push=(EntryKind.FIRST, 2), clear=True)
        assert ctx.get(dut.level) == 0
        await step(ctx, dut, push=(EntryKind.GROWN, 3))
        await step(ctx, dut)
        assert ctx.get(dut.level) == 1
        assert top(ctx, dut) == (EntryKind.GROWN, 3)

    simulate(dut, driver)
