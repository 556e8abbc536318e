"""The turn units of several lanes, which others use as one."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.arbiter import core_port
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import TurnOp

__all__ = ["UnitSwitch"]


class UnitSwitch(wiring.Component):
    """Give a command to all turn units, or let each lane use its own.

    ::

        common ──┬──► cores[0] ◄── lanes[0]
                 ├──► cores[1] ◄── lanes[1]
                 └──► ...

    All units have the same position while no lane searches, so all have the same outcome: that of
    the first one is returned, when all have it. ``EVALUATE`` is for the first one alone, as it
    changes nothing.

    Parameters
    ----------
    grid : GridConfig
        Widths.
    lanes : int
        How many there are.

    Members
    -------
    searches : In(1)
        The lanes use their units. It changes only while no command is under way.
    common : In(core_port)
        Commands for all.
    lanes : In(core_port).array(lanes), cores : Out(core_port).array(lanes)
        The lanes, and their units.
    """

    def __init__(self, grid: GridConfig, lanes: int):
        super().__init__(
            {
                "searches": In(1),
                "common": In(core_port(grid)),
                "lanes": In(core_port(grid)).array(lanes),
                "cores": Out(core_port(grid)).array(lanes),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        common = self.common
        # The units that have taken the command which is on offer.
        taken = Signal(len(self.cores))
        takes = Signal.like(taken)
        all_taken = Signal()
        all_done = Signal()
        # The command on offer, and the one under way, is for the first unit alone.
        alone = Signal()
        was_alone = Signal()
        others = Signal.like(taken, init=0)
        with m.If(common.commands.valid & common.commands.ready):
            m.d.sync += was_alone.eq(alone)
        m.d.comb += [
            alone.eq(common.commands.payload.op == TurnOp.EVALUATE),
            others.eq(~1),
            all_taken.eq((taken | takes | Mux(alone, others, 0)).all()),
            all_done.eq(
                (Cat(core.outcomes.valid for core in self.cores) | Mux(was_alone, others, 0)).all()
            ),
            common.commands.ready.eq(all_taken & ~self.searches),
            common.outcomes.valid.eq(all_done & ~self.searches),
            common.outcomes.payload.eq(self.cores[0].outcomes.payload),
        ]
        m.d.sync += taken.eq((taken | takes) & ~(all_taken | self.searches).replicate(len(taken)))
        for i, (lane, core) in enumerate(zip(self.lanes, self.cores, strict=True)):
            m.d.comb += [
                lane.commands.ready.eq(core.commands.ready & self.searches),
                lane.outcomes.valid.eq(core.outcomes.valid & self.searches),
                lane.outcomes.payload.eq(core.outcomes.payload),
                core.commands.payload.eq(common.commands.payload),
                core.commands.valid.eq(common.commands.valid & ~taken[i] & ~(alone & bool(i))),
                core.outcomes.ready.eq(all_done & common.outcomes.ready),
                takes[i].eq(core.commands.valid & core.commands.ready & ~self.searches),
            ]
            with m.If(self.searches):
                m.d.comb += [
                    core.commands.payload.eq(lane.commands.payload),
                    core.commands.valid.eq(lane.commands.valid),
                    core.outcomes.ready.eq(lane.outcomes.ready),
                ]
        return m
