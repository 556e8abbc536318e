"""A look-ahead with its turn unit behind one stream of commands and one of outcomes."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out, connect

from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import rules_layout
from loopline.hdl.core.types import command_layout, outcome_layout
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.search.lookahead import LookAhead
from loopline.hdl.search.types import answer_layout


class SearchHarness(wiring.Component):
    """Set a position up by core commands, then search.

    A command with ``search`` is a job for ``colour``, and a probe with ``probe``, with the options
    of a job; ``late_after`` cycles later time has run out (never, if 0), or with ``limited`` after
    so many nodes; ``abandon_after`` cycles later the job is given up (``abandoned`` in the
    outcome). Any other is the turn unit's ``core``. All come with ``rules``.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        command = data.StructLayout(
            {
                "search": 1,
                "colour": 1,
                "probe": 1,
                "shallow": 1,
                "exact": 1,
                "limited": 1,
                "late_after": 16,
                "abandon_after": 12,
                "rules": rules_layout(grid),
                "core": command_layout(grid),
            }
        )
        parts = outcome_layout(grid)
        outcome = data.StructLayout(
            {
                "found": answer_layout(grid),
                "nodes": 16,
                "core": data.StructLayout(
                    {name: parts[name].shape for name in ("status", "box", "score")}
                ),
                "abandoned": 1,
            }
        )
        super().__init__(
            {
                "commands": In(stream.Signature(command)),
                "outcomes": Out(stream.Signature(outcome)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.search = search = LookAhead(self._grid)
        m.submodules.unit = unit = TurnUnit(self._grid)

        class State(enum.Enum, shape=2):
            IDLE = 0
            CORE = 1
            SEARCH = 2
            DONE = 3

        state = Signal(State)
        command = Signal.like(self.commands.payload)
        outcome = Signal.like(self.outcomes.payload)
        elapsed = Signal(18)
        timed = (command.late_after != 0) & ~command.limited
        m.d.comb += [
            self.outcomes.payload.eq(outcome),
            search.jobs.payload.colour.eq(self.commands.payload.colour),
            search.jobs.payload.probe.eq(self.commands.payload.probe),
            search.jobs.payload.shallow.eq(self.commands.payload.shallow),
            search.jobs.payload.exact.eq(self.commands.payload.exact),
            search.limit.eq(Mux(command.limited, command.late_after, 0)),
            search.rules.eq(command.rules),
            unit.rules.eq(command.rules),
            search.late.eq(timed & (elapsed >= command.late_after)),
            search.abandon.eq((command.abandon_after != 0) & (elapsed >= command.abandon_after)),
        ]
        with m.If(~elapsed.all()):
            m.d.sync += elapsed.eq(elapsed + 1)
        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.sync += [command.eq(self.commands.payload), elapsed.eq(1), outcome.eq(0)]
                m.d.comb += unit.commands.payload.eq(self.commands.payload.core)
                with m.If(self.commands.payload.search):
                    m.d.comb += [
                        search.jobs.valid.eq(self.commands.valid),
                        self.commands.ready.eq(search.jobs.ready),
                    ]
                with m.Else():
                    m.d.comb += [
                        unit.commands.valid.eq(self.commands.valid),
                        self.commands.ready.eq(unit.commands.ready),
                    ]
                with m.If(self.commands.valid & self.commands.ready):
                    m.d.sync += state.eq(State.CORE)
                    with m.If(self.commands.payload.search):
                        m.d.sync += state.eq(State.SEARCH)
            with m.Case(State.CORE):
                m.d.comb += unit.outcomes.ready.eq(1)
                m.d.sync += [
                    outcome.core[name].eq(unit.outcomes.payload[name])
                    for name in ("status", "box", "score")
                ]
                with m.If(unit.outcomes.valid):
                    m.d.sync += state.eq(State.DONE)
            with m.Case(State.SEARCH):
                connect(m, search.core.commands, unit.commands)
                connect(m, unit.outcomes, search.core.outcomes)
                m.d.comb += search.answers.ready.eq(1)
                m.d.sync += [
                    outcome.found.eq(search.answers.payload),
                    outcome.nodes.eq(search.nodes),
                ]
                with m.If(search.answers.valid):
                    m.d.sync += state.eq(State.DONE)
                with m.Elif(~search.busy):
                    m.d.sync += [outcome.abandoned.eq(1), state.eq(State.DONE)]
            with m.Case(State.DONE):
                m.d.comb += self.outcomes.valid.eq(1)
                with m.If(self.outcomes.ready):
                    m.d.sync += state.eq(State.IDLE)
        return m
