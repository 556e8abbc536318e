"""The states of the commander in which a command is obeyed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amaranth.hdl import Module, Mux, Value
from amaranth.lib import data

from loopline.game import STANDARD
from loopline.game.wire import (
    COMMANDS,
    LEAST_BIT_CYCLES,
    Command,
    ErrorCode,
    RuleFlag,
    TurnStatus,
    most_bit_cycles,
)
from loopline.hdl.config import DesignConfig, GridConfig
from loopline.hdl.core.rules import rules_of
from loopline.hdl.core.types import ShapeCode
from loopline.hdl.frames.answers import AnswerKind
from loopline.hdl.frames.commander_steps import PAIR_BYTES, Search, State, Steps
from loopline.hdl.frames.requests import RequestOp
from loopline.hdl.link.uart import bit_cycles

if TYPE_CHECKING:
    from loopline.hdl.frames.commander import Commander

__all__ = ["go_on", "name_turn", "play", "run"]

_BEGUN = COMMANDS[Command.NEW_GAME].width
"""So many bytes of NEW_GAME are not turns."""


def name_turn(
    m: Module, commander: Commander, grid: GridConfig, pair: Value
) -> tuple[Value, Value]:
    """Give the player the turn in two bytes, and as ``count`` the lower one. Returns whether they
    can be a turn, and the status if they cannot."""
    request = commander.player.requests.payload
    turn, bits = request.turn, grid.label_bits
    column, row, shape = pair[8:14], pair[:8], pair[14:]
    outside = (column[bits:] != 0) | (row[bits:] != 0)
    m.d.comb += [
        turn.column.eq(column),
        turn.row.eq(row),
        turn.symbol.eq(shape),
        request.count.eq(pair[:8]),
    ]
    shapeless = shape > max(code.value for code in ShapeCode)
    status = Mux(outside, TurnStatus.OUTSIDE, TurnStatus.MISMATCH)
    return ~outside & ~shapeless, status


def _take_rules(rules: data.View, grid: GridConfig, pair: Value) -> list:
    """Keep the rules that a new game's two bytes say."""
    area = pair[8:]
    rule_bit = {flag: pair[flag.bit_length() - 1] for flag in RuleFlag}
    return [
        rules.area.eq(Mux(area > grid.limit, 0, area)),
        rules.lines.eq(rule_bit[RuleFlag.LINES]),
        rules.both_draws.eq(rule_bit[RuleFlag.BOTH_DRAW]),
    ]


def run(
    m: Module, commander: Commander, config: DesignConfig, steps: Steps, search: Search
) -> None:
    """RUN: what a command says is done at once, or the player is asked."""
    pair, code = steps.pair, commander.frames.headers.payload.code
    with m.Case(State.RUN), m.Switch(code):
        with m.Case(Command.IDENTIFY):
            m.d.sync += steps.make(AnswerKind.IDENTITY)
        with m.Case(Command.STATISTICS):
            m.d.sync += steps.make(AnswerKind.COUNTERS)
        with m.Case(Command.STOP):
            m.d.sync += [
                search.stopping.eq(commander.searching),
                *steps.make(AnswerKind.STOPPING),
            ]
        with m.Case(Command.NEW_GAME, Command.RESET):
            _begin(m, commander, config, steps, search)
        with m.Case(Command.PLAY):
            m.d.sync += steps.load(PAIR_BYTES, State.TURN)
        with m.Case(Command.TAKE_BACK):
            with m.If(pair[:8] == 0):
                m.d.sync += steps.fail(ErrorCode.FIELD)
            with m.Else():
                steps.ask(m, RequestOp.TAKE_BACK)
        with m.Case(Command.LIST):
            steps.ask(m, RequestOp.GRANT_OPEN)
        with m.Case(Command.POSITION):
            steps.ask(m, RequestOp.GRANT)
        with m.Case(Command.SEARCH):
            steps.ask(m, RequestOp.SEARCH, State.RELEASE)
            m.d.sync += [
                commander.searching.eq(1),
                search.sequence.eq(commander.frames.headers.payload.sequence),
                search.waited.eq(0),
                search.due.eq(0),
            ]
        with m.Case(Command.SELF_TEST):
            with m.If(commander.player.game.thinking):
                m.d.sync += steps.fail(ErrorCode.BUSY)
            with m.Else():
                m.d.sync += commander.player.new_rules.eq(rules_of(STANDARD, config.grid))
                steps.ask(m, RequestOp.STOP)
        with m.Case(Command.SET_BAUD):
            most = most_bit_cycles(config.clock_hz, bit_cycles(config.clock_hz, config.baud))
            with m.If(commander.player.game.thinking):
                m.d.sync += steps.fail(ErrorCode.BUSY)
            with m.Elif((pair < LEAST_BIT_CYCLES) | (pair > most)):
                m.d.sync += steps.fail(ErrorCode.FIELD)
            with m.Else():
                m.d.sync += steps.make(AnswerKind.RATE, State.RATE)
        with m.Default():
            m.d.sync += steps.fail(ErrorCode.UNKNOWN)


def _begin(
    m: Module, commander: Commander, config: DesignConfig, steps: Steps, search: Search
) -> None:
    """NEW_GAME, RESET: the game is dropped, and a search before it."""
    pair, code = steps.pair, commander.frames.headers.payload.code
    bad = (code == Command.NEW_GAME) & (pair[len(RuleFlag) : 8] != 0)
    with m.If(bad):
        m.d.sync += steps.fail(ErrorCode.FIELD)
    with m.Elif(commander.searching):
        # The search's answer says so first.
        m.d.sync += [
            commander.searching.eq(0),
            search.finished.eq(0),
            search.stopping.eq(0),
            search.answered.eq(1),
            *steps.fail(ErrorCode.DROPPED),
            steps.then.eq(State.RUN),
        ]
    with m.Elif(code == Command.NEW_GAME):
        m.d.sync += _take_rules(commander.player.new_rules, config.grid, pair)
        steps.ask(m, RequestOp.NEW)
    with m.Else():
        m.d.sync += commander.player.new_rules.eq(rules_of(config.variant, config.grid))
        steps.ask(m, RequestOp.STOP)


def play(
    m: Module, commander: Commander, steps: Steps, turn_fits: Value, turn_status: Value
) -> None:
    """TURN: one that no label names is refused here, if there is a game in which to make it."""
    with m.Case(State.TURN):
        with m.If(~turn_fits & commander.player.game.on & ~commander.player.game.over):
            m.d.sync += [commander.status.eq(turn_status), *steps.make(AnswerKind.GAME)]
        with m.Else():
            steps.ask(m, RequestOp.TURN)


def go_on(m: Module, commander: Commander, steps: Steps) -> None:
    """WAIT: the player is done. What follows?"""
    code, result = commander.frames.headers.payload.code, commander.player.result
    with m.Case(State.WAIT):
        with m.If(commander.player.done & (result.error != 0)):
            m.d.sync += steps.fail(result.error)
            # It was obeyed in part: what refuses the rest of it has dropped the game.
            with m.If((commander.made != 0) | (code == Command.NEW_GAME)):
                m.d.sync += commander.error.eq(ErrorCode.DROPPED)
        with m.Elif(commander.player.done), m.Switch(code):
            with m.Case(Command.NEW_GAME, Command.PLAY):
                _next_turn(m, commander, steps)
            with m.Case(Command.TAKE_BACK):
                m.d.sync += [commander.made.eq(steps.pair[:8]), *steps.make(AnswerKind.GAME)]
            with m.Case(Command.RESET):
                m.d.comb += commander.reset.eq(1)
                m.d.sync += steps.make(AnswerKind.EMPTY)
            with m.Case(Command.SELF_TEST):
                # The game is dropped, then the turn unit granted.
                with m.If(commander.made == 0):
                    steps.ask(m, RequestOp.GRANT)
                    m.d.sync += commander.made.eq(1)
                with m.Else():
                    m.d.comb += commander.test.eq(1)
                    m.d.sync += steps.state.eq(State.REPORT)
            with m.Default():
                m.d.comb += [
                    commander.report_turns.eq(code == Command.LIST),
                    commander.report_position.eq(code == Command.POSITION),
                ]
                m.d.sync += steps.state.eq(State.REPORT)


def _next_turn(m: Module, commander: Commander, steps: Steps) -> None:
    """NEW_GAME, PLAY: the next turn follows, up to one that is not legal."""
    frame, result = commander.frames.headers.payload, commander.player.result
    begun = (frame.code == Command.NEW_GAME) & (steps.at == _BEGUN)
    m.d.sync += steps.load(PAIR_BYTES, State.TURN)
    with m.If(result.status != TurnStatus.LEGAL):
        m.d.sync += [commander.status.eq(result.status), *steps.make(AnswerKind.GAME)]
    with m.Else():
        m.d.sync += [
            commander.made.eq(commander.made + ~begun),
            commander.tiles.eq(result.tiles),
            commander.completed.eq(result.completed),
        ]
        with m.If(steps.at == frame.length):
            m.d.sync += steps.make(AnswerKind.GAME)
