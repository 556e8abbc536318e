"""Where the box ends during a trial, and on which sides of it a track's end counts for a line."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import LINE_LENGTH, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import box_layout, place_layout
from loopline.hdl.trials.equal import equal
from loopline.hdl.trials.types import growth_layout

__all__ = ["Exits"]


class Exits(wiring.Component):
    """Compares cells with the box as it is with a trial's first tile. Combinational but for the
    lengths of the box, which has been still for some cycles before it is asked for.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    box : In(box_layout), beside : In(ArrayLayout, 4), lines : In(1)
        The position's box, the columns and rows beside it, and whether lines count.
    place : In(place_layout), growth : In(growth_layout), outside : Out(4)
        A tile, and the sides on which its neighbour is outside of the box.
    ends : In(ArrayLayout(place_layout, 2)), ends_growth : In(growth_layout)
        Two spaces of the frontier, of any trial.
    exits : Out(ArrayLayout(4, 2))
        The sides of the box on which they lie, where that counts.
    counting : Out(2)
        Whether an end outside of the box counts, to the north and south and to the east and west,
        of the trial with ``ends_growth``.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        place = place_layout(grid)
        super().__init__(
            {
                "box": In(box_layout(grid)),
                "beside": In(data.ArrayLayout(grid.coord_bits, 4)),
                "lines": In(1),
                "place": In(place),
                "growth": In(growth_layout()),
                "outside": Out(4),
                "ends": In(data.ArrayLayout(place, 2)),
                "ends_growth": In(growth_layout()),
                "exits": Out(data.ArrayLayout(4, 2)),
                "counting": Out(2),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        box, growth = self.box, self.growth
        edges = (
            (self.place.y, box.north),
            (self.place.x, box.east),
            (self.place.y, box.south),
            (self.place.x, box.west),
        )
        m.d.comb += self.outside.eq(
            Cat(
                at == Mux(growth.any & (growth.side == side), self.beside[side], edge)
                for side, (at, edge) in zip(Side, edges, strict=True)
            )
        )

        # Whether the box is long enough for a line, and whether one more makes it so.
        long = Signal(4)
        width = (box.east - box.west)[: self._grid.coord_bits]
        height = (box.south - box.north)[: self._grid.coord_bits]
        one_short = LINE_LENGTH - 2
        m.d.sync += long.eq(
            Mux(
                self.lines,
                Cat(width > one_short, width == one_short, height > one_short, height == one_short),
                0,
            )
        )
        growth = self.ends_growth
        lateral = growth.side[0]
        wide = long[0] | (growth.any & lateral & long[1])
        high = long[2] | (growth.any & ~lateral & long[3])
        m.d.comb += self.counting.eq(Cat(high, wide))

        # Before the first tile all of the frontier lies in the box or right beside it.
        for number, (end, exits) in enumerate(zip(self.ends, self.exits, strict=True)):
            at = (end.y, end.x, end.y, end.x)
            beside = Cat(
                equal(m, at[side], self.beside[side], f"beside{number}{side.value}")
                & ~(growth.any & (growth.side == side))
                for side in Side
            )
            m.d.comb += exits.eq(beside & self.counting.replicate(2))
        return m
