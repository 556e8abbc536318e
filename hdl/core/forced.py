"""Forced-play queue: the spaces that must be filled before the turn is complete."""

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
    """Spaces with two sockets of one colour, in the order in which they came to have them.

    The order does not matter for the result (rule 5). A space is put in once, by the socket that
    made the first pair, and there are always free entries in the frontier table while a tile is
    laid: so the queue holds fewer spaces than the table has entries, and never refuses one.

    Parameters
    ----------
    grid : GridConfig
        Size of the frontier table: one more than the spaces that are held.

    Members
    -------
    push : In(1), place : In(place_layout)
        Put a space in.
    pending : Out(stream of place_layout)
        The spaces. Latency from ``push``: two cycles. One at most every second cycle.
    empty : Out(1)
        Nothing is in the queue, nor on its way through it.
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
            # What is read in this cycle is there in the next, unless it is another one by then.
            self.pending.valid.eq(~self.empty & ~taken),
        ]
        return m
