"""Track joiner: which ends a tile connects, and the loops and lines that this completes."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.game import Colour
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import completes_line, edges_layout, exit_sides
from loopline.hdl.core.types import cell_layout, place_layout

__all__ = ["EndPairs", "JoinerPort", "TrackJoiner", "join_layout", "track_layout"]


def join_layout(grid: GridConfig) -> data.StructLayout:
    """The two ends that a tile connects, and their colour.

    ``a`` and ``b`` name frontier spaces by ``index``. With ``attached``, a track of the colour
    ends in that space already and goes on through the tile; otherwise the tile's edge towards the
    space becomes the end of a track.
    """
    end = data.StructLayout({"index": grid.index_bits, "attached": 1})
    return data.StructLayout({"colour": 1, "a": end, "b": end})


def track_layout(grid: GridConfig) -> data.StructLayout:
    """A track before a join: ``near`` is the end that was joined, ``far`` its other end."""
    return data.StructLayout({"colour": 1, "near": grid.index_bits, "far": grid.index_bits})


class EndPairs(wiring.Component):
    """Pairs the ends that a tile connects, while its open sides are served one after another.

    Each colour has two edges of the tile. An edge with a socket continues the track that ends in
    the tile's own space; an open edge leads into a neighbour. A colour with two sockets was joined
    when the second socket arrived, and has no open side.

    Members
    -------
    start : In(1), cell : In(cell_layout)
        Begin with a tile, in a space that held this word.
    serve : In(1), colour : In(1), index : In, attached : In(1)
        An open side: the colour of the tile's edge, the frontier index of the neighbour, and
        whether a track of this colour ends there already. ``serve`` goes on to the next side. Not
        in the cycle of ``start``.
    complete : Out(1), join : Out(join_layout)
        Combinational: the open side has the second end of its colour, and ``join`` is valid.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(
            {
                "start": In(1),
                "cell": In(cell_layout(grid)),
                "serve": In(1),
                "colour": In(1),
                "index": In(grid.index_bits),
                "attached": In(1),
                "complete": Out(1),
                "join": Out(join_layout(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        end = self.join.a.shape()
        # By colour: whether its first end is known, and that end.
        has = Signal(2)
        ends = [Signal(end, name=f"end_{n}", reset_less=True) for n in range(2)]
        with m.If(self.start):
            m.d.sync += has.eq(Cat(self.cell.white.any(), self.cell.red.any()))
        for colour in Colour:
            with m.If(self.start | (self.serve & (self.colour == colour))):
                m.d.sync += [
                    ends[colour].index.eq(Mux(self.start, self.cell.index, self.index)),
                    ends[colour].attached.eq(self.start | self.attached),
                ]
            with m.If(self.serve & (self.colour == colour)):
                m.d.sync += has[colour].eq(1)
        m.d.comb += [
            self.complete.eq(Mux(self.colour, has[1], has[0])),
            self.join.colour.eq(self.colour),
            self.join.a.eq(Mux(self.colour, ends[1], ends[0])),
            self.join.b.index.eq(self.index),
            self.join.b.attached.eq(self.attached),
        ]
        return m


class JoinerPort(wiring.Signature):
    """The track joiner, as seen by the unit that makes and unmakes turns.

    Members
    -------
    joins : Out(stream of join_layout)
        Ends to connect.
    begin : Out(1)
        A turn begins: forget ``loops`` and ``lines``. Only while not ``busy``.
    find_lines : Out(1, init=1)
        While low, no line is completed: for the joins that unmake a turn.
    busy : In(1)
        A join is under way.
    loops, lines : In(2)
        The colours (bit 0 white, bit 1 red) that have completed a loop or a line since ``begin``.
    changed : In(1), track : In(track_layout)
        A track that a join changes, for the journal: one for each end that was attached, only one
        for a loop. Two and three cycles after the join is taken.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(
            {
                "joins": Out(stream.Signature(join_layout(grid))),
                "begin": Out(1),
                "find_lines": Out(1, init=1),
                "busy": In(1),
                "loops": In(2),
                "lines": In(2),
                "changed": In(1),
                "track": In(track_layout(grid)),
            }
        )


class TrackJoiner(wiring.Component):
    """Keeps the tracks, by their ends alone, and joins them.

    The partner table holds, for each colour and each frontier space where a track of this colour
    ends, the space where its other end is. To join two ends, look up the partners of both:

    - If one end is the other's partner, the join completes a loop.
    - Otherwise the partners become each other's partners. If those two ends leave the box on
      opposite sides, the join completes a line.

    So no track is ever traced. Two sockets of one colour in one space are joined as soon as the
    second one arrives, ahead of the forced tile that carries the join out: such a space has no end
    of that colour any more.

    ::

        IDLE ───────► FIRST ───────► SECOND ─────► LAST ────────► JUDGE
        read          first end      loop? else    write second   line?
        partner[a]    read           write first   end, read its
                      partner[b]     end, read     place
                                     its place

    To take a join back, each track that it changed is restored from the journal: joining the two
    ends of that track as if both were new makes them each other's partners again. Other words that
    the join wrote then belong to no track.

    Members
    -------
    port : In(JoinerPort)
        Joins, and what they complete and change. One join is taken every 4 cycles, after a loop 3.
    edges : In(edges_layout)
        What follows from the bounding box, with the first tile of the turn.
    far : Out, place : In(place_layout)
        The coordinates of the frontier space ``far``, one cycle later; while ``busy``.
    working : In(1)
        Joins may arrive: their ends are read instead of ``index``. High with every join and while
        ``busy``.
    index : In, en : In(1, init=1), partners : Out, one for each colour
        While not ``working``: the other ends of the tracks that end in the space ``index``, one
        cycle later. Without ``en`` the answer stays.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "port": In(JoinerPort(grid)),
                "edges": In(edges_layout(grid)),
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
        grid, port, joins = self._grid, self.port, self.port.joins
        m.submodules.partners = partners = Memory(
            shape=data.ArrayLayout(grid.index_bits, 2), depth=grid.frontier_entries, init=[]
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
            port.busy.eq(state != State.IDLE),
            # ``joins.valid`` arrives too late to enable the read.
            read.en.eq(self.en | port.busy | self.working),
            read.addr.eq(Mux(self.working, joins.payload.a.index, self.index)),
            write.en.eq(Cat(writes & ~join.colour, writes & join.colour)),
            port.track.colour.eq(join.colour),
            port.track.near.eq(join.b.index),
            port.track.far.eq(second),
        ]
        for lane in (write.data[colour] for colour in Colour):
            m.d.comb += lane.eq(first)
        # The place of the second end arrives late, so a line is found one cycle later.
        judged = Signal()
        colour = Signal()
        lines = Signal(2)
        completed = judged & completes_line(self.edges.long, first_exits, second_exits)
        m.d.comb += port.lines.eq(lines | (completed << colour)[:2])
        m.d.sync += [judged.eq(0), lines.eq(port.lines)]
        with m.If(port.begin):
            m.d.sync += [port.loops.eq(0), lines.eq(0)]
        with m.If(joins.ready & joins.valid):
            m.d.sync += [join.eq(joins.payload), state.eq(State.FIRST)]
        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.comb += joins.ready.eq(1)

            with m.Case(State.FIRST):
                m.d.sync += first.eq(Mux(join.a.attached, partner, join.a.index))
                m.d.comb += read.addr.eq(join.b.index)
                m.d.sync += state.eq(State.SECOND)

            with m.Case(State.SECOND):
                m.d.comb += [
                    port.changed.eq(join.a.attached),
                    port.track.near.eq(join.a.index),
                    port.track.far.eq(first),
                    write.addr.eq(first),
                    self.far.eq(first),
                ]
                for lane in (write.data[colour] for colour in Colour):
                    m.d.comb += lane.eq(far_b)
                m.d.sync += second.eq(far_b)
                with m.If(join.a.attached & join.b.attached & (first == join.b.index)):
                    m.d.sync += [port.loops.bit_select(join.colour, 1).eq(1), state.eq(State.IDLE)]
                with m.Else():
                    m.d.comb += writes.eq(1)
                    m.d.sync += state.eq(State.LAST)

            with m.Case(State.LAST):
                m.d.comb += [
                    port.changed.eq(join.b.attached),
                    writes.eq(1),
                    write.addr.eq(second),
                    self.far.eq(second),
                ]
                m.d.sync += [first_exits.eq(exits), state.eq(State.JUDGE)]

            with m.Case(State.JUDGE):
                m.d.comb += joins.ready.eq(1)
                m.d.sync += [
                    second_exits.eq(exits),
                    colour.eq(join.colour),
                    judged.eq(port.find_lines),
                ]
                with m.If(~joins.valid):
                    m.d.sync += state.eq(State.IDLE)

            with m.Default():
                # Not the code of a state: go on as after power-on.
                m.d.sync += state.eq(State.IDLE)
        return m
