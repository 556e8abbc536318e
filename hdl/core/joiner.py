"""Track joiner: which two ends belong to one track, and what joining ends completes."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.game import Colour
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import completes_line, edges_layout, exit_sides
from loopline.hdl.core.types import place_layout

__all__ = ["TrackJoiner", "join_layout", "track_layout"]


def join_layout(grid: GridConfig) -> data.StructLayout:
    """The two ends that a tile connects, and their colour.

    ``a`` and ``b`` are frontier indices. Where ``*_attached`` is set, a track ends there already,
    at the tile's own space or at the space beyond the edge, and goes on through the tile; else
    the index names the space where the tile's edge becomes the end of a track.
    """
    end = data.StructLayout({"index": grid.index_bits, "attached": 1})
    return data.StructLayout({"colour": 1, "a": end, "b": end})


def track_layout(grid: GridConfig) -> data.StructLayout:
    """A track as it was before a join: the end that was joined, and its other end."""
    return data.StructLayout({"colour": 1, "near": grid.index_bits, "far": grid.index_bits})


class TrackJoiner(wiring.Component):
    """The tracks, known by their ends alone.

    The partner table holds, for each colour and each frontier space where a track of this colour
    ends, the space where its other end is. Joining two ends looks both partners up, and

    * finds a loop if one end is the other's partner;
    * else makes the partners each other's partners, and finds a line if those two leave the box
      on opposite sides.

    So no track is ever traced. A join is made as soon as a socket meets its like in one space,
    ahead of the forced tile that carries it out: a space with two sockets of one colour has no
    ends of that colour any more.

    ::

        IDLE ───────► FIRST ───────► SECOND ─────► LAST ────────► JUDGE
        read          first end      loop? else    write second   line?
        partner[a]    read           write first   end, read its
                      partner[b]     end, read     place
                                     its place

    Undo: a track that was there before the join is journalled, and joining its two ends once more
    as if both were new makes them each other's partners again. What else the join wrote belongs
    to no track then.

    Parameters
    ----------
    grid : GridConfig
        Widths and depths.

    Members
    -------
    joins : In(stream of join_layout)
        Ends to connect. The next one is taken as soon as the last is written: every 4 cycles,
        3 after a loop.
    busy : Out(1)
        A join is under way.
    records : Out(1), track : Out(track_layout)
        A track to be journalled: one for each end that was attached, only one for a loop. Two and
        three cycles after the join is taken.
    edges : In(edges_layout)
        What follows from the bounding box, with the first tile of the turn.
    loops, lines : Out(2)
        A loop or line was completed since ``mark``; bit 0 white, bit 1 red.
    mark : In(1)
        Begin a turn. Only while not ``busy``.
    judge : In(1, init=1)
        While low, no line is completed.
    far : Out, place : In(place_layout)
        The coordinates of a frontier space, one cycle later; while ``busy``.
    working : In(1)
        Joins may come: their ends are read instead of ``index``. With every join, and all the time
        while ``busy``.
    index : In, partners : Out, for each colour
        While not ``working``: the partner of the end at ``index``, one cycle later.
    en : In(1, init=1)
        While low and not ``working``, the answer stays.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "joins": In(stream.Signature(join_layout(grid))),
                "busy": Out(1),
                "records": Out(1),
                "track": Out(track_layout(grid)),
                "edges": In(edges_layout(grid)),
                "loops": Out(2),
                "lines": Out(2),
                "mark": In(1),
                "judge": In(1, init=1),
                "far": Out(grid.index_bits),
                "place": In(place_layout(grid)),
                "index": In(grid.index_bits),
                "en": In(1, init=1),
                "working": In(1),
                "partners": Out(grid.index_bits).array(2),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._grid
        m.submodules.partners = partners = Memory(
            shape=data.ArrayLayout(grid.index_bits, 2), depth=grid.spaces, init=[]
        )
        write, read = partners.write_port(granularity=1), partners.read_port()
        for colour in Colour:
            m.d.comb += self.partners[colour].eq(read.data[colour])

        class State(enum.Enum, shape=3):
            IDLE = 0
            FIRST = 1
            SECOND = 2
            LAST = 3
            JUDGE = 4

        state = Signal(State)
        join = Signal(join_layout(grid), reset_less=True)
        # The outer ends of the joined track.
        first = Signal(grid.index_bits, reset_less=True)
        second = Signal(grid.index_bits, reset_less=True)
        first_exits = Signal(4, reset_less=True)
        second_exits = Signal(4, reset_less=True)

        partner = Mux(join.colour, read.data[Colour.RED], read.data[Colour.WHITE])
        far_b = Mux(join.b.attached, partner, join.b.index)
        exits = exit_sides(self.edges.beside, self.place)
        writes = Signal()

        m.d.comb += [
            self.busy.eq(state != State.IDLE),
            # Whether there is a join is known late.
            read.en.eq(self.en | self.busy | self.working),
            read.addr.eq(Mux(self.working, self.joins.payload.a.index, self.index)),
            write.en.eq(Cat(writes & ~join.colour, writes & join.colour)),
            self.track.colour.eq(join.colour),
            self.track.near.eq(join.b.index),
            self.track.far.eq(second),
        ]
        for lane in (write.data[colour] for colour in Colour):
            m.d.comb += lane.eq(first)
        # Where the second end lies is known late, so whether that is a line is told a cycle later.
        judged = Signal()
        colour = Signal()
        lines = Signal(2)
        completed = judged & completes_line(self.edges.long, first_exits, second_exits)
        m.d.comb += self.lines.eq(lines | (completed << colour)[:2])
        m.d.sync += [judged.eq(0), lines.eq(self.lines)]
        with m.If(self.mark):
            m.d.sync += [self.loops.eq(0), lines.eq(0)]
        with m.If(self.joins.ready & self.joins.valid):
            m.d.sync += [join.eq(self.joins.payload), state.eq(State.FIRST)]
        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.comb += self.joins.ready.eq(1)

            with m.Case(State.FIRST):
                m.d.sync += first.eq(Mux(join.a.attached, partner, join.a.index))
                m.d.comb += read.addr.eq(join.b.index)
                m.d.sync += state.eq(State.SECOND)

            with m.Case(State.SECOND):
                m.d.comb += [
                    self.records.eq(join.a.attached),
                    self.track.near.eq(join.a.index),
                    self.track.far.eq(first),
                    write.addr.eq(first),
                    self.far.eq(first),
                ]
                for lane in (write.data[colour] for colour in Colour):
                    m.d.comb += lane.eq(far_b)
                m.d.sync += second.eq(far_b)
                with m.If(join.a.attached & join.b.attached & (first == join.b.index)):
                    m.d.sync += [self.loops.bit_select(join.colour, 1).eq(1), state.eq(State.IDLE)]
                with m.Else():
                    m.d.comb += writes.eq(1)
                    m.d.sync += state.eq(State.LAST)

            with m.Case(State.LAST):
                m.d.comb += [
                    self.records.eq(join.b.attached),
                    writes.eq(1),
                    write.addr.eq(second),
                    self.far.eq(second),
                ]
                m.d.sync += [first_exits.eq(exits), state.eq(State.JUDGE)]

            with m.Case(State.JUDGE):
                m.d.comb += self.joins.ready.eq(1)
                m.d.sync += [
                    second_exits.eq(exits),
                    colour.eq(join.colour),
                    judged.eq(self.judge),
                ]
                with m.If(~self.joins.valid):
                    m.d.sync += state.eq(State.IDLE)

            with m.Default():
                # No code of a state: as after power-on.
                m.d.sync += state.eq(State.IDLE)
        return m
