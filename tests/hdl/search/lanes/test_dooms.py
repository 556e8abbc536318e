"""Dooms: a lane that goes up and down, and nodes above it that are cut."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from loopline.hdl.search.config import BEATS_DELAY, SHARED_NODES
from loopline.hdl.search.lanes.dooms import Dooms
from loopline.hdl.search.lanes.turnstile import BEAT_BITS
from tests.hdl.support import simulate, ticks

PLIES = 32
RANGE = 1 << BEAT_BITS


@dataclass
class Doom:
    ply: int
    beat: int


def set_inputs(ctx, dut: Dooms, **values: int) -> None:
    for name in ("add", "forget", "clear"):
        ctx.set(getattr(dut, name), values.pop(name, 0))
    for name, value in values.items():
        ctx.set(getattr(dut, name), value)


async def check(ctx, dut: Dooms, dooms: list[Doom], clock: int, ply: int) -> None:
    """Compare what the lane is told, two cycles later, with all that is to be given up."""
    set_inputs(ctx, dut, now=clock % RANGE, ply=ply)
    await ticks(ctx, 2)
    due = [doom.ply for doom in dooms if doom.beat <= clock]
    assert ctx.get(dut.any) == bool(dooms)
    assert ctx.get(dut.due) == bool(due), (clock, dooms)
    assert ctx.get(dut.is_below) == any(ply > each for each in due), (clock, ply, dooms)
    if dooms:
        assert ctx.get(dut.least) == min(doom.ply for doom in dooms)
    if due:
        assert ctx.get(dut.target) == min(due), (clock, dooms)


@pytest.mark.parametrize("seed", range(4))
def test_as_many_as_there_may_be(seed: int) -> None:
    """At each ply what is below is given up at its own beat."""
    dut = Dooms(PLIES, lanes=3)
    rng = random.Random(seed)
    most = SHARED_NODES + 2

    async def testbench(ctx) -> None:
        clock, seen = 0, set()
        dooms: list[Doom] = []
        for _ in range(3000):
            clock += rng.choice((0, 1, 7, 40))
            least = min((doom.ply for doom in dooms), default=PLIES)
            kind = rng.choice(("add", "add", "add", "add", "forget", "both", "wait", "clear"))
            add = kind in ("add", "both") and least and len(dooms) < most
            forget = kind in ("forget", "both")
            left = rng.choice([*(doom.ply for doom in dooms), rng.randrange(PLIES)])
            home = rng.randrange(max(0, least - 3), least) if least else 0
            beat = max((clock, *(doom.beat for doom in dooms))) + rng.choice((0, 1, BEATS_DELAY))
            set_inputs(
                ctx, dut, add=add, forget=forget, clear=kind == "clear", left=left, home=home
            )
            ctx.set(dut.beat, beat % RANGE)
            await ctx.tick()
            if forget:
                dooms = [doom for doom in dooms if doom.ply < left]
            if add:
                dooms.append(Doom(home, beat))
            if kind == "clear":
                dooms = []
            seen.add(len(dooms))
            await check(ctx, dut, dooms, clock, rng.randrange(PLIES))
        assert seen == set(range(most + 1))

    simulate(dut, testbench, cycles=20_000)


def test_what_is_due_stays_so() -> None:
    """Also when the clock has gone on for more beats than can be compared."""
    dut = Dooms(PLIES, lanes=3)

    async def testbench(ctx) -> None:
        dooms = [Doom(9, 100), Doom(4, 1000)]
        for doom in dooms:
            set_inputs(ctx, dut, add=1, home=doom.ply, beat=doom.beat)
            await ctx.tick()
        for clock in range(0, 2 * RANGE, 50):
            await check(ctx, dut, dooms, clock, 6)

    simulate(dut, testbench)


def test_two_lanes_need_one_place() -> None:
    """The last one takes the place of one that has become due, and is not due for that."""
    dut = Dooms(PLIES, lanes=2)

    async def testbench(ctx) -> None:
        await check(ctx, dut, [], 0, 20)
        for clock, home in ((100, 9), (200, 8), (300, 2)):
            set_inputs(ctx, dut, add=1, home=home, beat=clock + BEATS_DELAY)
            await ctx.tick()
            await check(ctx, dut, [Doom(home, clock + BEATS_DELAY)], clock, 20)
            await check(ctx, dut, [Doom(home, clock + BEATS_DELAY)], clock + BEATS_DELAY, 20)
        set_inputs(ctx, dut, forget=1, left=2)
        await ctx.tick()
        await check(ctx, dut, [], 400, 20)

    simulate(dut, testbench)
