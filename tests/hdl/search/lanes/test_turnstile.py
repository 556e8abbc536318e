# amaranth: UnusedElaboratable=no

"""Turnstile: lanes that work, rest and wake each other, each in its own time."""

from __future__ import annotations

import random

import pytest

from loopline.hdl.search.config import BEATS_DELAY
from loopline.hdl.search.lanes.turnstile import BEAT_BITS, GRANT_CYCLES, Turnstile
from tests.hdl.support import simulate, ticks

RANGE = 1 << BEAT_BITS


class Lane:
    """A lane. Its chance decides what it does, and not in which cycle."""

    def __init__(self, number: int, seed: int):
        self.number = number
        self.chance = random.Random(f"{seed} {number}")
        self.clock = 0
        self.active = number == 0


def act(lane: Lane, lanes: list[Lane]) -> None:
    """Do something with the lane's grant: wake another one, or rest if another one works."""
    resting = [other for other in lanes if not other.active]
    if resting and lane.chance.random() < 0.6:
        woken = resting[0]
        woken.clock = max(woken.clock, lane.clock + lane.chance.choice([0, 0, 64]))
        woken.active = True
    elif len(resting) < len(lanes) - 1 and lane.chance.random() < 0.4:
        lane.active = False


def not_less(clock: int, least: int) -> bool:
    """Whether a clock is not less than another one."""
    return (clock - least) % RANGE < RANGE // 2


async def check(ctx, dut: Turnstile) -> None:
    """Check in every cycle what the turnstile promises."""
    lanes = range(len(dut.asks))
    was_granted, waited, was_active = 0, [0 for _ in lanes], 0
    while True:
        sampled = [dut.clocks, dut.active, dut.asks, dut.granted, dut.known, dut.least, dut.ahead]
        _, _, clocks, active, asks, granted, known, least, ahead = await ctx.tick().sample(*sampled)
        working = [lane for lane in lanes if active >> lane & 1]
        assert granted & (granted - 1) == 0
        assert not known or was_active
        for lane in working:
            above = (clocks[lane] - least) % RANGE
            assert not known or above < RANGE // 2
            assert ahead >> lane & 1 == (not known or above >= BEATS_DELAY)
            is_first = all(
                not_less(clocks[other], clocks[lane] + (other < lane))
                for other in working
                if other != lane
            )
            if (granted & ~was_granted) >> lane & 1:
                assert is_first
                assert asks >> lane & 1
            if is_first and asks >> lane & 1 and not granted & asks:
                waited[lane] += 1
                assert waited[lane] <= GRANT_CYCLES
            else:
                waited[lane] = 0
        assert not granted & ~was_granted & ~active
        was_granted, was_active = granted, active


def grants_of(lanes: int, *, seed: int, stalls: int, grants: int) -> list[tuple[int, int]]:
    """Let lanes work until they have had so many grants: whose, and at which beats.

    ``stalls`` is the seed of the cycles in which they do nothing.
    """
    dut = Turnstile(lanes)
    pause = random.Random(stalls)
    workers = [Lane(number, seed) for number in range(lanes)]
    order: list[tuple[int, int]] = []

    def show(ctx, changed: list[Lane]) -> None:
        for lane in changed:
            ctx.set(dut.clocks[lane.number], lane.clock % RANGE)
            ctx.set(dut.active[lane.number], lane.active)

    def worker(lane: Lane):
        asks, granted = dut.asks[lane.number], dut.granted[lane.number]

        async def work(ctx) -> None:
            while True:
                await ticks(ctx, pause.choice([1, 1, 2, 5, 60]))
                if not lane.active or ctx.get(dut.ahead[lane.number]):
                    continue
                lane.clock += lane.chance.choice([0, 1, 2, 11, 11, 30, 1900])
                show(ctx, [lane])
                if lane.chance.random() < 0.5:
                    continue
                await ticks(ctx, pause.choice([0, 0, 3]))
                ctx.set(asks, 1)
                while not ctx.get(granted):
                    await ctx.tick()
                order.append((lane.number, lane.clock))
                await ticks(ctx, pause.choice([1, 1, 2, 9, 80]))
                act(lane, workers)
                show(ctx, workers)
                ctx.set(asks, 0)

        return work

    async def until_done(ctx) -> None:
        show(ctx, workers)
        while len(order) < grants:
            await ctx.tick()

    simulate(
        dut,
        until_done,
        background=[lambda ctx: check(ctx, dut), *map(worker, workers)],
        cycles=200_000,
    )
    return order


@pytest.mark.parametrize("lanes", [3, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 8))])
def test_the_order_of_grants_is_that_of_the_clocks(lanes: int) -> None:
    """It is the same however long anything takes, and every lane has grants."""
    order = grants_of(lanes, seed=lanes, stalls=1, grants=120)
    assert order == sorted(order, key=lambda grant: grant[1])
    assert {lane for lane, _ in order} == set(range(lanes))
    for stalls in (2, 3):
        assert grants_of(lanes, seed=lanes, stalls=stalls, grants=120) == order


@pytest.mark.parametrize("lanes", [2, 3, 4, 7])
def test_latency(lanes: int) -> None:
    dut = Turnstile(lanes)

    async def until_granted(ctx, lane: int) -> int:
        cycles = 0
        while not ctx.get(dut.granted[lane]):
            await ctx.tick()
            cycles += 1
        return cycles

    async def driver(ctx) -> None:
        ctx.set(dut.active, -1)
        for lane in range(lanes):
            for each in range(lanes):
                ctx.set(dut.clocks[each], 6 if each == lane else 7)
            for pause in range(lanes):
                await ticks(ctx, GRANT_CYCLES + pause)
                ctx.set(dut.asks[lane], 1)
                assert await until_granted(ctx, lane) == GRANT_CYCLES
                # It has the grant for a cycle, and asks again at once.
                await ctx.tick()
                ctx.set(dut.asks[lane], 0)
                await ctx.tick()
                assert not ctx.get(dut.granted)
                ctx.set(dut.asks[lane], 1)
                assert await until_granted(ctx, lane) == GRANT_CYCLES
                ctx.set(dut.asks[lane], 0)

    simulate(dut, driver)


def test_nothing_is_known_of_lanes_that_begin() -> None:
    """After a time without active lanes all may begin, at any beats."""
    dut = Turnstile(3)

    async def driver(ctx) -> None:
        for clocks in ([70, 5, 900], [3, 3, 2], [4000, 20, 4090]):
            assert not ctx.get(dut.known)
            assert ctx.get(dut.ahead) == 0b111
            for lane, clock in enumerate(clocks):
                ctx.set(dut.clocks[lane], clock)
            ctx.set(dut.active, -1)
            await ticks(ctx, GRANT_CYCLES - 1)
            assert not ctx.get(dut.known)
            await ctx.tick()
            assert ctx.get(dut.known)
            least = 4000 if clocks[0] == 4000 else min(clocks)
            assert ctx.get(dut.least) == least
            assert [ctx.get(dut.ahead[lane]) for lane in range(3)] == [
                (clock - least) % RANGE >= BEATS_DELAY for clock in clocks
            ]
            ctx.set(dut.active, 0)
            await ctx.tick()

    simulate(dut, driver)


@pytest.mark.parametrize("lanes", [1, 17])
def test_as_many_lanes_as_there_may_be(lanes: int) -> None:
    with pytest.raises(ValueError, match=f"^a turnstile is for 2 to 16 lanes, not {lanes}$"):
        Turnstile(lanes)
