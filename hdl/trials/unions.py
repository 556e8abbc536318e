"""Tracks of one colour that trials have joined, and the sides on which they leave the box."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.trials.types import EPOCH_BITS, name_layout

__all__ = ["Unions", "row_layout", "tag_of"]

_ROW_BITS = 6


def row_layout(grid: GridConfig) -> data.StructLayout:
    """One row: the ``child`` of another track, or a track with its ``mask`` of exits."""
    name = name_layout(grid)
    return data.StructLayout(
        {
            "parent": name,
            "mask": 4,
            "child": 1,
            "tag": max(name.size - _ROW_BITS, 1),
            "epoch": EPOCH_BITS,
        }
    )


def _row_of(name: data.View) -> Value:
    """The row of a name. Names that a trial gives count from the end."""
    return name.id[:_ROW_BITS] ^ name.fresh.replicate(_ROW_BITS)


def tag_of(name: data.View) -> Value:
    """What tells names with the same row apart."""
    return Cat(name.id[_ROW_BITS:], name.fresh)


class Unions(wiring.Component):
    """What trials know of the tracks of one colour, by name: a forest, as for union and find.

    A name has no row until its track is joined or leaves the box. Rows are forgotten with the
    trial's epoch, like those of the :class:`Overlay`. Two names of one trial may want one row:
    then the second has to do without, which is for the reader to notice by the tag.

    Parameters
    ----------
    grid : GridConfig
        Width of names.

    Members
    -------
    name : In, thread : In(2)
        Read the row of a name.
    found : Out(row_layout)
        One cycle later, what is in it.
    put : In(1), of : In(2), at : In(name_layout), row : In(row_layout)
        Write the row of the name ``at``, for thread ``of``; the tag is set here.
    wipe : In(1), wiped : In
        Write zero to a row instead.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        self.rows = 4 << _ROW_BITS
        super().__init__(
            {
                "name": In(name_layout(grid)),
                "thread": In(2),
                "found": Out(row_layout(grid)),
                "put": In(1),
                "of": In(2),
                "at": In(name_layout(grid)),
                "row": In(row_layout(grid)),
                "wipe": In(1),
                "wiped": In(range(self.rows)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        layout = row_layout(self._grid)
        m.submodules.rows = rows = Memory(shape=layout, depth=self.rows, init=[])
        read, write = rows.read_port(), rows.write_port()
        row = Signal(layout)
        m.d.comb += [
            read.addr.eq(Cat(_row_of(self.name), self.thread)),
            self.found.eq(read.data),
            row.eq(self.row),
            row.tag.eq(tag_of(self.at)),
            write.en.eq(self.put | self.wipe),
            write.addr.eq(Mux(self.wipe, self.wiped, Cat(_row_of(self.at), self.of))),
            write.data.eq(Mux(self.wipe, Const(0, layout.size), Value.cast(row))),
        ]
        return m
