"""A stand-in for the lane: it has the lane's port, and looks one turn ahead."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import enum, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.arbiter import core_port
from loopline.hdl.core.client import Client
from loopline.hdl.core.moves import cursor_layout
from loopline.hdl.core.rules import TurnWorth
from loopline.hdl.core.types import Status, TurnOp
from loopline.hdl.player.labels import label_of
from loopline.hdl.search.config import SearchConfig
from loopline.hdl.search.types import lane_port

__all__ = ["StandIn"]

_POLYNOMIAL = 0xB400


class State(enum.Enum, shape=3):
    """What the stand-in does in a cycle. All codes are states."""

    IDLE = 0
    CALL = 1
    RESULT = 2
    NEXT = 3
    FOUND = 4
    MADE = 5
    UNMADE = 6
    DONE = 7


class StandIn(wiring.Component):
    """Make each legal turn. Answer with the first one that wins; else with one that the seed and
    the number of turns choose, once all are tried, or when told to stop, or at the limit of nodes.

    Members
    -------
    port : In(lane_port)
        As of the lane.
    core : Out(core_port)
        The turn unit.
    """

    def __init__(self, config: SearchConfig):
        self._config = config
        super().__init__({"port": In(lane_port(config)), "core": Out(core_port(config.grid))})

    def elaborate(self, platform) -> Module:
        m = Module()
        port, grid = self.port, self._config.grid
        r = Client(grid, State)
        job = Signal.like(port.jobs.payload)
        cursor = Signal(cursor_layout(grid))
        turn = Signal.like(port.best.turn)
        wins = Signal()
        noise = Signal(16)
        freeze = port.freeze & (r.state == State.NEXT)
        verdict = TurnWorth(port.rules, r.outcome.loops | r.outcome.lines, job.mover)
        limit = port.limits.nodes
        spent = (limit != 0) & (port.nodes >= limit) & ~port.limits.free
        label = label_of(port.best.turn, r.outcome.box)
        m.d.comb += [
            self.core.commands.payload.eq(r.call),
            port.busy.eq(r.state != State.IDLE),
            port.frozen.eq(freeze),
            port.answers.payload.eq(port.best.found),
            port.line_count.eq(port.best.found),
        ]
        m.d.sync += [
            port.line_turn.column.eq(label["column"]),
            port.line_turn.row.eq(label["row"]),
            port.line_turn.symbol.eq(port.best.turn.symbol),
        ]
        with m.Switch(r.state):
            with m.Case(State.IDLE):
                m.d.comb += port.jobs.ready.eq(1)
                start = port.jobs.payload
                seed = Mux(start.seeded, start.seed + (start.turns << 3), 0)
                m.d.sync += [job.eq(start), cursor.eq(0), wins.eq(0), noise.eq(seed | 0x8000)]
                with m.If(port.jobs.valid):
                    m.d.sync += [
                        port.best.found.eq(0),
                        port.best.depth.eq(0),
                        port.nodes.eq(0),
                        r.state.eq(State.NEXT),
                    ]
            with m.Case(State.CALL):
                r.send(m, self.core, tried=port.nodes)
            with m.Case(State.RESULT):
                r.receive(m, self.core, following=Mux(port.abandon, State.IDLE, r.then))
            with m.Case(State.NEXT):
                at = {"index": cursor.index, "symbol": cursor.symbol}
                with m.If(~freeze):
                    m.d.sync += r.core(TurnOp.NEXT, State.FOUND, **at)
            with m.Case(State.FOUND):
                found = r.outcome.turn
                m.d.sync += [
                    *(turn[part].eq(found[part]) for part in ("x", "y", "symbol")),
                    cursor.index.eq(found.index),
                    cursor.symbol.eq(found.symbol.as_value() + 1),
                    *r.core(TurnOp.MAKE, State.MADE, x=found.x, y=found.y, symbol=found.symbol),
                ]
                with m.If(r.outcome.status == Status.END):
                    m.d.comb += port.iteration.eq(1)
                    m.d.sync += [port.best.depth.eq(port.best.found), r.state.eq(State.DONE)]
            with m.Case(State.MADE):
                m.d.sync += r.state.eq(State.NEXT)
                with m.If(r.outcome.status == Status.LEGAL):
                    m.d.sync += [
                        noise.eq((noise >> 1) ^ Mux(noise[0], _POLYNOMIAL, 0)),
                        wins.eq(verdict.wins),
                        *r.core(TurnOp.UNMAKE, State.UNMADE),
                    ]
                    with m.If(~port.best.found | verdict.wins | (noise[:4] == 0)):
                        m.d.sync += [port.best.found.eq(1), port.best.turn.eq(turn)]
            with m.Case(State.UNMADE):
                m.d.sync += r.state.eq(State.NEXT)
                with m.If(wins | job.probe | port.stop | spent):
                    m.d.sync += r.state.eq(State.DONE)
            with m.Case(State.DONE):
                m.d.comb += port.answers.valid.eq(1)
                with m.If(port.answers.ready):
                    m.d.sync += r.state.eq(State.IDLE)
        return m
