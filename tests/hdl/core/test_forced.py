"""Forced-play queue: order, latency, and that it holds one less than the frontier table."""

from __future__ import annotations

import random
from collections import deque

import pytest
from amaranth.hdl import Value

from loopline.hdl.config import GridConfig
from loopline.hdl.core.forced import ForcedQueue
from loopline.hdl.core.memory import WithMemories
from tests.hdl.support import StreamChecker, pulse, simulate

GRID = GridConfig(size=16, frontier_entries=16)


@pytest.mark.parametrize("seed", range(4))
def test_random_traffic(seed):
    dut = WithMemories(ForcedQueue(GRID))
    rng = random.Random(seed)
    checker = StreamChecker(dut.pending)
    waiting: deque[int] = deque()
    pushed = []
    fullest = 0

    async def driver(ctx):
        nonlocal fullest
        for cycle in range(2000):
            # Slow, then fast receivers: the queue fills up and runs empty.
            ready = rng.random() < (0.1 if cycle // 100 % 2 else 0.9)
            push = len(waiting) < GRID.frontier_entries - 1 and rng.random() < 0.5
            place = rng.randrange(256)
            ctx.set(dut.push, push)
            ctx.set(Value.cast(dut.place), place)
            ctx.set(dut.pending.ready, ready)
            assert ctx.get(dut.empty) == (not waiting), f"cycle {cycle}"
            valid = ctx.get(dut.pending.valid)
            found = ctx.get(Value.cast(dut.pending.payload))
            assert not valid or found == waiting[0], f"cycle {cycle}"
            await ctx.tick()
            if valid and ready:
                waiting.popleft()
            if push:
                waiting.append(place)
                pushed.append(place)
            fullest = max(fullest, len(waiting))

    simulate(dut, driver, check=[checker])
    assert fullest == GRID.frontier_entries - 1
    taken = [payload.x | payload.y << 4 for payload in checker.payloads]
    assert taken == pushed[: len(pushed) - len(waiting)]
    assert len(taken) > 300


def test_latency_is_two_cycles():
    dut = WithMemories(ForcedQueue(GRID))

    async def driver(ctx):
        ctx.set(dut.place, {"x": 3, "y": 12})
        await pulse(ctx, dut.push)
        assert not ctx.get(dut.empty)
        await ctx.tick()
        assert ctx.get(dut.pending.valid)
        assert (ctx.get(dut.pending.payload.x), ctx.get(dut.pending.payload.y)) == (3, 12)

    simulate(dut, driver)
