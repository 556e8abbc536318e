"""The game supervisor: sessions, whose turn it is, and the clock."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Colour
from loopline.hdl.config import DesignConfig
from loopline.hdl.core.box import extent
from loopline.hdl.core.rules import is_limited, rules_layout
from loopline.hdl.core.types import Status, TurnOp, command_layout, outcome_layout
from loopline.hdl.link import LinkOp, is_session, link_command_layout, turn_label_layout
from loopline.hdl.search.lookahead import LookAhead, Rank

__all__ = ["Player"]


class Player(wiring.Component):
    """Plays one game at a time, as either colour: turns come in, turns go out.

    ::

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
    idle : Out(1)
        Nothing goes on: waiting for a command.
    thinking : Out(1)
        It is the player's turn.
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

        state, then = Signal(State), Signal(State)
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

        # Includes the session command that comes in this very cycle.
        interrupted = requested | (self.commands.valid & is_session(command))

        # The clock runs from the command that asks for a turn.
        elapsed = Signal(range(self._config.think_cycles + 1))
        late = elapsed == self._config.think_cycles
        with m.If(~late):
            m.d.sync += elapsed.eq(elapsed + 1)

        m.d.comb += [
            self.thinking.eq(in_game & ~awaited & ~self.over),
            self.answers.payload.eq(answer),
            search.rules.eq(self.rules),
            search.jobs.payload.colour.eq(to_move),
            search.jobs.payload.probe.eq(probed),
            search.late.eq(late),
            search.abandon.eq(requested),
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
                m.d.sync += [
                    requested.eq(0),
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
                    m.d.comb += not_played.eq(1)
                    m.d.sync += [replied.eq(0), state.eq(State.WAIT)]
            with m.Case(State.REPLIED):
                with m.If(outcome.status == Status.LEGAL):
                    m.d.sync += [
                        ended.eq((outcome.loops | outcome.lines) != 0),
                        core(TurnOp.COMMIT, State.JUDGE),
                    ]
                with m.Else():
                    m.d.comb += not_played.eq(1)
                    m.d.sync += [replied.eq(0), state.eq(State.WAIT)]

            # A turn has been made, the opponent's or the own. Has it ended the game?
            with m.Case(State.JUDGE):
                with m.If(~ended & ~probed & is_limited(self.rules)):
                    m.d.sync += [probed.eq(1), state.eq(State.THINK)]
                with m.Else():
                    m.d.sync += [probed.eq(0), to_move.eq(~to_move), replied.eq(0)]
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
                # The turn unit is the search's.
                m.d.comb += [
                    self.core_commands.valid.eq(search.core_commands.valid),
                    self.core_commands.payload.eq(search.core_commands.payload),
                    search.core_commands.ready.eq(self.core_commands.ready),
                    search.core_outcomes.valid.eq(self.core_outcomes.valid),
                    self.core_outcomes.ready.eq(search.core_outcomes.ready),
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

        # Commands are taken in any state, and have the last word: a session command is kept until
        # it is begun, and what a game in progress still had to do is void; a turn is kept until
        # the new game has been set up, and it has been judged.
        m.d.comb += self.commands.ready.eq(is_session(command) | ~replied)
        with m.If(self.commands.valid & self.commands.ready):
            with m.If(is_session(command)):
                m.d.sync += [
                    request.eq(command.op),
                    requested.eq(1),
                    setting_up.eq(command.op == LinkOp.SET_UP),
                    awaited.eq((command.op == LinkOp.NEW_RED) | (command.op == LinkOp.SET_UP)),
                    replied.eq(0),
                    elapsed.eq(0),
                ]
            with m.Elif(awaited):
                m.d.sync += [
                    reply.eq(command.turn),
                    go.eq(command.op == LinkOp.GO),
                    replied.eq(1),
                    elapsed.eq(0),
                ]
            with m.Else():
                m.d.comb += not_awaited.eq(1)
        return m
