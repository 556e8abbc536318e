"""What the states of the look-ahead share: its steps, the job, and the turn that is tried."""

from __future__ import annotations

from amaranth.hdl import Signal
from amaranth.lib import data, enum

from loopline.hdl.config import GridConfig
from loopline.hdl.core.client import Client
from loopline.hdl.core.moves import cursor_layout
from loopline.hdl.core.types import SCORE_BITS, Status, TurnOp, turn_layout
from loopline.hdl.search.types import Rank, answer_layout

__all__ = ["Choice", "Job", "State", "Steps"]


class State(enum.Enum, shape=4):
    """What the look-ahead does in a cycle; :class:`~loopline.hdl.search.lookahead.LookAhead` draws
    the ways between the groups."""

    IDLE = 0
    CALL = 1
    RESULT = 2
    WIN_NEXT = 3
    WIN_FOUND = 4
    WIN_MADE = 5
    TRY_NEXT = 6
    TRY_FOUND = 7
    TRY_MADE = 8
    REFUTE_NEXT = 9
    REFUTE_FOUND = 10
    REFUTE_MADE = 11
    SCORE = 12
    RANK = 13
    RANKED = 14
    DONE = 15


class Steps(Client):
    """The state, and the turn unit's operation that it waits for: signals, those of a client, and
    what they say.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Attributes
    ----------
    legal, none_left : 1
        Of ``outcome``: the turn has been made; there is no more candidate.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(grid, State)
        self.legal = self.outcome.status == Status.LEGAL
        self.none_left = self.outcome.status == Status.END

    def find(self, cursor: data.View, following: State) -> list:
        """Find the next candidate, from the cursor."""
        return self.core(TurnOp.NEXT, following, index=cursor.index, symbol=cursor.symbol)

    def make(self, turn: data.View, following: State) -> list:
        """Make a turn."""
        return self.core(TurnOp.MAKE, following, x=turn.x, y=turn.y, symbol=turn.symbol)

    def make_found(self, cursor: data.View, following: State) -> list:
        """Make the turn that was found, and move the cursor beyond it."""
        found = self.outcome.turn
        return [
            cursor.index.eq(found.index),
            cursor.symbol.eq(found.symbol.as_value() + 1),
            *self.make(found, following),
        ]


class Job:
    """The job: signals.

    Attributes
    ----------
    colour, probe, shallow, exact : 1
        As of :func:`~loopline.hdl.search.types.job_layout`.
    spent : 1
        As many turns have been tried as may be.
    late : 1
        No more turns are to be tried: the time, or the number of turns, is used up.
    """

    def __init__(self):
        self.colour = Signal()
        self.probe = Signal()
        self.shallow = Signal()
        self.exact = Signal()
        self.spent = Signal()
        self.late = Signal()


class Choice:
    """The own turn that is tried, the reply to it, and the best turn so far: signals.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Attributes
    ----------
    cursor, reply_cursor : cursor_layout
        Where the next own turn is looked for, and the next reply.
    turn, reply : turn_layout
        The own turn, and the last reply to it.
    killer : turn_layout, has_killer : 1
        The reply that refuted an own turn last, if there was one: most likely it refutes the next
        one, too.
    has_reply : 1
        A legal reply was found.
    rank : Rank, scored : 1, value : SCORE_BITS + 1
        What the own turn is worth. ``value`` is its score from the player's side, as an unsigned
        number with some noise; 0 if it is not ``scored``.
    best : answer_layout, best_value : SCORE_BITS + 1
        The best own turn, and its ``value``. The score of the answer follows from that.
    """

    def __init__(self, grid: GridConfig):
        cursor, turn = cursor_layout(grid), turn_layout(grid)
        self.cursor = Signal(cursor)
        self.turn = Signal(turn)
        self.killer = Signal(turn)
        self.reply_cursor = Signal(cursor)
        self.reply = Signal(turn)
        self.has_killer = Signal()
        self.has_reply = Signal()
        self.rank = Signal(Rank)
        self.scored = Signal()
        self.value = Signal(SCORE_BITS + 1)
        self.best = Signal(answer_layout(grid))
        self.best_value = Signal(SCORE_BITS + 1)
