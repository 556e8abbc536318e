"""Move generator: walks the frontier table for turns whose first tile fits."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import exit_sides, leaves_area
from loopline.hdl.core.cells import CellReader
from loopline.hdl.core.tile import TileFit
from loopline.hdl.core.types import (
    ShapeCode,
    box_layout,
    is_frontier,
    place_layout,
    turn_layout,
)

__all__ = ["MoveGenerator", "candidate_layout", "cursor_layout"]


def cursor_layout(grid: GridConfig) -> data.StructLayout:
    """A place in the order of candidates: by frontier index, then by shape code."""
    return data.StructLayout({"index": grid.index_bits, "symbol": 2})


def candidate_layout(grid: GridConfig) -> data.StructLayout:
    """A candidate, or ``end`` when there is none at or after the cursor."""
    return data.StructLayout({"turn": turn_layout(grid), "end": 1})


class MoveGenerator(wiring.Component):
    """The candidates of the position: every shape in every space whose sockets it matches, and
    that lies within the variant's area.

    A candidate may still prove illegal by its forced plays or outgrow the grid: making it tells.
    A cursor names a candidate by where it stands, so that a walk can be left, the position changed
    and restored, and the walk be resumed. On an empty board the two first turns of rule 1 are the
    candidates, at (0, 0).

    Latency: 4 cycles, and 3 more for each table entry that is passed over.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    cursors : In(stream of cursor_layout)
        Where to begin; shape 3 means: at the next index.
    candidates : Out(stream of candidate_layout)
        The first candidate there or later. One for each cursor.
    box : In(box_layout)
        The position's bounding box.
    area : In
        The most columns and rows that the variant allows; see :func:`rules_layout`.
    high : In
        Table entries from here on are free.
    index : Out, place : In(place_layout)
        Read port of the frontier table, latency one cycle.
    read : Out(CellReader)
        Read port of the cell map.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "cursors": In(stream.Signature(cursor_layout(grid))),
                "candidates": Out(stream.Signature(candidate_layout(grid))),
                "box": In(box_layout(grid)),
                "area": In(grid.coord_bits),
                "high": In(range(grid.spaces + 1)),
                "index": Out(grid.index_bits),
                "place": In(place_layout(grid)),
                "read": Out(CellReader(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        cell = self.read.cell
        index = Signal(range(self._grid.spaces + 1))
        first_shape = Signal(2)
        outside = Signal()
        found = Signal.like(self.candidates.payload)
        m.d.comb += [
            self.index.eq(index),
            self.read.x.eq(self.place.x),
            self.read.y.eq(self.place.y),
            self.candidates.payload.eq(found),
        ]

        # All three shapes at once; the first at or after the cursor is taken.
        fits, shape = Signal(), Signal(ShapeCode)
        for code in reversed(ShapeCode):
            name = code.name.lower()
            m.submodules[f"fit_{name}"] = fit = TileFit()
            m.d.comb += [
                fit.white.eq(cell.white),
                fit.red.eq(cell.red),
                fit.shape.eq(code),
            ]
            with m.If(fit.fits & (first_shape <= code.value)):
                m.d.comb += [fits.eq(1), shape.eq(code)]

        class State(enum.Enum, shape=3):
            IDLE = 0
            SPACE = 1
            CELL = 2
            FIT = 3
            FOUND = 4

        state = Signal(State)
        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.comb += self.cursors.ready.eq(1)
                m.d.sync += [
                    index.eq(self.cursors.payload.index),
                    first_shape.eq(self.cursors.payload.symbol),
                ]
                with m.If(self.cursors.valid):
                    m.d.sync += state.eq(State.SPACE)

            with m.Case(State.SPACE):
                m.d.sync += [
                    found.turn.index.eq(index),
                    found.turn.x.eq(0),
                    found.turn.y.eq(0),
                    found.turn.symbol.eq(first_shape),
                    found.end.eq(1),
                ]
                with m.If(self.box.empty):
                    m.d.sync += found.end.eq((index != 0) | (first_shape > ShapeCode.SLASH.value))
                    m.d.sync += state.eq(State.FOUND)
                with m.Elif(index >= self.high):
                    m.d.sync += state.eq(State.FOUND)
                with m.Else():
                    m.d.sync += state.eq(State.CELL)

            with m.Case(State.CELL):
                m.d.comb += self.read.en.eq(1)
                m.d.sync += [
                    found.turn.x.eq(self.place.x),
                    found.turn.y.eq(self.place.y),
                    outside.eq(leaves_area(self.box, self.area, exit_sides(self.box, self.place))),
                    state.eq(State.FIT),
                ]

            with m.Case(State.FIT):
                live = is_frontier(cell) & (cell.index == found.turn.index)
                with m.If(live & fits & ~outside):
                    m.d.sync += [
                        found.turn.symbol.eq(shape),
                        found.end.eq(0),
                        state.eq(State.FOUND),
                    ]
                with m.Else():
                    m.d.sync += [index.eq(index + 1), first_shape.eq(0), state.eq(State.SPACE)]

            with m.Case(State.FOUND):
                m.d.comb += self.candidates.valid.eq(1)
                with m.If(self.candidates.ready):
                    m.d.sync += state.eq(State.IDLE)
        return m
