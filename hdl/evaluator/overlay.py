"""The cells as trials have changed them: a map that is forgotten by counting on."""

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
    near_layout,
    socket_layout,
    sockets_layout,
    window_bits,
)

__all__ = ["Overlay", "overlay_word", "wiping_cell", "wiping_cells"]


def overlay_word() -> data.StructLayout:
    """One word: what a trial has added to a cell, and the number of that trial."""
    return data.StructLayout({"sockets": sockets_layout(), "epoch": EPOCH_BITS})


def wiping_cells(grid: GridConfig) -> int:
    """How many cells it takes for their neighbours to be all cells of a thread's window."""
    return 1 << (2 * window_bits(grid) - 2)


def wiping_cell(number: Value, grid: GridConfig) -> Value:
    """One of the cells of :func:`wiping_cells`: together they have each cell once for a neighbour.

    In each square of four by four they are (0, 0), (1, 0), (2, 2) and (3, 2).
    """
    bits = window_bits(grid)
    return Cat(number[:bits], 0, number[1], number[bits:])


class Overlay(wiring.Component):
    """Sockets that trials have added, in four banks like the :class:`CellMap` below.

    Each thread has a window of its own, addressed by the low bits of the coordinates (see
    :func:`window_bits`). A word counts only if its epoch is that of the thread's trial, so that the
    next trial finds nothing.

    Parameters
    ----------
    grid : GridConfig
        Size of the window.

    Members
    -------
    place : In, thread : In(2)
        Read the neighbours of this cell; the low bits of the coordinates.
    banks : Out(ArrayLayout(overlay_word, 4))
        One cycle later, the words, by bank.
    put : In(1), at : In, of : In(2), add : In(4), colours : In(4), kept : In, epoch : In
        Write the neighbours of the cell ``at``, thread ``of``, on the sides of ``add``: each gets
        a socket towards that cell, red on the sides of ``colours``, beside ``kept[side]`` of the
        other colour. No trial has epoch 0: what is written with it is not there.
    """

    def __init__(self, grid: GridConfig):
        window = near_layout(grid)
        self._rows = 1 << window.size
        super().__init__(
            {
                "place": In(window),
                "thread": In(2),
                "banks": Out(data.ArrayLayout(overlay_word(), 4)),
                "put": In(1),
                "at": In(window),
                "of": In(2),
                "add": In(4),
                "colours": In(4),
                "kept": In(data.ArrayLayout(socket_layout(), 4)),
                "epoch": In(EPOCH_BITS),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        read_rows = rows_around(self.place.x, self.place.y)
        write_rows = rows_around(self.at.x, self.at.y)
        write_banks = {side: bank_of(self.at, side) for side in Side}
        for number in range(4):
            m.submodules[f"bank{number}"] = bank = Memory(
                shape=overlay_word(), depth=self._rows, init=[]
            )
            read, write = bank.read_port(), bank.write_port()
            upper = number >> 1

            def serves(place, banks, upper=upper, number=number):
                """Which side this bank serves: (is it a vertical one, is it north or east)."""
                vertical = place.x[0] == (number & 1)
                first = Mux(vertical, banks[Side.NORTH][1] == upper, banks[Side.EAST][1] == upper)
                return vertical, first

            def pick(place, banks, values, serves=serves):
                vertical, first = serves(place, banks)
                return Mux(
                    vertical,
                    Mux(first, values[Side.NORTH], values[Side.SOUTH]),
                    Mux(first, values[Side.EAST], values[Side.WEST]),
                )

            word = Signal(overlay_word(), name=f"word{number}")
            red = Signal()
            kept = Signal(socket_layout())
            entry = Signal(2)
            m.d.comb += [
                read.addr.eq(Cat(read_rows[number], self.thread)),
                self.banks[number].eq(read.data),
                red.eq(pick(self.at, write_banks, self.colours)),
                entry.eq(
                    pick(self.at, write_banks, {side: Const(side.opposite, 2) for side in Side})
                ),
                Value.cast(kept).eq(
                    pick(self.at, write_banks, {s: Value.cast(self.kept[s]) for s in Side})
                ),
                word.epoch.eq(self.epoch),
            ]
            for colour in Colour:
                added = Cat(entry, 1)
                m.d.comb += Value.cast(word.sockets[colour]).eq(
                    Mux(red == colour, added, Value.cast(kept))
                )
            m.d.comb += [
                write.data.eq(word),
                write.addr.eq(Cat(write_rows[number], self.of)),
                write.en.eq(self.put & pick(self.at, write_banks, self.add)),
            ]
        return m
