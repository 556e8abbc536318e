"""A turn unit and the walk along the perimeter of its position, behind one stream of commands."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out, connect

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status, command_layout
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.search.perimeter_walk import PerimeterWalk, ring_layout, window_layout


class WalkHarness(wiring.Component):
    """Set a position up by core commands, then walk along its perimeter.

    A command with ``walk`` begins with ``ring``, one with ``next`` waits for the next window. Any
    other is the turn unit's ``core``. If ``busy``, the walk gets the cell map and the partners in
    about half of the cycles.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        command = {
            "walk": 1,
            "next": 1,
            "busy": 1,
            "ring": ring_layout(grid),
            "core": command_layout(grid),
        }
        outcome = {"status": Status, "window": window_layout(), "end": 1}
        super().__init__(
            {
                "commands": In(stream.Signature(data.StructLayout(command))),
                "outcomes": Out(stream.Signature(data.StructLayout(outcome))),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.unit = unit = TurnUnit(self._grid, reader=True)
        m.submodules.walk = walk = PerimeterWalk(self._grid)
        command, outcome = self.commands.payload, self.outcomes.payload
        reader = unit.reader
        connect(m, walk.cells, reader.cells)
        walking, waits, core, busy = Signal(), Signal(), Signal(), Signal()
        noise = Signal(16, init=0xACE1)
        m.d.sync += noise.eq((noise >> 1) ^ (noise[0].replicate(16) & 0xB400))
        colour = Signal()
        with m.If(walk.partner_request & walk.partner_granted):
            m.d.sync += colour.eq(walk.partner_colour)
        m.d.comb += [
            reader.active.eq(walking),
            reader.en.eq(walk.partner_request & walk.partner_granted),
            reader.index.eq(walk.partner_index),
            walk.cells_taken.eq(busy & noise[3]),
            walk.partner_granted.eq(~(busy & noise[7])),
            walk.partner.eq(reader.partners[0]),
            walk.rings.payload.eq(command.ring),
            unit.commands.payload.eq(command.core),
            outcome.status.eq(unit.outcomes.payload.status),
            outcome.window.eq(walk.windows.payload.window),
            outcome.end.eq(walk.windows.payload.end),
        ]
        with m.If(colour):
            m.d.comb += walk.partner.eq(reader.partners[1])
        with m.If(core):
            m.d.comb += [
                self.outcomes.valid.eq(unit.outcomes.valid),
                unit.outcomes.ready.eq(self.outcomes.ready),
            ]
        with m.Elif(waits):
            m.d.comb += [
                self.outcomes.valid.eq(walk.windows.valid),
                walk.windows.ready.eq(self.outcomes.ready),
            ]
        with m.Elif(walking & command.next):
            m.d.comb += self.commands.ready.eq(1)
        with m.Elif(~walking & command.walk):
            m.d.comb += self.commands.ready.eq(1)
            m.d.sync += walking.eq(self.commands.valid)
        with m.Elif(~walking & ~command.next):
            m.d.comb += [
                unit.commands.valid.eq(self.commands.valid),
                self.commands.ready.eq(unit.commands.ready),
            ]
        ring = Signal(ring_layout(self._grid))
        begin = Signal()
        m.d.comb += [walk.rings.payload.eq(ring), walk.rings.valid.eq(begin)]
        with m.If(walk.rings.valid & walk.rings.ready):
            m.d.sync += begin.eq(0)
        with m.If(self.commands.valid & self.commands.ready):
            m.d.sync += [core.eq(~command.walk & ~command.next), busy.eq(command.busy)]
            with m.If(command.walk):
                m.d.sync += [ring.eq(command.ring), begin.eq(1)]
            m.d.sync += waits.eq(command.walk | command.next)
        with m.If(self.outcomes.valid & self.outcomes.ready):
            m.d.sync += [core.eq(0), waits.eq(0)]
            with m.If(waits & outcome.end):
                m.d.sync += walking.eq(0)
        return m
