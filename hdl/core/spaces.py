"""Frontier table: the spaces that have sockets, and which table entries are free."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux
from amaranth.lib import data, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.cells import CellWrite
from loopline.hdl.core.types import entry_layout

__all__ = ["SpaceTable"]


class SpaceTable(wiring.Component):
    """Coordinates and sockets of each frontier space by index, and the free indices.

    The table follows what is written to the cell map, so that one read tells all about a space.
    ``high`` bounds the indices that have ever been used since the board was cleared, so a scan
    ends there.

    A free entry has no sockets; where its coordinates would be, it names the next free one. So
    the free entries are a stack: ``take`` gives out the one that was released last. Undo is exact:
    undoing a release takes the index off the stack, undoing an allocation puts it back, and what
    lies below is what lay there before.

    Parameters
    ----------
    grid : GridConfig
        Number of entries.

    Members
    -------
    index : In, entry : Out(entry_layout), en : In(1, init=1)
        Read an entry; latency one cycle. Not with ``working``. Without ``en`` what was read stays.
    working : In(1)
        The stack is about to be used: its entries are read instead. From two cycles before
        ``take`` or ``ungive``, and with ``en``.
    write : In(CellWrite)
        The cell map's write port. A space that is written goes to the entry of its index.
    fresh : Out
        The index that ``take`` would allocate.
    take : In(1)
        Allocate ``fresh``; one per cycle.
    give : In(1), given : In
        Release an index. Not with a write of a space.
    ungive : In(1)
        Undo the last release. (Undoing an allocation is a ``give``.) Neither this nor ``take`` in
        the cycle after ``give``.
    free : Out
        Number of free indices.
    high : Out
        One more than the largest index in use since ``clear``.
    clear : In(1)
        Begin to clear the board: no index is free until it is released.
    wipe : In(1), wipe_index : In
        Part of clearing the board: release each index, from the last one down to 0.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "index": In(grid.index_bits),
                "entry": Out(entry_layout(grid)),
                "en": In(1, init=1),
                "working": In(1),
                "write": In(CellWrite(grid)),
                "fresh": Out(grid.index_bits),
                "take": In(1),
                "give": In(1),
                "given": In(grid.index_bits),
                "ungive": In(1),
                "free": Out(range(grid.spaces + 1), init=grid.spaces),
                "high": Out(range(grid.spaces + 1)),
                "clear": In(1),
                "wipe": In(1),
                "wipe_index": In(grid.index_bits),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._grid
        place_bits = 2 * grid.coord_bits
        # Coordinates, or a free entry's link to the next.
        word = data.StructLayout({"white": 4, "red": 4, "at": max(place_bits, grid.index_bits)})
        m.submodules.entries = entries = Memory(
            shape=word,
            depth=grid.spaces,
            init=[{"white": 0, "red": 0, "at": n + 1} for n in range(grid.spaces - 1)],
        )
        write, read = entries.write_port(), entries.read_port()
        cell = self.write.cell
        gives, pops = self.give | self.wipe, self.take | self.ungive
        link = read.data.at[: grid.index_bits]
        m.d.comb += [
            write.en.eq(gives | (self.write.en & self.write.space)),
            write.addr.eq(Mux(self.wipe, self.wipe_index, Mux(self.give, self.given, cell.index))),
            write.data.white.eq(Mux(gives, 0, cell.white)),
            write.data.red.eq(Mux(gives, 0, cell.red)),
            write.data.at.eq(Mux(gives, self.fresh, Cat(self.write.x, self.write.y))),
            read.en.eq(self.en),
            read.addr.eq(Mux(self.working, Mux(pops, link, self.fresh), self.index)),
            self.entry.place.eq(read.data.at[:place_bits]),
            self.entry.white.eq(read.data.white),
            self.entry.red.eq(read.data.red),
        ]

        with m.If(self.clear):
            m.d.sync += [self.free.eq(0), self.high.eq(0)]
        with m.Elif(gives | pops):
            m.d.sync += self.free.eq(self.free + Mux(gives, 1, -1))
        with m.If(gives):
            m.d.sync += self.fresh.eq(write.addr)
        with m.Elif(pops):
            m.d.sync += self.fresh.eq(link)
        # Those never used are at the bottom of the stack, the lowest one on top.
        with m.If(self.take & (self.fresh == self.high)):
            m.d.sync += self.high.eq(self.high + 1)
        # More than there are is a flip-flop that has changed by itself: whoever counts indices up
        # to here would begin again and again.
        with m.If(self.high > grid.spaces):
            m.d.sync += self.high.eq(grid.spaces)
        return m
