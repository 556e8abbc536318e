"""Track joiner: which two ends belong to one track, and what joining ends completes."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import completes_line, exit_sides
from loopline.hdl.core.journal import Journal
from loopline.hdl.core.spaces import SpaceWrite
from loopline.hdl.core.types import box_layout, place_layout

__all__ = ["TrackJoiner", "join_layout"]


def join_layout(grid: GridConfig) -> data.StructLayout:
    """The two ends that a tile connects, for one colour.

    ``a`` and ``b`` are frontier indices. Where ``*_attached`` is set, a track ends there already,
    at the tile's own space or at the space beyond the edge, and goes on through the tile; else
    the index names the space where the tile's edge becomes the end of a track.
    """
    end = {"index": grid.index_bits, "attached": 1}
    return data.StructLayout({"a": data.StructLayout(end), "b": data.StructLayout(end)})


class TrackJoiner(wiring.Component):
    """The tracks of one colour, known by their ends alone.

    The partner table holds, for each frontier space where a track of this colour ends, the space
    where its other end is. Joining two ends looks both partners up, and

    * finds a loop if one end is the other's partner;
    * else makes the partners each other's partners, and finds a line if those two leave the box
      on opposite sides.

    So no track is ever traced. A join is made as soon as a socket meets its like in one space,
    ahead of the forced tile that carries it out: a space with two sockets of this colour has no
    ends any more.

    ::

        IDLE ───────► PARTNER_A ───► PARTNER_B ───► SECOND ──────► JUDGE
        read          first end      loop? else     write second   line?
        partner[a]    read           write first    end, read its
                      partner[b]     end, read its  place
                                     place

    Parameters
    ----------
    grid : GridConfig
        Widths and depths.

    Members
    -------
    joins : In(stream of join_layout)
        Ends to connect. The next one is taken when the last is finished: every 5 cycles,
        3 after a loop.
    busy : Out(1)
        A join or an undo is under way.
    box : In(box_layout)
        The bounding box, with the first tile of the turn.
    loop, line : Out(1)
        A loop or line was completed since ``mark``.
    mark : In(1)
        Begin a turn. Only while not ``busy``.
    undo : In(1)
        Take back all since the last ``mark`` that was not undone: one cycle per entry and two
        more. Only while not ``busy``, and not in the cycle after a ``mark`` or a join.
    forget : In(1)
        Make all turns final.
    room : Out(1)
        The journal has room for another mark and a tile's joins.
    spaces : In(SpaceWrite)
        The frontier table as it is written.
    index : In, partner : Out, partner_place : Out(place_layout)
        While not ``busy``: the partner of the end at ``index``, one cycle later, and its
        coordinates, two cycles later.
    en : In(1, init=1)
        While low and not ``busy``, both answers stay.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "joins": In(stream.Signature(join_layout(grid))),
                "busy": Out(1),
                "box": In(box_layout(grid)),
                "loop": Out(1),
                "line": Out(1),
                "mark": In(1),
                "undo": In(1),
                "forget": In(1),
                "room": Out(1),
                "spaces": In(SpaceWrite(grid)),
                "index": In(grid.index_bits),
                "en": In(1, init=1),
                "partner": Out(grid.index_bits),
                "partner_place": Out(place_layout(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._grid

        # No space is its own partner, so an entry that says so is a mark between turns; the
        # table starts without such a word, since what a free index held is journalled, too.
        entry = data.StructLayout({"index": grid.index_bits, "old": grid.index_bits})
        m.submodules.journal = journal = Journal(entry, grid.journal)
        m.submodules.partners = partners = Memory(
            shape=grid.index_bits, depth=grid.spaces, init=[n ^ 1 for n in range(grid.spaces)]
        )
        write, read = partners.write_port(), partners.read_port()
        m.submodules.places = places = Memory(shape=place_layout(grid), depth=grid.spaces, init=[])
        place_write, place_read = places.write_port(), places.read_port()
        m.d.comb += [
            place_write.en.eq(self.spaces.en),
            place_write.addr.eq(self.spaces.index),
            place_write.data.eq(self.spaces.place),
            place_read.addr.eq(read.data),
            read.addr.eq(self.index),
            self.partner.eq(read.data),
            self.partner_place.eq(place_read.data),
            self.room.eq(journal.level <= grid.journal - 4),
            journal.clear.eq(self.forget),
        ]

        class State(enum.Enum, shape=3):
            IDLE = 0
            PARTNER_A = 1
            PARTNER_B = 2
            SECOND = 3
            JUDGE = 4
            UNDO = 5

        state = Signal(State)
        join = Signal(join_layout(grid))
        # The outer ends of the joined track, and what their entries held before.
        first, second = Signal(grid.index_bits), Signal(grid.index_bits)
        second_old = Signal(grid.index_bits)
        first_old = Signal(grid.index_bits)
        first_exits = Signal(4)

        far_b = Mux(join.b.attached, read.data, join.b.index)
        exits = exit_sides(self.box, place_read.data)

        m.d.comb += [
            self.busy.eq(state != State.IDLE),
            read.en.eq(self.en | self.busy | self.joins.valid),
            place_read.en.eq(self.en | self.busy),
        ]
        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.comb += self.joins.ready.eq(1)
                m.d.sync += join.eq(self.joins.payload)
                with m.If(self.joins.valid):
                    m.d.comb += read.addr.eq(self.joins.payload.a.index)
                    m.d.sync += state.eq(State.PARTNER_A)
                with m.If(self.mark):
                    m.d.comb += journal.push.eq(1)
                    m.d.sync += [self.loop.eq(0), self.line.eq(0)]
                with m.If(self.undo):
                    m.d.sync += state.eq(State.UNDO)

            with m.Case(State.PARTNER_A):
                # An attached end gives way to its partner, which pointed back at it.
                m.d.sync += [
                    first.eq(Mux(join.a.attached, read.data, join.a.index)),
                    first_old.eq(Mux(join.a.attached, join.a.index, read.data)),
                ]
                m.d.comb += read.addr.eq(join.b.index)
                m.d.sync += state.eq(State.PARTNER_B)

            with m.Case(State.PARTNER_B):
                m.d.sync += [
                    second.eq(far_b),
                    second_old.eq(Mux(join.b.attached, join.b.index, read.data)),
                ]
                with m.If(join.a.attached & join.b.attached & (first == join.b.index)):
                    m.d.sync += [self.loop.eq(1), state.eq(State.IDLE)]
                with m.Else():
                    m.d.comb += [
                        write.en.eq(1),
                        write.addr.eq(first),
                        write.data.eq(far_b),
                        journal.push.eq(1),
                        journal.entry.index.eq(first),
                        journal.entry.old.eq(first_old),
                        place_read.addr.eq(first),
                    ]
                    m.d.sync += state.eq(State.SECOND)

            with m.Case(State.SECOND):
                m.d.comb += [
                    write.en.eq(1),
                    write.addr.eq(second),
                    write.data.eq(first),
                    journal.push.eq(1),
                    journal.entry.index.eq(second),
                    journal.entry.old.eq(second_old),
                    place_read.addr.eq(second),
                ]
                m.d.sync += [first_exits.eq(exits), state.eq(State.JUDGE)]

            with m.Case(State.JUDGE):
                with m.If(completes_line(self.box, first_exits, exits)):
                    m.d.sync += self.line.eq(1)
                m.d.sync += state.eq(State.IDLE)

            with m.Case(State.UNDO):
                m.d.comb += [
                    journal.pop.eq(1),
                    write.addr.eq(journal.top.index),
                    write.data.eq(journal.top.old),
                ]
                with m.If((journal.top.index == journal.top.old) | (journal.level == 0)):
                    m.d.sync += state.eq(State.IDLE)
                with m.Else():
                    m.d.comb += write.en.eq(1)
        return m
