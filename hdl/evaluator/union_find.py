"""Tracks of one colour that trials have joined, and the sides on which they leave the box."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Value
from amaranth.lib import data, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.evaluator.types import EPOCH_BITS, name_layout

__all__ = ["UNION_ROWS", "UnionFind", "name_of", "row_layout", "row_of", "tag_of"]

_ROW_BITS = 6

UNION_ROWS = 1 << _ROW_BITS
"""Rows of each thread."""


def row_layout(grid: GridConfig) -> data.StructLayout:
    """One row: the ``child`` of another track, or a track with its ``mask`` of exits."""
    name = name_layout(grid)
    return data.StructLayout(
        {
            "parent": name,
            "mask": 4,
            "child": 1,
            "tag": name.size - (_ROW_BITS - 1),
            "epoch": EPOCH_BITS,
        }
    )


def row_of(name: data.View, spare: Value) -> Value:
    """The row of a name, or its spare one."""
    return name.id[:_ROW_BITS] ^ spare.shift_left(_ROW_BITS - 1)


def name_of(row: Value, grid: GridConfig) -> Value:
    """A name that has this row."""
    width = name_layout(grid)["id"].width
    return Cat(row, Const(0, max(width - _ROW_BITS, 0) + 1))[: width + 1]


def tag_of(name: data.View) -> Value:
    """What tells names with the same row apart, of each its own or its spare one."""
    return Cat(name.id[_ROW_BITS - 1 :], name.fresh)


class UnionFind(wiring.Component):
    """What trials know of the tracks of one colour, by name: a forest, as for union and find.

    A name has no row until its track is joined or leaves the box. Rows are forgotten with the
    trial's epoch, like those of the :class:`Overlay`. Two names of one trial may want one row:
    then the second takes its spare row, and where that is taken, too, has to do without. Both are
    for the reader to notice by the tag.

    Parameters
    ----------
    grid : GridConfig
        Width of names.

    Members
    -------
    read_row : In(6), thread : In(2)
        Read a row; see :func:`row_of`.
    found : Out(row_layout)
        One cycle later, what is in it.
    put : In(1), of : In(2), at : In(name_layout), at_spare : In(1), row : In(row_layout)
        Write the row of the name ``at``, or its spare one, for thread ``of``; the tag is set here.
        No trial has epoch 0: what is written with it is not there.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "read_row": In(_ROW_BITS),
                "thread": In(2),
                "found": Out(row_layout(grid)),
                "put": In(1),
                "of": In(2),
                "at": In(name_layout(grid)),
                "at_spare": In(1),
                "row": In(row_layout(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        layout = row_layout(self._grid)
        m.submodules.rows = rows = Memory(shape=layout, depth=4 << _ROW_BITS, init=[])
        read, write = rows.read_port(), rows.write_port()
        m.d.comb += [
            read.addr.eq(Cat(self.read_row, self.thread)),
            self.found.eq(read.data),
            write.en.eq(self.put),
            write.addr.eq(Cat(row_of(self.at, self.at_spare), self.of)),
            write.data.eq(self.row),
            write.data.tag.eq(tag_of(self.at)),
        ]
        return m
