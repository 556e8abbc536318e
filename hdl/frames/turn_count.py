"""Counts sequences of legal turns, for COUNT."""

from __future__ import annotations

from amaranth.hdl import Array, Cat, Module, Mux, Signal
from amaranth.lib import enum
from amaranth.lib.wiring import In

from loopline.game.wire import ANSWERS, COUNT_DEPTH, Command, answer_code
from loopline.hdl.config import GridConfig
from loopline.hdl.core.client import Client
from loopline.hdl.core.moves import cursor_layout
from loopline.hdl.core.types import Status, TurnOp
from loopline.hdl.frames.pieces import Answerer, PieceWriter

__all__ = ["TurnCounter"]

_FIRST_TURNS = 2
"""The legal turns on an empty board, which has no candidates to evaluate."""


class State(enum.Enum, shape=4):
    """What the counter does in a cycle."""

    IDLE = 0
    CALL = 1
    """Give the turn unit a command."""
    RESULT = 2
    """Wait for its outcome, or count its outcomes."""
    OPEN = 3
    """Begin a position: evaluate its candidates, or go through them."""
    NEXT = 4
    """Ask for the next candidate."""
    FOUND = 5
    """Ask for this candidate to be made."""
    MADE = 6
    """Go on after this turn, unless it was refused or ends the game."""
    CLOSE = 7
    """Ask for the turn before the position to be unmade; or answer, at the first position."""
    TOTAL = 8
    """Answer with the count."""
    ABANDON = 9
    """End without an answer."""


class TurnCounter(Answerer):
    """Count the sequences of one to ``COUNT_DEPTH`` legal turns; finished games have no more turns.

    The last turn of each sequence is not made: the turn unit has an evaluator.

    ::

        start ──► OPEN ──┬─► EVALUATE ────────────► CLOSE ──► TOTAL ──► pieces
                   ▲     │                           ▲ │
                   │     └─► NEXT ──► FOUND ─ none ──┘ │
                   │          ▲         │ MAKE         │ UNMAKE
                   │          │◄────────┼──────────────┘
                   └──────────┴─────── MADE

    The position is afterwards what it was before. The members are those of :class:`Answerer`, and

    Members
    -------
    depth : In(range(COUNT_DEPTH + 1))
        The turns of a sequence, 1 or more. Stays while an answer is made.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(grid, State, depth=In(range(COUNT_DEPTH + 1)))

    def elaborate(self, platform) -> Module:
        m = Module()
        client, pieces = self._begin(m, longest=ANSWERS[answer_code(Command.COUNT)].width + 1)
        state, outcome = client.state, client.outcome
        # How many turns are made before the last one; and of each of them, what follows it.
        left = Signal(range(COUNT_DEPTH))
        cursors = Array(
            Signal(cursor_layout(self._grid), name=f"cursor_{n}") for n in range(COUNT_DEPTH)
        )
        cursor = cursors[left]
        cursor_index, cursor_symbol = cursor["index"], cursor["symbol"]
        count = Signal(32)
        beyond = Signal()
        is_first = left == self.depth - 1
        self._count(m, client, count, beyond)
        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.sync += [left.eq(self.depth - 1), pieces.index.eq(0)]
                with m.If(self.start):
                    m.d.sync += [count.eq(0), beyond.eq(0), state.eq(State.OPEN)]
            with m.Case(State.CALL):
                client.send(m, self.core)
            with m.Case(State.RESULT):
                more = (client.call.op == TurnOp.EVALUATE) & (
                    self.core.outcomes.payload.status != Status.END
                )
                client.receive(m, self.core, following=Mux(more, State.RESULT, client.then))
            with m.Case(State.OPEN):
                m.d.sync += [cursor_index.eq(0), cursor_symbol.eq(0), state.eq(State.NEXT)]
                with m.If(left == 0):
                    self._ask(m, client, TurnOp.EVALUATE, State.CLOSE)
            with m.Case(State.NEXT):
                at = {"index": cursor_index, "symbol": cursor_symbol}
                self._ask(m, client, TurnOp.NEXT, State.FOUND, **at)
            with m.Case(State.FOUND):
                turn = outcome.turn
                m.d.sync += [
                    cursor_index.eq(turn.index),
                    cursor_symbol.eq(turn.symbol.as_value() + 1),
                ]
                first = {"x": turn.x, "y": turn.y, "symbol": turn.symbol}
                self._ask(m, client, TurnOp.MAKE, State.MADE, **first)
                with m.If((outcome.status == Status.END) & ~self._must_end):
                    m.d.sync += state.eq(State.CLOSE)
            with m.Case(State.MADE):
                m.d.sync += state.eq(State.NEXT)
                with m.If(outcome.status == Status.LEGAL):
                    with m.If(Cat(outcome.loops, outcome.lines).any()):
                        m.d.sync += client.core(TurnOp.UNMAKE, State.NEXT)
                    with m.Else():
                        m.d.sync += [left.eq(left - 1), state.eq(State.OPEN)]
                with m.If(outcome.status == Status.BOUNDS):
                    m.d.sync += beyond.eq(1)
                with m.If(self._must_end):
                    m.d.sync += state.eq(State.ABANDON)
            with m.Case(State.CLOSE):
                self._close(m, client, left, is_first)
            with m.Case(State.TOTAL):
                self._answer(m, client, pieces, count, beyond)
            with m.Case(State.ABANDON):
                self._abandon(m, client, pieces)
            with m.Default():
                # An unused code, after an upset: recover as after power-on.
                m.d.sync += state.eq(State.IDLE)
        return m

    def _count(self, m: Module, client: Client, count: Signal, beyond: Signal) -> None:
        """Count legal candidates, a cycle after their outcomes."""
        outcomes, found = self.core.outcomes, client.outcome
        counted = Signal()
        is_evaluated = client.call.op == TurnOp.EVALUATE
        m.d.sync += counted.eq(outcomes.valid & outcomes.ready & is_evaluated)
        with m.If(counted):
            with m.If(found.status == Status.LEGAL):
                m.d.sync += count.eq(count + 1)
            with m.If(found.status == Status.BOUNDS):
                m.d.sync += beyond.eq(1)
            with m.If((found.status == Status.END) & found.box.empty):
                m.d.sync += count.eq(count + _FIRST_TURNS)

    def _close(self, m: Module, client: Client, left: Signal, is_first) -> None:
        """The body of ``CLOSE``."""
        m.d.sync += left.eq(left + 1)
        self._ask(m, client, TurnOp.UNMAKE, State.NEXT)
        with m.If(is_first & ~self._must_end):
            m.d.comb += self.core.done.eq(1)
            m.d.sync += client.state.eq(State.TOTAL)

    def _answer(
        self, m: Module, client: Client, pieces: PieceWriter, count: Signal, beyond: Signal
    ) -> None:
        """The body of ``TOTAL``."""
        octets = [count[24:], count[16:24], count[8:16], count[:8], beyond]
        assert len(octets) == ANSWERS[answer_code(Command.COUNT)].width
        with m.If(pieces.offer(m, octets, answer_code(Command.COUNT))):
            m.d.sync += client.state.eq(State.IDLE)
