"""A turn unit and the walk over placements of its position, behind one stream of commands."""

from __future__ import annotations

from amaranth.hdl import Module, Signal, Value
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out, connect

from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import rules_layout
from loopline.hdl.core.types import Status, command_layout
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.search.config import SearchConfig
from loopline.hdl.search.placement_walk import PlacementWalk, found_layout, walk_layout
from loopline.hdl.search.track_scan import near_layout
from loopline.hdl.search.types import optional_move_layout, span_layout


class Kind(enum.Enum, shape=3):
    """What a command does: its ``bits`` are those of the layout that :func:`bits_layout` names."""

    CORE = 0
    """Give a command to the turn unit."""
    WALK = 1
    """Look for a placement."""
    MOVES = 2
    """Set the moves of stages 0 to 2."""
    TURNS = 3
    """Set the last two turns."""
    NEAR = 4
    """Set where the attacks are, and the rules."""


def bits_layout(grid: GridConfig, kind: Kind) -> data.Layout:
    return {
        Kind.CORE: command_layout(grid),
        Kind.WALK: walk_layout(grid),
        Kind.MOVES: data.ArrayLayout(optional_move_layout(grid), 3),
        Kind.TURNS: data.ArrayLayout(span_layout(grid), 2),
        Kind.NEAR: data.StructLayout({"near": near_layout(grid), "rules": rules_layout(grid)}),
    }[kind]


class PlacementHarness(wiring.Component):
    """Set a position and the inputs of a walk up, then look for placements.

    All commands but ``CORE`` and ``WALK`` take effect in the next cycle, and have an outcome in the
    same one.
    """

    def __init__(self, config: SearchConfig):
        self._config = config
        grid = config.grid
        self.bits = max(bits_layout(grid, kind).size for kind in Kind)
        command = data.StructLayout({"kind": Kind, "bits": self.bits})
        outcome = data.StructLayout({"status": Status, "found": found_layout(grid)})
        super().__init__(
            {
                "commands": In(stream.Signature(command)),
                "outcomes": Out(stream.Signature(outcome)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._config.grid
        m.submodules.unit = unit = TurnUnit(grid, reader=True)
        m.submodules.walk = walk = PlacementWalk(self._config)
        connect(m, walk.reader, unit.reader)
        command, outcome = self.commands.payload, self.outcomes.payload
        layouts = {kind: bits_layout(grid, kind) for kind in Kind}
        sets = {
            kind: Signal(layouts[kind], name=kind.name.lower())
            for kind in (Kind.MOVES, Kind.TURNS, Kind.NEAR)
        }
        moves, turns, near = sets.values()
        m.d.comb += [
            *(port.eq(moves[n]) for n, port in enumerate((walk.table, walk.first, walk.second))),
            *(port.eq(turns[n]) for n, port in enumerate(walk.turns)),
            walk.near.eq(near.near),
            walk.rules.eq(near.rules),
            unit.rules.eq(near.rules),
            outcome.status.eq(unit.outcomes.payload.status),
            outcome.found.eq(walk.results.payload),
        ]
        # What the outcome under way is of.
        state = Signal(Kind, init=Kind.MOVES)
        streams = (
            (Kind.CORE, unit.commands, unit.outcomes),
            (Kind.WALK, walk.jobs, walk.results),
        )
        busy = Signal()
        # Also while no job is on offer, unless the turn unit has a command.
        m.d.comb += walk.may_begin.eq(~busy & ~(self.commands.valid & (command.kind == Kind.CORE)))
        for kind, inputs, outputs in streams:
            m.d.comb += Value.cast(inputs.payload).eq(command.bits)
            with m.If(~busy & (command.kind == kind)):
                m.d.comb += [
                    inputs.valid.eq(self.commands.valid),
                    self.commands.ready.eq(inputs.ready),
                ]
            with m.If(busy & (state == kind)):
                m.d.comb += [
                    self.outcomes.valid.eq(outputs.valid),
                    outputs.ready.eq(self.outcomes.ready),
                ]
        with m.If(busy & (state != Kind.CORE) & (state != Kind.WALK)):
            m.d.comb += self.outcomes.valid.eq(1)
        for kind, signal in sets.items():
            with m.If(~busy & (command.kind == kind)):
                m.d.comb += self.commands.ready.eq(1)
                with m.If(self.commands.valid):
                    m.d.sync += Value.cast(signal).eq(command.bits)
        with m.If(self.commands.valid & self.commands.ready):
            m.d.sync += [busy.eq(1), state.eq(command.kind)]
        with m.If(self.outcomes.valid & self.outcomes.ready):
            m.d.sync += busy.eq(0)
        return m
