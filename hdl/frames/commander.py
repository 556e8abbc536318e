"""The commander: obeys frames, and answers each of them."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import STANDARD
from loopline.game.wire import (
    COMMANDS,
    COUNT_DEPTH,
    LEAST_BIT_CYCLES,
    MAX_PAYLOAD,
    Command,
    ErrorCode,
    RuleFlag,
    TurnStatus,
    answer_code,
    item_code,
    most_bit_cycles,
)
from loopline.hdl.core.rules import rules_of
from loopline.hdl.core.types import ShapeCode
from loopline.hdl.design import DesignConfig, FrameSet
from loopline.hdl.frames.answers import AnswerKind, maker_port
from loopline.hdl.frames.frame_checker import FIELD_BYTES, FrameChecker
from loopline.hdl.frames.pieces import ABANDONED, piece_layout
from loopline.hdl.frames.repetitions import Repetitions
from loopline.hdl.frames.requests import RequestOp, player_port
from loopline.hdl.frames.search_monitor import SearchMonitor
from loopline.hdl.link.types import answer_port, frame_port
from loopline.hdl.rate import CYCLES_BITS, bit_cycles

__all__ = ["Commander"]

_PAIR_BYTES = 2
"""The bytes of a turn. No command but SEARCH has longer fields."""

_RULES_BYTES = COMMANDS[Command.NEW_GAME].width
"""The bytes of NEW_GAME before its turns."""

_ERROR = answer_code(0)


class State(enum.Enum, shape=4):
    """What the commander does in a cycle; the diagram of :class:`Commander` shows the order."""

    IDLE = 0
    """Choose what to answer: the end of a search, a frame, or the progress of a search."""
    CHECK = 1
    """Is the frame valid?"""
    DECIDE = 2
    """Is the frame a repetition, and is its command obeyed now?"""
    LOAD = 3
    """Give the payload's memory the index of a byte."""
    LOADED = 4
    """Shift that byte into a register."""
    RUN = 5
    """Obey the command, or ask the player to."""
    TURN = 6
    """Ask the player to make a turn."""
    WAIT = 7
    """Wait for the player."""
    MAKE = 8
    """The answer maker writes the payload of an answer."""
    SEND = 9
    """The frame writer sends the answer."""
    RELEASE = 10
    """Take the frame: it has been answered."""
    FREEZE = 11
    """Wait until the search stands still."""
    COPY = 12
    """Copy the payload of an answer from a list, a dump, a count or the self-test."""
    RATE = 13
    """Wait until the new rate is taken."""


class _Registers:
    """The commander's registers.

    Attributes
    ----------
    state, then : State
        The present state, and the one after LOAD or SEND.
    index : range(MAX_PAYLOAD + 1), remaining : range(FIELD_BYTES + 1)
        The next byte of the payload, and the number of bytes still to be loaded.
    pair : 8 * _PAIR_BYTES bits
        The two bytes loaded last: the rules of a game, a turn, or one byte in the lower half.
    limits : 8 * FIELD_BYTES bits, limited : 1
        The fields of SEARCH; one of them is not 0.
    kind : AnswerKind, code : 8 bits, repeat : 1
        The answer: its message, its code, and whether it is the stored one.
    for_search : 1
        The answer belongs to the search that goes on, not to the frame on offer.
    """

    def __init__(self) -> None:
        self.state = Signal(State)
        self.then = Signal(State)
        self.index = Signal(range(MAX_PAYLOAD + 1))
        self.remaining = Signal(range(FIELD_BYTES + 1))
        self.pair = Signal(8 * _PAIR_BYTES)
        self.limits = Signal(8 * FIELD_BYTES)
        self.limited = Signal()
        self.kind = Signal(AnswerKind)
        self.code = Signal(8)
        self.repeat = Signal()
        self.for_search = Signal()

    def load(self, count: Value | int, then: State) -> list:
        """Load the next ``count`` bytes of the payload, at least one, and go on in ``then``."""
        return [self.remaining.eq(count), self.then.eq(then), self.state.eq(State.LOAD)]


class Commander(wiring.Component):
    """Take frames, ask the player, and have answers made and sent.

    ::

                                ┌──────── error, repetition ────────┐
        IDLE ─► CHECK ─► DECIDE ┴─► LOAD ─► RUN ─► WAIT ────────────┴─► MAKE ─► SEND ─► RELEASE
         │                           ▲              │ turn by turn        ▲       │
         │                           └──────────────┤                     │       │ item by item
         │                                          └─► COPY ◄────────────┼───────┘
         └─► FREEZE: progress of a search ────────────────────────────────┘

    While a search goes on, the commander obeys further frames. The search's last answer follows
    when the search ends. ``docs/link.md`` says what each command does, ``loopline.game.wire`` which
    bytes it has.

    Parameters
    ----------
    config : DesignConfig
        Grid, clock and rate, and the rules of contests.

    Members
    -------
    frames : In(frame_port)
        Frames and their payloads. A frame is taken when it has been answered.
    answers : Out(answer_port), repeated : Out(1)
        Answers; ``repeated`` pulses when a stored answer is sent again.
    maker : Out(maker_port)
        The answer maker, which writes payloads of fixed form.
    pieces : In(stream of piece_layout)
        Payloads from a list, a dump, a count or the self-test.
    start_list, start_dump, start_count, start_test : Out(1)
        Pulses when the turn unit is granted for one of them.
    count_depth : Out(range(COUNT_DEPTH + 1))
        The turns of the sequences to count.
    player : Out(player_port)
        The player. ``new_rules`` are those of the game that a frame has begun last; after a reset
        those of contests, and for a self-test those without a limit.
    rates : Out(stream.Signature(CYCLES_BITS))
        A new rate, offered when the answer that says so is sent.
    tick : In(1)
        Pulses in each millisecond.
    reset : Out(1)
        Pulses when everything but the line's rate is to be as after power-on.
    busy : Out(1)
        A frame is being obeyed, or a search goes on.
    """

    def __init__(self, config: DesignConfig):
        self._config = config
        self._is_full = config.frames is FrameSet.FULL
        super().__init__(
            {
                "frames": In(frame_port()),
                "answers": Out(answer_port()),
                "repeated": Out(1),
                "maker": Out(maker_port()),
                "pieces": In(stream.Signature(piece_layout())),
                "start_list": Out(1),
                "start_dump": Out(1),
                "start_count": Out(1),
                "count_depth": Out(range(COUNT_DEPTH + 1)),
                "start_test": Out(1),
                "player": Out(player_port(config.search)),
                "rates": Out(stream.Signature(CYCLES_BITS)),
                "tick": In(1),
                "reset": Out(1),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.checker = checker = FrameChecker(self._config.commands)
        m.submodules.repetitions = repetitions = Repetitions()
        m.submodules.search = search = SearchMonitor()
        r = _Registers()
        self._connect(m, r, checker, repetitions, search)
        self._offer_turn(m, r)
        with m.Switch(r.state):
            with m.Case(State.IDLE):
                self._choose(m, r, search)
            with m.Case(State.CHECK):
                self._check(m, r, checker)
            with m.Case(State.DECIDE):
                self._decide(m, r, checker, repetitions, search)
            with m.Case(State.LOAD):
                m.d.sync += [r.index.eq(r.index + 1), r.remaining.eq(r.remaining - 1)]
                m.d.sync += r.state.eq(State.LOADED)
            with m.Case(State.LOADED):
                self._shift_in(m, r)
            with m.Case(State.RUN):
                self._run(m, r, search)
            with m.Case(State.TURN):
                self._make_turn(m, r)
            with m.Case(State.WAIT):
                self._continue(m, r)
            with m.Case(State.FREEZE):
                self._freeze(m, r, search)
            with m.Case(State.MAKE):
                self._make_answer(m, r)
            if self._is_full:
                with m.Case(State.COPY):
                    self._copy(m, r)
            with m.Case(State.SEND):
                self._send(m, r, repetitions)
            if self._is_full:
                with m.Case(State.RATE):
                    self._set_rate(m, r)
            with m.Case(State.RELEASE):
                m.d.comb += self.frames.headers.ready.eq(1)
                m.d.sync += r.state.eq(State.IDLE)
            with m.Default():
                # An unused code, after an upset: recover as after power-on.
                m.d.sync += r.state.eq(State.IDLE)
        return m

    def _connect(
        self,
        m: Module,
        r: _Registers,
        checker: FrameChecker,
        repetitions: Repetitions,
        search: SearchMonitor,
    ) -> None:
        """Connect the components, and drive outputs from registers."""
        frame, answer, state = self.frames.headers.payload, self.answers.headers.payload, r.state
        command = Mux(r.for_search, Command.SEARCH, frame.code)
        depth, deepest = r.limits[64:], self._config.search.deepest
        m.d.comb += [
            self.frames.index.eq(r.index),
            checker.frame.eq(frame),
            repetitions.frame.eq(frame),
            repetitions.sequence.eq(answer.sequence),
            repetitions.code.eq(command),
            search.new_sequence.eq(frame.sequence),
            search.done.eq(self.player.done),
            search.tick.eq(self.tick),
            search.iteration.eq(self.player.iteration),
            self.player.stop.eq(search.stopping),
            self.count_depth.eq(r.pair),
            self.player.freeze.eq((state == State.FREEZE) | (r.for_search & (state == State.MAKE))),
            self.player.hold.eq((state != State.IDLE) & (state != State.SEND)),
            self.player.unread.eq(search.finished | (r.for_search & (state == State.MAKE))),
            self.player.limits.limited.eq(r.limited),
            self.player.limits.depth.eq(Mux(depth > deepest, deepest, depth)),
            self.player.limits.nodes.eq(r.limits[32:64]),
            self.player.limits.cycles.eq(r.limits[:32]),
            self.player.reseed.eq(self.reset),
            self.maker.kinds.payload.eq(r.kind),
            self.maker.command.eq(command),
            self.maker.searching.eq(search.searching),
            answer.sequence.eq(Mux(r.for_search, search.sequence, frame.sequence)),
            answer.code.eq(r.code),
            answer.repeat.eq(r.repeat),
            self.rates.payload.eq(r.pair),
            self.busy.eq((state != State.IDLE) | self.frames.headers.valid | search.searching),
        ]
        # Store the last answer to a command, unless it is an error.
        is_last = (r.code[6] == 0) & (r.code != _ERROR)
        m.d.comb += answer.store.eq(checker.stored & is_last & ~r.repeat)
        with m.If(r.for_search):
            m.d.comb += answer.store.eq(r.code == answer_code(Command.SEARCH))

    def _offer_turn(self, m: Module, r: _Registers) -> None:
        """Offer the two bytes loaded last as a turn, and the lower one as ``count``."""
        request = self.player.requests.payload
        column, row, shape = self._turn_fields(r)
        m.d.comb += [
            request.turn.column.eq(column),
            request.turn.row.eq(row),
            request.turn.symbol.eq(shape),
            request.count.eq(r.pair[:8]),
        ]

    @staticmethod
    def _turn_fields(r: _Registers) -> tuple[Value, Value, Value]:
        """Return column, row and shape of the turn in the two bytes loaded last."""
        return r.pair[8:14], r.pair[:8], r.pair[14:]

    # Is there a frame to obey?

    def _choose(self, m: Module, r: _Registers, search: SearchMonitor) -> None:
        """Answer the end of a search first, then a frame, then the progress of a search."""
        error = self.player.result.error
        m.d.comb += self.answers.clear.eq(1)
        m.d.sync += [r.for_search.eq(0), r.repeat.eq(0)]
        with m.If(search.finished):
            m.d.comb += search.close.eq(1)
            m.d.sync += [
                r.for_search.eq(1),
                self.maker.error.eq(error),
                r.kind.eq(AnswerKind.SEARCH),
                r.code.eq(answer_code(Command.SEARCH)),
                r.then.eq(State.IDLE),
                r.state.eq(State.MAKE),
            ]
            with m.If(error != 0):
                m.d.sync += [r.kind.eq(AnswerKind.ERROR), r.code.eq(_ERROR)]
        with m.Elif(self.frames.headers.valid):
            m.d.sync += r.state.eq(State.CHECK)
        with m.Elif(search.progress & search.searching):
            m.d.sync += self._answer_progress(r, State.IDLE)

    @staticmethod
    def _answer_progress(r: _Registers, then: State) -> list:
        """Answer what the search has found so far."""
        return [r.for_search.eq(1), r.then.eq(then), r.state.eq(State.FREEZE)]

    def _answer(self, r: _Registers, kind: AnswerKind, then: State = State.RELEASE) -> list:
        """Make and send the last answer to the frame on offer."""
        return [
            r.kind.eq(kind),
            r.code.eq(answer_code(0) | self.frames.headers.payload.code),
            r.then.eq(then),
            r.state.eq(State.MAKE),
        ]

    def _fail(self, r: _Registers, error: Value | ErrorCode) -> list:
        """Answer the frame on offer with an error."""
        return [
            self.maker.error.eq(error),
            *self._answer(r, AnswerKind.ERROR),
            r.code.eq(_ERROR),
        ]

    def _check(self, m: Module, r: _Registers, checker: FrameChecker) -> None:
        """Reset the values of answers, and answer an invalid frame with an error."""
        values = self.maker
        m.d.sync += [
            values.made.eq(0),
            values.status.eq(TurnStatus.LEGAL),
            values.tiles.eq(0),
            values.completed.eq(0),
            r.index.eq(0),
            r.state.eq(State.DECIDE),
        ]
        with m.If(checker.error != 0):
            m.d.sync += self._fail(r, checker.error)

    def _decide(
        self,
        m: Module,
        r: _Registers,
        checker: FrameChecker,
        repetitions: Repetitions,
        search: SearchMonitor,
    ) -> None:
        """Send the stored answer, answer with an error, or obey the command."""
        frame = self.frames.headers.payload
        is_same_search = (frame.sequence == search.sequence) & (frame.code == Command.SEARCH)
        m.d.sync += r.load(checker.field_bytes, State.RUN)
        with m.If(checker.field_bytes == 0):
            m.d.sync += r.state.eq(State.RUN)
        with m.If(repetitions.repeats & checker.stored):
            m.d.comb += self.repeated.eq(1)
            m.d.sync += [r.repeat.eq(1), r.then.eq(State.RELEASE), r.state.eq(State.SEND)]
        with m.Elif(search.searching & is_same_search):
            m.d.comb += self.repeated.eq(1)
            m.d.sync += self._answer_progress(r, State.RELEASE)
        with m.Elif(search.searching & ~checker.always):
            m.d.sync += self._fail(r, ErrorCode.BUSY)
        with m.Else():
            m.d.comb += repetitions.discard.eq(1)

    def _shift_in(self, m: Module, r: _Registers) -> None:
        """Shift the byte into ``limits`` or ``pair``, and load the next one if one remains."""
        m.d.sync += r.state.eq(Mux(r.remaining == 0, r.then, State.LOAD))
        with m.If(self.frames.headers.payload.code == Command.SEARCH):
            m.d.sync += [
                r.limits.eq(Cat(self.frames.byte, r.limits)),
                r.limited.eq((r.limited & (r.index != 1)) | self.frames.byte.any()),
            ]
        with m.Else():
            m.d.sync += r.pair.eq(Cat(self.frames.byte, r.pair))

    # Obey it.

    def _ask(self, op: RequestOp) -> list:
        """Ask the player; it takes a request in the same cycle."""
        return [self.player.requests.valid.eq(1), self.player.requests.payload.op.eq(op)]

    def _run(self, m: Module, r: _Registers, search: SearchMonitor) -> None:
        """Obey the command; where the player has to, ask it and wait."""
        with m.Switch(self.frames.headers.payload.code):
            with m.Case(Command.IDENTIFY):
                m.d.sync += self._answer(r, AnswerKind.IDENTITY)
            with m.Case(Command.STOP):
                m.d.comb += search.stop.eq(1)
                m.d.sync += self._answer(r, AnswerKind.STOPPING)
            with m.Case(Command.NEW_GAME, *([Command.RESET] if self._is_full else [])):
                self._end_game(m, r, search)
            with m.Case(Command.PLAY):
                m.d.sync += r.load(_PAIR_BYTES, State.TURN)
            with m.Case(Command.SEARCH):
                m.d.comb += [*self._ask(RequestOp.SEARCH), search.start.eq(1)]
                m.d.sync += r.state.eq(State.RELEASE)
            if self._is_full:
                self._run_others(m, r)
            with m.Default():
                m.d.sync += self._fail(r, ErrorCode.UNKNOWN)

    def _run_others(self, m: Module, r: _Registers) -> None:
        """RUN: the commands that contests do not need."""
        config, grid = self._config, self._config.grid
        with m.Case(Command.STATISTICS):
            m.d.sync += self._answer(r, AnswerKind.COUNTERS)
        with m.Case(Command.TAKE_BACK):
            with m.If(r.pair[:8] == 0):
                m.d.sync += self._fail(r, ErrorCode.FIELD)
            with m.Else():
                m.d.comb += self._ask(RequestOp.TAKE_BACK)
                m.d.sync += r.state.eq(State.WAIT)
        with m.Case(Command.LIST):
            m.d.comb += self._ask(RequestOp.GRANT_OPEN)
            m.d.sync += r.state.eq(State.WAIT)
        if Command.COUNT in config.commands:
            with m.Case(Command.COUNT):
                with m.If((r.pair[:8] == 0) | (r.pair[:8] > COUNT_DEPTH)):
                    m.d.sync += self._fail(r, ErrorCode.FIELD)
                with m.Else():
                    m.d.comb += self._ask(RequestOp.GRANT_OPEN)
                    m.d.sync += r.state.eq(State.WAIT)
        with m.Case(Command.POSITION):
            m.d.comb += self._ask(RequestOp.GRANT)
            m.d.sync += r.state.eq(State.WAIT)
        with m.Case(Command.SELF_TEST):
            with m.If(self.player.game.thinking):
                m.d.sync += self._fail(r, ErrorCode.BUSY)
            with m.Else():
                m.d.comb += self._ask(RequestOp.STOP)
                m.d.sync += self.player.new_rules.eq(rules_of(STANDARD, grid))
                m.d.sync += r.state.eq(State.WAIT)
        with m.Case(Command.SET_BAUD):
            most = most_bit_cycles(config.clock_hz, bit_cycles(config.clock_hz, config.baud))
            with m.If(self.player.game.thinking):
                m.d.sync += self._fail(r, ErrorCode.BUSY)
            with m.Elif((r.pair < LEAST_BIT_CYCLES) | (r.pair > most)):
                m.d.sync += self._fail(r, ErrorCode.FIELD)
            with m.Else():
                m.d.sync += self._answer(r, AnswerKind.RATE, State.RATE)

    def _end_game(self, m: Module, r: _Registers, search: SearchMonitor) -> None:
        """Obey NEW_GAME or RESET. A search that goes on is answered with DROPPED before."""
        grid, rules = self._config.grid, self.player.new_rules
        is_new_game = self.frames.headers.payload.code == Command.NEW_GAME
        with m.If(is_new_game & (r.pair[len(RuleFlag) : 8] != 0)):
            m.d.sync += self._fail(r, ErrorCode.FIELD)
        with m.Elif(search.searching):
            m.d.comb += search.close.eq(1)
            m.d.sync += [
                *self._fail(r, ErrorCode.DROPPED),
                r.for_search.eq(1),
                r.then.eq(State.RUN),
            ]
        with m.Elif(is_new_game):
            area = r.pair[8:]
            rule_bit = {flag: r.pair[flag.bit_length() - 1] for flag in RuleFlag}
            m.d.comb += self._ask(RequestOp.NEW)
            m.d.sync += [
                rules.area.eq(Mux(area > grid.limit, 0, area)),
                rules.lines.eq(rule_bit[RuleFlag.LINES]),
                rules.both_draws.eq(rule_bit[RuleFlag.BOTH_DRAW]),
                r.state.eq(State.WAIT),
            ]
        with m.Else():
            m.d.comb += self._ask(RequestOp.STOP)
            m.d.sync += rules.eq(rules_of(self._config.variant, grid))
            m.d.sync += r.state.eq(State.WAIT)

    def _make_turn(self, m: Module, r: _Registers) -> None:
        """Ask the player to make a turn.

        Bytes that are not a turn are refused here, because the player's labels are narrower. An
        error of the player (no game, it has ended, or it is the player's turn) takes precedence.
        """
        column, row, shape = self._turn_fields(r)
        bits = self._config.grid.label_bits
        is_outside = (column[bits:] != 0) | (row[bits:] != 0)
        is_no_shape = shape > max(code.value for code in ShapeCode)
        game = self.player.game
        with m.If((is_outside | is_no_shape) & game.on & ~game.over & ~game.thinking):
            status = Mux(is_outside, TurnStatus.OUTSIDE, TurnStatus.MISMATCH)
            m.d.sync += [self.maker.status.eq(status), *self._answer(r, AnswerKind.GAME)]
        with m.Else():
            m.d.comb += self._ask(RequestOp.TURN)
            m.d.sync += r.state.eq(State.WAIT)

    def _continue(self, m: Module, r: _Registers) -> None:
        """When the player is done, go on with the command."""
        code, result, values = self.frames.headers.payload.code, self.player.result, self.maker
        with m.If(self.player.done & (result.error != 0)):
            m.d.sync += self._fail(r, result.error)
            # The command was obeyed in part. A later command that ended the game has dropped it.
            with m.If((values.made != 0) | (code == Command.NEW_GAME)):
                m.d.sync += values.error.eq(ErrorCode.DROPPED)
        with m.Elif(self.player.done), m.Switch(code):
            with m.Case(Command.NEW_GAME, Command.PLAY):
                self._next_turn(m, r)
            if self._is_full:
                self._continue_others(m, r)

    def _continue_others(self, m: Module, r: _Registers) -> None:
        """WAIT: the commands that contests do not need."""
        code, values = self.frames.headers.payload.code, self.maker
        with m.Case(Command.TAKE_BACK):
            m.d.sync += [values.made.eq(r.pair[:8]), *self._answer(r, AnswerKind.GAME)]
        with m.Case(Command.RESET):
            m.d.comb += self.reset.eq(1)
            m.d.sync += self._answer(r, AnswerKind.EMPTY)
        with m.Case(Command.SELF_TEST):
            # The first request has ended the game, the second one grants the turn unit.
            with m.If(values.made == 0):
                m.d.comb += self._ask(RequestOp.GRANT)
                m.d.sync += [values.made.eq(1), r.state.eq(State.WAIT)]
            with m.Else():
                m.d.comb += self.start_test.eq(1)
                m.d.sync += r.state.eq(State.COPY)
        with m.Default():
            m.d.comb += [
                self.start_list.eq(code == Command.LIST),
                self.start_dump.eq(code == Command.POSITION),
                self.start_count.eq(code == Command.COUNT),
            ]
            m.d.sync += r.state.eq(State.COPY)

    def _next_turn(self, m: Module, r: _Registers) -> None:
        """Load the next turn of NEW_GAME or PLAY, unless it was the last, or was not legal."""
        frame, result, values = self.frames.headers.payload, self.player.result, self.maker
        begins = (frame.code == Command.NEW_GAME) & (r.index == _RULES_BYTES)
        m.d.sync += r.load(_PAIR_BYTES, State.TURN)
        with m.If(result.status != TurnStatus.LEGAL):
            m.d.sync += [values.status.eq(result.status), *self._answer(r, AnswerKind.GAME)]
        with m.Else():
            m.d.sync += [
                values.made.eq(values.made + ~begins),
                values.tiles.eq(result.tiles),
                values.completed.eq(result.completed),
            ]
            with m.If(r.index == frame.length):
                m.d.sync += self._answer(r, AnswerKind.GAME)

    # Answer it.

    def _freeze(self, m: Module, r: _Registers, search: SearchMonitor) -> None:
        """Make a progress answer once the search stands still; none if the search has ended."""
        m.d.comb += search.progress_taken.eq(1)
        m.d.sync += [r.kind.eq(AnswerKind.SEARCH), r.code.eq(item_code(Command.SEARCH))]
        with m.If(search.finished):
            m.d.sync += r.state.eq(State.IDLE)
        with m.Elif(self.player.frozen):
            m.d.sync += r.state.eq(State.MAKE)

    def _make_answer(self, m: Module, r: _Registers) -> None:
        """Pass the payload on from the answer maker to the frame writer."""
        payload, made = self.answers.payload, self.maker.bytes
        m.d.comb += [
            self.maker.kinds.valid.eq(1),
            payload.valid.eq(made.valid),
            payload.payload.eq(made.payload),
            made.ready.eq(payload.ready),
        ]
        with m.If(self.maker.kinds.ready):
            m.d.sync += r.state.eq(State.SEND)

    def _copy(self, m: Module, r: _Registers) -> None:
        """Pass pieces on to the frame writer; the piece that ends an answer has its code."""
        payload, piece = self.answers.payload, self.pieces.payload
        m.d.comb += [
            payload.valid.eq(self.pieces.valid & ~piece.ends),
            payload.payload.eq(piece.byte),
            self.pieces.ready.eq(payload.ready | piece.ends),
        ]
        with m.If(self.pieces.valid & piece.ends):
            m.d.sync += [
                r.code.eq(piece.byte),
                r.then.eq(Mux(piece.byte[6], State.COPY, State.RELEASE)),
                r.state.eq(State.SEND),
            ]
            with m.If(piece.byte == ABANDONED):
                # The bytes so far belong to no answer.
                m.d.comb += self.answers.clear.eq(1)
                m.d.sync += self._fail(r, ErrorCode.DROPPED)

    def _send(self, m: Module, r: _Registers, repetitions: Repetitions) -> None:
        """Have the answer sent, then go on in ``then``."""
        headers = self.answers.headers
        m.d.comb += headers.valid.eq(1)
        with m.If(headers.ready):
            # After an upset of ``then``, the commander must not send without end: the watchdog
            # would take that for progress.
            is_endless = (r.then == State.MAKE) | (r.then == State.SEND)
            m.d.comb += repetitions.store.eq(headers.payload.store)
            m.d.sync += [
                r.for_search.eq(0),
                r.state.eq(Mux(is_endless, State.RELEASE, r.then)),
            ]

    def _set_rate(self, m: Module, r: _Registers) -> None:
        """Offer the new rate until the link takes it."""
        # After an upset of ``then`` no other command may set a rate.
        is_asked = self.frames.headers.payload.code == Command.SET_BAUD
        m.d.comb += self.rates.valid.eq(is_asked)
        with m.If(self.rates.ready | ~is_asked):
            m.d.sync += r.state.eq(State.RELEASE)
