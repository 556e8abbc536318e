"""Dumps the position, for POSITION: tiles, spaces and ends of tracks."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, enum
from amaranth.lib.wiring import In

from loopline.game import Colour
from loopline.game.wire import ANSWERS, POSITION_SPACE, Command, answer_code, item_code
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import extent
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
from loopline.hdl.frames.pieces import Answerer
from loopline.hdl.frames.requests import game_layout
from loopline.hdl.search.types import TURN_BITS

__all__ = ["PositionDumper"]

_NO_PLACE = 0xFF
"""Column and row of the other end, of a track that does not enter the space."""


class State(enum.Enum, shape=4):
    """What the dumper does in a cycle."""

    IDLE = 0
    CALL = 1
    """Give the turn unit a command."""
    RESULT = 2
    """Wait for its outcome, and store what it has read."""
    ROWS = 3
    """Go to the formation's first cell."""
    ROW = 4
    """Begin a row's answer with its number."""
    CELL = 5
    """Ask for a cell."""
    CELL_READ = 6
    """Add this cell to the answer."""
    ROW_END = 7
    """Complete the row's answer."""
    SPACES = 8
    """Ask for an entry of the frontier table."""
    SPACE = 9
    """Is the entry in use?"""
    SPACE_LABEL = 10
    """Answer with this space."""
    TOTAL = 11
    """Answer with the totals."""
    ABANDON = 12
    """End without further answers."""
    BEGIN = 13
    """Ask for any cell: each outcome has the box."""


class PositionDumper(Answerer):
    """Dump what is on the board: row by row, then the spaces that tracks enter.

    ::

        start ──► BEGIN ──► ROWS ──► ROW ──► CELL ─► CELL_READ ──► ROW_END ─┐ all rows
                                      ▲       └─ next ─┘               │    ▼
                                      └────────────────────────────────┘  SPACES ─► SPACE ─► TOTAL
                                                                             ▲        │ none left
                                                                             └────────┘

    The turn unit only reads. Parameters are those of :class:`Answerer`.

    Members
    -------
    start, pieces, core
        As of :class:`Answerer`.
    game : In(game_layout), turns : In(TURN_BITS), rules : In(rules_layout)
        Values of the last answer. They must not change while a byte waits to be taken; the
        commander takes each byte at once.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(
            grid,
            State,
            game=In(game_layout()),
            turns=In(TURN_BITS),
            rules=In(rules_layout(grid)),
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._grid
        longest = ANSWERS[answer_code(Command.POSITION)].width + 1
        client, pieces = self._begin(m, longest)
        state, call, outcome, box = client.state, client.call, client.outcome, client.outcome.box
        cell = Signal(cell_layout(grid))
        partners = Signal(data.ArrayLayout(place_layout(grid), len(Colour)))
        tiles = Signal(16)
        spaces = Signal(16)
        row = Signal(grid.label_bits)
        index = Signal(range(grid.frontier_entries + 1))
        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.sync += [tiles.eq(0), spaces.eq(0), row.eq(1), pieces.index.eq(0)]
                with m.If(self.start):
                    m.d.sync += state.eq(State.BEGIN)
            with m.Case(State.CALL):
                client.send(m, self.core)
            with m.Case(State.RESULT):
                read = Cat(*(partner.as_value() for partner in self.core.partners))
                keep = [cell.eq(self.core.cell), partners.eq(read)]
                client.receive(m, self.core, keep=keep)
            with m.Case(State.BEGIN):
                self._ask(m, client, TurnOp.READ, State.ROWS, symbol=ReadKind.CELL, x=0, y=0)

            # The formation, from west to east and from north to south.
            with m.Case(State.ROWS):
                m.d.sync += [
                    call.x.eq(box.west),
                    call.y.eq(box.north),
                    index.eq(0),
                    state.eq(Mux(box.empty, State.SPACES, State.ROW)),
                ]
            with m.Case(State.ROW), m.If(pieces.offer(m, [row])):
                m.d.sync += state.eq(State.CELL)
            with m.Case(State.CELL):
                self._ask(m, client, TurnOp.READ, State.CELL_READ)
            with m.Case(State.CELL_READ):
                white = Mux(is_occupied(cell), cell.index[:4], cell.white)
                red = Mux(is_occupied(cell), ~cell.index[:4], cell.red)
                with m.If(pieces.offer(m, [Cat(red, white)])):
                    m.d.sync += [
                        call.x.eq(call.x + 1),
                        tiles.eq(tiles + is_occupied(cell)),
                        state.eq(Mux(call.x == box.east, State.ROW_END, State.CELL)),
                    ]
            with m.Case(State.ROW_END), m.If(pieces.offer(m, [], item_code(Command.POSITION))):
                m.d.sync += [
                    call.x.eq(box.west),
                    call.y.eq(call.y + 1),
                    row.eq(row + 1),
                    state.eq(Mux(call.y == box.south, State.SPACES, State.ROW)),
                ]

            # The frontier table, as far as it has been used.
            with m.Case(State.SPACES):
                entry = {"symbol": ReadKind.SPACE, "index": index}
                self._ask(m, client, TurnOp.READ, State.SPACE, **entry)
                with m.If((index == grid.frontier_entries) & ~self._must_end):
                    m.d.comb += self.core.done.eq(1)
                    m.d.sync += state.eq(State.TOTAL)
            with m.Case(State.SPACE):
                in_use = is_frontier(cell) & (cell.index == call.index)
                m.d.sync += [index.eq(index + 1), state.eq(State.SPACES)]
                with m.If(outcome.status == Status.END):
                    m.d.comb += self.core.done.eq(1)
                    m.d.sync += state.eq(State.TOTAL)
                with m.Elif(in_use):
                    m.d.sync += [spaces.eq(spaces + 1), state.eq(State.SPACE_LABEL)]
            with m.Case(State.SPACE_LABEL):
                octets = self._space(outcome.turn, cell, partners, box)
                with m.If(pieces.offer(m, octets, POSITION_SPACE)):
                    m.d.sync += state.eq(State.SPACES)

            with m.Case(State.TOTAL):
                octets = self._total(tiles, spaces, box)
                with m.If(pieces.offer(m, octets, answer_code(Command.POSITION))):
                    m.d.sync += state.eq(State.IDLE)
            with m.Case(State.ABANDON):
                self._abandon(m, client, pieces)
            with m.Default():
                # An unused code, after an upset: recover as after power-on.
                m.d.sync += state.eq(State.IDLE)
        return m

    def _label(self, place, box) -> list[Value]:
        """Return the column and row of a place as notation counts them."""
        bits = self._grid.coord_bits
        return [(place.x - box.west + 1)[:bits], (place.y - box.north + 1)[:bits]]

    def _space(self, place, cell, partners, box) -> list[Value]:
        """Return the bytes of a space: its label, its sockets, and the other ends of its tracks."""
        octets = [*self._label(place, box), Cat(cell.red, cell.white)]
        for colour, sockets in ((Colour.WHITE, cell.white), (Colour.RED, cell.red)):
            for label in self._label(partners[colour.value], box):
                octets.append(Mux(sockets == 0, _NO_PLACE, label))
        assert len(octets) == ANSWERS[POSITION_SPACE].width
        return octets

    def _total(self, tiles: Value, spaces: Value, box) -> list[Value]:
        """Return the bytes of the last answer."""
        octets = [
            self.game.as_value(),
            self.turns[8:],
            self.turns[:8],
            self.rules.area,
            Cat(self.rules.lines, self.rules.both_draws),
            Mux(box.empty, 0, extent(box.west, box.east) + 1),
            Mux(box.empty, 0, extent(box.north, box.south) + 1),
            tiles[8:],
            tiles[:8],
            spaces[8:],
            spaces[:8],
        ]
        assert len(octets) == ANSWERS[answer_code(Command.POSITION)].width
        return octets
