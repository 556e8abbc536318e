"""What is asked of the player: by lines as commands, by frames as requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amaranth.hdl import Module, Mux, Signal

from loopline.game import Colour
from loopline.game.wire import ErrorCode, TurnStatus
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import TurnOp
from loopline.hdl.frames.requests import HISTORY, RequestOp
from loopline.hdl.link import LinkOp, is_session, turn_label_layout
from loopline.hdl.player.game import Clock, Game, State, Steps

if TYPE_CHECKING:
    from loopline.hdl.player.player import Player

__all__ = ["Orders", "take_commands", "take_requests"]


class Orders:
    """What is asked for and not done yet: signals.

    Parameters
    ----------
    player : Player
        Who is asked.
    grid : GridConfig
        Widths.

    Attributes
    ----------
    session : LinkOp, requested : 1
        A session, until it is begun.
    framed : 1
        It came in a frame.
    reply : turn_label_layout, go : 1, replied : 1
        A turn that came in, or ``-G``, until it has been judged.
    pending, searching : 1
        A request from frames is under way; it is a search.
    asks_session : 1
        The request on offer, if there is one, is for a session.
    interrupted : 1
        A session is asked for, if only in this very cycle.
    not_played, not_awaited : 1
        Pulse when a turn is not made that did not come in a frame, and when a command comes that
        is not awaited.
    """

    def __init__(self, player: Player, grid: GridConfig):
        command, request = player.commands.payload, player.frames.requests.payload
        self._player = player
        turn = turn_label_layout(grid)
        self.session = Signal(LinkOp)
        self.reply = Signal(turn)
        self.go = Signal()
        self.requested = Signal()
        self.framed = Signal()
        self.replied = Signal()
        self.pending = Signal()
        self.searching = Signal()
        self.asks_session = (request.op == RequestOp.NEW) | (request.op == RequestOp.STOP)
        self.interrupted = (
            self.requested
            | (player.commands.valid & is_session(command))
            | (player.frames.requests.valid & self.asks_session)
        )
        self.not_played = Signal()
        self.not_awaited = Signal()

    def finish(self, **values) -> list:
        """The request is done, with these values in its result."""
        return [
            self._player.frames.done.eq(1),
            self.pending.eq(0),
            self.searching.eq(0),
            *(self._player.frames.result[name].eq(value) for name, value in values.items()),
        ]

    def refuse(self, m: Module, status) -> None:
        """A turn has not been made: say so to whom it came from."""
        with m.If(self.pending):
            m.d.sync += self.finish(status=status)
        with m.Else():
            m.d.comb += self.not_played.eq(1)


def take_requests(
    m: Module, player: Player, steps: Steps, game: Game, orders: Orders, clock: Clock
) -> None:
    """What frames ask for: a session in any state, the rest only while nothing goes on."""
    asked, finish = player.frames.requests.payload, orders.finish
    at_rest = (
        (steps.state == State.WAIT)
        & ~orders.requested
        & ~orders.replied
        & ~(player.commands.valid & player.commands.ready)
    )
    with m.If(player.frames.requests.valid):
        m.d.sync += [
            player.frames.result.eq(0),
            player.frames.done.eq(0),
            orders.pending.eq(1),
            orders.searching.eq(0),
        ]
        with m.If(orders.asks_session):
            m.d.sync += [
                orders.session.eq(Mux(asked.op == RequestOp.NEW, LinkOp.SET_UP, LinkOp.STOP)),
                orders.requested.eq(1),
                orders.framed.eq(1),
                game.setting_up.eq(asked.op == RequestOp.NEW),
                game.awaited.eq(asked.op == RequestOp.NEW),
                orders.replied.eq(0),
            ]
        with m.Elif(~at_rest):
            m.d.sync += finish(error=ErrorCode.BUSY)
        with m.Elif(~game.on & (asked.op != RequestOp.GRANT)):
            m.d.sync += finish(error=ErrorCode.NO_GAME)
        with m.Else(), m.Switch(asked.op):
            _take_turns(m, player, steps, game, orders)
            _take_work(m, player, steps, orders, clock)


def _take_turns(m: Module, player: Player, steps: Steps, game: Game, orders: Orders) -> None:
    """TURN, TAKE_BACK."""
    asked, finish = player.frames.requests.payload, orders.finish
    with m.Case(RequestOp.TURN):
        with m.If(player.over):
            m.d.sync += finish(status=TurnStatus.OVER)
        with m.Else():
            m.d.sync += [
                orders.reply.eq(asked.turn),
                orders.go.eq(0),
                orders.replied.eq(1),
                game.setting_up.eq(1),
            ]

    with m.Case(RequestOp.TAKE_BACK):
        with m.If((asked.count > player.frames.turns) | (player.frames.turns > HISTORY)):
            m.d.sync += finish(error=ErrorCode.NOTHING)
        with m.Else():
            m.d.sync += [
                game.target.eq(player.frames.turns - asked.count),
                player.frames.turns.eq(0),
                game.to_move.eq(Colour.WHITE),
                player.over.eq(0),
                game.setting_up.eq(1),
                game.awaited.eq(1),
                steps.core(TurnOp.CLEAR, State.REPLAY),
            ]


def _take_work(m: Module, player: Player, steps: Steps, orders: Orders, clock: Clock) -> None:
    """SEARCH, GRANT, GRANT_OPEN: what leaves the game as it is."""
    asked, finish = player.frames.requests.payload, orders.finish
    with m.Case(RequestOp.SEARCH):
        with m.If(player.over):
            m.d.sync += finish(error=ErrorCode.GAME_OVER)
        with m.Else():
            m.d.sync += [orders.searching.eq(1), clock.start(), steps.state.eq(State.THINK)]

    with m.Case(RequestOp.GRANT, RequestOp.GRANT_OPEN):
        with m.If(player.over & (asked.op == RequestOp.GRANT_OPEN)):
            m.d.sync += finish(error=ErrorCode.GAME_OVER)
        with m.Else():
            m.d.sync += [finish(), steps.state.eq(State.GRANTED)]


def take_commands(m: Module, player: Player, game: Game, orders: Orders, clock: Clock) -> None:
    """What lines ask for, in any state and with the last word.

    A session command is kept until it is begun, and what a game in progress still had to do is
    void; a turn is kept until the new game has been set up, and it has been judged.
    """
    command = player.commands.payload
    m.d.comb += player.commands.ready.eq(
        is_session(command) | (~orders.replied & ~player.frames.hold)
    )
    with m.If(player.commands.valid & player.commands.ready):
        with m.If(is_session(command)):
            m.d.sync += [
                orders.session.eq(command.op),
                orders.requested.eq(1),
                orders.framed.eq(0),
                game.setting_up.eq(command.op == LinkOp.SET_UP),
                game.awaited.eq((command.op == LinkOp.NEW_RED) | (command.op == LinkOp.SET_UP)),
                orders.replied.eq(0),
                clock.start(),
            ]
            with m.If(orders.pending | player.frames.requests.valid):
                m.d.sync += orders.finish(error=ErrorCode.DROPPED)
        with m.Elif(game.awaited):
            m.d.sync += [
                orders.reply.eq(command.turn),
                orders.go.eq(command.op == LinkOp.GO),
                orders.replied.eq(1),
                clock.start(),
            ]
        with m.Else():
            m.d.comb += orders.not_awaited.eq(1)
