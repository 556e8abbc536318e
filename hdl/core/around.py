"""Around a tile: the pairs of track ends that it connects."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Colour
from loopline.hdl.config import GridConfig
from loopline.hdl.core.joiner import join_layout
from loopline.hdl.core.types import cell_layout

__all__ = ["EndPairs"]


class EndPairs(wiring.Component):
    """Pairs the ends that a tile connects, while its open sides are served one after another.

    Of a colour's two edges, one with a socket continues the track that ends in the tile's own
    space; the open ones lead on to a neighbour. A colour with two sockets was joined when the
    second one arrived, and has no open side.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    start : In(1), cell : In(cell_layout)
        Begin with a tile, in the space that held this.
    colour : In(1), index : In, attached : In(1), serve : In(1)
        An open side: the colour of the tile's edge, the neighbour's frontier index, and whether a
        track of this colour ends there; and go on to the next. Not in the cycle of ``start``.
    complete : Out(1), join : Out(join_layout)
        Combinational: this is the colour's second end, and the join is of both.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "start": In(1),
                "cell": In(cell_layout(grid)),
                "serve": In(1),
                "colour": In(1),
                "index": In(grid.index_bits),
                "attached": In(1),
                "complete": Out(1),
                "join": Out(join_layout(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        end = self.join.a.shape()
        # The first end of each colour, if there is one.
        has = Signal(2)
        ends = [Signal(end, name=f"end_{n}", reset_less=True) for n in range(2)]
        with m.If(self.start):
            m.d.sync += has.eq(Cat(self.cell.white.any(), self.cell.red.any()))
        for colour in Colour:
            with m.If(self.start | (self.serve & (self.colour == colour))):
                m.d.sync += [
                    ends[colour].index.eq(Mux(self.start, self.cell.index, self.index)),
                    ends[colour].attached.eq(self.start | self.attached),
                ]
            with m.If(self.serve & (self.colour == colour)):
                m.d.sync += has[colour].eq(1)
        m.d.comb += [
            self.complete.eq(Mux(self.colour, has[1], has[0])),
            self.join.colour.eq(self.colour),
            self.join.a.eq(Mux(self.colour, ends[1], ends[0])),
            self.join.b.index.eq(self.index),
            self.join.b.attached.eq(self.attached),
        ]
        return m
