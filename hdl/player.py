"""The game supervisor: sessions, whose turn it is, and the clock."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.game import Colour
from loopline.game.wire import ErrorCode, TurnStatus
from loopline.hdl.config import DesignConfig
from loopline.hdl.core.box import extent
from loopline.hdl.core.rules import is_limited, rules_layout
from loopline.hdl.core.types import ShapeCode, Status, TurnOp, command_layout, outcome_layout
from loopline.hdl.link import LinkOp, is_session, link_command_layout, turn_label_layout
from loopline.hdl.requests import (
    CYCLE_BITS,
    HISTORY,
    TURN_BITS,
    RequestOp,
    found_layout,
    game_layout,
    limits_layout,
    request_layout,
    result_layout,
)
from loopline.hdl.search.lookahead import LookAhead, Rank

__all__ = ["Player"]


class Player(wiring.Component):
    """Plays one game at a time, as either colour: turns come in, turns go out.

    What the contest's lines ask for are ``commands``::

        commands ──► session or turn ──► WAIT ─► REPLY ─► JUDGE ─► THINK ─► JUDGE ─► ANSWER ──►
                     (kept until            ▲    make the   │      search,             │ answers
                     it is begun)           │    opponent's │      make own            │
                                            └───────────────┴──────────────────────────┘
                                                 over, or a set-up

    A session command is obeyed at once, whatever goes on: a search is dropped as soon as the turn
    unit has finished its operation. The search may take ``config.think_cycles`` from the command
    that it answers; it is then told to answer with the best turn found so far.

    Within a set-up the turns of both sides come in. ``-G`` ends it, or takes the opponent's place
    in a game: it asks for a turn of the side to move.

    Where the area is limited, each turn that does not end the game is followed by a probe: if no
    legal turn is left, the game is over.

    What frames ask for are ``requests``, about the same game. ``NEW`` and ``STOP`` are obeyed as a
    session command is; others only while nothing goes on, else their error is ``BUSY``. A turn that
    comes so, or is taken back so, makes a set-up of the game. To take turns back, the board is
    cleared, and those before them are made again: all turns are kept in a memory.

    A session command drops a request that is under way, with ``DROPPED``. ``NEW`` and ``STOP`` drop
    it, too, and say nothing: who asks knows.

    Parameters
    ----------
    config : DesignConfig
        Grid and thinking time.

    Members
    -------
    commands : In(stream of link_command_layout)
        Sessions, turns and ``-G``. Always ready for a session; a turn or ``-G`` waits while the
        turn before it is being judged, which takes no search.
    answers : Out(stream of turn_label_layout)
        The own turns.
    core_commands : Out(stream of command_layout), core_outcomes : In(stream of outcome_layout)
        The turn unit.
    requests : In(stream of request_layout, always ready)
        What frames ask for, one at a time, but for ``NEW`` and ``STOP``.
    done : Out(1), result : Out(result_layout)
        Pulses when a request is done; ``result`` then says how, until the next request.
    limits : In(limits_layout), stop : In(1)
        Limits of a requested search, and its end; both stay until it is done.
    found : Out(found_layout)
        What the requested search has found so far, or at its end.
    freeze : In(1), frozen : Out(1)
        Let the search stand still so that ``found`` can be read as a whole; it does once
        ``frozen``, and its time, too. A search that ends meanwhile is ``done`` as usual.
    reseed : In(1)
        Let the random numbers begin as after power-on.
    hold : In(1)
        Take no turn and no ``-G`` for now.
    begins : Out(1), framed : Out(1)
        Pulses when a session begins, before the board is cleared: ``rules`` may change, to those
        of a frame or those of contests. They come with the cycle after.
    game : Out(game_layout), turns : Out(TURN_BITS)
        The state of the game.
    lent : Out(1), abandon : Out(1), guest_busy : In(1), guest_done : In(1)
        The turn unit is the guest's from when it is ``lent`` until ``guest_done``, or until it has
        been told to ``abandon`` and is not busy any more. It leaves the position as it was, but
        for one that abandons.
    guest_commands : In(stream of command_layout), guest_outcomes : Out(stream of outcome_layout)
        The turn unit, for the guest.
    idle : Out(1)
        Nothing goes on: waiting for a command.
    thinking : Out(1)
        It is the player's turn, or a requested search goes on.
    over : Out(1)
        The game has ended: with a loop or a line, or as no legal turn is left in a limited area.
    rules : In(rules_layout)
        The variant that is played.
    refused : Out(1)
        Pulses for each turn that was not made and left the game as it was: illegal, too large for
        the grid, not awaited; for each ``-G`` that finds no side to take; also when the player
        itself finds no turn that fits into the grid, which ends the session.
    """

    def __init__(self, config: DesignConfig):
        self._config = config
        grid = config.grid
        super().__init__(
            {
                "commands": In(stream.Signature(link_command_layout(grid))),
                "answers": Out(stream.Signature(turn_label_layout(grid))),
                "requests": In(stream.Signature(request_layout(grid), always_ready=True)),
                "done": Out(1),
                "result": Out(result_layout()),
                "limits": In(limits_layout()),
                "stop": In(1),
                "found": Out(found_layout(grid)),
                "freeze": In(1),
                "frozen": Out(1),
                "reseed": In(1),
                "hold": In(1),
                "begins": Out(1),
                "framed": Out(1),
                "game": Out(game_layout()),
                "turns": Out(TURN_BITS),
                "lent": Out(1),
                "abandon": Out(1),
                "guest_busy": In(1),
                "guest_done": In(1),
                "guest_commands": In(stream.Signature(command_layout(grid))),
                "guest_outcomes": Out(stream.Signature(outcome_layout(grid))),
                "core_commands": Out(stream.Signature(command_layout(grid))),
                "core_outcomes": In(stream.Signature(outcome_layout(grid))),
                "idle": Out(1),
                "thinking": Out(1),
                "over": Out(1),
                "rules": In(rules_layout(grid)),
                "refused": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._config.grid
        m.submodules.search = search = LookAhead(grid)

        class State(enum.Enum, shape=4):
            WAIT = 0
            CALL = 1
            RESULT = 2
            START = 3
            STARTED = 4
            REPLY = 5
            REPLIED = 6
            JUDGE = 7
            THINK = 8
            SEARCH = 9
            PLAYED = 10
            ANSWER = 11
            LENT = 12
            REPLAY = 13
            REPLAY_TURN = 14
            REPLAYED = 15

        state, then = Signal(State, name="state"), Signal(State, name="then")
        call = Signal(command_layout(grid))
        outcome = Signal(outcome_layout(grid), init={"box": {"empty": 1}})
        box = outcome.box

        def core(op: TurnOp, following: State, **fields):
            """Have the turn unit do ``op`` and go on in ``following`` with its ``outcome``."""
            return [
                call.op.eq(op),
                *(call[name].eq(value) for name, value in fields.items()),
                then.eq(following),
                state.eq(State.CALL),
            ]

        command = self.commands.payload
        request, requested = Signal(LinkOp), Signal()
        # A turn that came in, or ``-G``, until it has been judged.
        reply, go, replied = Signal(turn_label_layout(grid)), Signal(), Signal()
        in_game, setting_up, to_move = Signal(), Signal(), Signal()
        awaited, ended, probed = Signal(), Signal(), Signal()
        answer = Signal(turn_label_layout(grid))
        not_played, not_awaited = Signal(), Signal()
        m.d.comb += self.refused.eq(not_played | not_awaited)

        # A request from frames is under way; it is a search.
        asked = self.requests.payload
        pending, searching = Signal(), Signal()
        asks_session = (asked.op == RequestOp.NEW) | (asked.op == RequestOp.STOP)
        m.d.sync += self.done.eq(0)

        def finish(**values):
            """The request is done, with these values in its result."""
            return [
                self.done.eq(1),
                pending.eq(0),
                searching.eq(0),
                *(self.result[name].eq(value) for name, value in values.items()),
            ]

        def refuse(status):
            """A turn has not been made: say so to whom it came from."""
            with m.If(pending):
                m.d.sync += finish(status=status)
            with m.Else():
                m.d.comb += not_played.eq(1)

        # Includes the session that is asked for in this very cycle.
        interrupted = (
            requested
            | (self.commands.valid & is_session(command))
            | (self.requests.valid & asks_session)
        )

        # The clock runs from the command that asks for a turn, to the end of a requested search.
        elapsed, late, clock_stopped = Signal(CYCLE_BITS), Signal(), Signal()
        start_clock = [elapsed.eq(0), late.eq(0), clock_stopped.eq(0)]
        limit = Mux(searching, self.limits.cycles, self._config.think_cycles)
        with m.If(~clock_stopped & ~self.frozen):
            m.d.sync += elapsed.eq(elapsed + 1)
        with m.If((elapsed == limit) & (limit != 0)):
            m.d.sync += late.eq(1)

        # The turns of the game, as the turn unit was told them.
        kept = data.StructLayout({"x": grid.coord_bits, "y": grid.coord_bits, "symbol": ShapeCode})
        m.submodules.history = history = Memory(shape=kept, depth=HISTORY, init=[])
        write, read = history.write_port(), history.read_port()
        made, target = Signal(), Signal(TURN_BITS)
        past = read.data
        m.d.comb += [
            write.en.eq(made & (self.turns < HISTORY)),
            write.addr.eq(self.turns),
            write.data.x.eq(call.x),
            write.data.y.eq(call.y),
            write.data.symbol.eq(call.symbol),
            read.addr.eq(self.turns),
        ]
        with m.If(made):
            m.d.sync += self.turns.eq(self.turns + 1)

        contest_thinks = in_game & ~awaited & ~self.over
        m.d.comb += [
            self.thinking.eq(contest_thinks | searching),
            self.game.on.eq(in_game),
            self.game.over.eq(self.over),
            self.game.red_to_move.eq(to_move == Colour.RED),
            self.game.contest.eq(in_game & ~setting_up),
            self.game.thinking.eq(contest_thinks),
            self.lent.eq(state == State.LENT),
            self.abandon.eq(requested),
            self.guest_outcomes.payload.eq(self.core_outcomes.payload),
            self.answers.payload.eq(answer),
            search.rules.eq(self.rules),
            search.jobs.payload.colour.eq(to_move),
            search.jobs.payload.probe.eq(probed),
            search.jobs.payload.shallow.eq(searching & self.limits.shallow),
            search.jobs.payload.exact.eq(searching),
            search.limit.eq(Mux(searching, self.limits.nodes, 0)),
            search.late.eq(late | (searching & self.stop)),
            search.abandon.eq(requested),
            search.reseed.eq(self.reseed),
            search.core_outcomes.payload.eq(self.core_outcomes.payload),
            self.core_commands.payload.eq(call),
        ]
        with m.Switch(state):
            with m.Case(State.WAIT):
                m.d.comb += self.idle.eq(~requested & ~replied)
                with m.If(interrupted):
                    m.d.sync += state.eq(State.START)
                with m.Elif(replied):
                    m.d.sync += state.eq(State.REPLY)

            # One operation of the turn unit.
            with m.Case(State.CALL):
                m.d.comb += self.core_commands.valid.eq(1)
                with m.If(self.core_commands.ready):
                    m.d.sync += state.eq(State.RESULT)
            with m.Case(State.RESULT):
                m.d.comb += self.core_outcomes.ready.eq(1)
                with m.If(self.core_outcomes.valid):
                    m.d.sync += [
                        outcome.eq(self.core_outcomes.payload),
                        state.eq(Mux(interrupted, State.START, then)),
                    ]

            # A new game, or none.
            with m.Case(State.START):
                m.d.comb += self.begins.eq(1)
                m.d.sync += [
                    requested.eq(0),
                    self.turns.eq(0),
                    in_game.eq(request != LinkOp.STOP),
                    to_move.eq(Colour.WHITE),
                    probed.eq(0),
                    self.over.eq(0),
                    core(TurnOp.CLEAR, State.STARTED),
                ]
            with m.Case(State.STARTED):
                m.d.sync += state.eq(State.WAIT)
                with m.If(in_game & ~awaited):
                    m.d.sync += state.eq(State.THINK)
                with m.If(pending):
                    m.d.sync += finish()

            # The opponent's turn, or one of a set-up.
            with m.Case(State.REPLY):
                m.d.sync += core(
                    TurnOp.PLACE,
                    State.REPLIED,
                    symbol=reply.symbol,
                    x=Mux(box.empty, 0, box.west + reply.column - 1),
                    y=Mux(box.empty, 0, box.north + reply.row - 1),
                )
                beyond = Mux(
                    box.empty,
                    (reply.column != 0) | (reply.row != 0),
                    (reply.column > extent(box.west, box.east) + 2)
                    | (reply.row > extent(box.north, box.south) + 2),
                )
                with m.If(go):
                    m.d.sync += [
                        setting_up.eq(0),
                        awaited.eq(0),
                        replied.eq(0),
                        state.eq(State.THINK),
                    ]
                with m.Elif(beyond):
                    refuse(TurnStatus.OUTSIDE)
                    m.d.sync += [replied.eq(0), state.eq(State.WAIT)]
            with m.Case(State.REPLIED):
                with m.If(outcome.status == Status.LEGAL):
                    m.d.comb += made.eq(1)
                    m.d.sync += [
                        ended.eq((outcome.loops | outcome.lines) != 0),
                        self.result.tiles.eq(outcome.tiles),
                        self.result.completed.eq(Cat(outcome.loops, outcome.lines)),
                        core(TurnOp.COMMIT, State.JUDGE),
                    ]
                with m.Else():
                    refuse(outcome.status)
                    m.d.sync += [replied.eq(0), state.eq(State.WAIT)]

            # A turn has been made, the opponent's or the own. Has it ended the game?
            with m.Case(State.JUDGE):
                with m.If(~ended & ~probed & is_limited(self.rules)):
                    m.d.sync += [probed.eq(1), state.eq(State.THINK)]
                with m.Else():
                    m.d.sync += [probed.eq(0), to_move.eq(~to_move), replied.eq(0)]
                    with m.If(pending):
                        m.d.sync += finish()
                    with m.If(~replied):
                        m.d.sync += state.eq(State.ANSWER)
                    with m.Elif(ended):
                        m.d.sync += [awaited.eq(0), self.over.eq(1), state.eq(State.WAIT)]
                    with m.Elif(setting_up):
                        m.d.sync += state.eq(State.WAIT)
                    with m.Else():
                        m.d.sync += [awaited.eq(0), state.eq(State.THINK)]

            # The own turn, or a probe.
            with m.Case(State.THINK):
                m.d.comb += search.jobs.valid.eq(1)
                with m.If(search.jobs.ready):
                    m.d.sync += state.eq(State.SEARCH)
            with m.Case(State.SEARCH):
                # The turn unit is the search's; between two of its operations it can be frozen.
                freeze = searching & self.freeze
                m.d.comb += [
                    self.core_commands.valid.eq(search.core_commands.valid),
                    self.core_commands.payload.eq(search.core_commands.payload),
                    search.core_commands.ready.eq(self.core_commands.ready),
                    search.core_outcomes.valid.eq(self.core_outcomes.valid & ~freeze),
                    self.core_outcomes.ready.eq(search.core_outcomes.ready & ~freeze),
                    self.frozen.eq(self.core_outcomes.valid & freeze),
                    search.answers.ready.eq(1),
                ]
                found = search.answers.payload
                with m.If(~probed):
                    m.d.sync += [
                        answer.symbol.eq(found.turn.symbol),
                        answer.column.eq(Mux(box.empty, 0, found.turn.x - box.west + 1)),
                        answer.row.eq(Mux(box.empty, 0, found.turn.y - box.north + 1)),
                    ]
                with m.If(interrupted):
                    stopped = requested & ~search.busy
                    m.d.sync += state.eq(Mux(stopped, State.START, State.SEARCH))
                with m.Elif(search.answers.valid & probed):
                    m.d.sync += [ended.eq(found.rank == Rank.NONE), state.eq(State.JUDGE)]
                with m.Elif(search.answers.valid & searching):
                    m.d.sync += [finish(), clock_stopped.eq(1), state.eq(State.WAIT)]
                with m.Elif(search.answers.valid):
                    m.d.sync += core(
                        TurnOp.PLACE,
                        State.PLAYED,
                        x=found.turn.x,
                        y=found.turn.y,
                        symbol=found.turn.symbol,
                    )
                    with m.If(found.rank == Rank.NONE):
                        m.d.comb += not_played.eq(1)
                        m.d.sync += [in_game.eq(0), state.eq(State.WAIT)]
            with m.Case(State.PLAYED):
                m.d.comb += made.eq(1)
                m.d.sync += [
                    ended.eq((outcome.loops | outcome.lines) != 0),
                    core(TurnOp.COMMIT, State.JUDGE),
                ]
            with m.Case(State.ANSWER):
                m.d.comb += self.answers.valid.eq(1)
                with m.If(self.answers.ready):
                    m.d.sync += state.eq(State.WAIT)
                    with m.If(~requested):
                        m.d.sync += [self.over.eq(ended), awaited.eq(~ended)]

            # The turn unit is the guest's.
            with m.Case(State.LENT):
                m.d.comb += [
                    self.core_commands.valid.eq(self.guest_commands.valid),
                    self.core_commands.payload.eq(self.guest_commands.payload),
                    self.guest_commands.ready.eq(self.core_commands.ready),
                    self.guest_outcomes.valid.eq(self.core_outcomes.valid),
                    self.core_outcomes.ready.eq(self.guest_outcomes.ready),
                ]
                with m.If(interrupted):
                    left = requested & ~self.guest_busy
                    m.d.sync += state.eq(Mux(left, State.START, State.LENT))
                with m.Elif(self.guest_done):
                    m.d.sync += state.eq(State.WAIT)

            # The board is empty: the turns that are not taken back, once more.
            with m.Case(State.REPLAY):
                m.d.sync += state.eq(State.REPLAY_TURN)
                with m.If(interrupted):
                    m.d.sync += state.eq(State.START)
                with m.Elif(self.turns == target):
                    m.d.sync += [finish(), state.eq(State.WAIT)]
            with m.Case(State.REPLAY_TURN):
                m.d.sync += core(
                    TurnOp.PLACE, State.REPLAYED, x=past.x, y=past.y, symbol=past.symbol
                )
            with m.Case(State.REPLAYED):
                m.d.comb += made.eq(1)
                m.d.sync += [to_move.eq(~to_move), core(TurnOp.COMMIT, State.REPLAY)]

        # What the search has found, by labels: of the reply, in the box that the best turn leaves.
        best = search.best
        for axis, low, name in (("x", "west", "column"), ("y", "north", "row")):
            first, of_reply = best.turn[axis], best.reply[axis]
            outside = box.empty | (first == (box[low] - 1)[: len(first)])
            base = Mux(outside, first, box[low])
            m.d.comb += self.found.reply[name].eq((of_reply - base)[: len(first)] + 1)
        m.d.comb += [
            self.found.rank.eq(best.rank),
            self.found.score.eq(best.score),
            self.found.depth.eq(best.depth),
            self.found.nodes.eq(search.nodes),
            self.found.cycles.eq(elapsed),
            self.found.best.eq(answer),
            self.found.reply.symbol.eq(best.reply.symbol),
        ]

        # What frames ask for.
        at_rest = (
            (state == State.WAIT)
            & ~requested
            & ~replied
            & ~(self.commands.valid & self.commands.ready)
        )
        with m.If(self.requests.valid):
            m.d.sync += [self.result.eq(0), self.done.eq(0), pending.eq(1), searching.eq(0)]
            with m.If(asks_session):
                m.d.sync += [
                    request.eq(Mux(asked.op == RequestOp.NEW, LinkOp.SET_UP, LinkOp.STOP)),
                    requested.eq(1),
                    self.framed.eq(1),
                    setting_up.eq(asked.op == RequestOp.NEW),
                    awaited.eq(asked.op == RequestOp.NEW),
                    replied.eq(0),
                ]
            with m.Elif(~at_rest):
                m.d.sync += finish(error=ErrorCode.BUSY)
            with m.Elif(~in_game & (asked.op != RequestOp.LEND)):
                m.d.sync += finish(error=ErrorCode.NO_GAME)
            with m.Else(), m.Switch(asked.op):
                with m.Case(RequestOp.TURN):
                    with m.If(self.over):
                        m.d.sync += finish(status=TurnStatus.OVER)
                    with m.Else():
                        m.d.sync += [
                            reply.eq(asked.turn),
                            go.eq(0),
                            replied.eq(1),
                            setting_up.eq(1),
                        ]
                with m.Case(RequestOp.TAKE_BACK):
                    with m.If((asked.count > self.turns) | (self.turns > HISTORY)):
                        m.d.sync += finish(error=ErrorCode.NOTHING)
                    with m.Else():
                        m.d.sync += [
                            target.eq(self.turns - asked.count),
                            self.turns.eq(0),
                            to_move.eq(Colour.WHITE),
                            self.over.eq(0),
                            setting_up.eq(1),
                            awaited.eq(1),
                            core(TurnOp.CLEAR, State.REPLAY),
                        ]
                with m.Case(RequestOp.SEARCH):
                    with m.If(self.over):
                        m.d.sync += finish(error=ErrorCode.GAME_OVER)
                    with m.Else():
                        m.d.sync += [searching.eq(1), start_clock, state.eq(State.THINK)]
                with m.Case(RequestOp.LEND, RequestOp.LEND_OPEN):
                    with m.If(self.over & (asked.op == RequestOp.LEND_OPEN)):
                        m.d.sync += finish(error=ErrorCode.GAME_OVER)
                    with m.Else():
                        m.d.sync += [finish(), state.eq(State.LENT)]

        # Commands are taken in any state, and have the last word: a session command is kept until
        # it is begun, and what a game in progress still had to do is void; a turn is kept until
        # the new game has been set up, and it has been judged.
        m.d.comb += self.commands.ready.eq(is_session(command) | (~replied & ~self.hold))
        with m.If(self.commands.valid & self.commands.ready):
            with m.If(is_session(command)):
                m.d.sync += [
                    request.eq(command.op),
                    requested.eq(1),
                    self.framed.eq(0),
                    setting_up.eq(command.op == LinkOp.SET_UP),
                    awaited.eq((command.op == LinkOp.NEW_RED) | (command.op == LinkOp.SET_UP)),
                    replied.eq(0),
                    start_clock,
                ]
                with m.If(pending | self.requests.valid):
                    m.d.sync += finish(error=ErrorCode.DROPPED)
            with m.Elif(awaited):
                m.d.sync += [
                    reply.eq(command.turn),
                    go.eq(command.op == LinkOp.GO),
                    replied.eq(1),
                    start_clock,
                ]
            with m.Else():
                m.d.comb += not_awaited.eq(1)
        return m
