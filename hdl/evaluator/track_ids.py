"""Tracks of one colour that end beside a trial's tiles, by the cell of the tile."""

from __future__ import annotations

from amaranth.hdl import Cat, Module
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.memory import MemoryPort
from loopline.hdl.evaluator.types import THREADS, name_layout, near_layout, window_bits

__all__ = ["TrackIds", "name_rows"]


def name_rows(grid: GridConfig) -> MemoryPort:
    """The memory of the names of one colour."""
    word = data.StructLayout({"name": name_layout(grid), "tag": 2})
    return MemoryPort(word, THREADS << (2 * (window_bits(grid) - 1)))


class TrackIds(wiring.Component):
    """The name of the track of one colour that goes through a tile of a trial.

    Tiles of a thread that lie half a window apart share a row; the tag tells which of them has it.
    What a row holds from an earlier trial is never asked for: only a socket in the overlay leads
    here.

    Parameters
    ----------
    grid : GridConfig
        Width of names.

    Members
    -------
    cell : In(near_layout), thread : In(2)
        Read the name at a tile.
    name : Out(name_layout), tag : Out(2)
        One cycle later: the name, and the high bits of the coordinates of the tile it belongs to.
    put : In(1), at : In(near_layout), of : In(2), given : In(name_layout)
        Write it.
    memory : Out(MemoryPort)
        Where they are kept. While no trial is under way, what it holds does not matter.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
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
                "memory": Out(name_rows(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        low = window_bits(self._grid) - 1
        memory = self.memory
        m.d.comb += [
            memory.r_addr.eq(Cat(self.cell.x[:low], self.cell.y[:low], self.thread)),
            self.name.eq(memory.r_data.name),
            self.tag.eq(memory.r_data.tag),
            memory.w_en.eq(self.put),
            memory.w_addr.eq(Cat(self.at.x[:low], self.at.y[:low], self.of)),
            memory.w_data.name.eq(self.given),
            memory.w_data.tag.eq(Cat(self.at.x[low], self.at.y[low])),
        ]
        return m
