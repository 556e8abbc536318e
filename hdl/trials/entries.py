"""The frontier table as the trials read it: each space with its sockets."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.cells import CellWrite
from loopline.hdl.core.types import is_frontier, place_layout

__all__ = ["EntryTable", "entry_layout"]


def entry_layout(grid: GridConfig) -> data.StructLayout:
    """An entry: where the space is, and its sockets; without sockets the entry is free."""
    return data.StructLayout({"place": place_layout(grid), "white": 4, "red": 4})


class EntryTable(wiring.Component):
    """Follows what is written to the cell map, so that one read tells all about a space.

    Parameters
    ----------
    grid : GridConfig
        Number of entries.

    Members
    -------
    write : In(CellWrite)
        The cell map's write port. A space that is written goes to the entry of its index.
    give : In(1), given : In
        An index becomes free: never together with a write of a space.
    wipe : In(1), wipe_index : In
        Free an entry, as a part of clearing the board.
    index : In, entry : Out(entry_layout)
        Read an entry; latency one cycle.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "write": In(CellWrite(grid)),
                "give": In(1),
                "given": In(grid.index_bits),
                "wipe": In(1),
                "wipe_index": In(grid.index_bits),
                "index": In(grid.index_bits),
                "entry": Out(entry_layout(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        shape = entry_layout(self._grid)
        m.submodules.entries = entries = Memory(shape=shape, depth=self._grid.spaces, init=[])
        write, read = entries.write_port(), entries.read_port()
        entry, cell = Signal(shape), self.write.cell
        frees = self.wipe | self.give
        m.d.comb += [
            entry.place.x.eq(self.write.x),
            entry.place.y.eq(self.write.y),
            entry.white.eq(cell.white),
            entry.red.eq(cell.red),
            write.en.eq(frees | (self.write.en & is_frontier(cell))),
            write.addr.eq(Mux(self.wipe, self.wipe_index, Mux(self.give, self.given, cell.index))),
            write.data.eq(Mux(frees, 0, Value.cast(entry))),
            read.addr.eq(self.index),
            self.entry.eq(read.data),
        ]
        return m
