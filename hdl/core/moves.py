"""Move generator: walks the frontier table for first tiles that fit."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import edges_layout, exit_sides, leaves
from loopline.hdl.core.tile import TileFit
from loopline.hdl.core.types import ShapeCode, entry_layout, turn_layout

__all__ = ["MoveGenerator", "candidate_layout", "cursor_layout"]


def cursor_layout(grid: GridConfig) -> data.StructLayout:
    """A position in the list of candidates, which is sorted by frontier index and shape code."""
    return data.StructLayout({"index": grid.index_bits, "symbol": 2})


def candidate_layout(grid: GridConfig) -> data.StructLayout:
    """A candidate, or ``end`` if there is none at or after the cursor."""
    return data.StructLayout({"turn": turn_layout(grid), "end": 1})


class MoveGenerator(wiring.Component):
    """Finds the candidates of the position: each shape in each space whose sockets it matches,
    within the variant's area.

    A candidate may still be illegal by its forced plays, or outgrow the grid; ``MAKE`` finds out.
    As a cursor is a position in the list, a walk can stop, the position be changed and restored,
    and the walk go on. On an empty board the candidates are the two first turns, at (0, 0).

    Latency: 4 cycles, or 2 for an ``end`` and on an empty board, and 3 more for each table entry
    that is passed over.

    Members
    -------
    cursors : In(stream of cursor_layout)
        Where to begin. Shape 3 means the next index.
    candidates : Out(stream of candidate_layout)
        The first candidate at the cursor or after it. One for each cursor.
    empty : In(1), edges : In(edges_layout)
        The board is empty; what follows from the bounding box.
    high : In
        Table entries from ``high`` on are free.
    index : Out, entry : In(entry_layout)
        Read port of the frontier table. Latency: one cycle.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "cursors": In(stream.Signature(cursor_layout(grid))),
                "candidates": Out(stream.Signature(candidate_layout(grid))),
                "empty": In(1),
                "edges": In(edges_layout(grid)),
                "high": In(range(grid.frontier_entries + 1)),
                "index": Out(grid.index_bits),
                "entry": In(entry_layout(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        index = Signal(range(self._grid.frontier_entries + 1), reset_less=True)
        first_shape = Signal(2, reset_less=True)
        fits = Signal()
        end = Signal()
        turn = Signal(self.candidates.payload.turn.shape(), reset_less=True)
        m.d.comb += [
            self.index.eq(index),
            self.candidates.payload.turn.eq(turn),
            self.candidates.payload.turn.index.eq(index),
            self.candidates.payload.end.eq(end),
        ]

        # All three shapes in parallel; the first one at or after the cursor is used.
        some = Signal()
        shape = Signal(ShapeCode)
        for code in reversed(ShapeCode):
            name = code.name.lower()
            m.submodules[f"fit_{name}"] = fit = TileFit()
            m.d.comb += [
                fit.white.eq(self.entry.white),
                fit.red.eq(self.entry.red),
                fit.shape.eq(code),
            ]
            with m.If(fit.fits & (first_shape <= code.value)):
                m.d.comb += [some.eq(1), shape.eq(code)]

        class State(enum.Enum, shape=3):
            IDLE = 0
            SPACE = 1
            ENTRY = 2
            FIT = 3
            FOUND = 4

        state = Signal(State)
        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.comb += self.cursors.ready.eq(1)
                with m.If(self.cursors.valid):
                    m.d.sync += [
                        index.eq(self.cursors.payload.index),
                        first_shape.eq(self.cursors.payload.symbol),
                        state.eq(State.SPACE),
                    ]

            with m.Case(State.SPACE):
                m.d.sync += [
                    turn.x.eq(0),
                    turn.y.eq(0),
                    turn.symbol.eq(first_shape),
                    end.eq(1),
                    state.eq(State.ENTRY),
                ]
                with m.If(self.empty):
                    last = ShapeCode.SLASH.value
                    m.d.sync += [
                        end.eq(index.any() | (first_shape > last)),
                        state.eq(State.FOUND),
                    ]
                with m.Elif(index >= self.high):
                    m.d.sync += state.eq(State.FOUND)

            with m.Case(State.ENTRY):
                live = (self.entry.white | self.entry.red).any()
                m.d.sync += [
                    turn.x.eq(self.entry.place.x),
                    turn.y.eq(self.entry.place.y),
                    turn.symbol.eq(shape),
                    fits.eq(live & some),
                    state.eq(State.FIT),
                ]

            with m.Case(State.FIT):
                outside = leaves(self.edges.area_full, exit_sides(self.edges.beside, turn))
                with m.If(fits & ~outside):
                    m.d.sync += [end.eq(0), state.eq(State.FOUND)]
                with m.Else():
                    m.d.sync += [
                        index.eq(index + 1),
                        first_shape.eq(0),
                        state.eq(State.SPACE),
                    ]

            with m.Case(State.FOUND):
                m.d.comb += self.candidates.valid.eq(1)
                with m.If(self.candidates.ready):
                    m.d.sync += state.eq(State.IDLE)

            with m.Default():
                # Not the code of a state: go on as after power-on.
                m.d.sync += state.eq(State.IDLE)
        return m
