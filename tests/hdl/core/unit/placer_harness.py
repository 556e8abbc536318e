"""The placer with its memories, and a comparison of all of them with the rules."""

from __future__ import annotations

from amaranth.hdl import Module, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.game import ALL_SIDES, Colour, Position
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import BoxEdges
from loopline.hdl.core.cells import CellMap, CellReader
from loopline.hdl.core.joiner import TrackJoiner
from loopline.hdl.core.memory import DualPortMemory
from loopline.hdl.core.placer import Placer
from loopline.hdl.core.spaces import SpaceTable
from loopline.hdl.core.types import (
    ShapeCode,
    box_layout,
    entry_layout,
    job_layout,
    result_layout,
)
from tests.hdl.core.unit.evaluation import other_end
from tests.hdl.core.unit.games import Start
from tests.hdl.support import Stalls, stream_get, stream_put

__all__ = ["PlacerHarness", "Session"]


class PlacerHarness(wiring.Component):
    """Placer, cell map, frontier table and joiner, with ports to look into the memories.

    The ports are to be used between jobs: ``look`` takes the cell map from the placer.
    """

    def __init__(self, grid: GridConfig):
        self.grid = grid
        self.joiner = TrackJoiner(grid)
        super().__init__(
            {
                "jobs": In(stream.Signature(job_layout(grid))),
                "results": Out(stream.Signature(result_layout())),
                "reset": In(1),
                "commit": In(1),
                "box": Out(box_layout(grid)),
                "look": In(1),
                "cells": In(CellReader(grid)),
                "index": In(grid.index_bits),
                "entry": Out(entry_layout(grid)),
                "partners": Out(grid.index_bits).array(2),
                "free": Out(range(grid.frontier_entries + 1)),
                "wipe": In(1),
                "sweep": In(range(max(grid.size**2 // 4, grid.frontier_entries))),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self.grid
        m.submodules.placer = placer = Placer(grid)
        for name, port in (
            ("journal", placer.journal_memory),
            ("queue", placer.queue_memory),
        ):
            m.submodules[name] = memory = DualPortMemory(port.signature.shape, port.signature.depth)
            connect(m, port, memory.port)
        m.submodules.cells = cells = CellMap(grid)
        m.submodules.spaces = spaces = SpaceTable(grid)
        m.submodules.edges = edges = BoxEdges(grid)
        connect(m, flipped(self.jobs), placer.jobs)
        connect(m, flipped(self.results), placer.results)
        m.submodules.joiner = joiner = self.joiner
        connect(m, placer.joiner, joiner.port)
        connect(m, placer.indices, spaces.indices)
        connect(m, placer.write, cells.write, spaces.write)
        source = placer.read
        m.d.comb += [
            cells.read.x.eq(source.x),
            cells.read.y.eq(source.y),
            cells.read.en.eq(source.en),
            source.cell.eq(cells.read.cell),
            self.cells.cell.eq(cells.read.cell),
        ]
        with m.If(self.look):
            m.d.comb += [
                cells.read.x.eq(self.cells.x),
                cells.read.y.eq(self.cells.y),
                cells.read.en.eq(1),
            ]
        m.d.comb += [
            self.box.eq(placer.box),
            self.free.eq(spaces.indices.free_count),
            self.entry.eq(spaces.entry),
            spaces.index.eq(self.index),
            spaces.working.eq(placer.working),
            joiner.working.eq(placer.working),
            spaces.clear.eq(self.reset),
            placer.reset.eq(self.reset),
            placer.commit.eq(self.commit),
            cells.wipe.eq(self.wipe & (self.sweep < cells.rows)),
            cells.wipe_row.eq(self.sweep),
            spaces.wipe.eq(self.wipe & (self.sweep < grid.frontier_entries)),
            spaces.wipe_index.eq(~self.sweep),
            edges.box.eq(placer.box),
            edges.lines.eq(1),
            joiner.edges.eq(edges.edges),
            placer.edges.eq(edges.edges),
            joiner.index.eq(self.index),
            joiner.place.eq(spaces.places[Colour.WHITE]),
            spaces.far.eq(joiner.far),
        ]
        for colour in Colour:
            m.d.comb += self.partners[colour].eq(joiner.partners[colour])
        return m

    @property
    def streams(self):
        """Every stream, for the checker of the contract."""
        return [self.jobs, self.results, self.joiner.port.joins]


class Session:
    """Jobs for a placer within one simulation, and a look at what they left behind."""

    def __init__(self, ctx, dut: PlacerHarness, *, stalls: Stalls | None = None):
        self.ctx = ctx
        self.dut = dut
        self.stalls = stalls

    async def make(self, start: Start):
        """Make the turn that begins here."""
        mask = self.dut.grid.size - 1
        place = {"x": start.x & mask, "y": start.y & mask}
        return await self._do({"unmake": 0, "symbol": ShapeCode(start.shape.code), "place": place})

    async def unmake(self):
        """Take the last turn back."""
        return await self._do({"unmake": 1})

    async def _do(self, job):
        await stream_put(self.ctx, self.dut.jobs, job, stalls=self.stalls)
        return await stream_get(self.ctx, self.dut.results, stalls=self.stalls)

    async def snapshot(self, *, whole: bool = False):
        """All words of the cell map by coordinates, the number of free indices, and the box.

        Only the box and two cells around it are read, unless it is the ``whole`` map.
        """
        ctx, dut = self.ctx, self.dut
        size, box = dut.grid.size, self.box()
        columns = rows = range(size)
        if box and not whole:
            columns = range(min((box[2] - box[0]) % size + 5, size))
            rows = range(min((box[3] - box[1]) % size + 5, size))
        west, north = (box[0] - 2, box[1] - 2) if box else (0, 0)
        word = Value.cast(dut.cells.cell)
        cells = {}
        ctx.set(dut.look, 1)
        for column in columns:
            ctx.set(dut.cells.x, x := (west + column) % size)
            for row in rows:
                ctx.set(dut.cells.y, y := (north + row) % size)
                await ctx.tick()
                if value := ctx.get(word):
                    cells[x, y] = value
        ctx.set(dut.look, 0)
        return cells, ctx.get(dut.free), box

    def box(self):
        """The box, or none."""
        box = self.ctx.get(self.dut.box)
        return None if box.empty else (box.west, box.north, box.east, box.south)

    async def check(self, position: Position, *, whole: bool = False):
        """Compare everything with the rules. Returns the snapshot."""
        ctx, dut = self.ctx, self.dut
        mask = dut.grid.size - 1
        cells, free, box = snapshot = await self.snapshot(whole=whole)
        edges = position.west, position.north, position.east, position.south
        assert box == (tuple(edge & mask for edge in edges) if position.turns else None)

        left = dict(cells)
        for x, y, tile in position.cells():
            assert left.pop((x & mask, y & mask)) == 0xFF | tile << 8
        index_of = {}
        for x, y in position.frontier():
            word = left.pop((x & mask, y & mask))
            for colour in Colour:
                sides = position.sockets(x, y).items()
                expected = sum(side.bit for side, entering in sides if entering is colour)
                assert word >> (4 * colour) & ALL_SIDES == expected, (x, y)
            index_of[x, y] = word >> 8
        assert not left, "neither a tile nor a space with sockets"
        assert len(set(index_of.values())) == len(index_of)
        assert free == dut.grid.frontier_entries - len(index_of)

        for (x, y), index in index_of.items():
            ctx.set(dut.index, index)
            await ctx.tick()
            entry = ctx.get(dut.entry)
            assert (entry.place.x, entry.place.y) == (x & mask, y & mask)
            assert entry.white | entry.red << 4 == cells[x & mask, y & mask] & 0xFF
            for side, colour in position.sockets(x, y).items():
                other = other_end(position, (x, y), side, colour)
                assert ctx.get(dut.partners[colour]) == index_of[other], (x, y, colour)
        return snapshot
