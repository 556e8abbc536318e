"""The whole design: link, player and turn unit between two pins."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, ResetInserter, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out, connect

from loopline.hdl.config import DesignConfig
from loopline.hdl.core.rules import rules_layout, rules_of
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.frames.answers import AnswerMaker
from loopline.hdl.frames.commander import Commander
from loopline.hdl.frames.position_dump import PositionDumper
from loopline.hdl.frames.selftest import SelfTest
from loopline.hdl.frames.turn_list import TurnLister
from loopline.hdl.link import Link, cycles_per_ms, is_session
from loopline.hdl.link.uart import CYCLES_BITS
from loopline.hdl.player import Player
from loopline.hdl.watchdog import Watchdog, watchdog_ticks

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
              └──────┘           │     └─── TurnLister ───────┘
                            AnswerMaker     PositionDumper, SelfTest

    A watchdog resets all of them when they come to a standstill, as no more than a flip-flop that
    changes by itself can bring about. The game is lost then, and the rate is that after power-on;
    the counters go on and say that it was so.

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
        link, player = Link(self._config), Player(self._config)
        unit = TurnUnit(self._config.grid)
        commander, maker = Commander(self._config), AnswerMaker(self._config)
        reporter = TurnLister(self._config.grid)
        position = PositionDumper(self._config.grid)
        test = SelfTest(self._config.grid)
        ticks = watchdog_ticks(cycles_per_ms(self._config.clock_hz))
        m.submodules.watchdog = watchdog = Watchdog(ticks)
        m.submodules.link = self._restarted(watchdog, link)
        m.submodules.player = self._restarted(watchdog, player)
        m.submodules.unit = self._restarted(watchdog, unit)
        m.submodules.commander = self._restarted(watchdog, commander)
        m.submodules.maker = self._restarted(watchdog, maker)
        m.submodules.reporter = self._restarted(watchdog, reporter)
        m.submodules.position = self._restarted(watchdog, position)
        m.submodules.test = self._restarted(watchdog, test)

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
        connect(m, commander.answers, link.frame_answers)
        connect(m, maker.counters, link.counters)
        connect(m, commander.kinds, maker.kinds)
        connect(m, maker.put, commander.made_put)
        connect(m, commander.requests, player.requests)
        connect(m, commander.rates, link.rates)
        m.d.comb += [
            link.repeated.eq(commander.repeated),
            link.clear_counters.eq(commander.reset),
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
        guests = (reporter, position, test)
        chosen = Signal(2)
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
        # A turn unit that works gives outcomes; all else waits for it, or for the line.
        outcome = unit.outcomes.valid & unit.outcomes.ready
        m.d.comb += [
            watchdog.tick.eq(link.tick),
            watchdog.at_rest.eq(player.idle & ~link.waiting & ~commander.busy),
            watchdog.progress.eq(link.progress | outcome),
            link.restarted.eq(watchdog.restarted),
        ]
        with m.If(watchdog.restart):
            m.d.sync += [rules.eq(self._rules), chosen.eq(0), self.error.eq(0)]
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

    @staticmethod
    def _restarted(watchdog: Watchdog, unit: wiring.Component):
        """The unit, reset when the watchdog says so."""
        return ResetInserter(watchdog.restart)(unit)
