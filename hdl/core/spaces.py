"""Frontier table: the spaces that have sockets, and the free entries."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.game import Colour
from loopline.hdl.config import GridConfig
from loopline.hdl.core.cells import CellWrite
from loopline.hdl.core.types import entry_layout, place_layout

__all__ = ["IndexAllocator", "SpaceTable", "seen_layout"]


def seen_layout(grid: GridConfig) -> data.StructLayout:
    """The part of an entry that each of the two memories holds: the place of the space, and
    ``live``, which is low for a free entry, whose place is not valid."""
    return data.StructLayout({"place": place_layout(grid), "live": 1})


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

    There are two memories, so that the places of the other ends of a white and a red track can be
    read at the same time. Each holds all coordinates and a mask of sides: the white memory the
    sides with a socket, the red memory the sides with a red socket or, if there is none, those
    without a socket. Neither mask of a space is ever empty, so each memory by itself tells whether
    an entry is free::

        index ──┬──► white memory ──┬──► entry, or either for seen
                │ ┌►                └──► places[WHITE]
                │ └── partners[WHITE], far
                └──► red memory ────┬──► entry, or either for seen
                  ┌►                └──► places[RED]
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
        outputs hold.
    seen : Out(seen_layout)
        A part of the same entry, also valid while one colour follows.
    follow : In(2), partners : In, one index for each colour; places : Out(place_layout), likewise
        By colour: read the place of the space ``partners`` instead of the entry. Latency: one
        cycle. Not with ``working``.
    working : In(1), far : In
        Read the stack of free entries instead, with ``en``: from two cycles before ``allocate`` or
        ``unrelease``. And read the place of ``far``, for ``places[WHITE]``.
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
                "places": Out(place_layout(grid)).array(2),
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
        word = data.StructLayout({"sides": 4, "where": max(place_bits, grid.index_bits)})
        links = [{"sides": 0, "where": n + 1} for n in range(grid.frontier_entries - 1)]
        reads = []
        sides = cell.white | cell.red
        half = {Colour.WHITE: sides, Colour.RED: Mux(cell.red.any(), cell.red, ~sides)}
        for colour in Colour:
            memory = Memory(shape=word, depth=grid.frontier_entries, init=links)
            m.submodules[colour.name.lower()] = memory
            write, read = memory.write_port(), memory.read_port()
            reads.append(read)
            m.d.comb += [
                write.en.eq(releases | (self.write.en & self.write.space)),
                write.addr.eq(written),
                write.data.sides.eq(Mux(releases, 0, half[colour])),
                write.data.where.eq(
                    Mux(releases, indices.next_free, Cat(self.write.x, self.write.y))
                ),
                read.en.eq(self.en),
                self.places[colour].eq(read.data.where[:place_bits]),
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
            self.entry.white.eq(white.data.sides & ~red.data.sides),
            self.entry.red.eq(white.data.sides & red.data.sides),
        ]
        followed = Signal()
        with m.If(self.en):
            m.d.sync += followed.eq(self.follow[Colour.WHITE])
        m.d.comb += [
            self.seen.place.eq(Mux(followed, red.data.where, white.data.where)[:place_bits]),
            self.seen.live.eq(Mux(followed, red.data.sides, white.data.sides).any()),
        ]

        # Unused entries are at the bottom of the stack, the lowest index on top.
        top = indices.next_free == self.high
        if self._lowers:
            # Whether the index that is released is the last one below ``high`` is known one cycle
            # late, when it is ``next_free``. No index is allocated in that cycle.
            beside, falls = Signal(), Signal()
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
