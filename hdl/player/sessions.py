"""The states of the player between turns: waiting, a game begins, the turn unit is granted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amaranth.hdl import Module, Mux

from loopline.game import Colour
from loopline.hdl.core.types import TurnOp
from loopline.hdl.link import LinkOp
from loopline.hdl.player.game import Game, State, Steps
from loopline.hdl.player.orders import Orders

if TYPE_CHECKING:
    from loopline.hdl.player.player import Player

__all__ = ["begin", "call", "grant", "wait"]


def wait(m: Module, player: Player, steps: Steps, orders: Orders) -> None:
    """WAIT: for a session, or a turn that comes in."""
    with m.Case(State.WAIT):
        m.d.comb += player.idle.eq(~orders.requested & ~orders.replied)
        with m.If(orders.interrupted):
            m.d.sync += steps.state.eq(State.START)
        with m.Elif(orders.replied):
            m.d.sync += steps.state.eq(State.REPLY)


def call(m: Module, player: Player, steps: Steps, orders: Orders) -> None:
    """CALL, RESULT: one operation of the turn unit, and then a session if one is asked for."""
    steps.hand_over(m, player.core, following=Mux(orders.interrupted, State.START, steps.then))


def begin(m: Module, player: Player, steps: Steps, game: Game, orders: Orders) -> None:
    """START, STARTED: a new game, or none."""
    with m.Case(State.START):
        m.d.comb += player.game_begins.eq(orders.framed)
        m.d.sync += player.rules.eq(
            Mux(orders.framed, player.frames.new_rules, player.contest_rules)
        )
        m.d.sync += [
            orders.requested.eq(0),
            player.frames.turns.eq(0),
            game.on.eq(orders.session != LinkOp.STOP),
            game.to_move.eq(Colour.WHITE),
            game.probed.eq(0),
            player.over.eq(0),
            steps.core(TurnOp.CLEAR, State.STARTED),
        ]

    with m.Case(State.STARTED):
        m.d.sync += steps.state.eq(State.WAIT)
        with m.If(game.on & ~game.awaited):
            m.d.sync += steps.state.eq(State.THINK)
        with m.If(orders.pending):
            m.d.sync += orders.finish()


def grant(m: Module, player: Player, steps: Steps, orders: Orders) -> None:
    """GRANTED: a requester has the turn unit."""
    with m.Case(State.GRANTED):
        m.d.comb += player.core.grants.eq(1)
        with m.If(orders.interrupted):
            left = orders.requested & ~player.core.busy
            m.d.sync += steps.state.eq(Mux(left, State.START, State.GRANTED))
        with m.Elif(player.core.done):
            m.d.sync += steps.state.eq(State.WAIT)
