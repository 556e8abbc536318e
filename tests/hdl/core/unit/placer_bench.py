"""The placer with its memories, and all of them compared with the model after any turn."""

from __future__ import annotations

from amaranth.hdl import Module, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.game import ALL_SIDES, Colour, Position
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import BoxEdges
from loopline.hdl.core.cells import CellMap, CellReader
from loopline.hdl.core.jobs import job_layout, result_layout
from loopline.hdl.core.joiner import TrackJoiner
from loopline.hdl.core.memory import DualPortMemory
from loopline.hdl.core.placer import Placer
from loopline.hdl.core.spaces import SpaceTable
from loopline.hdl.core.types import ShapeCode, Status, box_layout, entry_layout
from tests.hdl.core.unit.evaluation import other_end
from tests.hdl.core.unit.games import Start
from tests.hdl.support import Stalls, stream_get, stream_put

__all__ = ["PlacerBench", "Session"]


class PlacerBench(wiring.Component):
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
                "forget": In(1),
                "box": Out(box_layout(grid)),
                "look": In(1),
                "cells": In(CellReader(grid)),
                "index": In(grid.index_bits),
                "entry": Out(entry_layout(grid)),
                "partners": Out(grid.index_bits).array(2),
                "free": Out(range(grid.spaces + 1)),
                "wipe": In(1),
                "sweep": In(range(max(grid.size**2 // 4, grid.spaces))),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self.grid
        m.submodules.placer = placer = Placer(grid)
        for name, port in (("journal", placer.journal), ("queue", placer.queue)):
            m.submodules[name] = memory = DualPortMemory(port.signature.shape, port.signature.depth)
            connect(m, port, memory.port)
        m.submodules.cells = cells = CellMap(grid)
        m.submodules.spaces = spaces = SpaceTable(grid)
        m.submodules.edges = edges = BoxEdges(grid)
        connect(m, flipped(self.jobs), placer.jobs)
        connect(m, flipped(self.results), placer.results)
        m.submodules.joiner = joiner = self.joiner
        connect(m, placer.joins, joiner.joins)
        for write in (cells.write, spaces.write):
            m.d.comb += [
                write.en.eq(placer.write.en),
                write.x.eq(placer.write.x),
                write.y.eq(placer.write.y),
                write.cell.eq(placer.write.cell),
                write.space.eq(placer.write.space),
            ]
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
            self.free.eq(spaces.free),
            self.entry.eq(spaces.entry),
            spaces.index.eq(self.index),
            spaces.working.eq(placer.working),
            joiner.working.eq(placer.working),
            spaces.clear.eq(self.reset),
            placer.reset.eq(self.reset),
            placer.forget.eq(self.forget),
            placer.fresh.eq(spaces.fresh),
            placer.free.eq(spaces.free),
            spaces.take.eq(placer.take),
            spaces.give.eq(placer.give),
            spaces.given.eq(placer.given),
            spaces.ungive.eq(placer.ungive),
            cells.wipe.eq(self.wipe & (self.sweep < cells.rows)),
            cells.wipe_row.eq(self.sweep),
            spaces.wipe.eq(self.wipe & (self.sweep < grid.spaces)),
            spaces.wipe_index.eq(~self.sweep),
            edges.box.eq(placer.box),
            edges.lines.eq(1),
            joiner.edges.eq(edges.edges),
            placer.edges.eq(edges.edges),
            joiner.mark.eq(placer.mark),
            joiner.judge.eq(placer.judge),
            joiner.index.eq(self.index),
            joiner.place.eq(spaces.places[Colour.WHITE]),
            spaces.far.eq(joiner.far),
            placer.busy.eq(joiner.busy),
            placer.loops.eq(joiner.loops),
            placer.lines.eq(joiner.lines),
            placer.records.eq(joiner.records),
            placer.track.eq(joiner.track),
        ]
        for colour in Colour:
            m.d.comb += self.partners[colour].eq(joiner.partners[colour])
        return m

    @property
    def streams(self):
        """Every stream, for the checker of the contract."""
        return [self.jobs, self.results, self.joiner.joins]


class Session:
    """Jobs for a placer within one simulation, and a look at what they left behind."""

    def __init__(self, ctx, bench: PlacerBench, *, stalls: Stalls | None = None):
        self.ctx = ctx
        self.bench = bench
        self.stalls = stalls

    async def place(self, start: Start):
        """Make the turn that begins here."""
        mask = self.bench.grid.size - 1
        place = {"x": start.x & mask, "y": start.y & mask}
        return await self._do({"undo": 0, "symbol": ShapeCode(start.shape.code), "place": place})

    async def undo(self):
        """Take the last turn back."""
        return await self._do({"undo": 1})

    async def _do(self, job):
        await stream_put(self.ctx, self.bench.jobs, job, stalls=self.stalls)
        return await stream_get(self.ctx, self.bench.results, stalls=self.stalls)

    async def snapshot(self, *, whole: bool = False):
        """All words of the cell map by coordinates, the number of free indices, and the box.

        Only the box and two cells around it are read, unless it is the ``whole`` map.
        """
        ctx, bench = self.ctx, self.bench
        size, box = bench.grid.size, self.box()
        columns = rows = range(size)
        if box and not whole:
            columns = range(min((box[2] - box[0]) % size + 5, size))
            rows = range(min((box[3] - box[1]) % size + 5, size))
        west, north = (box[0] - 2, box[1] - 2) if box else (0, 0)
        word = Value.cast(bench.cells.cell)
        cells = {}
        ctx.set(bench.look, 1)
        for column in columns:
            ctx.set(bench.cells.x, x := (west + column) % size)
            for row in rows:
                ctx.set(bench.cells.y, y := (north + row) % size)
                await ctx.tick()
                if value := ctx.get(word):
                    cells[x, y] = value
        ctx.set(bench.look, 0)
        return cells, ctx.get(bench.free), box

    def box(self):
        """The box, or none."""
        box = self.ctx.get(self.bench.box)
        return None if box.empty else (box.west, box.north, box.east, box.south)

    async def check(self, position: Position, *, whole: bool = False):
        """Compare everything with the model; return the snapshot."""
        ctx, bench = self.ctx, self.bench
        mask = bench.grid.size - 1
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
        assert free == bench.grid.spaces - len(index_of)

        for (x, y), index in index_of.items():
            ctx.set(bench.index, index)
            await ctx.tick()
            entry = ctx.get(bench.entry)
            assert (entry.place.x, entry.place.y) == (x & mask, y & mask)
            assert entry.white | entry.red << 4 == cells[x & mask, y & mask] & 0xFF
            for side, colour in position.sockets(x, y).items():
                other = other_end(position, (x, y), side, colour)
                assert ctx.get(bench.partners[colour]) == index_of[other], (x, y, colour)
        return snapshot

    def check_made(self, result, played):
        """Compare the result of a turn that was made."""
        assert result.status == Status.LEGAL
        assert result.tiles == len(played.tiles)
        assert result.loops == sum(1 << colour for colour in played.loops)
        assert result.lines == sum(1 << colour for colour in played.lines)
