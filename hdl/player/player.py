"""Player: sessions, whose turn it is, and a turn in time."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.game import Colour
from loopline.game.wire import ErrorCode, TurnStatus
from loopline.hdl.arbiter import player_core_port
from loopline.hdl.config import SEED_BITS, GridConfig
from loopline.hdl.core.client import Client
from loopline.hdl.core.rules import is_limited, rules_layout, rules_of
from loopline.hdl.core.types import Status, TurnOp
from loopline.hdl.design import DesignConfig, FrameSet
from loopline.hdl.frames.requests import RequestOp, player_port
from loopline.hdl.link import LinkOp, link_command_layout, turn_label_layout
from loopline.hdl.player.clock import SearchClock
from loopline.hdl.player.history import TurnHistory
from loopline.hdl.player.intake import CommandIntake
from loopline.hdl.player.labels import is_beyond, label_of, place_of
from loopline.hdl.search.types import lane_port

__all__ = ["Player"]

_REPLY = 1
"""The number of the turn in a search's line that is the opponent's."""


class State(enum.Enum, shape=4):
    """What the player does in a cycle. All codes are states."""

    WAIT = 0
    """Wait for a session, a turn or a request."""
    CALL = 1
    """Offer a command to the turn unit, as of :class:`Client`."""
    RESULT = 2
    """Wait for its outcome."""
    BEGIN = 3
    """Begin a session: clear the board."""
    BEGUN = 4
    MAKE_TURN = 5
    """Make the turn that has come in, or the one that the player expects."""
    TURN_MADE = 6
    CHECK_END = 7
    """A turn has been made, of whichever side: has it ended the game?"""
    THINK = 8
    """Start the search: for the own turn, for a request, or to probe for a legal turn."""
    SEARCH = 9
    OWN_TURN_MADE = 10
    ANSWER = 11
    """Offer the own turn as the answer."""
    GRANTED = 12
    """A requester has the turn unit."""
    REPLAY = 13
    """Turns are taken back, the board is empty: is there another turn to make again?"""
    REPLAY_TURN = 14
    TURN_REPLAYED = 15


class _Registers(Client):
    """The state, the command to the turn unit, the game; and one wire.

    The box of ``outcome`` is always that of the position: searches and requesters leave the
    position, and this register, as they were.
    """

    def __init__(self, grid: GridConfig, *, ponders: bool):
        super().__init__(grid, State, init={"box": {"empty": 1}})
        # There is a game. The turns of both sides come in.
        self.on = Signal()
        self.setting_up = Signal()
        # The side to move. Its turn is to come in; else, unless the game is over, it is the
        # player's own.
        self.to_move = Signal()
        self.awaited = Signal()
        # The last turn has ended the game.
        self.ended = Signal()
        # The search is a probe: is there a legal turn?
        self.probe = Signal()
        # The seed of contest games, one more in each game; it has been taken.
        self.seed = Signal(SEED_BITS)
        self.seeded = Signal()
        # The own turn.
        self.answer = Signal(turn_label_layout(grid))

        # The player ponders: the position is that after the turn that it expects, or is about to
        # be, and the search is for the turn after that.
        self.pondering: Value = Signal(name="pondering") if ponders else Const(0, 1)
        self.expected = Signal(turn_label_layout(grid))

        # Wires. A turn is not made that did not come in a frame: a pulse. While the player ponders,
        # the expected turn has come in; or something else has, which ends the search.
        self.not_played = Signal()
        self.hit = Signal()
        self.missed = Signal()

    def ponder(self, begins: int) -> list:
        """Statements for ``sync``: the player begins to ponder, or ends it; none if it never
        does."""
        return [self.pondering.eq(begins)] if isinstance(self.pondering, Signal) else []


class Player(wiring.Component):
    """Play one game at a time, as either colour: turns come in, turns go out.

    ::

                    ┌───────────────┐ session, turn ┌────────┐
        commands ──►│ CommandIntake ├──────────────►│        │◄──► core
        requests ──►│               │◄──────────────┤ states │
                    └───────────────┘ finish        │        ├───► answers
                    ┌───────────────┐               │        │
                    │ TurnHistory   │◄─────────────►│        │◄──► lane: job, best turn
                    └───────────────┘               └────────┘
                    ┌───────────────┐                       late
                    │ SearchClock   ├───────────────────────────► lane: stop
                    └───────────────┘

        WAIT ──► MAKE_TURN ──► CHECK_END ──► THINK, SEARCH ──► CHECK_END ──► ANSWER ──┐
         ▲                         │ over, or a set-up                                │
         └─────────────────────────┴──────────────────────────────────────────────────┘

    A session command is obeyed at once, whatever the player does; it drops a search as soon as the
    turn unit has finished its command. The search may take ``config.think_cycles`` from the command
    that it answers, and is then told to answer with the best turn found so far.

    In a set-up the turns of both sides come in. ``-G`` ends the set-up, or takes the opponent's
    side in a game: it asks for a turn of the side to move.

    If the area is limited, each turn that does not end the game is followed by a probe: if there is
    no legal turn, the game is over.

    If it ponders, the player makes the turn that its search expects of the opponent, without making
    it final, and begins the search for its next turn, which has no limit. When that turn comes in,
    the search just goes on, within the time of a turn from then on. Whatever else comes ends the
    search; the turn is taken back before that is obeyed. A request of a frame waits for it. After a
    probe the search expects nothing: in a limited area the player does not ponder.

    ::

        ANSWER ──► MAKE_TURN ──► TURN_MADE ──► THINK ──► SEARCH ──┬─ hit ─────────► SEARCH
                                    │ ends the game, or does not  │ missed
                                    └ fit ──► WAIT                └─► take back ──► WAIT

    Requests of frames are about the same game. A turn or ``-G`` of a contest line ends a requested
    search with the best turn found so far, and is obeyed then, within its own time. A turn that a
    frame makes or takes back turns the game into a set-up. To take turns back, the board is
    cleared, and the turns before them are made again from the :class:`TurnHistory`. A design for
    contests takes no turns back, and grants the turn unit to nothing but the lane.

    The states are no ``m.FSM``, as the register ``then`` holds the state in which to go on after a
    command to the turn unit; an FSM's states cannot be stored.

    Parameters
    ----------
    config : DesignConfig
        Grid and thinking time, the variant at power-on, and whether it ponders.

    Members
    -------
    commands : In(stream of link_command_layout)
        Sessions, turns and ``-G`` of contest lines. Always ready for a session; a turn or ``-G``
        waits until the turn before it has been decided, which takes no search but ends that of a
        frame, and until a request that waits is obeyed.
    session_follows : In(1)
        The command behind that on offer is a session: the one on offer does not wait, but is
        refused.
    answers : Out(stream of turn_label_layout)
        The own turns.
    core : Out(player_core_port)
        The turn unit; granted to a requester after ``GRANT`` and ``GRANT_OPEN``, and to the lane
        while it searches.
    lane : Out(lane_port)
        The search.
    frames : In(player_port)
        Requests of frames, and what they want to know.
    contest_rules : In(rules_layout), rules : Out(rules_layout)
        The variant of the contest link's games, and that of the present game.
    seed : In(SEED_BITS)
        Varies contest games: what it is when the first contest line is obeyed after power-on or
        ``frames.reseed``, plus the number of games since then.
    move_now : In(1)
        If this is high for a cycle while it is the player's turn, the search ends at its next node:
        the player answers with the best turn found so far.
    game_begins : Out(1)
        Pulses when a session begins that a frame asked for.
    idle : Out(1)
        The player waits, and nothing is held for it; it ponders no more, or has found its turn.
    thinking : Out(1)
        It is the player's turn, or a requested search is under way.
    over : Out(1)
        The game has ended: with a loop or a line, or as no legal turn is left in a limited area.
    refused : Out(1)
        Pulses for each turn of a contest line that was not made and left the game as it was:
        illegal, too large for the grid, not awaited; for each ``-G`` that finds no side to take;
        also when the player itself finds no turn that fits into the grid, which ends the session.
        Of two in the same cycle, as a session comes, there is one pulse.
    """

    def __init__(self, config: DesignConfig):
        self._config = config
        self._is_full = config.frames is FrameSet.FULL
        grid = config.grid
        super().__init__(
            {
                "commands": In(stream.Signature(link_command_layout(grid))),
                "session_follows": In(1),
                "answers": Out(stream.Signature(turn_label_layout(grid))),
                "core": Out(player_core_port(grid)),
                "lane": Out(lane_port(config.search)),
                "frames": In(player_port(config.search)),
                "contest_rules": In(rules_layout(grid)),
                "rules": Out(rules_layout(grid), init=rules_of(config.variant, grid)),
                "seed": In(SEED_BITS),
                "move_now": In(1),
                "game_begins": Out(1),
                "idle": Out(1),
                "thinking": Out(1),
                "over": Out(1),
                "refused": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._config.grid
        m.submodules.intake = intake = CommandIntake(grid, defers=self._config.ponder)
        m.submodules.history = history = TurnHistory(grid, stored=self._is_full)
        m.submodules.clock = clock = SearchClock()
        r = _Registers(grid, ponders=self._config.ponder)
        self._connect_intake(m, r, intake)
        self._connect_history(m, r, history)
        self._connect_lane(m, r, intake, history, clock)
        self._show_game(m, r, intake)
        self._show_found(m, r, clock)

        with m.Switch(r.state):
            with m.Case(State.WAIT):
                self._wait(m, r, intake, history, clock)
            with m.Case(State.CALL):
                r.send(m, self.core)
            with m.Case(State.RESULT):
                r.receive(m, self.core, following=Mux(intake.interrupted, State.BEGIN, r.then))
            with m.Case(State.BEGIN):
                self._begin(m, r, intake, history)
            with m.Case(State.BEGUN):
                m.d.comb += intake.finish.eq(1)
                m.d.sync += r.state.eq(Mux(r.on & ~r.awaited, State.THINK, State.WAIT))
            with m.Case(State.MAKE_TURN):
                self._make_turn(m, r, intake)
            with m.Case(State.TURN_MADE):
                with m.If(r.pondering):
                    self._expected_made(m, r)
                with m.Else():
                    self._turn_made(m, r, intake, history)
            with m.Case(State.CHECK_END):
                self._check_end(m, r, intake)
            with m.Case(State.THINK):
                m.d.comb += self.lane.jobs.valid.eq(~self.frames.unread)
                with m.If(self.lane.jobs.valid & self.lane.jobs.ready):
                    m.d.sync += r.state.eq(State.SEARCH)
            with m.Case(State.SEARCH):
                self._search(m, r, intake, history, clock)
            with m.Case(State.OWN_TURN_MADE):
                m.d.comb += history.add.eq(1)
                m.d.sync += [
                    r.ended.eq(self._completes(r)),
                    *r.core(TurnOp.COMMIT, State.CHECK_END),
                ]
            with m.Case(State.ANSWER):
                self._answer(m, r, intake)
            if self._is_full:
                with m.Case(State.GRANTED):
                    self._granted(m, r, intake)
                with m.Case(State.REPLAY):
                    self._replay(m, r, intake, history)
                with m.Case(State.REPLAY_TURN):
                    past = history.past
                    m.d.sync += r.core(
                        TurnOp.MAKE, State.TURN_REPLAYED, x=past.x, y=past.y, symbol=past.symbol
                    )
                with m.Case(State.TURN_REPLAYED):
                    m.d.comb += history.add.eq(1)
                    m.d.sync += [r.to_move.eq(~r.to_move), *r.core(TurnOp.COMMIT, State.REPLAY)]
            with m.Default():
                # No such code: as after power-on.
                m.d.sync += r.state.eq(State.WAIT)
        self._preempt(m, r, intake, clock)
        return m

    # What is connected all the time.

    def _connect_intake(self, m: Module, r: _Registers, intake: CommandIntake) -> None:
        connect(m, flipped(self.commands), intake.commands)
        connect(m, flipped(self.frames.requests), intake.requests)
        outcome = r.outcome
        m.d.comb += [
            intake.session_follows.eq(self.session_follows),
            intake.hold.eq(self.frames.hold | self.frames.unread),
            intake.awaited.eq(r.awaited),
            intake.at_rest.eq(r.state == State.WAIT),
            intake.defer.eq(r.pondering),
            intake.outcome.tiles.eq(outcome.tiles),
            intake.outcome.completed.eq(Cat(outcome.loops, outcome.lines)),
            self.frames.done.eq(intake.done),
            self.frames.result.eq(intake.result),
            r.hit.eq(r.pondering & intake.turn_held & ~intake.go & (intake.turn == r.expected)),
            r.missed.eq(r.pondering & (intake.deferred | (intake.turn_held & ~r.hit))),
            self.core.abandon.eq(intake.session_held),
            self.refused.eq(intake.refused | r.not_played),
        ]

    def _connect_history(self, m: Module, r: _Registers, history: TurnHistory) -> None:
        m.d.comb += [
            history.turn.x.eq(r.call.x),
            history.turn.y.eq(r.call.y),
            history.turn.symbol.eq(r.call.symbol),
            history.count.eq(self.frames.requests.payload.count),
            self.frames.turns.eq(history.turns),
        ]

    def _connect_lane(
        self,
        m: Module,
        r: _Registers,
        intake: CommandIntake,
        history: TurnHistory,
        clock: SearchClock,
    ) -> None:
        """Tell the lane what it is to do, and how far it may go."""
        lane, job = self.lane, self.lane.jobs.payload
        searching, limits = intake.searching, self.frames.limits
        # A turn of a contest line has come: the requested search makes room for it. Its time has
        # begun.
        ousted = searching & intake.turn_held
        ends = clock.late | (searching & (self.frames.stop | ousted))
        m.d.comb += [
            lane.rules.eq(self.rules),
            job.mover.eq(r.to_move ^ r.pondering),
            job.probe.eq(r.probe),
            job.seeded.eq(~searching),
            job.seed.eq(r.seed),
            job.turns.eq(history.turns + r.pondering),
            lane.limits.depth.eq(limits.depth),
            lane.limits.nodes.eq(limits.nodes),
            lane.limits.free.eq(~searching),
            lane.stop.eq(~r.probe & Mux(r.pondering, r.missed, ends)),
            lane.abandon.eq(intake.session_held),
            lane.freeze.eq(searching & self.frames.freeze),
            # The time is read while a search stands still, and when it has ended.
            clock.hold.eq(Mux(searching, lane.frozen, self.frames.freeze)),
            clock.expire.eq(self.move_now & self._own_turn(r)),
            clock.limit.eq(
                Mux(searching & limits.limited & ~ousted, limits.cycles, self._config.think_cycles)
            ),
        ]
        with m.If(intake.taken):
            m.d.sync += r.seeded.eq(1)
            with m.If(~r.seeded):
                m.d.sync += r.seed.eq(self.seed)
        with m.If(self.frames.reseed):
            m.d.sync += r.seeded.eq(0)

    def _show_game(self, m: Module, r: _Registers, intake: CommandIntake) -> None:
        own_turn = self._own_turn(r)
        m.d.comb += [
            self.thinking.eq(own_turn | intake.searching),
            self.frames.game.on.eq(r.on),
            self.frames.game.over.eq(self.over),
            self.frames.game.red_to_move.eq(r.to_move == Colour.RED),
            self.frames.game.contest.eq(r.on & ~r.setting_up),
            self.frames.game.thinking.eq(own_turn),
            self.frames.rules.eq(self.rules),
            self.answers.payload.eq(r.answer),
            self.core.commands.payload.eq(r.call),
        ]

    def _own_turn(self, r: _Registers):
        """Whether it is the player's turn."""
        return r.on & ~r.awaited & ~self.over

    def _show_found(self, m: Module, r: _Registers, clock: SearchClock) -> None:
        """Show what the lane has found."""
        lane, frames = self.lane, self.frames
        # Frames read nothing then: a search begins when the one before it has been read.
        replies = self._config.ponder & (r.state == State.ANSWER)
        m.d.comb += [
            frames.found.found.eq(lane.best.found),
            frames.found.score.eq(lane.best.score),
            frames.found.depth.eq(lane.best.depth),
            frames.found.nodes.eq(lane.nodes),
            frames.found.cycles.eq(clock.elapsed),
            frames.found.line_count.eq(lane.line_count),
            frames.iteration.eq(lane.iteration & ~r.pondering),
            frames.frozen.eq(lane.frozen),
            frames.line_turn.eq(lane.line_turn),
            lane.line_index.eq(Mux(replies, _REPLY, frames.line_index)),
        ]

    # The states.

    def _wait(
        self,
        m: Module,
        r: _Registers,
        intake: CommandIntake,
        history: TurnHistory,
        clock: SearchClock,
    ) -> None:
        m.d.comb += self.idle.eq(~intake.session_held & ~intake.turn_held & ~intake.deferred)
        m.d.sync += r.ponder(0)
        with m.If(intake.interrupted):
            m.d.sync += r.state.eq(State.BEGIN)
        with m.Elif(intake.turn_held):
            m.d.sync += r.state.eq(State.MAKE_TURN)
        with m.Elif(intake.offered):
            self._take_request(m, r, intake, history, clock)

    def _take_request(
        self,
        m: Module,
        r: _Registers,
        intake: CommandIntake,
        history: TurnHistory,
        clock: SearchClock,
    ) -> None:
        """WAIT: a request that begins no session; accept it, or finish it at once."""
        op, error = intake.op, intake.outcome.error
        grant = (op == RequestOp.GRANT) | (op == RequestOp.GRANT_OPEN)
        with m.If(~r.on & (op != RequestOp.GRANT)):
            m.d.comb += [intake.finish.eq(1), error.eq(ErrorCode.NO_GAME)]
        with m.Elif(self.over & (op == RequestOp.TURN)):
            m.d.comb += [intake.finish.eq(1), intake.outcome.status.eq(TurnStatus.OVER)]
        with m.Elif(self.over & ((op == RequestOp.SEARCH) | (op == RequestOp.GRANT_OPEN))):
            m.d.comb += [intake.finish.eq(1), error.eq(ErrorCode.GAME_OVER)]
        with m.Elif(op == RequestOp.TURN):
            m.d.comb += intake.accept_turn.eq(1)
            m.d.sync += r.setting_up.eq(1)
        with m.Elif(op == RequestOp.SEARCH):
            m.d.comb += [intake.accept_search.eq(1), clock.start.eq(1)]
            m.d.sync += r.state.eq(State.THINK)
        if self._is_full:
            with m.Elif(grant):
                m.d.comb += intake.finish.eq(1)
                m.d.sync += r.state.eq(State.GRANTED)
            with m.Elif(~history.possible):
                m.d.comb += [intake.finish.eq(1), error.eq(ErrorCode.NOTHING)]
            with m.Else():
                m.d.comb += history.take_back.eq(1)
                m.d.sync += [
                    r.to_move.eq(Colour.WHITE),
                    self.over.eq(0),
                    r.setting_up.eq(1),
                    r.awaited.eq(1),
                    *r.core(TurnOp.CLEAR, State.REPLAY),
                ]

    def _begin(self, m: Module, r: _Registers, intake: CommandIntake, history: TurnHistory) -> None:
        m.d.comb += [
            intake.begun.eq(1),
            history.clear.eq(1),
            self.game_begins.eq(intake.framed),
        ]
        m.d.sync += [
            self.rules.eq(Mux(intake.framed, self.frames.new_rules, self.contest_rules)),
            self.over.eq(0),
            r.on.eq(intake.session != LinkOp.STOP),
            r.to_move.eq(Colour.WHITE),
            r.probe.eq(0),
            *r.ponder(0),
            *r.core(TurnOp.CLEAR, State.BEGUN),
        ]
        with m.If(~intake.framed & (intake.session != LinkOp.STOP)):
            m.d.sync += r.seed.eq(r.seed + 1)

    def _make_turn(self, m: Module, r: _Registers, intake: CommandIntake) -> None:
        turn, box = Signal.like(intake.turn), r.outcome.box
        m.d.comb += turn.eq(Mux(r.pondering, self.lane.line_turn, intake.turn))
        m.d.sync += r.expected.eq(turn)
        with m.If(intake.go & ~r.pondering):
            m.d.comb += intake.decided.eq(1)
            m.d.sync += [r.setting_up.eq(0), r.awaited.eq(0), r.state.eq(State.THINK)]
        with m.Elif(is_beyond(turn, box) & ~r.pondering):
            self._refuse(m, r, intake, TurnStatus.OUTSIDE)
        with m.Else():
            place = place_of(turn, box)
            m.d.sync += r.core(TurnOp.MAKE, State.TURN_MADE, symbol=turn.symbol, **place)

    def _turn_made(
        self, m: Module, r: _Registers, intake: CommandIntake, history: TurnHistory
    ) -> None:
        with m.If(r.outcome.status == Status.LEGAL):
            m.d.comb += [history.add.eq(1), intake.made.eq(1)]
            m.d.sync += [r.ended.eq(self._completes(r)), *r.core(TurnOp.COMMIT, State.CHECK_END)]
        with m.Else():
            self._refuse(m, r, intake, r.outcome.status)

    def _expected_made(self, m: Module, r: _Registers) -> None:
        """TURN_MADE: think about the turn after it, unless it ends the game."""
        m.d.sync += r.state.eq(State.THINK)
        with m.If(r.outcome.status != Status.LEGAL):
            m.d.sync += r.state.eq(State.WAIT)
        with m.Elif(self._completes(r)):
            m.d.sync += r.core(TurnOp.UNMAKE, State.WAIT)

    def _refuse(self, m: Module, r: _Registers, intake: CommandIntake, status) -> None:
        """The turn that came in is not made: tell the frame or count the line that it came from."""
        m.d.comb += [
            intake.decided.eq(1),
            intake.finish.eq(1),
            intake.outcome.status.eq(status),
            r.not_played.eq(~intake.pending),
        ]
        m.d.sync += r.state.eq(State.WAIT)

    @staticmethod
    def _completes(r: _Registers):
        """Whether the turn that was made has completed a loop or a line."""
        return (r.outcome.loops | r.outcome.lines) != 0

    def _check_end(self, m: Module, r: _Registers, intake: CommandIntake) -> None:
        with m.If(~r.ended & ~r.probe & is_limited(self.rules)):
            m.d.sync += [r.probe.eq(1), r.state.eq(State.THINK)]
        with m.Else():
            m.d.comb += [intake.decided.eq(1), intake.finish.eq(1)]
            m.d.sync += [r.probe.eq(0), r.to_move.eq(~r.to_move)]
            with m.If(~intake.turn_held):
                m.d.sync += r.state.eq(State.ANSWER)
            with m.Elif(r.ended):
                m.d.sync += [r.awaited.eq(0), self.over.eq(1), r.state.eq(State.WAIT)]
            with m.Elif(r.setting_up):
                m.d.sync += r.state.eq(State.WAIT)
            with m.Else():
                m.d.sync += [r.awaited.eq(0), r.state.eq(State.THINK)]

    def _search(
        self,
        m: Module,
        r: _Registers,
        intake: CommandIntake,
        history: TurnHistory,
        clock: SearchClock,
    ) -> None:
        answers, turn = self.lane.answers, self.lane.best.turn
        # The answer waits for the opponent's turn. A session's abandons no answer on offer.
        waits = r.pondering & ~r.missed & ~intake.session_held
        m.d.comb += [
            self.core.searches.eq(1),
            answers.ready.eq(~waits),
            self.idle.eq(waits & ~r.hit & r.awaited & answers.valid),
        ]
        with m.If(~r.probe):
            label = label_of(turn, r.outcome.box)
            m.d.sync += [
                r.answer.symbol.eq(turn.symbol),
                r.answer.column.eq(label["column"]),
                r.answer.row.eq(label["row"]),
            ]
        with m.If(intake.interrupted), m.If(intake.session_held & ~self.lane.busy):
            m.d.sync += r.state.eq(State.BEGIN)
        with m.Elif(r.hit):
            # All at once, so that the job stays what it is.
            m.d.comb += [history.add.eq(1), intake.decided.eq(1)]
            m.d.sync += [r.to_move.eq(~r.to_move), r.awaited.eq(0), *r.ponder(0)]
        with m.Elif(r.pondering), m.If(answers.valid & r.missed):
            m.d.sync += r.core(TurnOp.UNMAKE, State.WAIT)
        with m.Elif(answers.valid & r.probe):
            m.d.sync += [r.ended.eq(~answers.payload), r.state.eq(State.CHECK_END)]
        with m.Elif(answers.valid & intake.searching):
            m.d.comb += [intake.finish.eq(1), clock.stop.eq(~intake.turn_held)]
            m.d.sync += r.state.eq(State.WAIT)
        with m.Elif(answers.valid & ~answers.payload):
            m.d.comb += r.not_played.eq(1)
            m.d.sync += [r.on.eq(0), r.state.eq(State.WAIT)]
        with m.Elif(answers.valid):
            m.d.sync += r.core(
                TurnOp.MAKE, State.OWN_TURN_MADE, x=turn.x, y=turn.y, symbol=turn.symbol
            )

    def _answer(self, m: Module, r: _Registers, intake: CommandIntake) -> None:
        m.d.comb += self.answers.valid.eq(1)
        with m.If(self.answers.ready):
            m.d.sync += r.state.eq(State.WAIT)
            with m.If(~intake.session_held):
                m.d.sync += [self.over.eq(r.ended), r.awaited.eq(~r.ended)]
                with m.If(self._config.ponder & ~r.ended & (self.lane.line_count > _REPLY)):
                    m.d.sync += [*r.ponder(1), r.state.eq(State.MAKE_TURN)]

    def _granted(self, m: Module, r: _Registers, intake: CommandIntake) -> None:
        m.d.comb += self.core.grants.eq(1)
        with m.If(intake.interrupted), m.If(intake.session_held & ~self.core.busy):
            m.d.sync += r.state.eq(State.BEGIN)
        with m.Elif(self.core.done):
            m.d.sync += r.state.eq(State.WAIT)

    def _replay(
        self, m: Module, r: _Registers, intake: CommandIntake, history: TurnHistory
    ) -> None:
        with m.If(intake.interrupted):
            m.d.sync += r.state.eq(State.BEGIN)
        with m.Elif(history.replayed):
            m.d.comb += intake.finish.eq(1)
            m.d.sync += r.state.eq(State.WAIT)
        with m.Else():
            m.d.sync += r.state.eq(State.REPLAY_TURN)

    def _preempt(self, m: Module, r: _Registers, intake: CommandIntake, clock: SearchClock) -> None:
        """A session that comes in this cycle has the last word on whose turns come in; the state
        follows when the turn unit is free."""
        op = intake.session_op
        with m.If(intake.session_comes):
            m.d.sync += [
                r.on.eq(r.on & (op != LinkOp.STOP)),
                r.setting_up.eq(op == LinkOp.SET_UP),
                r.awaited.eq((op == LinkOp.NEW_RED) | (op == LinkOp.SET_UP)),
            ]
        with m.If(intake.taken):
            m.d.comb += clock.start.eq(1)
