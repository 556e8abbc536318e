"""The states of a turn: the opponent's, the own, and whether it ends the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amaranth.hdl import Cat, Module, Mux

from loopline.game.wire import TurnStatus
from loopline.hdl.core.rules import is_limited
from loopline.hdl.core.types import Status, TurnOp
from loopline.hdl.player.game import Clock, Game, State, Steps
from loopline.hdl.player.labels import is_beyond, label_of, place_of
from loopline.hdl.player.orders import Orders
from loopline.hdl.search.lookahead import LookAhead
from loopline.hdl.search.types import Rank

if TYPE_CHECKING:
    from loopline.hdl.player.player import Player

__all__ = ["judge", "play", "reply", "think"]


def reply(m: Module, player: Player, steps: Steps, game: Game, orders: Orders) -> None:
    """REPLY, REPLIED: makes the opponent's turn, or one of a set-up."""
    state, outcome = steps.state, steps.outcome
    with m.Case(State.REPLY):
        label, box = orders.reply, outcome.box
        m.d.sync += steps.core(
            TurnOp.MAKE, State.REPLIED, symbol=label.symbol, **place_of(label, box)
        )
        with m.If(orders.go):
            m.d.sync += [
                game.setting_up.eq(0),
                game.awaited.eq(0),
                orders.replied.eq(0),
                state.eq(State.THINK),
            ]
        with m.Elif(is_beyond(label, box)):
            orders.refuse(m, TurnStatus.OUTSIDE)
            m.d.sync += [orders.replied.eq(0), state.eq(State.WAIT)]

    with m.Case(State.REPLIED):
        with m.If(outcome.status == Status.LEGAL):
            m.d.comb += game.made.eq(1)
            m.d.sync += [
                game.ended.eq((outcome.loops | outcome.lines) != 0),
                player.frames.result.tiles.eq(outcome.tiles),
                player.frames.result.completed.eq(Cat(outcome.loops, outcome.lines)),
                steps.core(TurnOp.COMMIT, State.JUDGE),
            ]
        with m.Else():
            orders.refuse(m, outcome.status)
            m.d.sync += [orders.replied.eq(0), state.eq(State.WAIT)]


def judge(m: Module, player: Player, steps: Steps, game: Game, orders: Orders) -> None:
    """JUDGE: a turn has been made, the opponent's or the own. Has it ended the game?"""
    state, ended = steps.state, game.ended
    with m.Case(State.JUDGE):
        with m.If(~ended & ~game.probed & is_limited(player.rules)):
            m.d.sync += [game.probed.eq(1), state.eq(State.THINK)]
        with m.Else():
            m.d.sync += [
                game.probed.eq(0),
                game.to_move.eq(~game.to_move),
                orders.replied.eq(0),
            ]
            with m.If(orders.pending):
                m.d.sync += orders.finish()
            with m.If(~orders.replied):
                m.d.sync += state.eq(State.ANSWER)
            with m.Elif(ended):
                m.d.sync += [game.awaited.eq(0), player.over.eq(1), state.eq(State.WAIT)]
            with m.Elif(game.setting_up):
                m.d.sync += state.eq(State.WAIT)
            with m.Else():
                m.d.sync += [game.awaited.eq(0), state.eq(State.THINK)]


def think(
    m: Module,
    player: Player,
    steps: Steps,
    game: Game,
    orders: Orders,
    clock: Clock,
    search: LookAhead,
) -> None:
    """THINK, SEARCH: the own turn, a requested search, or a probe."""
    state, box = steps.state, steps.outcome.box
    with m.Case(State.THINK):
        m.d.comb += search.jobs.valid.eq(1)
        with m.If(search.jobs.ready):
            m.d.sync += state.eq(State.SEARCH)

    with m.Case(State.SEARCH):
        # The turn unit is the search's; between two of its operations it can be frozen.
        freeze = orders.searching & player.frames.freeze
        m.d.comb += [
            player.core.commands.valid.eq(search.core.commands.valid),
            player.core.commands.payload.eq(search.core.commands.payload),
            search.core.commands.ready.eq(player.core.commands.ready),
            search.core.outcomes.valid.eq(player.core.outcomes.valid & ~freeze),
            player.core.outcomes.ready.eq(search.core.outcomes.ready & ~freeze),
            player.frames.frozen.eq(player.core.outcomes.valid & freeze),
            search.answers.ready.eq(1),
        ]
        found, turn = search.answers.payload, search.answers.payload.turn
        with m.If(~game.probed):
            label = label_of(turn, box)
            m.d.sync += [
                game.answer.symbol.eq(turn.symbol),
                game.answer.column.eq(label["column"]),
                game.answer.row.eq(label["row"]),
            ]
        with m.If(orders.interrupted):
            stopped = orders.requested & ~search.busy
            m.d.sync += state.eq(Mux(stopped, State.START, State.SEARCH))
        with m.Elif(search.answers.valid & game.probed):
            m.d.sync += [game.ended.eq(found.rank == Rank.NONE), state.eq(State.JUDGE)]
        with m.Elif(search.answers.valid & orders.searching):
            m.d.sync += [orders.finish(), clock.stopped.eq(1), state.eq(State.WAIT)]
        with m.Elif(search.answers.valid):
            m.d.sync += steps.core(
                TurnOp.MAKE, State.PLAYED, x=turn.x, y=turn.y, symbol=turn.symbol
            )
            with m.If(found.rank == Rank.NONE):
                m.d.comb += orders.not_played.eq(1)
                m.d.sync += [game.on.eq(0), state.eq(State.WAIT)]


def play(m: Module, player: Player, steps: Steps, game: Game, orders: Orders) -> None:
    """PLAYED, ANSWER: the own turn has been made, and is said."""
    outcome = steps.outcome
    with m.Case(State.PLAYED):
        m.d.comb += game.made.eq(1)
        m.d.sync += [
            game.ended.eq((outcome.loops | outcome.lines) != 0),
            steps.core(TurnOp.COMMIT, State.JUDGE),
        ]

    with m.Case(State.ANSWER):
        m.d.comb += player.answers.valid.eq(1)
        with m.If(player.answers.ready):
            m.d.sync += steps.state.eq(State.WAIT)
            with m.If(~orders.requested):
                m.d.sync += [player.over.eq(game.ended), game.awaited.eq(~game.ended)]
