"""The score of a position, from the ends of its tracks."""

from __future__ import annotations

from amaranth.hdl import Array, Cat, Module, Mux, Signal, Value, signed
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Colour, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import crosses, edges_layout, exit_sides, extent
from loopline.hdl.core.types import SCORE_BITS, box_layout, entry_layout, place_layout

__all__ = ["DISTANCE_POINTS", "LINE_POINTS", "TrackScore"]

DISTANCE_POINTS = (0, 48, 35, 28, 12, 6, 3, 0)
"""Points of a track by the distance (columns plus rows) of the spaces at its two ends.

The values for 2, 3 and 4 were fitted to games of a software engine against itself. The others
continue them by hand. The last value is for all larger distances. Two ends in one space do not
occur after a turn.
"""

LINE_POINTS = (0, 0, 0, 0, 0, 20, 60, 140)
"""Points of a track whose ends leave the box on opposite sides, by the length of the box between
these sides. With length 8 it would be a line, and the game over.
"""


def _distance(one: Value, other: Value) -> Value:
    """The distance of two coordinates, both counted from one side of the box."""
    apart = one - other
    less = apart[-1]
    return ((apart ^ less.replicate(len(apart))) + less)[: len(one)]


class TrackScore(wiring.Component):
    """Adds up the points of White's tracks and subtracts those of Red's.

    Walks the frontier table once. A track counts at the end with the lower index.
    Latency: 8 cycles for each table entry below ``high``, and 2 more.

    Members
    -------
    start : In(1)
        Begin. Ignored during a walk and while ``scores`` is valid.
    scores : Out(stream of signed(SCORE_BITS))
        The result. It cannot overflow, as the frontier does not hold that many tracks.
    box : In(box_layout), edges : In(edges_layout), high : In
        The position: its box, what follows from it, and the first entry that was never used.
    lines : In(1)
        Lines win: a track has points for the line that it may become.
    index : Out, entry : In(entry_layout)
        Read port of the frontier table and the joiner. Latency: one cycle.
    partners : In, one index for each colour
        The other end of the track that ends at ``index``. Same latency.
    follow : Out(1), partner_places : In, one place_layout for each colour
        Read the places of ``partners`` in the frontier table instead of ``index``. Latency: one
        cycle.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        # Each frontier space is the end of at most one track of each colour.
        most = grid.frontier_entries // 2 * (max(DISTANCE_POINTS) + max(LINE_POINTS))
        assert most < 1 << (SCORE_BITS - 1)
        super().__init__(
            {
                "start": In(1),
                "scores": Out(stream.Signature(signed(SCORE_BITS))),
                "box": In(box_layout(grid)),
                "edges": In(edges_layout(grid)),
                "lines": In(1),
                "high": In(range(grid.frontier_entries + 1)),
                "index": Out(grid.index_bits),
                "entry": In(entry_layout(grid)),
                "partners": In(grid.index_bits).array(2),
                "follow": Out(1),
                "partner_places": In(place_layout(grid)).array(2),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        index = Signal(range(self._grid.frontier_entries + 1))
        total = Signal(signed(SCORE_BITS))
        m.d.comb += [self.index.eq(index), self.scores.payload.eq(total)]

        class State(enum.Enum, shape=3):
            IDLE = 0
            SPACE = 1
            CELL = 2
            TAKE = 3
            MEASURE = 4
            VALUE = 5
            ADD = 6
            DONE = 7

        state = Signal(State)
        colour = Signal()

        # In CELL, in TAKE and, for red, in VALUE: an end of a track, relative to the box's corner.
        second = state == State.VALUE
        partner = Mux(second, self.partners[Colour.RED], self.partners[Colour.WHITE])
        # The colours of the tracks that end in the entry's space: the next read replaces the entry.
        ends = Signal(2)
        m.d.comb += self.follow.eq(state != State.SPACE)
        of_partners = [Value.cast(place) for place in self.partner_places]
        place = Signal(place_layout(self._grid))
        m.d.comb += Value.cast(place).eq(
            Mux(
                state == State.CELL,
                Value.cast(self.entry.place),
                Mux(second, of_partners[Colour.RED], of_partners[Colour.WHITE]),
            )
        )
        bits = self._grid.coord_bits
        end = data.StructLayout({"x": bits, "y": bits, "exits": 4})
        seen = Signal(end)
        here = Signal(end)
        there = Signal(end)
        counts = Signal()
        beside = self.edges.beside
        m.d.comb += [
            seen.x.eq(place.x - beside[Side.WEST]),
            seen.y.eq(place.y - beside[Side.NORTH]),
            seen.exits.eq(exit_sides(beside, place)),
        ]
        is_end = Mux(second, ends[Colour.RED], ends[Colour.WHITE])
        other_end = [there.eq(seen), counts.eq(is_end & (partner > self.index))]

        # In MEASURE and, for red, in ADD: how far the two ends are apart.
        count = Signal()
        columns = Signal(self._grid.coord_bits)
        rows = Signal(self._grid.coord_bits)
        lateral = Signal()
        vertical = Signal()
        measure = [
            count.eq(counts),
            columns.eq(_distance(here.x, there.x)),
            rows.eq(_distance(here.y, there.y)),
            lateral.eq(crosses(here.exits, there.exits, Side.WEST)),
            vertical.eq(crosses(here.exits, there.exits, Side.NORTH)),
        ]

        # In VALUE: the points of the track.
        apart = Signal(range(len(DISTANCE_POINTS)))
        distance = columns + rows
        last = len(DISTANCE_POINTS) - 1
        m.d.comb += apart.eq(Mux(distance < last, distance, last))
        # The length of the box in each direction, or 0 if no line can arise. The box does not
        # change during a walk.
        shape = range(len(LINE_POINTS))
        length = Signal(shape)
        wide = Signal(shape)
        high = Signal(shape)
        for size, start, end in (
            (wide, self.box.west, self.box.east),
            (high, self.box.north, self.box.south),
        ):
            along = extent(start, end)
            m.d.sync += size.eq(Mux(self.lines & (along < len(LINE_POINTS) - 1), along + 1, 0))
        m.d.comb += length.eq(Mux(lateral, wide, Mux(vertical, high, 0)))
        points = Signal(range(max(DISTANCE_POINTS) + max(LINE_POINTS) + 1))

        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.sync += [index.eq(0), total.eq(0)]
                with m.If(self.start):
                    m.d.sync += state.eq(State.SPACE)
            with m.Case(State.SPACE):
                m.d.sync += state.eq(Mux(index == self.high, State.DONE, State.CELL))
            with m.Case(State.CELL):
                m.d.sync += [
                    here.eq(seen),
                    ends.eq(Cat(self.entry.white.any(), self.entry.red.any())),
                    colour.eq(Colour.WHITE),
                    state.eq(State.TAKE),
                ]
            with m.Case(State.TAKE):
                m.d.sync += [*other_end, state.eq(State.MEASURE)]
            with m.Case(State.MEASURE):
                m.d.sync += [*measure, state.eq(State.VALUE)]
            with m.Case(State.VALUE):
                m.d.sync += [
                    *other_end,
                    points.eq(Array(DISTANCE_POINTS)[apart] + Array(LINE_POINTS)[length]),
                    state.eq(State.ADD),
                ]
            with m.Case(State.ADD):
                with m.If(count):
                    # To subtract is to add the complement and 1.
                    m.d.sync += total.eq(
                        total + (points ^ colour.replicate(SCORE_BITS)).as_signed() + colour
                    )
                m.d.sync += [*measure, colour.eq(Colour.RED)]
                with m.If(colour == Colour.WHITE):
                    m.d.sync += state.eq(State.VALUE)
                with m.Else():
                    m.d.sync += [index.eq(index + 1), state.eq(State.SPACE)]
            with m.Case(State.DONE):
                m.d.comb += self.scores.valid.eq(1)
                with m.If(self.scores.ready):
                    m.d.sync += state.eq(State.IDLE)
            with m.Default():
                # Not the code of a state: go on as after power-on.
                m.d.sync += state.eq(State.IDLE)
        return m
