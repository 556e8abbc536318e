"""The search lane with its turn unit in Amaranth's simulator: record every signal of some nodes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from amaranth.hdl import Module, Mux, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out, connect

from loopline.game import Colour, Position, Turn
from loopline.hdl.core.rules import rules_layout, rules_of
from loopline.hdl.core.types import TurnOp, command_layout
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.search.config import SearchConfig
from loopline.hdl.search.evaluation.weights import read_groups
from loopline.hdl.search.lane import Lane
from loopline.hdl.search.table import BlockTableMemory
from loopline.hdl.search.types import search_layout
from loopline.sim.waves.trace import Trace, record
from loopline.sim.waves.turn_unit import make_commands

__all__ = ["simulate_nodes"]


class _Searcher(wiring.Component):
    """A lane and its turn unit, which takes ``commands`` while the lane does not search."""

    def __init__(self, config: SearchConfig) -> None:
        self._config = config
        super().__init__(
            {
                "commands": In(stream.Signature(command_layout(config.grid))),
                "outcome": Out(1),
                "jobs": In(stream.Signature(search_layout())),
                "stop": In(1),
                "nodes": Out(32),
                "rules": In(rules_layout(config.grid)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.unit = unit = TurnUnit(self._config.grid, reader=True)
        m.submodules.lane = lane = Lane(self._config, read_groups())
        m.submodules.memory = memory = BlockTableMemory(self._config, word_bits=64)
        connect(m, lane.reader, unit.reader)
        connect(m, lane.memory, memory.port)
        commands, core = self.commands, lane.core
        m.d.comb += [
            lane.laid.eq(unit.laid),
            lane.rules.eq(self.rules),
            unit.rules.eq(self.rules),
            lane.stop.eq(self.stop),
            lane.jobs.payload.eq(self.jobs.payload),
            lane.jobs.valid.eq(self.jobs.valid),
            self.jobs.ready.eq(lane.jobs.ready),
            self.nodes.eq(lane.nodes),
            unit.commands.payload.eq(
                Mux(lane.busy, Value.cast(core.commands.payload), Value.cast(commands.payload))
            ),
            unit.commands.valid.eq(Mux(lane.busy, core.commands.valid, commands.valid)),
            commands.ready.eq(unit.commands.ready & ~lane.busy),
            core.commands.ready.eq(unit.commands.ready & lane.busy),
            core.outcomes.payload.eq(unit.outcomes.payload),
            core.outcomes.valid.eq(unit.outcomes.valid & lane.busy),
            unit.outcomes.ready.eq(1),
            self.outcome.eq(unit.outcomes.valid),
        ]
        return m


def simulate_nodes(config: SearchConfig, turns: Iterable[Turn], nodes: int) -> Trace:
    """Search the position after these turns of a standard game, until so many nodes have begun.

    Only one turn of the root is searched, so that its nodes come soon. Returns the trace.
    """
    searcher = _Searcher(config)
    position = Position()
    opening = make_commands(turns, position, config.grid)

    async def bench(ctx: Any) -> None:
        ctx.set(searcher.rules, rules_of(position.variant, config.grid))
        for command in [{"op": TurnOp.CLEAR}, *opening, {"op": TurnOp.COMMIT}]:
            ctx.set(searcher.commands.payload, command)
            ctx.set(searcher.commands.valid, 1)
            await ctx.tick().until(searcher.commands.ready)
            ctx.set(searcher.commands.valid, 0)
            await ctx.tick().until(searcher.outcome)
            await ctx.tick()
        ctx.set(searcher.jobs.payload.mover, position.to_move is Colour.RED)
        ctx.set(searcher.jobs.valid, 1)
        # A stop ends the list of the root's turns. This one is taken back after the first turn,
        # before a node could see it.
        ctx.set(searcher.stop, 1)
        await ctx.tick().until(searcher.jobs.ready)
        ctx.set(searcher.jobs.valid, 0)
        for _ in ("MAKE", "UNMAKE"):
            await ctx.tick().until(searcher.outcome)
        ctx.set(searcher.stop, 0)
        await ctx.tick().until(searcher.nodes == nodes)

    return record(searcher, bench)
