"""Tracks of one colour that end beside a trial's tiles, by the cell of the tile."""

from __future__ import annotations

from amaranth.hdl import Cat, Module
from amaranth.lib import data, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.trials.types import name_layout, near_layout, window_bits

__all__ = ["Names"]


class Names(wiring.Component):
    """The name of the track of one colour that goes through a tile of a trial.

    A row is kept for every eighth column and row of a thread's window; the tag tells two tiles
    apart that want the same. What a row holds from an earlier trial is never asked for: only a
    socket in the overlay leads here.

    Parameters
    ----------
    grid : GridConfig
        Width of names.
    in_luts : bool
        Keep them in a memory made of LUTs.

    Members
    -------
    cell : In(near_layout), thread : In(2)
        Read the name at a tile.
    name : Out(name_layout), tag : Out(2)
        One cycle later: the name, and the high bits of the coordinates of the tile it belongs to.
    put : In(1), at : In(near_layout), of : In(2), given : In(name_layout)
        Write it.
    """

    def __init__(self, grid: GridConfig, *, in_luts: bool = False):
        self._grid = grid
        self._attrs = {"ram_style": "distributed"} if in_luts else {}
        super().__init__(
            {
                "cell": In(near_layout(grid)),
                "thread": In(2),
                "name": Out(name_layout(grid)),
                "tag": Out(2),
                "put": In(1),
                "at": In(near_layout(grid)),
                "of": In(2),
                "given": In(name_layout(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        low = window_bits(self._grid) - 1
        word = data.StructLayout({"name": name_layout(self._grid), "tag": 2})
        m.submodules.rows = rows = Memory(
            shape=word, depth=4 << (2 * low), init=[], attrs=self._attrs
        )
        read, write = rows.read_port(), rows.write_port()
        m.d.comb += [
            read.addr.eq(Cat(self.cell.x[:low], self.cell.y[:low], self.thread)),
            self.name.eq(read.data.name),
            self.tag.eq(read.data.tag),
            write.en.eq(self.put),
            write.addr.eq(Cat(self.at.x[:low], self.at.y[:low], self.of)),
            write.data.name.eq(self.given),
            write.data.tag.eq(Cat(self.at.x[low], self.at.y[low])),
        ]
        return m
