"""The evaluator's memories against dictionaries, with random reads and writes."""

from __future__ import annotations

import random

import pytest
from amaranth.hdl import C, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.memory import WithMemories
from loopline.hdl.evaluator.overlay import Overlay, wiping_cell, wiping_cells
from loopline.hdl.evaluator.track_ids import TrackIds
from loopline.hdl.evaluator.types import (
    EPOCH_BITS,
    THREADS,
    TILE_NUMBER_BITS,
    block_layout,
    track_id_layout,
    window_bits,
    window_layout,
)
from loopline.hdl.evaluator.union_find import UNION_FIND_ROWS, UnionFind, id_of_row, row_of, tag_of
from tests.hdl.support import simulate

GRIDS = [GridConfig(size=8, frontier_entries=16), GridConfig(size=64, frontier_entries=256)]
each_grid = pytest.mark.parametrize("grid", GRIDS, ids=["8x8", "64x64"])


def bank(x: int, y: int) -> int:
    """The bank of a cell, as :class:`CellMap` has it."""
    return (x & 1) | ((x ^ y) & 2)


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
@pytest.mark.parametrize("seed", range(2))
def test_overlay(grid, seed):
    """Four threads with epochs that count up; each reads only what it has written itself."""
    dut, rng = Overlay(grid), random.Random(seed)
    size = 1 << window_bits(grid)
    found = 0

    async def driver(ctx):
        nonlocal found
        epochs = [1] * THREADS
        added: dict[tuple[int, int, int], int] = {}  # thread, x, y
        for _ in range(1_500):
            read_by, write_by = rng.randrange(THREADS), rng.randrange(THREADS)
            # Few cells, so that they are met again.
            x, y, at_x, at_y = (rng.randrange(size // 2, size // 2 + 3) % size for _ in range(4))
            if rng.random() < 0.05:
                x = at_x = rng.choice([0, size - 1])
            if rng.random() < 0.1 and epochs[write_by] < (1 << EPOCH_BITS) - 1:
                epochs[write_by] += 1
                added = {key: word for key, word in added.items() if key[0] != write_by}
            put, add = rng.randrange(2), rng.choice([0, rng.randrange(16)])
            colours, kept = rng.randrange(16), [rng.randrange(8) for _ in Side]
            ctx.set(dut.r_cell, {"x": x, "y": y})
            ctx.set(dut.r_thread, read_by)
            ctx.set(dut.w_cell, {"x": at_x, "y": at_y})
            ctx.set(dut.w_thread, write_by)
            ctx.set(dut.w_en, put)
            ctx.set(dut.w_sides, add)
            ctx.set(dut.w_epoch, epochs[write_by])
            ctx.set(dut.w_colours, colours)
            for side in Side:
                ctx.set(dut.w_others[side], dut.w_others[side].shape().from_bits(kept[side]))
            # A read in the same cycle as a write returns the old word.
            expected = {}
            for side in Side:
                cell = (x + side.step[0]) % size, (y + side.step[1]) % size
                expected[bank(*cell)] = added.get((read_by, *cell), 0)
            await ctx.tick()
            for number in range(4):
                word = ctx.get(dut.r_data[number])
                own = word.epoch == epochs[read_by]
                assert (word.sockets.as_bits() if own else 0) == expected[number]
                found += own and expected[number] != 0
            for side in Side:
                if put and add & side.bit:
                    cell = (at_x + side.step[0]) % size, (at_y + side.step[1]) % size
                    new = side.opposite | 4
                    red = colours & side.bit
                    word = kept[side] | new << 3 if red else new | kept[side] << 3
                    added[(write_by, *cell)] = word

    simulate(dut, driver)
    assert found > 200


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


@each_grid
def test_track_ids(grid):
    """Tiles eight columns or rows apart share a row: the tag tells which one it belongs to."""
    dut, rng = WithMemories(TrackIds(grid)), random.Random(2)
    size = 1 << window_bits(grid)
    low, high = size // 2 - 1, window_bits(grid) - 1
    shape = track_id_layout(grid)

    async def driver(ctx):
        rows: dict[tuple[int, int, int], tuple[int, int]] = {}
        for _ in range(2_000):
            thread, of = rng.randrange(THREADS), rng.randrange(THREADS)
            (x, y), (at_x, at_y) = ((rng.randrange(size), rng.randrange(size)) for _ in range(2))
            put, given = rng.random() < 0.5, rng.randrange(1 << shape.size)
            ctx.set(dut.r_cell, {"x": x, "y": y})
            ctx.set(dut.r_thread, thread)
            ctx.set(dut.w_cell, {"x": at_x, "y": at_y})
            ctx.set(dut.w_thread, of)
            ctx.set(dut.w_en, put)
            ctx.set(dut.w_id, shape.from_bits(given))
            expected = rows.get((thread, x & low, y & low))
            await ctx.tick()
            if expected is not None:
                assert (ctx.get(dut.r_id).as_bits(), ctx.get(dut.r_tag)) == expected
            if put:
                rows[of, at_x & low, at_y & low] = given, at_x >> high | at_y >> high << 1

    simulate(dut, driver)


@each_grid
@pytest.mark.parametrize("seed", range(2))
def test_union_find(grid, seed):
    """A row is read for the track and way it was written for; the tag tells another track's."""
    dut, rng = UnionFind(grid), random.Random(seed)
    id_shape, row_shape = track_id_layout(grid), dut.w_data.shape()
    read_id = Signal(id_shape)
    tag = tag_of(read_id)
    ids = [
        {"number": rng.randrange(1 << id_shape["number"].width), "is_new": rng.randrange(2)}
        for _ in range(20)
    ]
    # Ids with the same row in the other way, and in the same way.
    ids += [{**name, "number": name["number"] ^ 32} for name in ids]
    if id_shape["number"].width > 6:
        ids += [{**name, "number": name["number"] ^ 64} for name in ids]
    hits = misses = 0

    def key(name, second_way):
        return (name["number"] ^ second_way << 5) & 63

    def bits(name):
        return id_shape.const(name).as_bits()

    async def driver(ctx):
        nonlocal hits, misses
        epochs = [1] * THREADS
        rows: dict[
            tuple[int, int], tuple[int, int, int]
        ] = {}  # thread and row: id, contents, epoch
        for _ in range(2_500):
            thread, of = rng.randrange(THREADS), rng.randrange(THREADS)
            name, at = rng.choice(ids), rng.choice(ids)
            second_way, at_second_way = rng.randrange(2), rng.randrange(2)
            if rng.random() < 0.02:
                epochs[of] += 1
            put = rng.random() < 0.4
            row = {
                "parent": id_shape.const(rng.choice(ids)),
                "exits": rng.randrange(16),
                "has_parent": rng.randrange(2),
                "epoch": epochs[of],
            }
            ctx.set(read_id, name)
            ctx.set(dut.r_row, ctx.get(row_of(read_id, C(second_way, 1))))
            ctx.set(dut.r_thread, thread)
            ctx.set(dut.w_en, put)
            ctx.set(dut.w_thread, of)
            ctx.set(dut.w_id, at)
            ctx.set(dut.w_second_way, at_second_way)
            ctx.set(dut.w_data, row_shape.const(row))
            expected = rows.get((thread, key(name, second_way)))
            await ctx.tick()
            found = ctx.get(dut.r_data)
            if expected is None:
                assert found.epoch == 0
            else:
                owner, content, epoch = expected
                assert found.epoch == epoch
                same = owner == bits(name)
                assert (found.tag == ctx.get(tag)) == same
                if same:
                    assert (found.parent.as_bits(), found.exits, found.has_parent) == content
                hits, misses = hits + same, misses + (not same)
            if put:
                content = row["parent"].as_bits(), row["exits"], row["has_parent"]
                rows[of, key(at, at_second_way)] = bits(at), content, epochs[of]

    simulate(dut, driver)
    assert hits > 300
    assert misses > 10


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
