"""Frontier table against a list: allocation, exact undo, entries, clearing."""

from __future__ import annotations

import random

import pytest

from loopline.game import Colour
from loopline.hdl.config import GridConfig
from loopline.hdl.core.spaces import SpaceTable
from tests.hdl.support import pulse, simulate

GRID = GridConfig(size=16, frontier_entries=16)


class Stack:
    """The free indices, the next one last; and what the table counts."""

    def __init__(self, spaces):
        self.free = list(reversed(range(spaces)))
        self.used: list[int] = []
        self.high = 0

    def allocate(self):
        index = self.free.pop()
        self.used.append(index)
        self.high = max(self.high, index + 1)
        return index

    def release(self, index):
        self.used.remove(index)
        self.free.append(index)


async def step(ctx, dut, *, allocate=0, release=None, unrelease=0):
    """One cycle."""
    ctx.set(dut.indices.allocate, allocate)
    # What is allocated is written, and the link that was there is gone.
    ctx.set(dut.write.en, allocate | unrelease)
    ctx.set(dut.write.space, 1)
    ctx.set(dut.write.cell, {"white": 1, "index": ctx.get(dut.indices.next_free)})
    ctx.set(dut.indices.release, release is not None)
    if release is not None:
        ctx.set(dut.indices.release_index, release)
    ctx.set(dut.indices.unrelease, unrelease)
    await ctx.tick()
    ctx.set(dut.indices.allocate, 0)
    ctx.set(dut.write.en, 0)
    ctx.set(dut.indices.release, 0)
    ctx.set(dut.indices.unrelease, 0)


async def take_all(ctx, dut):
    """Allocate one after another, one per cycle; the indices in that order."""
    taken = []
    while ctx.get(dut.indices.free_count):
        taken.append(ctx.get(dut.indices.next_free))
        await step(ctx, dut, allocate=1)
    return taken


@pytest.mark.parametrize("spaces", [16, 64])
def test_lowest_indices_first_one_per_cycle(spaces):
    dut = SpaceTable(GridConfig(size=16, frontier_entries=spaces))

    async def driver(ctx):
        assert ctx.get(dut.indices.free_count) == spaces
        assert ctx.get(dut.high) == 0
        ctx.set(dut.working, 1)
        await ctx.tick()
        assert await take_all(ctx, dut) == list(range(spaces))
        assert ctx.get(dut.high) == spaces

    simulate(dut, driver)


@pytest.mark.parametrize("seed", range(4))
def test_random_allocation_and_exact_undo(seed):
    dut = SpaceTable(GRID)
    rng = random.Random(seed)
    stack = Stack(GRID.frontier_entries)
    undone = 0

    async def driver(ctx):
        nonlocal undone
        history = []
        ctx.set(dut.working, 1)
        await ctx.tick()
        for number in range(1500):
            kind = rng.random()
            released = False
            if kind < 0.1:
                await step(ctx, dut)
            elif kind < 0.5 and stack.free:
                history.append(("allocate", stack.allocate()))
                await step(ctx, dut, allocate=1)
            elif kind < 0.75 and stack.used:
                index = rng.choice(stack.used)
                history.append(("release", index))
                stack.release(index)
                await step(ctx, dut, release=index)
                released = True
            elif history:
                # Back to some moment before, last first; not one step per cycle behind a release.
                for _ in range(rng.randint(1, min(12, len(history)))):
                    what, index = history.pop()
                    undone += 1
                    if what == "allocate":
                        stack.release(index)
                        await step(ctx, dut, release=index)
                        released = True
                    else:
                        if released:
                            await step(ctx, dut)
                        assert stack.free.pop() == index
                        stack.used.append(index)
                        await step(ctx, dut, unrelease=1)
                        released = False
            where = f"step {number}"
            assert ctx.get(dut.indices.free_count) == len(stack.free), where
            assert ctx.get(dut.high) == stack.high, where
            if stack.free:
                assert ctx.get(dut.indices.next_free) == stack.free[-1], where
            if released:
                await step(ctx, dut)
        await step(ctx, dut)
        assert await take_all(ctx, dut) == list(reversed(stack.free))

    simulate(dut, driver)
    assert undone > 200


@pytest.mark.parametrize("grid", [GRID, GridConfig(size=64), GridConfig(size=8)], ids=str)
def test_entries_follow_the_cell_map(grid):
    """The entry of an index is what was last written of its space, or nothing; and so it is where
    one of the memories follows, or both do."""
    dut = SpaceTable(grid)
    rng = random.Random(7)
    freed = followed = 0

    async def driver(ctx):
        nonlocal freed, followed
        entries: dict[int, tuple[int, int, int, int]] = {}
        for _ in range(3_000):
            index, other = (
                rng.randrange(grid.frontier_entries),
                rng.randrange(grid.frontier_entries),
            )
            kind = rng.choice(["space", "space", "tile", "blank", "give", "wipe", "nothing"])
            x, y = rng.randrange(grid.size), rng.randrange(grid.size)
            white, red = 1 << rng.randrange(4), 1 << rng.randrange(4)
            red = 0 if white == red or rng.random() < 0.3 else red
            if rng.random() < 0.3:
                white, red = red, white
            if kind == "tile":
                white = red = 15
            if kind == "blank":
                white = red = 0
            # A tile is written together with the release of its space's index.
            give, given = kind == "give" or kind == "tile", rng.randrange(grid.frontier_entries)
            ctx.set(dut.write.en, kind in ("space", "tile", "blank"))
            ctx.set(dut.write.space, kind == "space")
            ctx.set(dut.write.x, x)
            ctx.set(dut.write.y, y)
            ctx.set(dut.write.cell, {"white": white, "red": red, "index": other})
            ctx.set(dut.indices.release, give)
            ctx.set(dut.indices.release_index, given)
            ctx.set(dut.wipe, kind == "wipe")
            ctx.set(dut.wipe_index, other)
            ctx.set(dut.index, index)
            follow = rng.randrange(4)
            partners = [rng.randrange(grid.frontier_entries) for _ in Colour]
            ctx.set(dut.follow, follow)
            for colour in Colour:
                ctx.set(dut.partners[colour], partners[colour])
            expected = entries.get(index)
            ends = [entries.get(partner) for partner in partners]
            await ctx.tick()
            entry, seen = ctx.get(dut.entry), ctx.get(dut.seen)
            found = (entry.place.x, entry.place.y, entry.white, entry.red)
            if not follow:
                assert found == expected if expected else found[2:] == (0, 0)
            if follow != 3:
                assert seen.live == bool(expected)
                assert not expected or (seen.place.x, seen.place.y) == expected[:2]
            for colour, end in zip(Colour, ends, strict=True):
                if end and follow >> colour & 1:
                    place = ctx.get(dut.places[colour])
                    assert (place.x, place.y) == end[:2]
                    followed += 1
            if kind == "space":
                entries[other] = x, y, white, red
            if give:
                freed += entries.pop(given, None) is not None
            if kind == "wipe":
                freed += entries.pop(other, None) is not None

    simulate(dut, driver)
    assert freed > 100
    assert followed > 100


def test_place_of_the_far_end_while_working():
    """What the joiner asks for, beside the stack of free indices."""
    dut = SpaceTable(GRID)
    rng = random.Random(5)

    async def driver(ctx):
        ctx.set(dut.working, 1)
        places = {}
        for index in range(GRID.frontier_entries):
            places[index] = rng.randrange(16), rng.randrange(16)
            ctx.set(dut.write.en, 1)
            ctx.set(dut.write.space, 1)
            ctx.set(dut.write.x, places[index][0])
            ctx.set(dut.write.y, places[index][1])
            ctx.set(dut.write.cell, {"white": 2, "index": index})
            await ctx.tick()
        ctx.set(dut.write.en, 0)
        for index in rng.sample(sorted(places), len(places)):
            ctx.set(dut.far, index)
            await ctx.tick()
            place = ctx.get(dut.places[Colour.WHITE])
            assert (place.x, place.y) == places[index]

    simulate(dut, driver)


def test_wipe_frees_all():
    dut = SpaceTable(GRID)
    rng = random.Random(3)

    async def driver(ctx):
        ctx.set(dut.working, 1)
        await ctx.tick()
        taken = await take_all(ctx, dut)
        rng.shuffle(taken)
        for index in taken[:11]:
            await step(ctx, dut, release=index)
        await pulse(ctx, dut.clear)
        assert ctx.get(dut.indices.free_count) == 0
        ctx.set(dut.wipe, 1)
        for index in reversed(range(GRID.frontier_entries)):
            ctx.set(dut.wipe_index, index)
            await ctx.tick()
        ctx.set(dut.wipe, 0)
        await ctx.tick()
        assert ctx.get(dut.indices.free_count) == GRID.frontier_entries
        assert ctx.get(dut.high) == 0
        assert await take_all(ctx, dut) == list(range(GRID.frontier_entries))

    simulate(dut, driver)
