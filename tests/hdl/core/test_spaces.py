"""Frontier table against a list: allocation, exact undo, reads and writes, clearing."""

from __future__ import annotations

import random

import pytest
from amaranth.hdl import Value

from loopline.hdl.config import GridConfig
from loopline.hdl.core.spaces import SpaceTable
from tests.hdl.support import simulate

GRID = GridConfig(size=16, spaces=16)


class Stack:
    """The free indices, the next one last; and what the table counts."""

    def __init__(self, spaces):
        self.free = list(reversed(range(spaces)))
        self.used = []
        self.high = 0

    def take(self):
        index = self.free.pop()
        self.used.append(index)
        self.high = max(self.high, index + 1)
        return index

    def give(self, index):
        self.used.remove(index)
        self.free.append(index)


async def step(ctx, dut, *, take=0, give=None, ungive=0):
    """One cycle."""
    ctx.set(dut.take, take)
    ctx.set(dut.give, give is not None)
    if give is not None:
        ctx.set(dut.given, give)
    ctx.set(dut.ungive, ungive)
    await ctx.tick()
    ctx.set(dut.take, 0)
    ctx.set(dut.give, 0)
    ctx.set(dut.ungive, 0)


async def take_all(ctx, dut):
    """Allocate one after another, one per cycle; the indices in that order."""
    taken = []
    while ctx.get(dut.free):
        taken.append(ctx.get(dut.fresh))
        await step(ctx, dut, take=1)
    return taken


@pytest.mark.parametrize("spaces", [16, 64])
def test_lowest_indices_first_one_per_cycle(spaces):
    dut = SpaceTable(GridConfig(size=16, spaces=spaces))

    async def bench(ctx):
        assert ctx.get(dut.free) == spaces
        assert ctx.get(dut.high) == 0
        await ctx.tick()
        assert await take_all(ctx, dut) == list(range(spaces))
        assert ctx.get(dut.high) == spaces

    simulate(dut, bench)


@pytest.mark.parametrize("seed", range(4))
def test_random_allocation_and_exact_undo(seed):
    dut = SpaceTable(GRID)
    rng = random.Random(seed)
    stack = Stack(GRID.spaces)
    undone = 0

    async def bench(ctx):
        nonlocal undone
        history = []
        await ctx.tick()
        for _ in range(1500):
            kind = rng.random()
            gave = False
            if kind < 0.1:
                await step(ctx, dut)
            elif kind < 0.5 and stack.free:
                history.append(("take", stack.take()))
                await step(ctx, dut, take=1)
            elif kind < 0.75 and stack.used:
                index = rng.choice(stack.used)
                history.append(("give", index))
                stack.give(index)
                await step(ctx, dut, give=index)
                gave = True
            elif history:
                # Back to some moment before, one step per cycle, last first.
                for _ in range(rng.randint(1, min(12, len(history)))):
                    what, index = history.pop()
                    undone += 1
                    if what == "take":
                        stack.give(index)
                        await step(ctx, dut, give=index)
                    else:
                        assert stack.free.pop() == index
                        stack.used.append(index)
                        await step(ctx, dut, ungive=1)
                await step(ctx, dut)
            assert ctx.get(dut.free) == len(stack.free)
            assert ctx.get(dut.high) == stack.high
            # The next index is valid at once after ``take``, in the second cycle after ``give``.
            if stack.free and not gave:
                assert ctx.get(dut.fresh) == stack.free[-1]
        await step(ctx, dut)
        assert await take_all(ctx, dut) == list(reversed(stack.free))

    simulate(dut, bench)
    assert undone > 200


def test_places_are_kept_and_read_with_one_cycle():
    dut = SpaceTable(GRID)
    rng = random.Random(7)
    places = [0] * GRID.spaces

    async def bench(ctx):
        expected = None
        for _ in range(1000):
            ctx.set(dut.en, reads := rng.random() < 0.7)
            ctx.set(dut.index, index := rng.randrange(GRID.spaces))
            if reads:
                expected = places[index]
            ctx.set(dut.write.en, writes := rng.random() < 0.5)
            ctx.set(dut.write.index, target := rng.randrange(GRID.spaces))
            ctx.set(Value.cast(dut.write.place), place := rng.randrange(256))
            await ctx.tick()
            if writes:
                places[target] = place
            if expected is not None:
                assert ctx.get(Value.cast(dut.place)) == expected

    simulate(dut, bench)


@pytest.mark.parametrize("order", ["up", "down", "random"])
def test_wipe_frees_all(order):
    dut = SpaceTable(GRID)
    rng = random.Random(order)
    indices = list(range(GRID.spaces))
    if order == "down":
        indices.reverse()
    elif order == "random":
        rng.shuffle(indices)

    async def bench(ctx):
        await ctx.tick()
        taken = await take_all(ctx, dut)
        rng.shuffle(taken)
        for index in taken[:11]:
            await step(ctx, dut, give=index)
        ctx.set(dut.wipe, 1)
        for index in indices:
            ctx.set(dut.wipe_index, index)
            await ctx.tick()
        ctx.set(dut.wipe, 0)
        await ctx.tick()
        assert ctx.get(dut.free) == GRID.spaces
        assert ctx.get(dut.high) == 0
        assert await take_all(ctx, dut) == list(range(GRID.spaces))

    simulate(dut, bench)
