"""TurnLister: what frames ask about the position, answer by answer."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game.wire import ANSWERS, Command, answer_code, item_code
from loopline.hdl.arbiter import requester_port
from loopline.hdl.config import GridConfig
from loopline.hdl.core.client import Client
from loopline.hdl.core.moves import cursor_layout
from loopline.hdl.core.types import (
    TILE_COUNT_BITS,
    ShapeCode,
    Status,
    TurnOp,
)

__all__ = ["ABANDONED", "TurnLister", "piece_layout"]

ABANDONED = 0
"""In place of an answer's code: there will be no more."""


def piece_layout() -> data.StructLayout:
    """A byte of an answer's payload; or with ``ends``, the code of the answer that they are."""
    return data.StructLayout({"byte": 8, "ends": 1})


class TurnLister(wiring.Component):
    """Lists all turns whose first tile fits, and what comes of each.

    ::

        start ──► NEXT ──► FOUND ──► MAKE ──► JUDGE ──► UNMAKE ──► ITEM ──► pieces
                   ▲          └─ none left ──► TOTAL ──────────────┼──────►
                   └───────────────────────────────────────────────┘

    The position is left as it was found. A report that is abandoned ends with the code
    ``ABANDONED``, once the turn unit has finished its operation; the board has to be cleared then.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    start : In(1)
        Begin. Only while there is no report.
    pieces : Out(stream of piece_layout)
        The answers.
    core : Out(requester_port)
        The turn unit.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "start": In(1),
                "pieces": Out(stream.Signature(piece_layout())),
                "core": Out(requester_port(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._grid

        class State(enum.Enum, shape=4):
            IDLE = 0
            CALL = 1
            RESULT = 2
            NEXT = 3
            FOUND = 4
            JUDGE = 5
            ITEM = 6
            TOTAL = 7
            ABANDON = 8

        client = Client(grid, State)
        state, call, outcome, core = client.state, client.call, client.outcome, client.core
        cursor = Signal(cursor_layout(grid))
        # The turn that was tried last.
        status = Signal(Status)
        tiles = Signal(TILE_COUNT_BITS)
        completed = Signal(4)
        candidates = Signal(16)
        legal = Signal(16)
        at = Signal(3)
        given_up = self.core.abandon | ~self.core.granted

        def say(values: list, code: int, following: State):
            """Give out the bytes of an answer and its code, one in each transfer."""
            m.d.comb += self.pieces.valid.eq(1)
            with m.Switch(at):
                for place, value in enumerate(values):
                    with m.Case(place):
                        m.d.comb += self.pieces.payload.byte.eq(value)
                with m.Default():
                    m.d.comb += [
                        self.pieces.payload.byte.eq(code),
                        self.pieces.payload.ends.eq(1),
                    ]
            with m.If(self.pieces.ready):
                m.d.sync += at.eq(at + 1)
                with m.If(at == len(values)):
                    m.d.sync += [at.eq(0), state.eq(following)]

        m.d.comb += self.core.request.eq(self.start)
        m.d.comb += [self.core.busy.eq(client.busy), self.core.commands.payload.eq(call)]
        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.sync += [cursor.eq(0), candidates.eq(0), legal.eq(0), at.eq(0)]
                with m.If(self.start):
                    m.d.sync += state.eq(State.NEXT)

            client.hand_over(m, self.core)

            with m.Case(State.NEXT):
                m.d.sync += core(TurnOp.NEXT, State.FOUND, index=cursor.index, symbol=cursor.symbol)
                with m.If(given_up):
                    m.d.sync += state.eq(State.ABANDON)
            with m.Case(State.FOUND):
                found = outcome.turn
                m.d.sync += [
                    cursor.index.eq(found.index),
                    cursor.symbol.eq(found.symbol.as_value() + 1),
                    core(TurnOp.MAKE, State.JUDGE, x=found.x, y=found.y, symbol=found.symbol),
                ]
                with m.If(given_up):
                    m.d.sync += state.eq(State.ABANDON)
                with m.Elif(outcome.status == Status.END):
                    m.d.comb += self.core.done.eq(1)
                    m.d.sync += state.eq(State.TOTAL)
            with m.Case(State.JUDGE):
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
                        core(TurnOp.UNMAKE, State.ITEM),
                    ]
                with m.If(given_up):
                    m.d.sync += state.eq(State.ABANDON)

            # The box is the position's again.
            with m.Case(State.ITEM):
                box = outcome.box
                shape = Signal(ShapeCode)
                column = Signal(6)
                row = Signal(6)
                m.d.comb += shape.eq(call.symbol)
                with m.If(~box.empty):
                    m.d.comb += [
                        column.eq((call.x - box.west + 1)[: grid.coord_bits]),
                        row.eq((call.y - box.north + 1)[: grid.coord_bits]),
                    ]
                self._check(item_code(Command.LIST), 6)
                say(
                    [
                        Cat(column, shape),
                        row,
                        status.as_value(),
                        tiles[8:],
                        tiles[:8],
                        completed,
                    ],
                    item_code(Command.LIST),
                    State.NEXT,
                )
            with m.Case(State.TOTAL):
                self._check(answer_code(Command.LIST), 4)
                say(
                    [candidates[8:], candidates[:8], legal[8:], legal[:8]],
                    answer_code(Command.LIST),
                    State.IDLE,
                )
            with m.Case(State.ABANDON):
                say([], ABANDONED, State.IDLE)
            with m.Default():
                # No code of a state: as after power-on.
                m.d.sync += state.eq(State.IDLE)
        return m

    @staticmethod
    def _check(code: int, width: int) -> None:
        """The bytes that are given out are those of the definition."""
        assert ANSWERS[code].width == width
