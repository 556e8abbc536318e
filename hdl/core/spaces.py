"""Frontier table: the spaces that have sockets, and which table entries are free."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import place_layout

__all__ = ["SpaceTable", "SpaceWrite"]


class SpaceWrite(wiring.Signature):
    """An entry of the frontier table as it is written: whoever keeps a copy listens to this.

    Members
    -------
    en : Out(1)
        An entry is written in this cycle.
    index : Out
        Which one.
    place : Out(place_layout)
        The coordinates of the space.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(
            {"en": Out(1), "index": Out(grid.index_bits), "place": Out(place_layout(grid))}
        )


class SpaceTable(wiring.Component):
    """Coordinates of each frontier space by index, and the stack of free indices.

    An entry is live if the cell at its coordinates is a space that has sockets and names this
    index; nothing else tells live entries from free ones. ``high`` bounds the indices that have
    ever been used since the board was cleared, so a scan ends there.

    Undo is exact because allocation is a stack: undoing a release takes the index off the stack,
    undoing an allocation puts it back, and what lies below is what lay there before.

    Parameters
    ----------
    grid : GridConfig
        Number of entries.

    Members
    -------
    index : In, en : In(1), place : Out(place_layout)
        Read the coordinates of an entry; latency one cycle, the answer stays while ``en`` is low.
    write : In(SpaceWrite)
        Set the coordinates of an entry.
    fresh : Out
        The index that ``take`` would allocate. Valid from the second cycle after ``give``.
    take : In(1)
        Allocate ``fresh``; one per cycle.
    give : In(1), given : In
        Release an index.
    ungive : In(1)
        Undo the last release. (Undoing an allocation is a ``give``.)
    free : Out
        Number of free indices.
    high : Out
        One more than the largest index in use since ``wipe``.
    wipe : In(1), wipe_index : In
        Part of clearing the board: for each index in any order, mark it free; with the last one
        (``spaces - 1``) the stack is as it was at the start.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "index": In(grid.index_bits),
                "en": In(1),
                "place": Out(place_layout(grid)),
                "write": In(SpaceWrite(grid)),
                "fresh": Out(grid.index_bits),
                "take": In(1),
                "give": In(1),
                "given": In(grid.index_bits),
                "ungive": In(1),
                "free": Out(range(grid.spaces + 1), init=grid.spaces),
                "high": Out(range(grid.spaces + 1)),
                "wipe": In(1),
                "wipe_index": In(grid.index_bits),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        last = self._grid.spaces - 1

        m.submodules.places = places = Memory(
            shape=place_layout(self._grid), depth=self._grid.spaces, init=[]
        )
        write, read = places.write_port(), places.read_port()
        m.d.comb += [
            write.en.eq(self.write.en),
            write.addr.eq(self.write.index),
            write.data.eq(self.write.place),
            read.en.eq(self.en),
            read.addr.eq(self.index),
            self.place.eq(read.data),
        ]

        # The stack grows upwards and the lowest indices are on top, so that scans stay short.
        m.submodules.stack = stack = Memory(
            shape=self._grid.index_bits,
            depth=self._grid.spaces,
            init=range(last, -1, -1),
        )
        push, top = stack.write_port(), stack.read_port()
        after = Signal.like(self.free)
        m.d.comb += after.eq(self.free)
        with m.If(self.wipe):
            m.d.comb += after.eq(self._grid.spaces)
        with m.Elif(self.take | self.ungive):
            m.d.comb += after.eq(self.free - 1)
        with m.Elif(self.give):
            m.d.comb += after.eq(self.free + 1)
        m.d.sync += self.free.eq(after)
        m.d.comb += [
            push.en.eq(self.give | self.wipe),
            push.addr.eq(Mux(self.wipe, last - self.wipe_index, self.free)),
            push.data.eq(Mux(self.wipe, self.wipe_index, self.given)),
            top.addr.eq(Mux(after == 0, 0, after - 1)),
            self.fresh.eq(top.data),
        ]

        with m.If(self.wipe):
            m.d.sync += self.high.eq(0)
        with m.Elif(self.take & (self.fresh >= self.high)):
            m.d.sync += self.high.eq(self.fresh + 1)
        return m
