"""Position reporter: tiles, spaces and ends of tracks, for frames that ask for them."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Colour
from loopline.game.wire import ANSWERS, POSITION_SPACE, Command, answer_code, item_code
from loopline.hdl.arbiter import requester_port
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import extent
from loopline.hdl.core.client import Client
from loopline.hdl.core.rules import rules_layout
from loopline.hdl.core.types import (
    ReadKind,
    Status,
    TurnOp,
    cell_layout,
    is_frontier,
    is_occupied,
    place_layout,
)
from loopline.hdl.frames.requests import TURN_BITS, game_layout
from loopline.hdl.frames.turn_list import ABANDONED, piece_layout

__all__ = ["PositionDumper"]

_NO_PLACE = 0xFF


class PositionDumper(wiring.Component):
    """Says what is on the board: row by row, then the spaces that tracks enter.

    ::

        start ──► ROWS ──► CELL ─► CELL_READ ──► ROW_END ─┐ all rows
                            ▲         └─┴─ next ──┘       ▼
                                                        SPACES ──► SPACE ──► TOTAL
                                                           ▲         │ none left
                                                           └─────────┘

    The turn unit only reads. A report that is abandoned ends with the code ``ABANDONED``.

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
    game : In(game_layout), turns : In(TURN_BITS), rules : In(rules_layout)
        What the last answer says, too. They may change when a byte is taken, and not before: a
        commander that reports takes each at once.
    core : Out(requester_port)
        The turn unit.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "start": In(1),
                "pieces": Out(stream.Signature(piece_layout())),
                "game": In(game_layout()),
                "turns": In(TURN_BITS),
                "rules": In(rules_layout(grid)),
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
            ROWS = 3
            ROW = 4
            CELL = 5
            CELL_READ = 6
            ROW_END = 7
            SPACES = 8
            SPACE = 9
            SPACE_LABEL = 10
            TOTAL = 11
            ABANDON = 12
            BEGIN = 13

        client = Client(grid, State)
        state, call, outcome, core = client.state, client.call, client.outcome, client.core
        cell = Signal(cell_layout(grid))
        read = Cat(*(partner.as_value() for partner in self.core.partners))
        partners = Signal.like(read)
        box = outcome.box
        tiles = Signal(16)
        spaces = Signal(16)
        row = Signal(grid.label_bits)
        index = Signal(range(grid.frontier_entries + 1))
        at = Signal(4)
        given_up = self.core.abandon | ~self.core.granted

        def say(values: list[Value], following: State, code: int | None = None):
            """Give out bytes, one in each transfer, and then the code of the answer if it is its
            end."""
            m.d.comb += self.pieces.valid.eq(1)
            pieces = [(value, 0) for value in values] + ([] if code is None else [(code, 1)])
            with m.Switch(at):
                for place, (value, ends) in enumerate(pieces):
                    with m.Case(place):
                        m.d.comb += [
                            self.pieces.payload.byte.eq(value),
                            self.pieces.payload.ends.eq(ends),
                        ]
            with m.If(self.pieces.ready):
                m.d.sync += at.eq(at + 1)
                with m.If(at == len(pieces) - 1):
                    m.d.sync += [at.eq(0), state.eq(following)]

        def label(place, axis: str, low: str) -> Value:
            """A coordinate as notation counts it."""
            return (place[axis] - box[low] + 1)[: grid.coord_bits]

        m.d.comb += self.core.request.eq(self.start)
        m.d.comb += [self.core.busy.eq(client.busy), self.core.commands.payload.eq(call)]
        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.sync += [tiles.eq(0), spaces.eq(0), row.eq(1), at.eq(0)]
                with m.If(self.start):
                    m.d.sync += state.eq(State.BEGIN)
            with m.Case(State.BEGIN):
                # Any read tells the box.
                m.d.sync += core(TurnOp.READ, State.ROWS, symbol=ReadKind.CELL, x=0, y=0)
                with m.If(given_up):
                    m.d.sync += state.eq(State.ABANDON)

            client.hand_over(m, self.core, keep=[cell.eq(self.core.cell), partners.eq(read)])

            # The formation, from west to east and from north to south.
            with m.Case(State.ROWS):
                m.d.sync += [
                    call.x.eq(box.west),
                    call.y.eq(box.north),
                    index.eq(0),
                    state.eq(Mux(box.empty, State.SPACES, State.ROW)),
                ]
            with m.Case(State.ROW):
                say([row], State.CELL)
            with m.Case(State.CELL):
                m.d.sync += core(TurnOp.READ, State.CELL_READ)
                with m.If(given_up):
                    m.d.sync += state.eq(State.ABANDON)
            with m.Case(State.CELL_READ):
                white = Mux(is_occupied(cell), cell.index[:4], cell.white)
                red = Mux(is_occupied(cell), ~cell.index[:4], cell.red)
                say([Cat(red, white)], State.CELL)
                with m.If(self.pieces.ready):
                    m.d.sync += [call.x.eq(call.x + 1), tiles.eq(tiles + is_occupied(cell))]
                    with m.If(call.x == box.east):
                        m.d.sync += state.eq(State.ROW_END)
            with m.Case(State.ROW_END):
                say([], State.ROW, item_code(Command.POSITION))
                with m.If(self.pieces.ready):
                    m.d.sync += [call.x.eq(box.west), call.y.eq(call.y + 1), row.eq(row + 1)]
                    with m.If(call.y == box.south):
                        m.d.sync += state.eq(State.SPACES)

            # The frontier table, as far as it was ever used.
            with m.Case(State.SPACES):
                m.d.sync += core(TurnOp.READ, State.SPACE, symbol=ReadKind.SPACE, index=index)
                with m.If(given_up):
                    m.d.sync += state.eq(State.ABANDON)
                with m.Elif(index == grid.frontier_entries):
                    m.d.comb += self.core.done.eq(1)
                    m.d.sync += state.eq(State.TOTAL)
            with m.Case(State.SPACE):
                live = is_frontier(cell) & (cell.index == call.index)
                m.d.sync += [index.eq(index + 1), state.eq(State.SPACES)]
                with m.If(outcome.status == Status.END):
                    m.d.comb += self.core.done.eq(1)
                    m.d.sync += state.eq(State.TOTAL)
                with m.Elif(live):
                    m.d.sync += [spaces.eq(spaces + 1), state.eq(State.SPACE_LABEL)]
            with m.Case(State.SPACE_LABEL):
                values = [
                    label(outcome.turn, "x", "west"),
                    label(outcome.turn, "y", "north"),
                    Cat(cell.red, cell.white),
                ]
                width = len(self.core.partners[0].as_value())
                for colour in Colour:
                    sockets = cell.white if colour is Colour.WHITE else cell.red
                    part = partners.word_select(colour.value, width)
                    place = place_layout(grid)(part)
                    values += [
                        Mux(sockets == 0, _NO_PLACE, label(place, axis, low))
                        for axis, low in (("x", "west"), ("y", "north"))
                    ]
                assert len(values) == ANSWERS[POSITION_SPACE].width
                say(values, State.SPACES, POSITION_SPACE)

            with m.Case(State.TOTAL):
                columns = Mux(box.empty, 0, extent(box.west, box.east) + 1)
                rows = Mux(box.empty, 0, extent(box.north, box.south) + 1)
                code = answer_code(Command.POSITION)
                values = [
                    self.game.as_value(),
                    self.turns[8:],
                    self.turns[:8],
                    self.rules.area,
                    Cat(self.rules.lines, self.rules.both_draws),
                    columns,
                    rows,
                    tiles[8:],
                    tiles[:8],
                    spaces[8:],
                    spaces[:8],
                ]
                assert len(values) == ANSWERS[code].width
                say(values, State.IDLE, code)
            with m.Case(State.ABANDON):
                say([], State.IDLE, ABANDONED)
            with m.Default():
                # No code of a state: as after power-on.
                m.d.sync += state.eq(State.IDLE)
        return m
