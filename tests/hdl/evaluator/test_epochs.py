"""The epochs of candidates: which one each stage has, and the wiping when they are used up."""

import random

from loopline.hdl.config import GridConfig
from loopline.hdl.evaluator.epochs import Epochs, wiping_rows
from loopline.hdl.evaluator.types import EPOCH_BITS, THREADS
from tests.hdl.support import simulate

GRID = GridConfig(size=8, frontier_entries=16)
ROWS = wiping_rows(GRID)
LAST = (1 << EPOCH_BITS) - 1


async def wiped(ctx, dut) -> None:
    """All rows of all threads are wiped, each once."""
    seen = []
    while ctx.get(dut.wiping):
        seen.append((ctx.get(dut.thread), ctx.get(dut.row)))
        await ctx.tick()
    assert sorted(seen) == [(thread, row) for thread in range(THREADS) for row in range(ROWS)]


def test_an_epoch_for_each_candidate_until_all_are_used():
    dut, chance = Epochs(GRID), random.Random(37)
    seen = {"wiped": 0, "refused": 0}

    async def driver(ctx):
        assert ctx.get(dut.wiping)
        await wiped(ctx, dut)
        # By stage, the epoch of its candidate; the one in the last stage goes on or ends.
        epochs = [ctx.get(dut.epochs[stage]) for stage in range(THREADS)]
        assert epochs == [0] * THREADS
        while seen["wiped"] < 2:
            ends = chance.random() < 0.9
            if ctx.get(dut.used_up):
                seen["refused"] += 1
                # No candidate enters any more; those under way end in their own time.
                idle = chance.random() < 0.3
                ctx.set(dut.enters, 0)
                ctx.set(dut.idle, idle)
                await ctx.tick()
                if idle:
                    seen["wiped"] += 1
                    ctx.set(dut.idle, 0)
                    await wiped(ctx, dut)
                    epochs = [0] * THREADS
                    assert [ctx.get(dut.epochs[n]) for n in range(THREADS)] == epochs
                    assert not ctx.get(dut.used_up)
                else:
                    epochs = [epochs[-1], *epochs[:-1]]
                continue
            ctx.set(dut.more, not ends)
            ctx.set(dut.enters, ends)
            # The epoch to write with: of the candidate that goes on, or of the one that enters.
            assert ctx.get(dut.epoch) == (epochs[-1] + ends) & LAST
            await ctx.tick()
            epochs = [(epochs[-1] + ends) & LAST, *epochs[:-1]]
            assert [ctx.get(dut.epochs[n]) for n in range(THREADS)] == epochs
            # ``used_up`` is late by a cycle, so one more candidate may enter, of another thread.
            assert epochs.count(0) == 0 or max(epochs) < 4 or ctx.get(dut.wiping)

    simulate(dut, driver, cycles=400_000)
    assert min(seen.values()) >= 2
