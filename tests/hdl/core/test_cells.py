"""The cell map is wiped in as many cycles as its banks have rows.

That a cell is what was written there last is proved, in ``proofs/test_formal.py``.
"""

from __future__ import annotations

import random

import pytest
from amaranth.hdl import Value

from loopline.hdl.config import Banks, GridConfig
from loopline.hdl.core.cells import CellMap
from tests.hdl.core.unit.scrambled import scramble
from tests.hdl.support import simulate


@pytest.mark.parametrize("banks", Banks)
@pytest.mark.parametrize("size", [8, 16, 32, 64])
def test_wipe_clears_all_cells(monkeypatch, size, banks):
    scramble(monkeypatch)
    dut, rng = CellMap(GridConfig(size=size, banks=banks)), random.Random(size)
    places = [(rng.randrange(size), rng.randrange(size)) for _ in range(60)]
    places += [(x, y) for x in (0, size - 1) for y in (0, size - 1)]

    async def check(ctx):
        ctx.set(Value.cast(dut.write.cell), ~0)
        ctx.set(dut.write.en, 1)
        for x, y in places:
            ctx.set(dut.write.x, x)
            ctx.set(dut.write.y, y)
            await ctx.tick()
        ctx.set(dut.write.en, 0)
        assert dut.rows == size * size // 4
        ctx.set(dut.wipe, 1)
        for row in range(dut.rows):
            ctx.set(dut.wipe_row, row)
            await ctx.tick()
        ctx.set(dut.wipe, 0)
        ctx.set(dut.read.en, 1)
        for x, y in places:
            ctx.set(dut.read.x, x)
            ctx.set(dut.read.y, y)
            await ctx.tick()
            assert ctx.get(Value.cast(dut.read.cell)) == 0, (x, y)

    simulate(dut, check)
