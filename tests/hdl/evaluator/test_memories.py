"""The evaluator's memories against dictionaries, with random reads and writes."""

from __future__ import annotations

import random

import pytest
from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.evaluator.overlay import Overlay, wiping_cell, wiping_cells
from loopline.hdl.evaluator.types import (
    EPOCH_BITS,
    THREADS,
    TILE_NUMBER_BITS,
    block_layout,
    track_id_layout,
    window_bits,
    window_layout,
)
from loopline.hdl.evaluator.union_find import UNION_FIND_ROWS, id_of_row
from tests.hdl.support import simulate

GRIDS = [GridConfig(size=8, frontier_entries=16), GridConfig(size=64, frontier_entries=256)]
each_grid = pytest.mark.parametrize("grid", GRIDS, ids=["8x8", "64x64"])


class WipingCell(wiring.Component):
    """The cells beside which the overlay is wiped, by number."""

    def __init__(self, grid):
        self._grid = grid
        numbers = range(wiping_cells(grid))
        super().__init__({"number": In(numbers), "cell": Out(window_layout(grid).size)})

    def elaborate(self, platform):
        m = Module()
        m.d.comb += self.cell.eq(wiping_cell(self.number, self._grid))
        return m


class RowId(wiring.Component):
    """The ids by which the union-find is wiped, by row."""

    def __init__(self, grid):
        self._grid = grid
        super().__init__(
            {"number": In(range(UNION_FIND_ROWS)), "row_id": Out(track_id_layout(grid).size)}
        )

    def elaborate(self, platform):
        m = Module()
        m.d.comb += self.row_id.eq(id_of_row(self.number, self._grid))
        return m


@each_grid
def test_overlay_is_wiped(grid):
    """What is written with epoch 0 beside the wiping cells leaves no valid word."""
    wipe = WipingCell(grid)
    dut, rng = Overlay(grid), random.Random(1)
    size = 1 << window_bits(grid)

    def read_all(ctx, expected):
        async def read():
            for thread in range(THREADS):
                for x in range(size):
                    for y in range(0, size, 2):
                        # Each cell is a neighbour of one of these.
                        ctx.set(dut.r_cell, {"x": x, "y": (y + x) % size})
                        ctx.set(dut.r_thread, thread)
                        await ctx.tick()
                        for number in range(4):
                            assert (ctx.get(dut.r_data[number]).epoch != 0) == expected

        return read()

    async def driver(ctx):
        ctx.set(dut.w_epoch, rng.randrange(1, 1 << EPOCH_BITS))
        ctx.set(dut.w_en, 1)
        ctx.set(dut.w_sides, 15)
        for thread in range(THREADS):
            ctx.set(dut.w_thread, thread)
            for x in range(size):
                for y in range(size):
                    ctx.set(dut.w_cell, {"x": x, "y": y})
                    await ctx.tick()
        ctx.set(dut.w_en, 0)
        await read_all(ctx, expected=True)
        ctx.set(dut.w_en, 1)
        ctx.set(dut.w_epoch, 0)
        for thread in range(THREADS):
            ctx.set(dut.w_thread, thread)
            for number in range(wiping_cells(grid)):
                ctx.set(dut.w_cell, window_layout(grid).from_bits(cells[number]))
                await ctx.tick()
        ctx.set(dut.w_en, 0)
        await read_all(ctx, expected=False)

    cells = []

    async def list_cells(ctx):
        for number in range(wiping_cells(grid)):
            ctx.set(wipe.number, number)
            cells.append(ctx.get(wipe.cell))

    simulate(wipe, list_cells)
    simulate(dut, driver)


@each_grid
def test_each_row_of_the_union_find_has_an_id(grid):
    """Writing these ids wipes all rows."""
    dut = RowId(grid)

    async def driver(ctx):
        rows = set()
        for number in range(UNION_FIND_ROWS):
            ctx.set(dut.number, number)
            name = track_id_layout(grid).from_bits(ctx.get(dut.row_id))
            rows.add(name["number"] & 63)
        assert len(rows) == UNION_FIND_ROWS

    simulate(dut, driver)


@pytest.mark.parametrize("size", [8, 16, 32, 64])
def test_widths(size):
    """A window is no larger than the torus; a track id holds a frontier index or a tile number."""
    grid = GridConfig(size=size)
    assert window_bits(grid) == {8: 3, 16: 4, 32: 4, 64: 4}[size]
    assert window_layout(grid).size == 2 * window_bits(grid)
    # Where the window is all of the torus, nothing has the low bits of something else.
    assert block_layout(grid).size == (0 if size <= 16 else 2 * (window_bits(grid) - 1))
    for spaces in (16, 64, 256):
        width = track_id_layout(GridConfig(size=size, frontier_entries=spaces))["number"].width
        # The number of a tile is told apart from the lowest indices by one bit more.
        assert width >= (spaces - 1).bit_length()
        assert width > TILE_NUMBER_BITS
