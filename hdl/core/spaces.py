"""Frontier table: the spaces that have sockets, and the free entries."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.game import Colour, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.cells import CellWrite
from loopline.hdl.core.types import Meeting, end_layout, entry_layout, place_layout

__all__ = ["IndexAllocator", "SpaceTable", "seen_layout"]


def seen_layout(grid: GridConfig) -> data.StructLayout:
    """The part of an entry that each of the two memories holds: the place of the space, and
    ``live``, which is low for a free entry, whose place is not valid."""
    return data.StructLayout({"place": place_layout(grid), "live": 1})


def _code(own: Value, other: Value) -> Value:
    """What a memory holds of a space's sockets: the side and the meeting of the end of its colour.

    A space without one has side 1, in place of side 0 for a free entry. For several sockets of one
    colour, as in a space where a play is forced, the code says only that there is one.
    """
    ends, others = own.any(), other.any()
    sides = own | other
    opposite = sides[Side.NORTH] == sides[Side.SOUTH]
    return Cat(
        own[Side.EAST] | own[Side.WEST] | (~ends & others),
        own[Side.SOUTH] | own[Side.WEST],
        ends & (~others | opposite),
        ends & others,
    )


class IndexAllocator(wiring.Signature):
    """The free indices of the frontier table, as seen by the unit that allocates them.

    Members
    -------
    allocate : Out(1), next_free : In
        Allocate the index ``next_free``; one per cycle.
    release : Out(1), release_index : Out
        Free an index. Not in a cycle in which a space is written.
    unrelease : Out(1)
        Take the last release back. (An allocation is taken back by a ``release``.) Neither this
        nor ``allocate`` in the cycle after a ``release``.
    free_count : In
        Number of free indices.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(
            {
                "allocate": Out(1),
                "next_free": In(grid.index_bits),
                "release": Out(1),
                "release_index": Out(grid.index_bits),
                "unrelease": Out(1),
                "free_count": In(range(grid.frontier_entries + 1), init=grid.frontier_entries),
            }
        )


class SpaceTable(wiring.Component):
    """Keeps the coordinates and sockets of each frontier space by index, and the free indices.

    The table copies what is written to the cell map, so that one read returns all of a space. A
    scan ends at ``high``: entries from there on have not been used since the board was cleared.

    A free entry has no sockets, and holds the index of the next free entry in place of
    coordinates. So the free entries are a stack, and ``allocate`` returns the one that was
    released last. To take a release back, pop its index from the stack; to take an allocation
    back, push its index. Both restore the stack exactly.

    With ``lowers``, ``high`` follows from the stack alone: from ``high`` on, all entries are at its
    bottom, the lowest on top. So to take turns back restores ``high``, too, and no scan is longer
    for what was tried before.

    There are two memories, so that the other ends of a white and a red track can be read at the
    same time. Each holds all coordinates, and of the sockets what matters for its colour: the side
    of the own socket, and where the other colour's is (:class:`Meeting`). These four bits are 0
    for a free entry only, so each memory by itself tells whether an entry is free::

        index ──┬──► white memory ──┬──► entry, or either for seen
                │ ┌►                └──► ends[WHITE]
                │ └── partners[WHITE], far
                └──► red memory ────┬──► entry, or either for seen
                  ┌►                └──► ends[RED]
                  └── partners[RED], links

    Parameters
    ----------
    grid : GridConfig
        Widths.
    lowers : bool
        Lower ``high`` when its last entry is released. Otherwise it only grows.

    Members
    -------
    index : In, entry : Out(entry_layout), en : In(1, init=1)
        Read an entry. Latency: one cycle. Not with ``working`` or ``follow``. Without ``en`` the
        outputs hold. Within a turn the sockets of a space with several of one colour are not valid.
    seen : Out(seen_layout)
        A part of the same entry, also valid while one colour follows.
    ends : Out(end_layout).array(2)
        The same entry by colour, as the end of a track.
    follow : In(2), partners : In, one index for each colour
        By colour: read the end in the space ``partners`` for ``ends`` instead of the entry.
        Latency: one cycle. Not with ``working``.
    working : In(1), far : In
        Read the stack of free entries instead, with ``en``: from two cycles before ``allocate`` or
        ``unrelease``. And read the place of ``far``, for ``ends[WHITE]``.
    write : In(CellWrite)
        The write port of the cell map. A space that is written there is written to its entry.
    indices : In(IndexAllocator)
        The free indices.
    high : Out
        One more than the largest index that was in use since ``clear``; with ``lowers``, at least
        one more than the largest in use. Two cycles after a release it is lower by what that adds.
    clear : In(1)
        Begin to clear the board: no index is free until ``wipe`` releases it.
    wipe : In(1), wipe_index : In
        Release an index, to clear the board: each one, from the last down to 0.
    """

    def __init__(self, grid: GridConfig, *, lowers: bool = False):
        self._grid = grid
        self._lowers = lowers
        super().__init__(
            {
                "index": In(grid.index_bits),
                "entry": Out(entry_layout(grid)),
                "seen": Out(seen_layout(grid)),
                "en": In(1, init=1),
                "follow": In(2),
                "partners": In(grid.index_bits).array(2),
                "ends": Out(end_layout(grid)).array(2),
                "working": In(1),
                "far": In(grid.index_bits),
                "write": In(CellWrite(grid)),
                "indices": In(IndexAllocator(grid)),
                "high": Out(range(grid.frontier_entries + 1)),
                "clear": In(1),
                "wipe": In(1),
                "wipe_index": In(grid.index_bits),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._grid
        indices = self.indices
        place_bits = 2 * grid.coord_bits
        releases, pops = indices.release | self.wipe, indices.allocate | indices.unrelease
        cell = self.write.cell
        written = Signal(grid.index_bits)
        m.d.comb += written.eq(
            Mux(self.wipe, self.wipe_index, Mux(indices.release, indices.release_index, cell.index))
        )
        # The place of a space, or the link from a free entry to the next.
        word = data.StructLayout({"code": 4, "where": max(place_bits, grid.index_bits)})
        links = [{"code": 0, "where": n + 1} for n in range(grid.frontier_entries - 1)]
        reads = []
        codes = {Colour.WHITE: _code(cell.white, cell.red), Colour.RED: _code(cell.red, cell.white)}
        for colour in Colour:
            memory = Memory(shape=word, depth=grid.frontier_entries, init=links)
            m.submodules[colour.name.lower()] = memory
            write, read = memory.write_port(), memory.read_port()
            reads.append(read)
            m.d.comb += [
                write.en.eq(releases | (self.write.en & self.write.space)),
                write.addr.eq(written),
                write.data.code.eq(Mux(releases, 0, codes[colour])),
                write.data.where.eq(
                    Mux(releases, indices.next_free, Cat(self.write.x, self.write.y))
                ),
                read.en.eq(self.en),
                self.ends[colour].place.eq(read.data.where[:place_bits]),
                Cat(self.ends[colour].side, self.ends[colour].meeting).eq(read.data.code),
            ]
        white, red = reads
        link = red.data.where[: grid.index_bits]
        for colour, elsewhere in (
            (Colour.WHITE, self.far),
            (Colour.RED, Mux(pops, link, indices.next_free)),
        ):
            m.d.comb += reads[colour].addr.eq(
                Mux(
                    self.follow[colour],
                    self.partners[colour],
                    Mux(self.working, elsewhere, self.index),
                )
            )
        m.d.comb += [
            self.entry.place.eq(white.data.where[:place_bits]),
            *(
                self.entry[colour.name.lower()].eq(
                    Cat((end.side == side) & (end.meeting != Meeting.ABSENT) for side in range(4))
                )
                for colour, end in ((colour, self.ends[colour]) for colour in Colour)
            ),
        ]
        followed = Signal()
        with m.If(self.en):
            m.d.sync += followed.eq(self.follow[Colour.WHITE])
        m.d.comb += [
            self.seen.place.eq(Mux(followed, red.data.where, white.data.where)[:place_bits]),
            self.seen.live.eq(Mux(followed, red.data.code, white.data.code).any()),
        ]

        # Unused entries are at the bottom of the stack, the lowest index on top.
        top = indices.next_free == self.high
        if self._lowers:
            # Whether the index that is released is the last one below ``high`` is known one cycle
            # late, when it is ``next_free``. No index is allocated in that cycle.
            beside = Signal()
            falls = Signal()
            m.d.comb += falls.eq(beside & (indices.next_free + 1 == self.high))
            m.d.sync += beside.eq(releases & (top | falls))
            with m.If(falls):
                m.d.sync += self.high.eq(indices.next_free)
        with m.If(self.clear):
            m.d.sync += [indices.free_count.eq(0), self.high.eq(0)]
        with m.Elif(releases | pops):
            m.d.sync += indices.free_count.eq(indices.free_count + Mux(releases, 1, -1))
        with m.If(releases):
            m.d.sync += indices.next_free.eq(written)
        with m.Elif(pops):
            m.d.sync += indices.next_free.eq(link)
        rises = pops if self._lowers else indices.allocate
        with m.If(rises & top):
            m.d.sync += self.high.eq(self.high + 1)
        # An upset of a flip-flop could leave ``high`` beyond the table. A scan that counts indices
        # up to it would never end.
        with m.If(self.high > grid.frontier_entries):
            m.d.sync += self.high.eq(grid.frontier_entries)
        return m
