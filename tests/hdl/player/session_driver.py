"""Drives a player and its turn unit at native speed, line by line."""

from __future__ import annotations

from typing import NamedTuple

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out, connect

from loopline.game import SHAPE_OF_CODE, STANDARD, Turn, Variant, parse_turn
from loopline.hdl.arbiter import Arbiter
from loopline.hdl.config import SEED_BITS
from loopline.hdl.core.rules import rules_layout, rules_of
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.design import DesignConfig
from loopline.hdl.link import LinkOp, is_session, link_command_layout, turn_label_layout
from loopline.hdl.player import Player
from loopline.hdl.search.evaluation.weights import read_groups
from loopline.hdl.search.lane import Lane
from loopline.hdl.search.lanes.crew import Crew
from loopline.hdl.search.lanes.units import UnitSwitch
from loopline.hdl.search.table import BlockTableMemory
from loopline.hdl.top import connect_lane, connect_units
from loopline.sim.probe.probe import Probe
from tests.hdl.player.stand_in import StandIn

__all__ = ["LINES", "REST", "Outcome", "SessionDriver"]

REST = (1 << 16) - 1
"""In place of a number of cycles: until the player is idle."""

LINES = {
    "-T": LinkOp.STOP,
    "-W": LinkOp.NEW_WHITE,
    "-B": LinkOp.NEW_RED,
    "-S": LinkOp.SET_UP,
    "-G": LinkOp.GO,
}
"""The lines that are not turns."""


class SessionHarness(wiring.Component):
    """Give the player one command, and report its outputs ``wait`` cycles after the transfer.

    The search is a :class:`StandIn`; for a player that ponders, the lane itself, or the lanes.

    ``hold`` is the number of cycles before an answer is taken. An outcome has the answer that came
    ``before`` the command, and the one ``after`` it. As in the link, an answer does not count if it
    is taken while a session command is on offer, or in the cycle after the transfer of one. The
    player has the command's ``seed`` as long as the command is on offer.
    """

    def __init__(self, config: DesignConfig):
        self.config = config
        grid = config.grid
        answer = data.StructLayout({"heard": 1, "label": turn_label_layout(grid)})
        command = data.StructLayout(
            {
                "link": link_command_layout(grid),
                "wait": 16,
                "hold": 6,
                "seed": SEED_BITS,
                "rules": rules_layout(grid),
            }
        )
        outcome = data.StructLayout(
            {
                "before": answer,
                "after": answer,
                "expected": answer,
                "refused": 8,
                "cycles": 16,
                "nodes": 16,
                "idle": 1,
                "thinking": 1,
                "over": 1,
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
        m.submodules.player = player = Player(self.config)
        m.submodules.arbiter = arbiter = Arbiter(self.config.grid, 0)
        connect(m, player.core, arbiter.player)
        if self.config.ponder:
            self._connect_lanes(m, player, arbiter)
        else:
            m.submodules.stand_in = stand_in = StandIn(self.config.search)
            m.submodules.unit = unit = TurnUnit(self.config.grid)
            connect(m, player.lane, stand_in.port)
            connect(m, stand_in.core, arbiter.lane)
            connect(m, arbiter.core.commands, unit.commands)
            connect(m, unit.outcomes, arbiter.core.outcomes)
            m.d.comb += unit.rules.eq(player.rules)

        class State(enum.Enum, shape=2):
            IDLE = 0
            RUN = 1
            DONE = 2

        state = Signal(State)
        command, rules = self.commands.payload, Signal(rules_layout(self.config.grid))
        outcome = Signal.like(self.outcomes.payload)
        wait, cycles = Signal(16), Signal(16)
        hold, held = Signal(6), Signal(6)
        refused = Signal(8)
        replies = Signal()
        heard, expected = Signal.like(outcome.after), Signal.like(outcome.after)
        m.d.comb += [
            player.contest_rules.eq(rules),
            player.commands.payload.eq(command.link),
            player.seed.eq(command.seed),
            self.outcomes.payload.eq(outcome),
            player.answers.ready.eq(player.answers.valid & (held >= hold)),
        ]
        session = player.commands.valid & is_session(player.commands.payload)
        session_ended = Signal()
        begun, done = Signal(), Signal()
        m.d.sync += [
            session_ended.eq(session),
            held.eq(Mux(player.answers.valid & ~player.answers.ready, held + 1, 0)),
            refused.eq(Mux(done, 0, refused) + player.refused),
            replies.eq(player.lane.line_index == 1),
        ]
        with m.If(replies):
            m.d.sync += [
                expected.heard.eq(player.lane.line_count > 1),
                expected.label.eq(player.lane.line_turn),
            ]
        with m.If(begun | done):
            m.d.sync += heard.heard.eq(0)
        with m.If(player.answers.ready & ~session & ~session_ended):
            m.d.sync += [heard.heard.eq(1), heard.label.eq(player.answers.payload)]
            with m.If(state == State.RUN):
                m.d.sync += [outcome.cycles.eq(cycles), outcome.nodes.eq(player.lane.nodes)]

        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.comb += [
                    player.commands.valid.eq(self.commands.valid),
                    self.commands.ready.eq(player.commands.ready),
                    begun.eq(player.commands.valid & player.commands.ready),
                ]
                with m.If(begun):
                    m.d.sync += [
                        outcome.before.eq(heard),
                        wait.eq(command.wait),
                        hold.eq(command.hold),
                        cycles.eq(0),
                        state.eq(State.RUN),
                    ]
                    with m.If(session):
                        m.d.sync += rules.eq(command.rules)
            with m.Case(State.RUN):
                m.d.sync += cycles.eq(cycles + 1)
                m.d.comb += done.eq(Mux(wait == REST, player.idle, cycles >= wait))
                with m.If(done):
                    m.d.sync += [
                        outcome.after.eq(heard),
                        outcome.expected.eq(expected),
                        outcome.refused.eq(refused),
                        outcome.idle.eq(player.idle),
                        outcome.thinking.eq(player.thinking),
                        outcome.over.eq(player.over),
                        state.eq(State.DONE),
                    ]
            with m.Case(State.DONE):
                m.d.comb += self.outcomes.valid.eq(1)
                with m.If(self.outcomes.ready):
                    m.d.sync += state.eq(State.IDLE)
        return m

    def _connect_lanes(self, m: Module, player: Player, arbiter: Arbiter) -> None:
        """Add what searches, each lane with a turn unit of its own."""
        config, count = self.config.search, self.config.search.lanes
        m.submodules.lane = lane = (Lane if count == 1 else Crew)(config, read_groups())
        m.submodules.table = table = BlockTableMemory(config)
        connect(m, lane.memory, table.port)
        connect_lane(m, player, lane)
        units = [TurnUnit(config.grid, reader=True) for _ in range(count)]
        for number, unit in enumerate(units):
            m.submodules[f"unit_{number}"] = unit
        switch = None
        if count > 1:
            m.submodules.switch = switch = UnitSwitch(config.grid, count)
        connect_units(m, player, arbiter, lane, units, switch)


class Outcome(NamedTuple):
    """The answers, refusals and outputs of a player since the outcome before this one.

    ``expected`` is the reply that the last search before a turn expects. ``cycles`` and ``nodes``
    are the time from the command to the answer ``after`` it, and the nodes of its search.
    """

    before: Turn | None
    after: Turn | None
    expected: Turn | None
    refused: int
    cycles: int
    nodes: int
    idle: bool
    thinking: bool
    over: bool


class SessionDriver:
    """Drive the harness by lines of the protocol."""

    def __init__(self, config: DesignConfig):
        self.grid = config.grid
        self._probe = Probe(SessionHarness(config))

    def restart(self, *, stall: int = 0) -> None:
        """Restore the state at power-on; from then on hold both streams back by seed ``stall``."""
        self._probe.reset()
        self._probe.stall(stall)

    def send(
        self, line: str, *, variant: Variant = STANDARD, wait: int = REST, **options: int
    ) -> Outcome:
        """Send a line and return the outcome; a session line may choose the variant.

        Options are ``hold`` and ``seed``, 0 by default.
        """
        fields = {"link__op": LINES.get(line, LinkOp.TURN), "wait": wait, **options}
        if line not in LINES:
            turn = parse_turn(line)
            fields["link__turn__column"], fields["link__turn__row"] = turn.column, turn.row
            fields["link__turn__symbol"] = turn.shape.code
        commands = self._probe.commands
        rules = rules_of(variant, self.grid).as_bits() << commands.fields["rules__area"][0]
        word = self._probe.call(commands.pack(**fields) | rules)
        seen = self._probe.outcomes.unpack(word)
        answers = []
        for name in ("before", "after", "expected"):
            column, row, code = (
                getattr(seen, f"{name}__label__{part}") for part in ("column", "row", "symbol")
            )
            heard = getattr(seen, f"{name}__heard")
            answers.append(Turn(column, row, SHAPE_OF_CODE[code]) if heard else None)
        states = bool(seen.idle), bool(seen.thinking), bool(seen.over)
        return Outcome(*answers, seen.refused, seen.cycles, seen.nodes, *states)

    def close(self) -> None:
        """Free the compiled simulation."""
        self._probe.close()
