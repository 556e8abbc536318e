"""Where the box ends for a candidate, and the sides on which a track leaves it."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import edges_layout
from loopline.hdl.core.types import box_layout, place_layout
from loopline.hdl.evaluator.sides import equal
from loopline.hdl.evaluator.types import growth_layout

__all__ = ["Exits", "counting_exits"]


def counting_exits(edges: data.View, growth: data.View) -> Value:
    """Return whether exits count for a line: bit 0 to the north and south, bit 1 to the east and
    west. They count if the box, as it has grown, is long enough for a line."""
    lateral = growth.side[0]
    high = edges.long[0] | (growth.valid & ~lateral & edges.almost[0])
    wide = edges.long[1] | (growth.valid & lateral & edges.almost[1])
    return Cat(high, wide)


class Exits(wiring.Component):
    """Compares cells with the box as a candidate's first tile makes it. Combinational.

    Members
    -------
    box : In(box_layout), edges : In(edges_layout)
        The position's box, and what follows from it.
    place : In(place_layout), growth : In(growth_layout)
        A tile, and how its candidate grows the box.
    outside : Out(4)
        The sides on which the tile's neighbour is outside of the box.
    ends : In(ArrayLayout(place_layout, 2)), ends_growth : In(growth_layout)
        Two frontier spaces in which tracks end, and how their candidate grows the box.
    exits : Out(ArrayLayout(4, 2))
        The sides on which these spaces are outside of the box, as far as exits count there.
    counting : Out(2)
        For the candidate with ``ends_growth``, whether exits count: :func:`counting_exits`.
    matter : Out(1)
        Exits count for some candidate of the position.
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
        borders = (
            (self.place.y, box.north),
            (self.place.x, box.east),
            (self.place.y, box.south),
            (self.place.x, box.west),
        )
        m.d.comb += self.outside.eq(
            Cat(
                coordinate == Mux(growth.valid & (growth.side == side), beside[side], border)
                for side, (coordinate, border) in zip(Side, borders, strict=True)
            )
        )

        m.d.comb += self.matter.eq((self.edges.long | self.edges.almost).any())
        growth = self.ends_growth
        m.d.comb += self.counting.eq(counting_exits(self.edges, growth))

        # The position's frontier lies in the box or right beside it, so equality is enough.
        for number, (end, exits) in enumerate(zip(self.ends, self.exits, strict=True)):
            coordinates = (end.y, end.x, end.y, end.x)
            there = Cat(
                equal(m, coordinates[side], beside[side], f"beside{number}{side.value}")
                & ~(growth.valid & (growth.side == side))
                for side in Side
            )
            m.d.comb += exits.eq(there & self.counting.replicate(2))
        return m
