"""The turns of the game, and the states that take some of them back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amaranth.hdl import Module
from amaranth.lib import data
from amaranth.lib.memory import Memory

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import ShapeCode, TurnOp
from loopline.hdl.frames.requests import HISTORY
from loopline.hdl.player.game import Game, State, Steps
from loopline.hdl.player.orders import Orders

if TYPE_CHECKING:
    from loopline.hdl.player.player import Player

__all__ = ["keep_turns", "replay"]


def keep_turns(m: Module, player: Player, grid: GridConfig, steps: Steps, game: Game) -> data.View:
    """Counts the turns that are made, and keeps them as the turn unit was told them. Returns the
    kept one whose number was ``player.frames.turns`` a cycle ago."""
    kept = data.StructLayout({"x": grid.coord_bits, "y": grid.coord_bits, "symbol": ShapeCode})
    m.submodules.history = history = Memory(shape=kept, depth=HISTORY, init=[])
    write, read = history.write_port(), history.read_port()
    m.d.comb += [
        write.en.eq(game.made & (player.frames.turns < HISTORY)),
        write.addr.eq(player.frames.turns),
        write.data.x.eq(steps.call.x),
        write.data.y.eq(steps.call.y),
        write.data.symbol.eq(steps.call.symbol),
        read.addr.eq(player.frames.turns),
    ]
    with m.If(game.made):
        m.d.sync += player.frames.turns.eq(player.frames.turns + 1)
    return read.data


def replay(
    m: Module, player: Player, steps: Steps, game: Game, orders: Orders, past: data.View
) -> None:
    """REPLAY, REPLAY_TURN, REPLAYED: the board is empty; the turns that are not taken back, once
    more."""
    with m.Case(State.REPLAY):
        m.d.sync += steps.state.eq(State.REPLAY_TURN)
        with m.If(orders.interrupted):
            m.d.sync += steps.state.eq(State.START)
        with m.Elif(player.frames.turns == game.target):
            m.d.sync += [orders.finish(), steps.state.eq(State.WAIT)]

    with m.Case(State.REPLAY_TURN):
        m.d.sync += steps.core(TurnOp.MAKE, State.REPLAYED, x=past.x, y=past.y, symbol=past.symbol)

    with m.Case(State.REPLAYED):
        m.d.comb += game.made.eq(1)
        m.d.sync += [game.to_move.eq(~game.to_move), steps.core(TurnOp.COMMIT, State.REPLAY)]
