"""The framed commands: the commander, and what makes the payloads of its answers."""

from __future__ import annotations

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.game.wire import Command
from loopline.hdl.arbiter import requester_port
from loopline.hdl.design import DesignConfig, FrameSet
from loopline.hdl.frames.answers import AnswerMaker
from loopline.hdl.frames.commander import Commander
from loopline.hdl.frames.position_dump import PositionDumper
from loopline.hdl.frames.requests import player_port
from loopline.hdl.frames.selftest import SelfTest
from loopline.hdl.frames.turn_count import TurnCounter
from loopline.hdl.frames.turn_list import TurnLister
from loopline.hdl.link.counters import counters_port
from loopline.hdl.link.link import COUNTERS
from loopline.hdl.link.types import answer_port, frame_port
from loopline.hdl.rate import CYCLES_BITS

__all__ = ["Frames"]


class Frames(wiring.Component):
    """Obey framed commands, and answer each of them.

    ::

                 ┌───────────┐
        frames ─►│           │◄─────────────────────────► player
                 │ Commander │◄── AnswerMaker ◄────────── found, game, counters
        answers ◄┤           │◄─┬ TurnLister ─────┐
                 └───────────┘  ├ PositionDumper ─┼─────► requesters
                                ├ TurnCounter ────┤
                                └ SelfTest ───────┘

    Parameters
    ----------
    config : DesignConfig
        Grid, clock and rate, the rules of contests, and the values of an identity. Only a design
        with an evaluator counts turns.

    Members
    -------
    frames, answers, rates, tick, repeated, reset, busy
        As in :class:`Commander`.
    counters, build, bit_cycles
        As in :class:`AnswerMaker`.
    player : Out(player_port)
        The player.
    requesters : Out(requester_port).array(...)
        The turn unit; at most one requester uses it at a time. A design for contests has none.
    """

    def __init__(self, config: DesignConfig):
        self._config = config
        grid = config.grid
        self._parts: dict[str, TurnLister | PositionDumper | TurnCounter | SelfTest] = {}
        if config.frames is FrameSet.FULL:
            self._parts = {
                "lister": TurnLister(grid),
                "dumper": PositionDumper(grid),
                "test": SelfTest(grid),
            }
        if Command.COUNT in config.commands:
            self._parts["counter"] = TurnCounter(grid)
        super().__init__(
            {
                "frames": In(frame_port()),
                "answers": Out(answer_port()),
                "rates": Out(stream.Signature(CYCLES_BITS)),
                "tick": In(1),
                "repeated": Out(1),
                "reset": Out(1),
                "busy": Out(1),
                "counters": Out(counters_port(len(COUNTERS))),
                "build": In(32),
                "bit_cycles": In(CYCLES_BITS),
                "player": Out(player_port(config.search)),
                "requesters": Out(requester_port(config.grid)).array(len(self._parts)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.commander = commander = Commander(self._config)
        m.submodules.maker = maker = AnswerMaker(self._config)

        # The link.
        connect(m, flipped(self.frames), commander.frames)
        connect(m, commander.answers, flipped(self.answers))
        connect(m, commander.rates, flipped(self.rates))
        m.d.comb += [
            self.repeated.eq(commander.repeated),
            commander.tick.eq(self.tick),
            self.reset.eq(commander.reset),
            self.busy.eq(commander.busy),
        ]

        # The player.
        connect(m, commander.player, flipped(self.player))
        m.d.comb += [
            maker.game.eq(self.player.game),
            maker.turns.eq(self.player.turns),
            maker.found.eq(self.player.found),
            maker.line_turn.eq(self.player.line_turn),
            self.player.line_index.eq(maker.line_index),
        ]

        # Answers of a fixed form.
        connect(m, commander.maker, maker.commander)
        connect(m, maker.counters, flipped(self.counters))
        m.d.comb += [
            maker.build.eq(self.build),
            maker.bit_cycles.eq(self.bit_cycles),
            maker.new_cycles.eq(commander.rates.payload),
        ]

        if self._parts:
            self._connect_parts(m, commander)
        return m

    def _connect_parts(self, m: Module, commander: Commander) -> None:
        """Lists, dumps, counts and the self-test: pieces come from the one that the frame asks
        for."""
        for name, part in self._parts.items():
            m.submodules[name] = part
        lister, dumper, test, *counters = parts = tuple(self._parts.values())
        m.d.comb += [
            dumper.game.eq(self.player.game),
            dumper.turns.eq(self.player.turns),
            dumper.rules.eq(self.player.rules),
            lister.start.eq(commander.start_list),
            dumper.start.eq(commander.start_dump),
            test.start.eq(commander.start_test),
        ]
        answering = {Command.LIST: lister, Command.POSITION: dumper}
        for counter in counters:
            answering[Command.COUNT] = counter
            m.d.comb += [
                counter.start.eq(commander.start_count),
                counter.depth.eq(commander.count_depth),
            ]
        for requester, part in zip(self.requesters, parts, strict=True):
            connect(m, part.core, flipped(requester))
        with m.Switch(commander.frames.headers.payload.code):
            for code, part in answering.items():
                with m.Case(code):
                    connect(m, part.pieces, commander.pieces)
            with m.Default():
                connect(m, test.pieces, commander.pieces)
