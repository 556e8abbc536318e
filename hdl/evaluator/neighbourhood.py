"""The open sides of a forced tile, and the tiles whose track ids a token reads."""

from __future__ import annotations

from amaranth.hdl import Const, Module, Mux, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Colour
from loopline.hdl.config import GridConfig
from loopline.hdl.evaluator.sides import bank_of, mask_of, unit_step
from loopline.hdl.evaluator.types import WINDOW_BITS, Mode, token_layout, window_bits, window_layout

__all__ = ["Neighbourhood", "open_edge_layout"]


def open_edge_layout() -> data.StructLayout:
    """An open edge of a forced tile, if ``valid``: its side, whether the cell beyond it is outside
    of the box, and the bank of that cell."""
    return data.StructLayout({"valid": 1, "side": 2, "outside": 1, "bank": 2})


class Neighbourhood(wiring.Component):
    """Works out from a token alone what it has to read. Combinational; for the stage READ.

    Members
    -------
    token : In(token_layout), outside : In(4)
        The token, and the sides on which its neighbours are outside of the box.
    edges : Out(ArrayLayout(open_edge_layout, 2))
        The edges that the forced tile leaves open, north first. In mode ``REVISIT`` the first one
        has side and bank of the pending space, without ``valid``.
    cell : Out(window_layout)
        The token's place within the window.
    tiles : Out(ArrayLayout(window_layout, 2))
        By colour, the candidate's tile whose track ends in the space.
    beyond_window : Out(1)
        The forced tile lies in the columns or rows that the window leaves out.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "token": In(token_layout(grid)),
                "outside": In(4),
                "edges": Out(data.ArrayLayout(open_edge_layout(), 2)),
                "cell": Out(window_layout(grid)),
                "tiles": Out(data.ArrayLayout(window_layout(grid), 2)),
                "beyond_window": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        token, window = self.token, window_bits(self._grid)
        chain, revisit = token.mode == Mode.CHAIN, token.mode == Mode.REVISIT

        cell = self.cell
        m.d.comb += [cell.x.eq(token.place.x), cell.y.eq(token.place.y)]
        lookup = Mux(token.mode == Mode.RESOLVE, token.a, token.b)
        for colour in Colour:
            side = Mux(token.colour == colour, lookup, token.other.side)
            columns, rows = unit_step(side, window)
            # In mode REVISIT the place is that tile.
            stays = (revisit & (token.colour == colour)).replicate(window)
            m.d.comb += [
                self.tiles[colour].x.eq(cell.x + (columns & ~stays)),
                self.tiles[colour].y.eq(cell.y + (rows & ~stays)),
            ]

        beyond = Const(0)
        if self._grid.coord_bits > WINDOW_BITS:
            opposed = 1 << (WINDOW_BITS - 2)
            beyond = ((token.place.x[1:WINDOW_BITS] ^ token.origin.x) == opposed) | (
                (token.place.y[1:WINDOW_BITS] ^ token.origin.y) == opposed
            )
        m.d.comb += self.beyond_window.eq(beyond & chain)

        open_sides = Signal(4)
        first = Signal(2)
        last = Signal(2)
        with m.If(chain & ~token.both & ~token.second):
            other = Mux(token.other.valid, mask_of(token.other.side), 0)
            m.d.comb += open_sides.eq(~(mask_of(token.a) | mask_of(token.b) | other))
        with m.If(revisit):
            m.d.comb += first.eq(token.a)
        with m.Elif(open_sides[0]):
            m.d.comb += first.eq(0)
        with m.Elif(open_sides[1]):
            m.d.comb += first.eq(1)
        with m.Elif(open_sides[2]):
            m.d.comb += first.eq(2)
        with m.Elif(open_sides[3]):
            m.d.comb += first.eq(3)
        with m.If(open_sides[3]):
            m.d.comb += last.eq(3)
        with m.Elif(open_sides[2]):
            m.d.comb += last.eq(2)
        with m.Else():
            m.d.comb += last.eq(1)
        has_two = (open_sides != mask_of(first)) & open_sides.any()
        sides = ((first, open_sides.any()), (last, has_two))
        for edge, (side, valid) in zip(self.edges, sides, strict=True):
            m.d.comb += [
                edge.valid.eq(valid),
                edge.side.eq(side),
                edge.outside.eq(self.outside.bit_select(side, 1)),
                edge.bank.eq(bank_of(token.place, side)),
            ]
        return m
