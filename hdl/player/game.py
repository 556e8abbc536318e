"""What the states of the player share: its steps, the game, and the clock."""

from __future__ import annotations

from amaranth.hdl import Signal
from amaranth.lib import enum

from loopline.hdl.config import GridConfig
from loopline.hdl.core.client import Client
from loopline.hdl.frames.requests import CYCLE_BITS, TURN_BITS
from loopline.hdl.link import turn_label_layout

__all__ = ["Clock", "Game", "State", "Steps"]


class State(enum.Enum, shape=4):
    """What the player does in a cycle; :class:`~loopline.hdl.player.Player` draws the ways between
    the main ones."""

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
    GRANTED = 12
    REPLAY = 13
    REPLAY_TURN = 14
    REPLAYED = 15


class Steps(Client):
    """The state, and the turn unit's operation that it waits for: signals, those of a client.

    The box of ``outcome`` is the position's, as search and guest leave that as it was.

    Parameters
    ----------
    grid : GridConfig
        Widths.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(grid, State, init={"box": {"empty": 1}})


class Game:
    """The game, as far as it is not among the player's ports: signals.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Attributes
    ----------
    on : 1
        There is one.
    setting_up : 1
        The turns of both sides come in.
    to_move : Colour
        Whose turn it is.
    awaited : 1
        The next turn is to come in. Else, in a game that has not ended, it is the player's own.
    made : 1
        Pulses when the turn unit has made a turn of the game, its last ``call``.
    ended : 1
        The last turn has ended the game.
    probed : 1
        The search is a probe, which only asks whether there is a legal turn.
    answer : turn_label_layout
        The best turn that the search has found so far; at its end, the own one.
    target : TURN_BITS
        How many turns are made again, of those before the ones that are taken back.
    """

    def __init__(self, grid: GridConfig):
        self.on = Signal()
        self.setting_up = Signal()
        self.to_move = Signal()
        self.awaited = Signal()
        self.made = Signal()
        self.ended = Signal()
        self.probed = Signal()
        self.answer = Signal(turn_label_layout(grid))
        self.target = Signal(TURN_BITS)


class Clock:
    """The time since the command that asks for a turn, or since a search was requested: signals.

    Attributes
    ----------
    elapsed : CYCLE_BITS
        The time, in cycles.
    late : 1
        It is up.
    stopped : 1
        The requested search has come to its end, and ``elapsed`` is its time.
    """

    def __init__(self):
        self.elapsed = Signal(CYCLE_BITS)
        self.late = Signal()
        self.stopped = Signal(name="clock_stopped")

    def start(self) -> list:
        """Let the time begin."""
        return [self.elapsed.eq(0), self.late.eq(0), self.stopped.eq(0)]
