"""Where the box ends during a trial, and on which sides of it a track's end counts for a line."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import edges_layout
from loopline.hdl.core.types import box_layout, place_layout
from loopline.hdl.evaluator.equal import equal
from loopline.hdl.evaluator.types import growth_layout

__all__ = ["Exits", "counting"]


def counting(edges: data.View, growth: data.View) -> Value:
    """Whether an end outside of the box counts for a line, to the north and south (bit 0) and to
    the east and west, where the box has grown: then it is long enough."""
    lateral = growth.side[0]
    high = edges.long[0] | (growth.any & ~lateral & edges.almost[0])
    wide = edges.long[1] | (growth.any & lateral & edges.almost[1])
    return Cat(high, wide)


class Exits(wiring.Component):
    """Compares cells with the box as it is with a trial's first tile. Combinational.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    box : In(box_layout), edges : In(edges_layout)
        The position's box, and what follows from it.
    place : In(place_layout), growth : In(growth_layout), outside : Out(4)
        A tile, and the sides on which its neighbour is outside of the box.
    ends : In(ArrayLayout(place_layout, 2)), ends_growth : In(growth_layout)
        Two spaces of the frontier, of any trial.
    exits : Out(ArrayLayout(4, 2))
        The sides of the box on which they lie, where that counts.
    counting : Out(2)
        Whether an end outside of the box counts, to the north and south and to the east and west,
        of the trial with ``ends_growth``.
    matter : Out(1)
        Whether there is a trial in which any does.
    """

    def __init__(self, grid: GridConfig):
        place = place_layout(grid)
        super().__init__(
            {
                "box": In(box_layout(grid)),
                "edges": In(edges_layout(grid)),
                "place": In(place),
                "growth": In(growth_layout()),
                "outside": Out(4),
                "ends": In(data.ArrayLayout(place, 2)),
                "ends_growth": In(growth_layout()),
                "exits": Out(data.ArrayLayout(4, 2)),
                "counting": Out(2),
                "matter": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        box, growth, beside = self.box, self.growth, self.edges.beside
        edges = (
            (self.place.y, box.north),
            (self.place.x, box.east),
            (self.place.y, box.south),
            (self.place.x, box.west),
        )
        m.d.comb += self.outside.eq(
            Cat(
                at == Mux(growth.any & (growth.side == side), beside[side], edge)
                for side, (at, edge) in zip(Side, edges, strict=True)
            )
        )

        # Whether the box is long enough for a line, or one more makes it so.
        m.d.comb += self.matter.eq((self.edges.long | self.edges.almost).any())
        growth = self.ends_growth
        m.d.comb += self.counting.eq(counting(self.edges, growth))

        # Before the first tile all of the frontier lies in the box or right beside it.
        for number, (end, exits) in enumerate(zip(self.ends, self.exits, strict=True)):
            at = (end.y, end.x, end.y, end.x)
            there = Cat(
                equal(m, at[side], beside[side], f"beside{number}{side.value}")
                & ~(growth.any & (growth.side == side))
                for side in Side
            )
            m.d.comb += exits.eq(there & self.counting.replicate(2))
        return m
