"""The banks of the cell map, for each kind of memory that FPGAs have."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import Banks, GridConfig
from loopline.hdl.core.types import cell_layout

__all__ = ["SINGLE_PORT", "Bank", "BankPair", "BankPort"]

SINGLE_PORT = "single_port"
"""Name of a memory with one port in its bank. Synthesis finds it by this name, as it must have no
initial contents."""


class BankPort(wiring.Signature):
    """A bank of the cell map, as seen by the unit that uses it.

    Members
    -------
    r_en : Out(1), r_addr : Out, r_data : In(cell_layout)
        Read a row. ``r_data`` is valid one cycle later, until the next read; it is undefined if the
        row is written in the cycle of the read.
    w_en : Out(1), w_addr : Out, w_data : Out(cell_layout)
        Write a row.

    Unless ``grid.banks`` is ``DUAL_PORT`` a bank reads or writes in a cycle: a write has its row
    from ``r_addr``, nothing is read in the same cycle, and ``r_data`` is valid until then only.
    """

    def __init__(self, grid: GridConfig):
        row_bits = 2 * grid.coord_bits - 2
        super().__init__(
            {
                "r_en": Out(1),
                "r_addr": Out(row_bits),
                "r_data": In(cell_layout(grid)),
                "w_en": Out(1),
                "w_addr": Out(row_bits),
                "w_data": Out(cell_layout(grid)),
            }
        )


class Bank(wiring.Component):
    """A quarter of the cell map's words, by row, in a memory of its own.

    With :attr:`Banks.SINGLE_PORT` the memory has one port, and is marked as a large one: each of
    the four memories of 16 kilowords in an iCE40 UltraPlus holds a bank. Its contents are unknown
    after power-on.

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
            write.en.eq(port.w_en),
            write.addr.eq(port.w_addr),
            write.data.eq(port.w_data),
            read.en.eq(port.r_en),
            read.addr.eq(port.r_addr),
            port.r_data.eq(read.data),
        ]
        if one:
            m.d.comb += [write.addr.eq(port.r_addr), read.en.eq(port.r_en & ~port.w_en)]
        return m


class BankPair(wiring.Component):
    """Two quarters of the cell map's words, in one memory with two ports, each of which reads or
    writes.

    Members
    -------
    ports : In(BankPort), two
        The banks. Each has one half of the memory and one of its ports.
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
            # Synthesis merges two ports that have their address from the same signal.
            row = Signal(len(port.r_addr) + 1, name=f"row{half}")
            m.d.comb += [
                row.eq(Cat(port.r_addr, half)),
                write.en.eq(port.w_en),
                write.addr.eq(row),
                write.data.eq(port.w_data),
                read.en.eq(port.r_en & ~port.w_en),
                read.addr.eq(row),
                port.r_data.eq(read.data),
            ]
        return m
