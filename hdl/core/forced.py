"""Forced-play queue: the spaces that must be filled before the turn is complete."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import place_layout

__all__ = ["ForcedQueue"]


class ForcedQueue(wiring.Component):
    """Spaces with two sockets of one colour, in the order in which they came to have them.

    The order does not matter for the result (rule 5). A space is put in once, by the socket that
    made the first pair, and there are always free entries in the frontier table while a tile is
    laid: so the queue holds fewer spaces than the table has entries, and never refuses one.

    Parameters
    ----------
    grid : GridConfig
        Size of the frontier table: one more than the spaces that are held. With
        ``grid.lut_memories`` they are held in LUTs.

    Members
    -------
    push : In(1), place : In(place_layout)
        Put a space in.
    pending : Out(stream of place_layout)
        The spaces. Latency from ``push``: two cycles. One at most every second cycle.
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
        shape, depth = place_layout(self._grid), self._grid.spaces
        attrs = {"ram_style": "distributed"} if self._grid.lut_memories else {}
        m.submodules.places = places = Memory(shape=shape, depth=depth, init=[], attrs=attrs)
        write, read = places.write_port(), places.read_port()
        newest = Signal(range(depth))
        oldest = Signal(range(depth))
        taken = self.pending.valid & self.pending.ready
        m.d.comb += [
            write.en.eq(self.push),
            write.addr.eq(newest),
            write.data.eq(self.place),
            read.addr.eq(oldest),
            self.pending.payload.eq(read.data),
            self.empty.eq(newest == oldest),
        ]
        m.d.sync += [
            newest.eq(newest + self.push),
            oldest.eq(oldest + taken),
            # What is read in this cycle is there in the next, unless it is another one by then.
            self.pending.valid.eq(~self.empty & ~taken),
        ]
        return m
