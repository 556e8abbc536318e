"""The game supervisor: sessions, whose turn it is, and the clock."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Colour
from loopline.hdl.config import DesignConfig
from loopline.hdl.core.box import extent
from loopline.hdl.core.types import Status, TurnOp, command_layout, outcome_layout
from loopline.hdl.link import LinkOp, is_session, link_command_layout, turn_label_layout
from loopline.hdl.search.lookahead import LookAhead, Rank

__all__ = ["Player"]


class Player(wiring.Component):
    """Plays one game at a time, as either colour: turns come in, turns go out.

    ::

        commands ──► session or turn ──► WAIT ─► REPLY ──► THINK ──► PLAY ──► ANSWER ──► answers
                     (kept until            ▲    make the   search    make     │
                     it is begun)           │    opponent's           own      │
                                            └──────────────────────────────────┘

    A session command is obeyed at once, whatever goes on: a search is dropped as soon as the turn
    unit has finished its operation. The search may take ``config.think_cycles`` from the command
    that it answers; it is then told to answer with the best turn found so far.

    Parameters
    ----------
    config : DesignConfig
        Grid and thinking time.

    Members
    -------
    commands : In(stream of link_command_layout)
        Sessions and the opponent's turns. Always ready.
    answers : Out(stream of turn_label_layout)
        The own turns.
    core_commands : Out(stream of command_layout), core_outcomes : In(stream of outcome_layout)
        The turn unit.
    idle : Out(1)
        Nothing goes on: waiting for a command.
    thinking : Out(1)
        It is the player's turn.
    over : Out(1)
        The game has ended with a loop or a line.
    refused : Out(1)
        Pulses for each turn that was not made and left the game as it was: illegal, too large for
        the grid, not awaited; also when the player itself finds no turn that fits into the grid,
        which ends the session.
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

        request, requested = Signal(LinkOp), Signal()
        reply, replied = Signal(turn_label_layout(grid)), Signal()
        in_game, colour = Signal(), Signal()
        awaited, ended = Signal(), Signal()
        answer = Signal(turn_label_layout(grid))
        not_played, not_awaited = Signal(), Signal()
        m.d.comb += self.refused.eq(not_played | not_awaited)

        # The clock runs from the command that asks for a turn.
        elapsed = Signal(range(self._config.think_cycles + 1))
        late = elapsed == self._config.think_cycles
        with m.If(~late):
            m.d.sync += elapsed.eq(elapsed + 1)

        m.d.comb += [
            self.thinking.eq(in_game & ~awaited & ~self.over),
            self.answers.payload.eq(answer),
            search.jobs.payload.colour.eq(colour),
            search.late.eq(late),
            search.abandon.eq(requested),
            search.core_outcomes.payload.eq(self.core_outcomes.payload),
            self.core_commands.payload.eq(call),
        ]
        with m.Switch(state):
            with m.Case(State.WAIT):
                m.d.comb += self.idle.eq(~requested & ~replied)
                with m.If(requested):
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
                        state.eq(Mux(requested, State.START, then)),
                    ]

            # A new game, or none.
            with m.Case(State.START):
                m.d.sync += [
                    requested.eq(0),
                    in_game.eq(request != LinkOp.STOP),
                    colour.eq(Mux(request == LinkOp.NEW_RED, Colour.RED, Colour.WHITE)),
                    self.over.eq(0),
                    core(TurnOp.CLEAR, State.STARTED),
                ]
            with m.Case(State.STARTED):
                m.d.sync += state.eq(State.WAIT)
                with m.If(in_game & (colour == Colour.WHITE)):
                    m.d.sync += state.eq(State.THINK)

            # The opponent's turn.
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
                with m.If(beyond):
                    m.d.comb += not_played.eq(1)
                    m.d.sync += [replied.eq(0), state.eq(State.WAIT)]
            with m.Case(State.REPLIED):
                m.d.sync += replied.eq(0)
                with m.If(outcome.status == Status.LEGAL):
                    m.d.sync += [
                        awaited.eq(0),
                        ended.eq((outcome.loops | outcome.lines) != 0),
                        core(TurnOp.COMMIT, State.JUDGE),
                    ]
                with m.Else():
                    m.d.comb += not_played.eq(1)
                    m.d.sync += state.eq(State.WAIT)
            with m.Case(State.JUDGE):
                m.d.sync += state.eq(State.THINK)
                with m.If(ended):
                    m.d.sync += [self.over.eq(1), state.eq(State.WAIT)]

            # The own turn.
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
                m.d.sync += [
                    answer.symbol.eq(found.turn.symbol),
                    answer.column.eq(Mux(box.empty, 0, found.turn.x - box.west + 1)),
                    answer.row.eq(Mux(box.empty, 0, found.turn.y - box.north + 1)),
                ]
                with m.If(search.answers.valid & ~requested):
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
                with m.Elif(requested & ~search.busy):
                    m.d.sync += state.eq(State.START)
            with m.Case(State.PLAYED):
                m.d.sync += [
                    ended.eq((outcome.loops | outcome.lines) != 0),
                    core(TurnOp.COMMIT, State.ANSWER),
                ]
            with m.Case(State.ANSWER):
                m.d.comb += self.answers.valid.eq(1)
                with m.If(self.answers.ready):
                    m.d.sync += state.eq(State.WAIT)
                    with m.If(~requested):
                        m.d.sync += [self.over.eq(ended), awaited.eq(~ended)]

        # Commands are taken in any state, and have the last word: a session command is kept until
        # it is begun, and what a game in progress still had to do is void; a turn is kept until
        # the new game has been set up.
        command = self.commands.payload
        m.d.comb += self.commands.ready.eq(1)
        with m.If(self.commands.valid):
            with m.If(is_session(command)):
                m.d.sync += [
                    request.eq(command.op),
                    requested.eq(1),
                    awaited.eq(command.op == LinkOp.NEW_RED),
                    replied.eq(0),
                    elapsed.eq(0),
                ]
            with m.Elif(awaited & ~replied):
                m.d.sync += [reply.eq(command.turn), replied.eq(1), elapsed.eq(0)]
            with m.Else():
                m.d.comb += not_awaited.eq(1)
        return m
