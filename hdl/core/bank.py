"""One bank of the cell map, in either kind of memory that FPGAs have."""

from __future__ import annotations

from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import cell_layout

__all__ = ["SINGLE_PORT", "Bank"]

SINGLE_PORT = "single_port"
"""What a memory with one port is called within its bank, by which synthesis finds it: it takes no
initial contents."""


class Bank(wiring.Component):
    """A quarter of the cell map's words, by row.

    With ``grid.single_port`` it is a memory with one port, marked as the largest kind there is: the
    16 kilowords of an iCE40 UltraPlus hold a bank each. Its contents are unknown after power-on.

    Parameters
    ----------
    grid : GridConfig
        Size of the torus, and the kind of memory.

    Members
    -------
    read, row : In
        Read a row.
    word : Out(cell_layout)
        What was read, one cycle later; it stays until the next read, or with one port until the
        next write. A write in the same cycle is not seen; with one port nothing is read then.
    write, new : In, write_row : In
        Write a row; with one port it is ``row``, too, that says which.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        row_bits = 2 * grid.coord_bits - 2
        super().__init__(
            {
                "read": In(1),
                "row": In(row_bits),
                "word": Out(cell_layout(grid)),
                "write": In(1),
                "write_row": In(row_bits),
                "new": In(cell_layout(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        one = self._grid.single_port
        memory = Memory(
            shape=cell_layout(self._grid),
            depth=self._grid.size**2 // 4,
            init=[],
            attrs={"ram_style": "huge"} if one else {},
        )
        m.submodules[SINGLE_PORT if one else "memory"] = memory
        write, read = memory.write_port(), memory.read_port()
        m.d.comb += [
            write.en.eq(self.write),
            write.addr.eq(self.write_row),
            write.data.eq(self.new),
            read.en.eq(self.read),
            read.addr.eq(self.row),
            self.word.eq(read.data),
        ]
        if one:
            m.d.comb += [write.addr.eq(self.row), read.en.eq(self.read & ~self.write)]
        return m
