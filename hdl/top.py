"""The whole design: link, player and turn unit between two pins."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out, connect

from loopline.hdl.answers import AnswerMaker
from loopline.hdl.commander import Commander
from loopline.hdl.config import DesignConfig
from loopline.hdl.core.rules import rules_layout, rules_of
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.link import Link, is_session
from loopline.hdl.link.uart import CYCLES_BITS
from loopline.hdl.player import Player
from loopline.hdl.report import Reporter
from loopline.hdl.report_position import PositionReporter
from loopline.hdl.selftest import SelfTest

__all__ = ["ERROR_BITS", "Loopline"]

ERROR_BITS = 8
"""Width of the counter of refused lines."""


class Loopline(wiring.Component):
    """A Trax player on a serial line.

    ::

              ┌──────┐ commands              ┌────────┐ commands ┌──────────┐
        rx ──►│      ├──────────────────────►│        ├─────────►│          │
              │      │◄──────────────────────┤        │          │ TurnUnit │
              │      │ answers               │ Player │◄─────────┤          │
              │ Link │ frames ┌───────────┐  │        │ outcomes └──────────┘
              │      ├───────►│ Commander ├─►│        │     ▲
              │      │◄───────┤           │◄─┤        │     │ lent
        tx ◄──┤      │ answers└──▲─────▲──┘  └────────┘     │
              └──────┘           │     └─── Reporter ───────┘
                            AnswerMaker     PositionReporter, SelfTest

    Parameters
    ----------
    config : DesignConfig
        Clock, link, grid and variant.

    Members
    -------
    rx : In(1, init=1), tx : Out(1, init=1)
        The serial line: contest lines and frames.
    idle : Out(1)
        Nothing goes on: the design waits for the next line, and what it had to say is out, to the
        last cycle but one of the last stop bit. While this is high and ``rx`` at rest for longer
        than a character, the clock may stand still.
    thinking : Out(1)
        It is the player's turn, or a search goes on that a frame has asked for.
    over : Out(1)
        The game has ended: with a loop or a line, or as no legal turn is left in a limited area.
    error : Out(1)
        A line was refused since the last new game: not understood, or no legal turn; or the player
        found no turn that the grid can hold.
    errors : Out(ERROR_BITS)
        How many since power-on or a reset by a frame; stays at the largest value.
    bit_cycles : Out(CYCLES_BITS)
        Clock cycles of a bit on the serial line, now.

    Raises
    ------
    ValueError
        The gateware does not know the variant's rules; see :func:`rules_of`.
    """

    def __init__(self, config: DesignConfig):
        self._config = config
        self._rules = rules_of(config.variant, config.grid)
        super().__init__(
            {
                "rx": In(1, init=1),
                "tx": Out(1, init=1),
                "idle": Out(1),
                "thinking": Out(1),
                "over": Out(1),
                "error": Out(1),
                "errors": Out(ERROR_BITS),
                "bit_cycles": Out(CYCLES_BITS),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.link = link = Link(self._config)
        m.submodules.player = player = Player(self._config)
        m.submodules.unit = unit = TurnUnit(self._config.grid)
        m.submodules.commander = commander = Commander(self._config)
        m.submodules.maker = maker = AnswerMaker(self._config)
        m.submodules.reporter = reporter = Reporter(self._config.grid)
        m.submodules.position = position = PositionReporter(self._config.grid)
        m.submodules.test = test = SelfTest(self._config.grid)

        # The variant: of contests, or what a frame has chosen for its game.
        rules = Signal(rules_layout(self._config.grid), init=self._rules)
        with m.If(player.begins):
            m.d.sync += rules.eq(Mux(player.framed, commander.rules, self._rules))
        m.d.comb += [player.rules.eq(rules), unit.rules.eq(rules)]

        # Contest lines.
        connect(m, link.commands, player.commands)
        connect(m, player.core_commands, unit.commands)
        connect(m, unit.outcomes, player.core_outcomes)
        connect(m, player.answers, link.answers)

        # Frames.
        connect(m, link.frames, commander.frames)
        connect(m, commander.put, link.put)
        connect(m, commander.answers, link.frame_answers)
        connect(m, commander.kinds, maker.kinds)
        connect(m, maker.put, commander.made_put)
        connect(m, commander.requests, player.requests)
        connect(m, commander.rates, link.rates)
        m.d.comb += [
            link.index.eq(commander.index),
            commander.byte.eq(link.byte),
            link.clear.eq(commander.clear),
            link.repeated.eq(commander.repeated),
            link.clear_counters.eq(commander.reset),
            link.counter.eq(maker.counter),
            link.half.eq(maker.half),
            link.hold.eq(maker.hold),
            maker.word.eq(link.word),
            maker.settled.eq(link.settled),
            maker.bit_cycles.eq(link.bit_cycles),
            maker.new_cycles.eq(commander.rates.payload),
            maker.game.eq(player.game),
            maker.turns.eq(player.turns),
            maker.found.eq(player.found),
            commander.tick.eq(link.tick),
            commander.done.eq(player.done),
            commander.result.eq(player.result),
            commander.frozen.eq(player.frozen),
            commander.game.eq(player.game),
            player.limits.eq(commander.limits),
            player.stop.eq(commander.stop),
            player.freeze.eq(commander.freeze),
            player.hold.eq(commander.hold),
            player.reseed.eq(commander.reset),
        ]
        for name in ("error", "command", "made", "status", "tiles", "completed", "searching"):
            m.d.comb += getattr(maker, name).eq(getattr(commander, name))

        # Reports, with the turn unit.
        m.d.comb += [
            reporter.start.eq(commander.report_turns),
            position.start.eq(commander.report_position),
            position.game.eq(player.game),
            position.turns.eq(player.turns),
            position.rules.eq(rules),
            position.cell.eq(unit.cell),
            test.start.eq(commander.test),
            test.cell.eq(unit.cell),
            *(place.eq(end) for place, end in zip(position.partners, unit.partners, strict=True)),
            player.guest_busy.eq(reporter.busy | position.busy | test.busy),
            player.guest_done.eq(reporter.done | position.done | test.done),
        ]
        # One of them reports at a time.
        guests, chosen = (reporter, position, test), Signal(2)
        for number, guest in enumerate(guests):
            with m.If(guest.start):
                m.d.sync += chosen.eq(number)
            m.d.comb += [
                guest.lent.eq(player.lent),
                guest.abandon.eq(player.abandon),
                guest.core_outcomes.payload.eq(player.guest_outcomes.payload),
            ]
            with m.If(chosen == number):
                m.d.comb += [
                    commander.pieces.valid.eq(guest.pieces.valid),
                    commander.pieces.payload.eq(guest.pieces.payload),
                    guest.pieces.ready.eq(commander.pieces.ready),
                    player.guest_commands.valid.eq(guest.core_commands.valid),
                    player.guest_commands.payload.eq(guest.core_commands.payload),
                    guest.core_commands.ready.eq(player.guest_commands.ready),
                    guest.core_outcomes.valid.eq(player.guest_outcomes.valid),
                    player.guest_outcomes.ready.eq(guest.core_outcomes.ready),
                ]

        refused = link.noise | player.refused
        session = link.commands.valid & link.commands.ready & is_session(link.commands.payload)
        with m.If(session | (player.begins & player.framed)):
            m.d.sync += self.error.eq(0)
        with m.If(refused):
            m.d.sync += self.error.eq(1)
            with m.If(~self.errors.all()):
                m.d.sync += self.errors.eq(self.errors + 1)
        with m.If(commander.reset):
            m.d.sync += self.errors.eq(0)
        m.d.comb += [
            link.rx.eq(self.rx),
            link.refused.eq(player.refused),
            self.tx.eq(link.tx),
            self.bit_cycles.eq(link.bit_cycles),
            self.idle.eq(player.idle & ~link.busy & ~commander.busy),
            self.thinking.eq(player.thinking),
            self.over.eq(player.over),
        ]
        return m
