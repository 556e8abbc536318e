"""TurnHistory and SearchClock: the registers that the player keeps apart."""

from __future__ import annotations

import random

from loopline.hdl.config import GridConfig
from loopline.hdl.frames.requests import HISTORY
from loopline.hdl.player.clock import HELD_BITS, SearchClock
from loopline.hdl.player.history import TurnHistory
from tests.hdl.support import pulse, simulate

GRID = GridConfig(size=16)


def test_the_turns_before_those_taken_back_are_replayed():
    dut, rng = TurnHistory(GRID), random.Random(1)

    async def testbench(ctx):
        turns = []

        async def add(x, y, symbol):
            ctx.set(dut.turn, {"x": x, "y": y, "symbol": symbol})
            await pulse(ctx, dut.add)

        for _ in range(3):
            await pulse(ctx, dut.clear)
            turns.clear()
            for count in (12, 5):
                for _ in range(count):
                    turns.append((rng.randrange(16), rng.randrange(16), rng.randrange(3)))
                    await add(*turns[-1])
                assert ctx.get(dut.turns) == len(turns)
                back = rng.randrange(len(turns))
                ctx.set(dut.count, back)
                assert ctx.get(dut.possible)
                await pulse(ctx, dut.take_back)
                del turns[len(turns) - back :]
                for turn in turns:
                    assert not ctx.get(dut.replayed)
                    await ctx.tick()
                    past = ctx.get(dut.past)
                    assert (past.x, past.y, past.symbol.value) == turn
                    await add(*turn)
                assert ctx.get(dut.replayed)

    simulate(dut, testbench)


def test_turns_can_be_taken_back_while_all_of_them_are_stored():
    dut = TurnHistory(GRID)

    async def testbench(ctx):
        ctx.set(dut.count, 1)
        assert not ctx.get(dut.possible)
        ctx.set(dut.add, 1)
        await ctx.tick().repeat(HISTORY)
        assert ctx.get(dut.possible)
        await ctx.tick()
        assert ctx.get(dut.turns) == HISTORY + 1
        assert not ctx.get(dut.possible)

    simulate(dut, testbench)


def test_the_clock_counts_to_its_stop_and_is_late_at_its_limit():
    dut = SearchClock()

    async def testbench(ctx):
        ctx.set(dut.limit, 10)
        await pulse(ctx, dut.start)
        await ctx.tick().repeat(4)
        ctx.set(dut.hold, 1)
        await ctx.tick().repeat(3)
        ctx.set(dut.hold, 0)
        assert ctx.get(dut.elapsed) == 4
        # The cycles that it was held are counted afterwards.
        await ctx.tick().repeat(2)
        assert ctx.get(dut.elapsed) == 8
        await ctx.tick().repeat(1)
        assert (ctx.get(dut.elapsed), ctx.get(dut.late)) == (10, 0)
        await ctx.tick()
        assert (ctx.get(dut.elapsed), ctx.get(dut.late)) == (11, 1)
        await pulse(ctx, dut.stop)
        stopped = ctx.get(dut.elapsed)
        await ctx.tick().repeat(3)
        assert ctx.get(dut.elapsed) == stopped
        ctx.set(dut.limit, 0)
        await pulse(ctx, dut.start)
        await ctx.tick().repeat(20)
        assert (ctx.get(dut.elapsed), ctx.get(dut.late)) == (20, 0)
        # A long hold is counted in part, also after the end.
        ctx.set(dut.hold, 1)
        await ctx.tick().repeat((1 << HELD_BITS) + 10)
        ctx.set(dut.hold, 0)
        await pulse(ctx, dut.stop)
        await ctx.tick().repeat(1 << HELD_BITS)
        assert (ctx.get(dut.elapsed), ctx.get(dut.late)) == (20 + (1 << HELD_BITS), 0)

    simulate(dut, testbench)
