"""Queue of forced plays: the spaces that must be filled before the turn is complete."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.memory import MemoryPort
from loopline.hdl.core.types import place_layout

__all__ = ["ForcedQueue", "queue_port"]


def queue_port(grid: GridConfig) -> MemoryPort:
    """The port of the queue's memory: as many rows as the frontier table, or as there are cells."""
    return MemoryPort(place_layout(grid), min(grid.frontier_entries, grid.size**2))


class ForcedQueue(wiring.Component):
    """Queues spaces with two sockets of one colour, first in, first out.

    The order does not change the result of a turn. The queue never overflows: each space is pushed
    once, by the socket that makes its first pair, and while a tile is laid the frontier table
    has free entries. So the queue holds one space less than the table has entries.

    Members
    -------
    push : In(1), place : In(place_layout)
        Push a space.
    pending : Out(stream of place_layout)
        The oldest space. Two cycles after ``push``; at most one every second cycle.
    empty : Out(1)
        No space is in the queue or on offer.
    memory : Out(MemoryPort)
        Where the spaces are held; its contents do not matter while the queue is empty.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "push": In(1),
                "place": In(place_layout(grid)),
                "pending": Out(stream.Signature(place_layout(grid))),
                "empty": Out(1),
                "memory": Out(queue_port(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        newest = Signal(range(self.memory.signature.depth))
        oldest = Signal.like(newest)
        taken = self.pending.valid & self.pending.ready
        m.d.comb += [
            self.memory.w_en.eq(self.push),
            self.memory.w_addr.eq(newest),
            self.memory.w_data.eq(self.place),
            self.memory.r_addr.eq(oldest),
            self.pending.payload.eq(self.memory.r_data),
            self.empty.eq(newest == oldest),
        ]
        m.d.sync += [
            newest.eq(newest + self.push),
            oldest.eq(oldest + taken),
            # The oldest space is read in this cycle, and offered unless it has just been taken.
            self.pending.valid.eq(~self.empty & ~taken),
        ]
        return m
