"""The ids of the tracks of one colour that go through candidates' tiles, by cell."""

from __future__ import annotations

from amaranth.hdl import Cat, Module
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.memory import MemoryPort
from loopline.hdl.evaluator.types import THREADS, track_id_layout, window_bits, window_layout

__all__ = ["TrackIds", "track_id_port"]


def track_id_port(grid: GridConfig) -> MemoryPort:
    """The memory of the track ids of one colour."""
    word = data.StructLayout({"id": track_id_layout(grid), "tag": 2})
    return MemoryPort(word, THREADS << (2 * (window_bits(grid) - 1)))


class TrackIds(wiring.Component):
    """The id of the track of one colour that goes through a candidate's tile.

    Two tiles of a thread that lie half a window apart share a row; the tag tells which of them it
    belongs to. Rows have no epoch: they are read only beside a socket in the overlay, and the tile
    behind that socket has written its row.

    Members
    -------
    r_cell : In(window_layout), r_thread : In(2)
        Read the row of the tile in this cell.
    r_id : Out(track_id_layout), r_tag : Out(2)
        One cycle later: the id, and the high bits of the coordinates of the tile it belongs to.
    w_en : In(1), w_cell : In(window_layout), w_thread : In(2), w_id : In(track_id_layout)
        Write the row of a tile.
    memory : Out(MemoryPort)
        The memory; its contents do not matter while the chain is idle.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "r_cell": In(window_layout(grid)),
                "r_thread": In(2),
                "r_id": Out(track_id_layout(grid)),
                "r_tag": Out(2),
                "w_en": In(1),
                "w_cell": In(window_layout(grid)),
                "w_thread": In(2),
                "w_id": In(track_id_layout(grid)),
                "memory": Out(track_id_port(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        low = window_bits(self._grid) - 1
        memory = self.memory
        m.d.comb += [
            memory.r_addr.eq(Cat(self.r_cell.x[:low], self.r_cell.y[:low], self.r_thread)),
            self.r_id.eq(memory.r_data.id),
            self.r_tag.eq(memory.r_data.tag),
            memory.w_en.eq(self.w_en),
            memory.w_addr.eq(Cat(self.w_cell.x[:low], self.w_cell.y[:low], self.w_thread)),
            memory.w_data.id.eq(self.w_id),
            memory.w_data.tag.eq(Cat(self.w_cell.x[low], self.w_cell.y[low])),
        ]
        return m
