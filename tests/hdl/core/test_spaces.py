"""Frontier table: the order of its free indices, and clearing.

That no index is given twice, that a release can be undone and that entries are kept is proved, in
``proofs/test_formal.py`` and ``proofs/test_places_formal.py``.
"""

from __future__ import annotations

import random

from loopline.hdl.config import GridConfig
from loopline.hdl.core.spaces import SpaceTable
from tests.hdl.support import pulse, simulate

GRID = GridConfig(size=16, frontier_entries=16)


async def take_all(ctx, dut):
    """Allocate one after another, one per cycle; the indices in that order."""
    taken = []
    ctx.set(dut.write.space, 1)
    while ctx.get(dut.indices.free_count):
        taken.append(ctx.get(dut.indices.next_free))
        # What is allocated is written, and the link that was there is gone.
        ctx.set(dut.write.cell, {"white": 1, "index": taken[-1]})
        await pulse(ctx, dut.indices.allocate, dut.write.en)
    return taken


def test_lowest_indices_first_and_all_of_them_after_a_wipe():
    dut, rng = SpaceTable(GRID), random.Random(3)
    entries = GRID.frontier_entries

    async def driver(ctx):
        ctx.set(dut.working, 1)
        await ctx.tick()
        for _ in range(2):
            assert ctx.get(dut.indices.free_count) == entries
            assert ctx.get(dut.high) == 0
            taken = await take_all(ctx, dut)
            assert taken == list(range(entries))
            assert ctx.get(dut.high) == entries
            for index in rng.sample(taken, 11):
                ctx.set(dut.indices.release_index, index)
                await pulse(ctx, dut.indices.release)
            await pulse(ctx, dut.clear)
            assert ctx.get(dut.indices.free_count) == 0
            ctx.set(dut.wipe, 1)
            for index in reversed(range(entries)):
                ctx.set(dut.wipe_index, index)
                await ctx.tick()
            ctx.set(dut.wipe, 0)
            await ctx.tick()

    simulate(dut, driver)
