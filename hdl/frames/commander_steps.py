"""What the states of the commander share: its steps, the search, and the answer that is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import enum

from loopline.game.wire import COMMANDS, MAX_PAYLOAD, PROGRESS_MS, Command, answer_code
from loopline.hdl.frames.answers import AnswerKind
from loopline.hdl.frames.requests import RequestOp

if TYPE_CHECKING:
    from loopline.hdl.frames.commander import Commander

__all__ = ["LIMIT_BYTES", "PAIR_BYTES", "Kept", "Search", "State", "Steps"]

LIMIT_BYTES = COMMANDS[Command.SEARCH].width
"""Bytes of a search's limits, the longest fields that a command has."""

PAIR_BYTES = 2
"""Bytes of a turn, and the most of the fields of any other command."""


class State(enum.Enum, shape=4):
    """What the commander does in a cycle.

    :class:`~loopline.hdl.frames.commander.Commander` draws the ways between the main ones."""

    IDLE = 0
    CHECK = 1
    DECIDE = 2
    LOAD = 3
    LOADED = 4
    RUN = 5
    TURN = 6
    WAIT = 7
    MAKE = 8
    SEND = 9
    RELEASE = 10
    FREEZE = 11
    REPORT = 12
    RATE = 13


class Search:
    """The search that goes on: signals.

    Attributes
    ----------
    finished : 1
        It is at its end, and that is not said yet.
    stopping : 1
        It is told to come to its end.
    answered : 1
        The answer that is being made is the search's, not that to the frame on offer.
    sequence : 7 bits
        The number of the frame that asked for it.
    due : 1
        It is time to say what it has found so far.
    waited : range(PROGRESS_MS)
        Milliseconds since that was last due.
    """

    def __init__(self):
        self.finished = Signal()
        self.stopping = Signal()
        self.answered = Signal()
        self.sequence = Signal(7)
        self.due = Signal()
        self.waited = Signal(range(PROGRESS_MS))


class Kept:
    """The answer that is kept, to be sent again: signals.

    Attributes
    ----------
    on : 1
        There is one.
    sequence : 7 bits, code : 8 bits
        The number and the code of the command that it answers.
    """

    def __init__(self):
        self.on = Signal()
        self.sequence = Signal(7)
        self.code = Signal(8, name="kept_code")


class Steps:
    """The state, the bytes that are loaded, and the answer that is made: signals.

    Parameters
    ----------
    commander : Commander
        Whose states they are.
    search : Search
        The search that goes on.

    Attributes
    ----------
    state : State
    then : State
        Where it goes on after what is being loaded, or sent.
    at : range(MAX_PAYLOAD + 1), wanted : range(LIMIT_BYTES + 1)
        The next byte of the payload, and how many are still to be loaded.
    pair : 8 * PAIR_BYTES bits
        The last two bytes: the rules of a game, a turn, or one byte in the lower half.
    limits : 8 * LIMIT_BYTES bits
        The limits of a search.
    kind : AnswerKind, code : 8 bits, again : 1
        The answer: what is in it, its code, and whether it is the kept one.
    """

    def __init__(self, commander: Commander, search: Search):
        self._commander, self._search = commander, search
        self.state = Signal(State)
        self.then = Signal(State)
        self.at = Signal(range(MAX_PAYLOAD + 1))
        self.wanted = Signal(range(LIMIT_BYTES + 1))
        self.pair = Signal(8 * PAIR_BYTES)
        self.limits = Signal(8 * LIMIT_BYTES)
        self.kind = Signal(AnswerKind)
        self.code = Signal(8)
        self.again = Signal()

    def load(self, count, then: State) -> list:
        """Load so many bytes of the payload."""
        return [self.wanted.eq(count), self.then.eq(then), self.state.eq(State.LOAD)]

    def make(self, what: AnswerKind, then: State = State.RELEASE) -> list:
        """Make the last answer to the command, and send it."""
        command = Mux(
            self._search.answered, Command.SEARCH, self._commander.frames.headers.payload.code
        )
        return [
            self.kind.eq(what),
            self.code.eq(answer_code(0) | command),
            self.then.eq(then),
            self.state.eq(State.MAKE),
        ]

    def fail(self, error) -> list:
        """Answer with an error."""
        return [
            self._commander.error.eq(error),
            *self.make(AnswerKind.ERROR),
            self.code.eq(answer_code(0)),
        ]

    def ask(self, m: Module, op: RequestOp, then: State = State.WAIT) -> None:
        """Ask the player."""
        requests = self._commander.player.requests
        m.d.comb += [requests.valid.eq(1), requests.payload.op.eq(op)]
        m.d.sync += self.state.eq(then)
