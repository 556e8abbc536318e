"""The states of the player between turns: waiting, a game begins, the turn unit is lent."""

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

__all__ = ["begin", "call", "lend", "wait"]


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
    steps.hand_over(m, player, following=Mux(orders.interrupted, State.START, steps.then))


def begin(m: Module, player: Player, steps: Steps, game: Game, orders: Orders) -> None:
    """START, STARTED: a new game, or none."""
    with m.Case(State.START):
        m.d.comb += player.begins.eq(1)
        m.d.sync += [
            orders.requested.eq(0),
            player.turns.eq(0),
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


def lend(m: Module, player: Player, steps: Steps, orders: Orders) -> None:
    """LENT: the turn unit is the guest's."""
    with m.Case(State.LENT):
        m.d.comb += [
            player.core_commands.valid.eq(player.guest_commands.valid),
            player.core_commands.payload.eq(player.guest_commands.payload),
            player.guest_commands.ready.eq(player.core_commands.ready),
            player.guest_outcomes.valid.eq(player.core_outcomes.valid),
            player.core_outcomes.ready.eq(player.guest_outcomes.ready),
        ]
        with m.If(orders.interrupted):
            left = orders.requested & ~player.guest_busy
            m.d.sync += steps.state.eq(Mux(left, State.START, State.LENT))
        with m.Elif(player.guest_done):
            m.d.sync += steps.state.eq(State.WAIT)
