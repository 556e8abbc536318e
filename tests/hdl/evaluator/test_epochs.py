"""The numbers of trials: which one each stage has, and what happens when they run out."""

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


def test_a_number_for_each_trial_until_they_run_out():
    dut, chance = Epochs(GRID), random.Random(37)
    seen = {"wiped": 0, "refused": 0}

    async def bench(ctx):
        assert ctx.get(dut.wiping)
        await wiped(ctx, dut)
        # By thread, the number of its trial; a trial in the last stage may go on or be over.
        numbers = [ctx.get(dut.epochs[stage]) for stage in range(THREADS)]
        assert numbers == [0] * THREADS
        while seen["wiped"] < 2:
            ends = chance.random() < 0.9
            if ctx.get(dut.used_up):
                seen["refused"] += 1
                # Nothing enters any more; what is under way ends in its own time.
                idle = chance.random() < 0.3
                ctx.set(dut.enters, 0)
                ctx.set(dut.idle, idle)
                await ctx.tick()
                if idle:
                    seen["wiped"] += 1
                    ctx.set(dut.idle, 0)
                    await wiped(ctx, dut)
                    numbers = [0] * THREADS
                    assert [ctx.get(dut.epochs[n]) for n in range(THREADS)] == numbers
                    assert not ctx.get(dut.used_up)
                else:
                    numbers = [numbers[-1], *numbers[:-1]]
                continue
            ctx.set(dut.more, not ends)
            ctx.set(dut.enters, ends)
            # Written is for the trial that goes on, or for the one that begins.
            assert ctx.get(dut.epoch) == (numbers[-1] + ends) & LAST
            await ctx.tick()
            numbers = [(numbers[-1] + ends) & LAST, *numbers[:-1]]
            assert [ctx.get(dut.epochs[n]) for n in range(THREADS)] == numbers
            # Late by a cycle, so that one more may enter, of another thread.
            assert numbers.count(0) == 0 or max(numbers) < 4 or ctx.get(dut.wiping)

    simulate(dut, bench, cycles=400_000)
    assert min(seen.values()) >= 2
