"""Lists the turns of a position, for LIST."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import enum

from loopline.game.wire import ANSWERS, Command, answer_code, item_code
from loopline.hdl.config import GridConfig
from loopline.hdl.core.client import Client
from loopline.hdl.core.moves import cursor_layout
from loopline.hdl.core.types import TILE_COUNT_BITS, ShapeCode, Status, TurnOp
from loopline.hdl.frames.pieces import Answerer

__all__ = ["TurnLister"]


class State(enum.Enum, shape=4):
    """What the lister does in a cycle."""

    IDLE = 0
    CALL = 1
    """Give the turn unit a command."""
    RESULT = 2
    """Wait for its outcome."""
    NEXT = 3
    """Ask for the next candidate."""
    FOUND = 4
    """Ask for this candidate to be made."""
    MADE = 5
    """Store the outcome, and ask for the candidate to be unmade if it was legal."""
    ITEM = 6
    """Answer with the candidate."""
    TOTAL = 7
    """Answer with the totals."""
    ABANDON = 8
    """End without further answers."""


class TurnLister(Answerer):
    """List all turns whose first tile fits, with the outcome of each.

    ::

        start ──► NEXT ──► FOUND ──► MADE ──► ITEM ──► pieces
                   ▲          │                 │
                   │          └─ none left ─► TOTAL
                   └────────────────────────────┘

    The position is afterwards what it was before. Parameters and members are those of
    :class:`Answerer`.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(grid, State)

    def elaborate(self, platform) -> Module:
        m = Module()
        item, total = item_code(Command.LIST), answer_code(Command.LIST)
        client, pieces = self._begin(m, longest=ANSWERS[item].width + 1)
        state, outcome = client.state, client.outcome
        cursor = Signal(cursor_layout(self._grid))
        status = Signal(Status)
        tiles = Signal(TILE_COUNT_BITS)
        completed = Signal(4)
        candidates = Signal(16)
        legal = Signal(16)
        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.sync += [cursor.eq(0), candidates.eq(0), legal.eq(0), pieces.index.eq(0)]
                with m.If(self.start):
                    m.d.sync += state.eq(State.NEXT)
            with m.Case(State.CALL):
                client.send(m, self.core)
            with m.Case(State.RESULT):
                client.receive(m, self.core)
            with m.Case(State.NEXT):
                at = {"index": cursor.index, "symbol": cursor.symbol}
                self._ask(m, client, TurnOp.NEXT, State.FOUND, **at)
            with m.Case(State.FOUND):
                turn = outcome.turn
                m.d.sync += [
                    cursor.index.eq(turn.index),
                    cursor.symbol.eq(turn.symbol.as_value() + 1),
                ]
                first = {"x": turn.x, "y": turn.y, "symbol": turn.symbol}
                self._ask(m, client, TurnOp.MAKE, State.MADE, **first)
                with m.If((outcome.status == Status.END) & ~self._must_end):
                    m.d.comb += self.core.done.eq(1)
                    m.d.sync += state.eq(State.TOTAL)
            with m.Case(State.MADE):
                m.d.sync += [
                    candidates.eq(candidates + 1),
                    status.eq(outcome.status),
                    tiles.eq(0),
                    completed.eq(0),
                    state.eq(State.ITEM),
                ]
                with m.If(outcome.status == Status.LEGAL):
                    m.d.sync += [
                        legal.eq(legal + 1),
                        tiles.eq(outcome.tiles),
                        completed.eq(Cat(outcome.loops, outcome.lines)),
                        client.core(TurnOp.UNMAKE, State.ITEM),
                    ]
                with m.If(self._must_end):
                    m.d.sync += state.eq(State.ABANDON)
            with m.Case(State.ITEM):
                numbers = [status.as_value(), tiles[8:], tiles[:8], completed]
                octets = [*self._label(m, client), *numbers]
                assert len(octets) == ANSWERS[item].width
                with m.If(pieces.offer(m, octets, item)):
                    m.d.sync += state.eq(State.NEXT)
            with m.Case(State.TOTAL):
                octets = [candidates[8:], candidates[:8], legal[8:], legal[:8]]
                assert len(octets) == ANSWERS[total].width
                with m.If(pieces.offer(m, octets, total)):
                    m.d.sync += state.eq(State.IDLE)
            with m.Case(State.ABANDON):
                self._abandon(m, client, pieces)
            with m.Default():
                # An unused code, after an upset: recover as after power-on.
                m.d.sync += state.eq(State.IDLE)
        return m

    def _label(self, m: Module, client: Client) -> list:
        """Return the two bytes of the candidate, which is not made: the box is the position's."""
        call, box, bits = client.call, client.outcome.box, self._grid.coord_bits
        shape = Signal(ShapeCode)
        column = Signal(6)
        row = Signal(6)
        m.d.comb += shape.eq(call.symbol)
        with m.If(~box.empty):
            m.d.comb += [
                column.eq((call.x - box.west + 1)[:bits]),
                row.eq((call.y - box.north + 1)[:bits]),
            ]
        return [Cat(column, shape), row]
