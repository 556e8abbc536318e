"""Forced-play queue: the spaces that must be filled before the turn is complete."""

from __future__ import annotations

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.fifo import SyncFIFOBuffered
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import place_layout

__all__ = ["ForcedQueue"]


class ForcedQueue(wiring.Component):
    """Spaces with two sockets of one colour, in the order in which they came to have them.

    The order does not matter for the result (rule 5); first in, first out keeps a chain's reads
    away from its newest writes. A space is put in once, by the socket that made the first pair,
    so that the queue cannot be fuller than the frontier table and never refuses one.

    Parameters
    ----------
    grid : GridConfig
        Size of the frontier table.

    Members
    -------
    push : In(1), place : In(place_layout)
        Put a space in.
    pending : Out(stream of place_layout)
        The spaces. Latency from ``push``: two cycles.
    empty : Out(1)
        Nothing is in the queue, nor on its way through it.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "push": In(1),
                "place": In(place_layout(grid)),
                "pending": Out(stream.Signature(place_layout(grid))),
                "empty": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        width = 2 * self._grid.coord_bits
        m.submodules.fifo = fifo = SyncFIFOBuffered(width=width, depth=self._grid.spaces)
        m.d.comb += [
            fifo.w_en.eq(self.push),
            fifo.w_data.eq(self.place),
            self.pending.valid.eq(fifo.r_rdy),
            self.pending.payload.eq(fifo.r_data),
            fifo.r_en.eq(self.pending.ready),
            self.empty.eq(fifo.level == 0),
        ]
        return m
