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

    The units of many lanes lie far apart. So a command waits in a register until all have taken it,
    and that all have an outcome is known a cycle later: two cycles for each command. A lane's
    streams pass without latency, from the cycle after ``searches`` on.

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
        searches = Signal()
        command = Signal.like(common.commands.payload)
        # The units that have not taken the command yet, and those that have no part in it.
        waiting = Signal(len(self.cores))
        apart = Signal.like(waiting)
        others = Signal.like(waiting)
        done = Signal()
        m.d.sync += searches.eq(self.searches)
        m.d.comb += [
            others[1:].eq((common.commands.payload.op == TurnOp.EVALUATE).replicate(len(waiting))),
            common.commands.ready.eq(~waiting.any() & ~searches),
            common.outcomes.valid.eq(done),
            common.outcomes.payload.eq(self.cores[0].outcomes.payload),
        ]
        with m.If(common.commands.valid & common.commands.ready):
            m.d.sync += [command.eq(common.commands.payload), waiting.eq(~others), apart.eq(others)]
        all_done = (Cat(core.outcomes.valid for core in self.cores) | apart).all() & ~searches
        m.d.sync += done.eq(all_done & ~(done & common.outcomes.ready))
        for i, (lane, core) in enumerate(zip(self.lanes, self.cores, strict=True)):
            m.d.comb += [
                lane.commands.ready.eq(core.commands.ready & searches),
                lane.outcomes.valid.eq(core.outcomes.valid & searches),
                lane.outcomes.payload.eq(core.outcomes.payload),
                core.commands.payload.eq(Mux(searches, lane.commands.payload, command)),
                core.commands.valid.eq(Mux(searches, lane.commands.valid, waiting[i])),
                core.outcomes.ready.eq(
                    Mux(searches, lane.outcomes.ready, done & common.outcomes.ready)
                ),
            ]
            with m.If(waiting[i] & core.commands.ready):
                m.d.sync += waiting[i].eq(0)
        return m
