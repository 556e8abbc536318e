"""The sockets that candidates have added: a map of cells that is emptied by counting epochs."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.game import Colour, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.cells import rows_around
from loopline.hdl.evaluator.sides import bank_of
from loopline.hdl.evaluator.types import (
    EPOCH_BITS,
    socket_layout,
    sockets_layout,
    window_bits,
    window_layout,
)

__all__ = ["Overlay", "overlay_word", "wiping_cell", "wiping_cells"]


def overlay_word() -> data.StructLayout:
    """One word: the sockets that a candidate has added to a cell, and the candidate's epoch."""
    return data.StructLayout({"sockets": sockets_layout(), "epoch": EPOCH_BITS})


def wiping_cells(grid: GridConfig) -> int:
    """Return the number of cells whose neighbours are all cells of a thread's window."""
    return 1 << (2 * window_bits(grid) - 2)


def wiping_cell(number: Value, grid: GridConfig) -> Value:
    """Return one of the :func:`wiping_cells`. Together they have each cell once for a neighbour.

    In each square of four by four they are (0, 0), (1, 0), (2, 2) and (3, 2).
    """
    bits = window_bits(grid)
    return Cat(number[:bits], 0, number[1], number[bits:])


class Overlay(wiring.Component):
    """The sockets that candidates have added, in four banks like those of :class:`CellMap`.

    Each thread has a window of its own, which is addressed by the low bits of the coordinates (see
    :func:`window_layout`). A word is valid only if its epoch is that of the thread's candidate; the
    reader compares them.

    Members
    -------
    r_cell : In(window_layout), r_thread : In(2)
        Read the neighbours of this cell.
    r_data : Out(ArrayLayout(overlay_word, 4))
        Their words one cycle later, by bank.
    w_en : In(1), w_cell : In(window_layout), w_thread : In(2), w_sides : In(4)
        Write the neighbours of this cell on these sides (a mask): each gets a socket towards it.
    w_colours : In(4)
        By side, the new socket's colour.
    w_others : In(ArrayLayout(socket_layout, 4))
        By side, the neighbour's socket of the other colour, which the word holds as well.
    w_epoch : In(EPOCH_BITS)
        The candidate's epoch; 0 makes the words invalid.
    """

    def __init__(self, grid: GridConfig):
        window = window_layout(grid)
        self._rows = 1 << window.size
        super().__init__(
            {
                "r_cell": In(window),
                "r_thread": In(2),
                "r_data": Out(data.ArrayLayout(overlay_word(), 4)),
                "w_en": In(1),
                "w_cell": In(window),
                "w_thread": In(2),
                "w_sides": In(4),
                "w_colours": In(4),
                "w_others": In(data.ArrayLayout(socket_layout(), 4)),
                "w_epoch": In(EPOCH_BITS),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        read_rows = rows_around(self.r_cell.x, self.r_cell.y)
        write_rows = rows_around(self.w_cell.x, self.w_cell.y)
        write_banks = {side: bank_of(self.w_cell, side) for side in Side}
        for number in range(4):
            m.submodules[f"bank{number}"] = bank = Memory(
                shape=overlay_word(), depth=self._rows, init=[]
            )
            read, write = bank.read_port(), bank.write_port()
            # This bank has the neighbour on one side of the cell: a vertical side or not, and of
            # these the first (north, east) or not.
            vertical = self.w_cell.x[0] == (number & 1)
            first = Mux(
                vertical,
                write_banks[Side.NORTH][1] == number >> 1,
                write_banks[Side.EAST][1] == number >> 1,
            )

            def pick(values, vertical=vertical, first=first):
                """Return the value of that side."""
                return Mux(
                    vertical,
                    Mux(first, values[Side.NORTH], values[Side.SOUTH]),
                    Mux(first, values[Side.EAST], values[Side.WEST]),
                )

            word = Signal(overlay_word(), name=f"word{number}")
            red = Signal()
            other = Signal(socket_layout())
            entry = Signal(2)
            m.d.comb += [
                read.addr.eq(Cat(read_rows[number], self.r_thread)),
                self.r_data[number].eq(read.data),
                red.eq(pick(self.w_colours)),
                entry.eq(pick({side: Const(side.opposite, 2) for side in Side})),
                Value.cast(other).eq(
                    pick({side: Value.cast(self.w_others[side]) for side in Side})
                ),
                word.epoch.eq(self.w_epoch),
            ]
            for colour in Colour:
                added = Cat(entry, 1)
                m.d.comb += Value.cast(word.sockets[colour]).eq(
                    Mux(red == colour, added, Value.cast(other))
                )
            m.d.comb += [
                write.data.eq(word),
                write.addr.eq(Cat(write_rows[number], self.w_thread)),
                write.en.eq(self.w_en & pick(self.w_sides)),
            ]
        return m
