"""The commander: obeys frames, and answers each of them."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import STANDARD
from loopline.game.wire import (
    COMMANDS,
    CONTEXTS,
    LEAST_BIT_CYCLES,
    MAX_PAYLOAD,
    PROGRESS_MS,
    Command,
    ErrorCode,
    RuleFlag,
    TurnStatus,
    answer_code,
    item_code,
    most_bit_cycles,
)
from loopline.hdl.answers import AnswerKind
from loopline.hdl.config import DesignConfig
from loopline.hdl.core.rules import rules_layout, rules_of
from loopline.hdl.core.types import TILE_COUNT_BITS, ShapeCode
from loopline.hdl.link.frame_reader import INDEX_BITS, frame_layout
from loopline.hdl.link.frame_writer import answer_layout
from loopline.hdl.link.uart import CYCLES_BITS, bit_cycles
from loopline.hdl.report import ABANDONED, piece_layout
from loopline.hdl.requests import (
    RequestOp,
    game_layout,
    limits_layout,
    request_layout,
    result_layout,
)

__all__ = ["Commander"]

_LIMIT_BYTES = COMMANDS[Command.SEARCH].width
_PAIR_BYTES = 2
_BEGUN = COMMANDS[Command.NEW_GAME].width


class Commander(wiring.Component):
    """Takes frames, asks the player, and has answers made.

    ::

                                ┌────────── error, kept ──────────┐
        IDLE ─► CHECK ─► DECIDE ┴─► LOAD ─► RUN ─► WAIT ──────────┴─► MAKE ─► SEND
         │                           ▲              │ turn by turn      ▲       │
         │                           └──────────────┤                   │       │ item by item
         │                                          └─► REPORT ◄────────┼───────┘
         └─► FREEZE: what the search has found so far ──────────────────┘

    A search goes on while the commander is idle again; its last answer follows by itself.
    ``docs/link.md`` says what each command does, ``loopline.game.wire`` which bytes it has.

    Parameters
    ----------
    config : DesignConfig
        Grid, clock and rate, and the rules of contests.

    Members
    -------
    frames : In(stream of frame_layout), index : Out(INDEX_BITS), byte : In(8)
        Frames and their payloads. A frame is taken when it has been answered.
    kinds : Out(stream.Signature(AnswerKind)), made_put : In(stream.Signature(8))
        Payloads to be made, and their bytes.
    pieces : In(stream of piece_layout)
        Reports.
    put : Out(stream.Signature(8)), clear : Out(1), answers : Out(stream of answer_layout)
        Answers. What was put is cleared while there is none to be made, and when a report is
        abandoned.
    repeated : Out(1)
        Pulses when a kept answer is sent again.
    error : Out(4), command : Out(8), made : Out(8), status : Out(3)
    tiles : Out(TILE_COUNT_BITS), completed : Out(4), searching : Out(1)
        What answers say.
    rates : Out(stream.Signature(CYCLES_BITS))
        A new rate, offered when the answer that says so is out.
    tick : In(1)
        A pulse in each millisecond.
    requests : Out(stream of request_layout, always ready), done : In(1), result : In(result_layout)
    limits : Out(limits_layout), stop, freeze, hold : Out(1), frozen : In(1)
    game : In(game_layout)
        The player, as :class:`~loopline.hdl.player.Player` has them.
    rules : Out(rules_layout)
        Of the game that a frame has begun last; after a reset those of contests, and for a test
        those without a limit.
    report_turns, report_position, test : Out(1)
        Pulses when the turn unit is lent for a report.
    reset : Out(1)
        Pulses when all but the line's rate is to be as after power-on.
    busy : Out(1)
        A frame is being obeyed, or a search goes on.
    """

    def __init__(self, config: DesignConfig):
        self._config = config
        grid = config.grid
        super().__init__(
            {
                "frames": In(stream.Signature(frame_layout())),
                "index": Out(INDEX_BITS),
                "byte": In(8),
                "kinds": Out(stream.Signature(AnswerKind)),
                "made_put": In(stream.Signature(8)),
                "pieces": In(stream.Signature(piece_layout())),
                "put": Out(stream.Signature(8)),
                "clear": Out(1),
                "answers": Out(stream.Signature(answer_layout())),
                "repeated": Out(1),
                "error": Out(4),
                "command": Out(8),
                "made": Out(8),
                "status": Out(3),
                "tiles": Out(TILE_COUNT_BITS),
                "completed": Out(4),
                "searching": Out(1),
                "rates": Out(stream.Signature(CYCLES_BITS)),
                "tick": In(1),
                "requests": Out(stream.Signature(request_layout(grid), always_ready=True)),
                "done": In(1),
                "result": In(result_layout()),
                "limits": Out(limits_layout()),
                "stop": Out(1),
                "freeze": Out(1),
                "hold": Out(1),
                "frozen": In(1),
                "game": In(game_layout()),
                "rules": Out(rules_layout(grid)),
                "report_turns": Out(1),
                "report_position": Out(1),
                "test": Out(1),
                "reset": Out(1),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        frame = self.frames.payload

        class State(enum.Enum, shape=4):
            IDLE = 0
            CHECK = 1
            DECIDE = 2
            LOAD = 3
            LOADED = 4
            RUN = 5
            TURN = 6
            WAIT = 7
            MAKE = 8
            SEND = 9
            RELEASE = 10
            FREEZE = 11
            REPORT = 12
            RATE = 13

        # ``then``: after what is being loaded, or sent.
        state, then = Signal(State, name="state"), Signal(State, name="then")
        kind, code, again = Signal(AnswerKind), Signal(8), Signal()
        at, wanted = Signal(range(MAX_PAYLOAD + 1)), Signal(range(_LIMIT_BYTES + 1))
        # Two bytes: the rules of a game, a turn, or one byte in the lower half.
        pair = Signal(8 * _PAIR_BYTES)
        limits = Signal(8 * _LIMIT_BYTES)

        # The search that goes on, and whether the answer that is being made is its.
        finished, stopping, due = Signal(), Signal(), Signal()
        of_search, search_sequence = Signal(), Signal(7)
        waited = Signal(range(PROGRESS_MS))
        # The answer that is kept.
        kept, kept_sequence, kept_code = Signal(), Signal(7), Signal(8)

        def make(what: AnswerKind, then_: State = State.RELEASE):
            """Make the last answer to the command, and send it."""
            return [
                kind.eq(what),
                code.eq(answer_code(0) | Mux(of_search, Command.SEARCH, frame.code)),
                then.eq(then_),
                state.eq(State.MAKE),
            ]

        def fail(error):
            """Answer with an error."""
            return [self.error.eq(error), *make(AnswerKind.ERROR), code.eq(answer_code(0))]

        def load(count, then_: State):
            """Load so many bytes of the payload."""
            return [wanted.eq(count), then.eq(then_), state.eq(State.LOAD)]

        def ask(op: RequestOp, then_: State = State.WAIT):
            """Ask the player."""
            m.d.comb += [self.requests.valid.eq(1), self.requests.payload.op.eq(op)]
            m.d.sync += state.eq(then_)

        known, fits, needs, always, keeps = self._describe(m, frame)
        clock, baud = self._config.clock_hz, self._config.baud
        most = most_bit_cycles(clock, bit_cycles(clock, baud))
        turn_fits, turn_status = self._turn(m, pair)
        m.d.comb += [
            self.index.eq(at),
            self.stop.eq(stopping),
            self.freeze.eq((state == State.FREEZE) | (of_search & (state == State.MAKE))),
            self.hold.eq((state != State.IDLE) & (state != State.SEND)),
            self.busy.eq((state != State.IDLE) | self.frames.valid | self.searching),
            self.command.eq(Mux(of_search, Command.SEARCH, frame.code)),
            self.limits.shallow.eq(limits[64:] == 1),
            self.limits.nodes.eq(limits[32:64]),
            self.limits.cycles.eq(limits[:32]),
            self.rates.payload.eq(pair),
            self.kinds.payload.eq(kind),
            self.answers.payload.sequence.eq(Mux(of_search, search_sequence, frame.sequence)),
            self.answers.payload.code.eq(code),
            self.answers.payload.again.eq(again),
            # The last answers, and no errors.
            self.answers.payload.keep.eq(
                keeps & (code[6] == 0) & (code != answer_code(0)) & ~again
            ),
        ]
        with m.If(of_search):
            m.d.comb += self.answers.payload.keep.eq(code == answer_code(Command.SEARCH))
        with m.If(self.done & self.searching):
            m.d.sync += finished.eq(1)
        with m.If(self.tick & self.searching):
            m.d.sync += waited.eq(waited + 1)
            with m.If(waited == PROGRESS_MS - 1):
                m.d.sync += [waited.eq(0), due.eq(1)]

        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.comb += self.clear.eq(1)
                m.d.sync += [of_search.eq(0), again.eq(0)]
                with m.If(finished):
                    # The end of a search: what it has found, or why not.
                    m.d.sync += [
                        of_search.eq(1),
                        self.error.eq(self.result.error),
                        *make(AnswerKind.SEARCH, State.IDLE),
                        code.eq(answer_code(Command.SEARCH)),
                        finished.eq(0),
                        self.searching.eq(0),
                        stopping.eq(0),
                    ]
                    with m.If(self.result.error != 0):
                        m.d.sync += [kind.eq(AnswerKind.ERROR), code.eq(answer_code(0))]
                with m.Elif(self.frames.valid):
                    m.d.sync += state.eq(State.CHECK)
                with m.Elif(due & self.searching):
                    m.d.sync += [of_search.eq(1), then.eq(State.IDLE), state.eq(State.FREEZE)]

            # Is it to be obeyed?
            with m.Case(State.CHECK):
                m.d.sync += [
                    self.made.eq(0),
                    self.status.eq(TurnStatus.LEGAL),
                    self.tiles.eq(0),
                    self.completed.eq(0),
                    at.eq(0),
                    state.eq(State.DECIDE),
                ]
                with m.If(frame.error != 0):
                    m.d.sync += fail(frame.error)
                with m.Elif(~known):
                    m.d.sync += fail(ErrorCode.UNKNOWN)
                with m.Elif(~fits):
                    m.d.sync += fail(ErrorCode.LENGTH)
            with m.Case(State.DECIDE):
                repeats = kept & (frame.sequence == kept_sequence) & (frame.code == kept_code)
                same = (frame.sequence == search_sequence) & (frame.code == Command.SEARCH)
                m.d.sync += load(needs, State.RUN)
                with m.If(needs == 0):
                    m.d.sync += state.eq(State.RUN)
                with m.If(repeats & keeps):
                    m.d.comb += self.repeated.eq(1)
                    m.d.sync += [again.eq(1), then.eq(State.RELEASE), state.eq(State.SEND)]
                with m.Elif(self.searching & same):
                    m.d.comb += self.repeated.eq(1)
                    m.d.sync += [
                        of_search.eq(1),
                        then.eq(State.RELEASE),
                        state.eq(State.FREEZE),
                    ]
                with m.Elif(self.searching & ~always):
                    m.d.sync += fail(ErrorCode.BUSY)
                with m.Else():
                    m.d.sync += kept.eq(0)

            # Some bytes of its payload.
            with m.Case(State.LOAD):
                m.d.sync += [at.eq(at + 1), wanted.eq(wanted - 1), state.eq(State.LOADED)]
            with m.Case(State.LOADED):
                m.d.sync += state.eq(Mux(wanted == 0, then, State.LOAD))
                with m.If(frame.code == Command.SEARCH):
                    m.d.sync += limits.eq(Cat(self.byte, limits))
                with m.Else():
                    m.d.sync += pair.eq(Cat(self.byte, pair))

            with m.Case(State.RUN), m.Switch(frame.code):
                with m.Case(Command.IDENTIFY):
                    m.d.sync += make(AnswerKind.IDENTITY)
                with m.Case(Command.STATISTICS):
                    m.d.sync += make(AnswerKind.COUNTERS)
                with m.Case(Command.STOP):
                    m.d.sync += [stopping.eq(self.searching), *make(AnswerKind.STOPPING)]
                with m.Case(Command.NEW_GAME, Command.RESET):
                    bad = (frame.code == Command.NEW_GAME) & (pair[len(RuleFlag) : 8] != 0)
                    with m.If(bad):
                        m.d.sync += fail(ErrorCode.FIELD)
                    with m.Elif(self.searching):
                        # The search is dropped, and its answer says so first.
                        m.d.sync += [
                            self.searching.eq(0),
                            finished.eq(0),
                            stopping.eq(0),
                            of_search.eq(1),
                            *fail(ErrorCode.DROPPED),
                            then.eq(State.RUN),
                        ]
                    with m.Elif(frame.code == Command.NEW_GAME):
                        m.d.sync += self._take_rules(pair)
                        ask(RequestOp.NEW)
                    with m.Else():
                        m.d.sync += self.rules.eq(self._contest_rules)
                        ask(RequestOp.STOP)
                with m.Case(Command.PLAY):
                    m.d.sync += load(_PAIR_BYTES, State.TURN)
                with m.Case(Command.TAKE_BACK):
                    with m.If(pair[:8] == 0):
                        m.d.sync += fail(ErrorCode.FIELD)
                    with m.Else():
                        ask(RequestOp.TAKE_BACK)
                with m.Case(Command.LIST):
                    ask(RequestOp.LEND_OPEN)
                with m.Case(Command.POSITION):
                    ask(RequestOp.LEND)
                with m.Case(Command.SEARCH):
                    ask(RequestOp.SEARCH, State.RELEASE)
                    m.d.sync += [
                        self.searching.eq(1),
                        search_sequence.eq(frame.sequence),
                        waited.eq(0),
                        due.eq(0),
                    ]
                with m.Case(Command.SELF_TEST):
                    with m.If(self.game.thinking):
                        m.d.sync += fail(ErrorCode.BUSY)
                    with m.Else():
                        m.d.sync += self.rules.eq(rules_of(STANDARD, self._config.grid))
                        ask(RequestOp.STOP)
                with m.Case(Command.SET_BAUD):
                    with m.If(self.game.thinking):
                        m.d.sync += fail(ErrorCode.BUSY)
                    with m.Elif((pair < LEAST_BIT_CYCLES) | (pair > most)):
                        m.d.sync += fail(ErrorCode.FIELD)
                    with m.Else():
                        m.d.sync += make(AnswerKind.RATE, State.RATE)
                with m.Default():
                    m.d.sync += fail(ErrorCode.UNKNOWN)

            # A turn that no label names is refused here, if there is a game in which to make it.
            with m.Case(State.TURN):
                with m.If(~turn_fits & self.game.on & ~self.game.over):
                    m.d.sync += [self.status.eq(turn_status), *make(AnswerKind.GAME)]
                with m.Else():
                    ask(RequestOp.TURN)

            with m.Case(State.WAIT):
                with m.If(self.done & (self.result.error != 0)):
                    m.d.sync += fail(self.result.error)
                    # It was obeyed in part: what refuses the rest of it has dropped the game.
                    with m.If((self.made != 0) | (frame.code == Command.NEW_GAME)):
                        m.d.sync += self.error.eq(ErrorCode.DROPPED)
                with m.Elif(self.done), m.Switch(frame.code):
                    with m.Case(Command.NEW_GAME, Command.PLAY):
                        begun = (frame.code == Command.NEW_GAME) & (at == _BEGUN)
                        m.d.sync += load(_PAIR_BYTES, State.TURN)
                        with m.If(self.result.status != TurnStatus.LEGAL):
                            m.d.sync += [
                                self.status.eq(self.result.status),
                                *make(AnswerKind.GAME),
                            ]
                        with m.Else():
                            m.d.sync += [
                                self.made.eq(self.made + ~begun),
                                self.tiles.eq(self.result.tiles),
                                self.completed.eq(self.result.completed),
                            ]
                            with m.If(at == frame.length):
                                m.d.sync += make(AnswerKind.GAME)
                    with m.Case(Command.TAKE_BACK):
                        m.d.sync += [self.made.eq(pair[:8]), *make(AnswerKind.GAME)]
                    with m.Case(Command.RESET):
                        m.d.comb += self.reset.eq(1)
                        m.d.sync += make(AnswerKind.EMPTY)
                    with m.Case(Command.SELF_TEST):
                        # The game is dropped, then the turn unit lent.
                        with m.If(self.made == 0):
                            ask(RequestOp.LEND)
                            m.d.sync += self.made.eq(1)
                        with m.Else():
                            m.d.comb += self.test.eq(1)
                            m.d.sync += state.eq(State.REPORT)
                    with m.Default():
                        m.d.comb += [
                            self.report_turns.eq(frame.code == Command.LIST),
                            self.report_position.eq(frame.code == Command.POSITION),
                        ]
                        m.d.sync += state.eq(State.REPORT)

            # The search stands still; or it has come to its end, and that will be its answer.
            with m.Case(State.FREEZE):
                m.d.sync += [due.eq(0), kind.eq(AnswerKind.SEARCH)]
                m.d.sync += code.eq(item_code(Command.SEARCH))
                with m.If(finished):
                    m.d.sync += state.eq(State.IDLE)
                with m.Elif(self.frozen):
                    m.d.sync += state.eq(State.MAKE)

            with m.Case(State.MAKE):
                m.d.comb += [
                    self.kinds.valid.eq(1),
                    self.put.valid.eq(self.made_put.valid),
                    self.put.payload.eq(self.made_put.payload),
                    self.made_put.ready.eq(self.put.ready),
                ]
                with m.If(self.kinds.ready):
                    m.d.sync += state.eq(State.SEND)
            with m.Case(State.REPORT):
                piece = self.pieces.payload
                m.d.comb += [
                    self.put.valid.eq(self.pieces.valid & ~piece.ends),
                    self.put.payload.eq(piece.byte),
                    self.pieces.ready.eq(self.put.ready | piece.ends),
                ]
                with m.If(self.pieces.valid & piece.ends):
                    m.d.sync += [code.eq(piece.byte), state.eq(State.SEND)]
                    m.d.sync += then.eq(Mux(piece.byte[6], State.REPORT, State.RELEASE))
                    with m.If(piece.byte == ABANDONED):
                        # What has been put belongs to no answer.
                        m.d.comb += self.clear.eq(1)
                        m.d.sync += fail(ErrorCode.DROPPED)

            with m.Case(State.SEND):
                m.d.comb += self.answers.valid.eq(1)
                with m.If(self.answers.ready):
                    # A wrong ``then``, of a flip-flop that has changed by itself, must not send
                    # without an end: nobody could tell that from work.
                    endless = (then == State.MAKE) | (then == State.SEND)
                    m.d.sync += [of_search.eq(0), state.eq(Mux(endless, State.RELEASE, then))]
                    with m.If(self.answers.payload.keep):
                        m.d.sync += [
                            kept.eq(1),
                            kept_sequence.eq(self.answers.payload.sequence),
                            kept_code.eq(self.command),
                        ]
            with m.Case(State.RATE):
                # Nor may it set a rate.
                asked = frame.code == Command.SET_BAUD
                m.d.comb += self.rates.valid.eq(asked)
                with m.If(self.rates.ready | ~asked):
                    m.d.sync += state.eq(State.RELEASE)
            with m.Case(State.RELEASE):
                m.d.comb += self.frames.ready.eq(1)
                m.d.sync += state.eq(State.IDLE)
            with m.Default():
                # No code of a state: as after power-on.
                m.d.sync += state.eq(State.IDLE)
        return m

    @property
    def _contest_rules(self):
        return rules_of(self._config.variant, self._config.grid)

    def _describe(self, m: Module, frame) -> tuple[Value, ...]:
        """Of a command: whether it is known, its length fits, how many bytes of fields it has; and
        whether it is obeyed always, and its answer kept."""
        known, fits, always, keeps = (Signal(name=name) for name in _PROPERTIES)
        needs = Signal(range(_LIMIT_BYTES + 1))
        with m.Switch(frame.code):
            for command in _OBEYED:
                message, context = COMMANDS[command], CONTEXTS[command]
                length = frame.length == message.width
                if message.repeated is not None:
                    least = message.width + message.least * message.repeated.width
                    most = message.width + message.most * message.repeated.width
                    assert message.repeated.width == _PAIR_BYTES
                    assert message.width % _PAIR_BYTES == 0
                    length = (frame.length >= least) & (frame.length <= most) & ~frame.length[0]
                with m.Case(command):
                    m.d.comb += [
                        known.eq(1),
                        fits.eq(length),
                        needs.eq(message.width),
                        always.eq(context.always),
                        keeps.eq(context.kept),
                    ]
        return known, fits, needs, always, keeps

    def _turn(self, m: Module, pair: Value) -> tuple[Value, Value]:
        """Give the player the turn in two bytes; whether they can be one, and why not."""
        turn, bits = self.requests.payload.turn, self._config.grid.label_bits
        column, row, shape = pair[8:14], pair[:8], pair[14:]
        outside = (column[bits:] != 0) | (row[bits:] != 0)
        m.d.comb += [
            turn.column.eq(column),
            turn.row.eq(row),
            turn.symbol.eq(shape),
            self.requests.payload.count.eq(pair[:8]),
        ]
        shapeless = shape > max(code.value for code in ShapeCode)
        status = Mux(outside, TurnStatus.OUTSIDE, TurnStatus.MISMATCH)
        return ~outside & ~shapeless, status

    def _take_rules(self, pair: Value) -> list:
        """Keep the rules that a new game's two bytes say."""
        grid, area = self._config.grid, pair[8:]
        rule_bit = {flag: pair[flag.bit_length() - 1] for flag in RuleFlag}
        return [
            self.rules.area.eq(Mux(area > grid.limit, 0, area)),
            self.rules.lines.eq(rule_bit[RuleFlag.LINES]),
            self.rules.both_draws.eq(rule_bit[RuleFlag.BOTH_DRAW]),
        ]


_PROPERTIES = ("known", "fits", "always", "keeps")

_OBEYED = (
    Command.IDENTIFY,
    Command.STATISTICS,
    Command.NEW_GAME,
    Command.PLAY,
    Command.TAKE_BACK,
    Command.LIST,
    Command.SEARCH,
    Command.STOP,
    Command.POSITION,
    Command.SELF_TEST,
    Command.RESET,
    Command.SET_BAUD,
)
