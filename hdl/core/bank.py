"""The banks of the cell map, in each kind of memory that FPGAs have."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import Banks, GridConfig
from loopline.hdl.core.types import cell_layout

__all__ = ["SINGLE_PORT", "Bank", "BankPair", "BankPort"]

SINGLE_PORT = "single_port"
"""What a memory with one port is called within its bank, by which synthesis finds it: it takes no
initial contents."""


class BankPort(wiring.Signature):
    """A bank of the cell map, as its client sees it.

    Parameters
    ----------
    grid : GridConfig
        Size of the torus, and the kind of memory.

    Members
    -------
    read : Out(1), row : Out
        Read a row.
    word : In(cell_layout)
        What was read, one cycle later; it stays until the next read. A write in the same cycle is
        not seen. Unless ``grid.banks`` is ``DUAL_PORT`` it stays until the next write only, and
        nothing is read in the same cycle.
    write : Out(1), new : Out(cell_layout), write_row : Out
        Write a row. Unless ``grid.banks`` is ``DUAL_PORT`` it is ``row`` that says which.
    """

    def __init__(self, grid: GridConfig):
        row_bits = 2 * grid.coord_bits - 2
        super().__init__(
            {
                "read": Out(1),
                "row": Out(row_bits),
                "word": In(cell_layout(grid)),
                "write": Out(1),
                "write_row": Out(row_bits),
                "new": Out(cell_layout(grid)),
            }
        )


class Bank(wiring.Component):
    """A quarter of the cell map's words, by row, in a memory of its own.

    With :attr:`Banks.SINGLE_PORT` it is one with one port, marked as the largest kind there is: the
    16 kilowords of an iCE40 UltraPlus hold a bank each. Its contents are unknown after power-on.

    Parameters
    ----------
    grid : GridConfig
        Size of the torus, and the kind of memory.

    Members
    -------
    port : In(BankPort)
        The bank.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__({"port": In(BankPort(grid))})

    def elaborate(self, platform) -> Module:
        m = Module()
        one = self._grid.banks is Banks.SINGLE_PORT
        memory = Memory(
            shape=cell_layout(self._grid),
            depth=self._grid.size**2 // 4,
            init=[],
            attrs={"ram_style": "huge"} if one else {},
        )
        m.submodules[SINGLE_PORT if one else "memory"] = memory
        port, write, read = self.port, memory.write_port(), memory.read_port()
        m.d.comb += [
            write.en.eq(port.write),
            write.addr.eq(port.write_row),
            write.data.eq(port.new),
            read.en.eq(port.read),
            read.addr.eq(port.row),
            port.word.eq(read.data),
        ]
        if one:
            m.d.comb += [write.addr.eq(port.row), read.en.eq(port.read & ~port.write)]
        return m


class BankPair(wiring.Component):
    """Two quarters of the cell map's words, in one memory with two ports that read or write.

    Parameters
    ----------
    grid : GridConfig
        Size of the torus.

    Members
    -------
    ports : In(BankPort), two
        The banks; each has half of the memory and a port of it.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__({"ports": In(BankPort(grid)).array(2)})

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.memory = memory = Memory(
            shape=cell_layout(self._grid), depth=self._grid.size**2 // 2, init=[]
        )
        for half, port in enumerate(self.ports):
            write, read = memory.write_port(), memory.read_port()
            # Synthesis makes one port of two that have their address from the same signal.
            row = Signal(len(port.row) + 1, name=f"row{half}")
            m.d.comb += [
                row.eq(Cat(port.row, half)),
                write.en.eq(port.write),
                write.addr.eq(row),
                write.data.eq(port.new),
                read.en.eq(port.read & ~port.write),
                read.addr.eq(row),
                port.word.eq(read.data),
            ]
        return m
