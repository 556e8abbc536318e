"""What a token's place tells before anything is read: open sides, and whose names to ask for."""

from __future__ import annotations

from amaranth.hdl import Const, Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Colour
from loopline.hdl.config import GridConfig
from loopline.hdl.evaluator.sides import bank_of, unit_step
from loopline.hdl.evaluator.types import WINDOW_BITS, Mode, near_layout, token_layout, window_bits

__all__ = ["Neighbourhood", "lane_layout"]


def lane_layout() -> data.StructLayout:
    """An open edge of a forced tile: whether there is one, on which side, whether the cell beyond
    it is outside of the box, and in which bank that cell lies."""
    return data.StructLayout({"on": 1, "side": 2, "outside": 1, "bank": 2})


class Neighbourhood(wiring.Component):
    """The stage READ: what a token wants to know of the cells around it. Combinational.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    token : In(token_layout), outside : In(4)
        Who asks, and on which sides its neighbours are outside of the box.
    lanes : Out(ArrayLayout(lane_layout, 2))
        The edges that a forced tile leaves open, the first ``on`` if there is one; of a space that
        has waited its side, without ``on``.
    near : Out(near_layout)
        The place within the window.
    tiles : Out(ArrayLayout(near_layout, 2))
        By colour the tile whose track ends in the space.
    far : Out(1)
        The forced tile lies in the columns or rows that are not of the window.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "token": In(token_layout(grid)),
                "outside": In(4),
                "lanes": Out(data.ArrayLayout(lane_layout(), 2)),
                "near": Out(near_layout(grid)),
                "tiles": Out(data.ArrayLayout(near_layout(grid), 2)),
                "far": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        token, window = self.token, window_bits(self._grid)
        chain, revisits = token.mode == Mode.CHAIN, token.mode == Mode.REVISIT

        near = self.near
        m.d.comb += [near.x.eq(token.place.x), near.y.eq(token.place.y)]
        lookup = Mux(token.mode == Mode.RESOLVE, token.a, token.b)
        for colour in Colour:
            side = Mux(token.colour == colour, lookup, token.other.side)
            columns, rows = unit_step(side, window)
            stays = (revisits & (token.colour == colour)).replicate(window)
            m.d.comb += [
                self.tiles[colour].x.eq(near.x + (columns & ~stays)),
                self.tiles[colour].y.eq(near.y + (rows & ~stays)),
            ]

        far = Const(0)
        if self._grid.coord_bits > WINDOW_BITS:
            opposed = 1 << (WINDOW_BITS - 2)
            far = ((token.place.x[1:WINDOW_BITS] ^ token.origin.x) == opposed) | (
                (token.place.y[1:WINDOW_BITS] ^ token.origin.y) == opposed
            )
        m.d.comb += self.far.eq(far & chain)

        def mask(side: Value) -> Value:
            return (1 << side)[:4]

        open_sides = Signal(4)
        e1 = Signal(2)
        e2 = Signal(2)
        with m.If(chain & ~token.both & ~token.second):
            other = Mux(token.other.valid, mask(token.other.side), 0)
            m.d.comb += open_sides.eq(~(mask(token.a) | mask(token.b) | other))
        with m.If(revisits):
            m.d.comb += e1.eq(token.a)
        with m.Elif(open_sides[0]):
            m.d.comb += e1.eq(0)
        with m.Elif(open_sides[1]):
            m.d.comb += e1.eq(1)
        with m.Elif(open_sides[2]):
            m.d.comb += e1.eq(2)
        with m.Elif(open_sides[3]):
            m.d.comb += e1.eq(3)
        with m.If(open_sides[3]):
            m.d.comb += e2.eq(3)
        with m.Elif(open_sides[2]):
            m.d.comb += e2.eq(2)
        with m.Else():
            m.d.comb += e2.eq(1)
        more = (open_sides != mask(e1)) & open_sides.any()
        for lane, side, on in zip(self.lanes, (e1, e2), (open_sides.any(), more), strict=True):
            m.d.comb += [
                lane.on.eq(on),
                lane.side.eq(side),
                lane.outside.eq(self.outside.bit_select(side, 1)),
                lane.bank.eq(bank_of(token.place, side)),
            ]
        return m
