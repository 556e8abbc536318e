"""The tracks of one colour that candidates have joined, and where they leave the box."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Value
from amaranth.lib import data, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.evaluator.types import EPOCH_BITS, THREADS, track_id_layout

__all__ = ["UNION_FIND_ROWS", "UnionFind", "id_of_row", "row_layout", "row_of", "tag_of"]

_ROW_BITS = 6

UNION_FIND_ROWS = 1 << _ROW_BITS
"""Rows of each thread."""


def row_layout(grid: GridConfig) -> data.StructLayout:
    """One row: a track with its ``exits``, or with ``has_parent`` a track that has been joined to
    another one, ``parent``. ``tag`` tells which track the row belongs to; see :func:`tag_of`."""
    track_id = track_id_layout(grid)
    return data.StructLayout(
        {
            "parent": track_id,
            "exits": 4,
            "has_parent": 1,
            "tag": track_id.size - (_ROW_BITS - 1),
            "epoch": EPOCH_BITS,
        }
    )


def row_of(track_id: data.View, second_way: Value) -> Value:
    """Return the row of a track: the low bits of its id, the highest one inverted in the second
    way."""
    return track_id.number[:_ROW_BITS] ^ second_way.shift_left(_ROW_BITS - 1)


def id_of_row(row: Value, grid: GridConfig) -> Value:
    """Return an id whose row in the first way is this one."""
    width = track_id_layout(grid)["number"].width
    return Cat(row, Const(0, max(width - _ROW_BITS, 0) + 1))[: width + 1]


def tag_of(track_id: data.View) -> Value:
    """Return what tells tracks with the same row apart, in either way."""
    return Cat(track_id.number[_ROW_BITS - 1 :], track_id.is_new)


class UnionFind(wiring.Component):
    """The tracks of one colour that candidates have joined: a union-find forest, by track id.

    A track has no row until it is joined to another one or leaves the box. A row is valid only if
    its epoch is that of the thread's candidate, like a word of the :class:`Overlay`.

    The rows are a cache of two ways. Where a candidate's other track has taken a track's row, the
    track takes its row of the second way; where that is taken, too, it cannot be written. The
    reader finds out about both by the tag.

    Members
    -------
    r_row : In(6), r_thread : In(2)
        Read a row; see :func:`row_of`.
    r_data : Out(row_layout)
        Its contents one cycle later.
    w_en : In(1), w_thread : In(2), w_id : In(track_id_layout), w_second_way : In(1)
        Write the row of this track in this way.
    w_data : In(row_layout)
        The contents; the tag is set here. Epoch 0 makes the row invalid.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "r_row": In(_ROW_BITS),
                "r_thread": In(2),
                "r_data": Out(row_layout(grid)),
                "w_en": In(1),
                "w_thread": In(2),
                "w_id": In(track_id_layout(grid)),
                "w_second_way": In(1),
                "w_data": In(row_layout(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        layout = row_layout(self._grid)
        m.submodules.rows = rows = Memory(shape=layout, depth=THREADS << _ROW_BITS, init=[])
        read, write = rows.read_port(), rows.write_port()
        m.d.comb += [
            read.addr.eq(Cat(self.r_row, self.r_thread)),
            self.r_data.eq(read.data),
            write.en.eq(self.w_en),
            write.addr.eq(Cat(row_of(self.w_id, self.w_second_way), self.w_thread)),
            write.data.eq(self.w_data),
            write.data.tag.eq(tag_of(self.w_id)),
        ]
        return m
