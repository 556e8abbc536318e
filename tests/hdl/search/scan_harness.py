"""A turn unit and a unit that reads its position, behind one stream of commands."""

from __future__ import annotations

from amaranth.hdl import Module, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out, connect

from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import rules_layout
from loopline.hdl.core.types import Status, command_layout
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.search.track_scan import TrackScan, scan_layout


class ScanHarness(wiring.Component):
    """Set a position up by core commands, then scan it.

    A command with ``scan`` is a job for the side ``mover``, any other is the turn unit's ``core``.
    Both come with ``rules``.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        command = {
            "scan": 1,
            "mover": 1,
            "rules": rules_layout(grid),
            "core": command_layout(grid),
        }
        outcome = {"status": Status, "found": scan_layout(grid)}
        super().__init__(
            {
                "commands": In(stream.Signature(data.StructLayout(command))),
                "outcomes": Out(stream.Signature(data.StructLayout(outcome))),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.unit = unit = TurnUnit(self._grid, reader=True)
        m.submodules.scan = scan = TrackScan(self._grid)
        connect(m, scan.reader, unit.reader)
        command, outcome = self.commands.payload, self.outcomes.payload
        rules = Signal(rules_layout(self._grid))
        scans, busy = Signal(), Signal()
        m.d.comb += [
            unit.rules.eq(rules),
            scan.rules.eq(rules),
            unit.commands.payload.eq(command.core),
            scan.jobs.payload.eq(command.mover),
            unit.commands.valid.eq(self.commands.valid & ~command.scan & ~busy),
            scan.jobs.valid.eq(self.commands.valid & command.scan & ~busy),
            self.commands.ready.eq(
                ~busy & Value.cast(command.scan).matches(1) & scan.jobs.ready
                | ~busy & ~command.scan & unit.commands.ready
            ),
            outcome.status.eq(unit.outcomes.payload.status),
            outcome.found.eq(scan.results.payload),
            self.outcomes.valid.eq(
                busy & ((scans & scan.results.valid) | (~scans & unit.outcomes.valid))
            ),
            unit.outcomes.ready.eq(busy & ~scans & self.outcomes.ready),
            scan.results.ready.eq(busy & scans & self.outcomes.ready),
        ]
        with m.If(self.commands.valid & self.commands.ready):
            m.d.sync += [busy.eq(1), scans.eq(command.scan), rules.eq(command.rules)]
        with m.If(self.outcomes.valid & self.outcomes.ready):
            m.d.sync += busy.eq(0)
        return m
