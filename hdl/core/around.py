"""Around a tile: its open sides, the sockets it adds there, and the ends it connects."""

from __future__ import annotations

from amaranth.hdl import Array, Cat, Module, Mux, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import ALL_SIDES, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.cells import neighbour
from loopline.hdl.core.joiner import join_layout
from loopline.hdl.core.tile import SocketStep
from loopline.hdl.core.types import cell_layout, place_layout

__all__ = ["EndsOfTile", "SocketsOfTile"]


class SocketsOfTile(wiring.Component):
    """What a tile does to its neighbours. Combinational.

    Every tile beside a space has a socket in it. So the sides without a socket are those that
    lead to other spaces: the open sides.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    place : In(place_layout), cell : In(cell_layout), tile : In(4)
        The space, its word before, and the tile that goes there (mask of white edges).
    near : In(ArrayLayout(cell_layout, 4))
        The neighbours' words before.
    open_sides : Out(4)
        The sides without a socket.
    illegal : Out(1)
        Some neighbour would have three sockets of one colour.
    attached : Out(4)
        For each open side: a track of the edge's colour ends in the neighbour.
    side : In(2), fresh_index : In
        One open side, and the index for its neighbour in case it has none.
    beyond : Out(place_layout), before, after : Out(cell_layout)
        The neighbour on ``side``; ``before`` has the index of ``after``, given now or earlier.
    fresh, forced : Out(1)
        The neighbour on ``side`` enters the frontier; must be filled from now on.
    """

    def __init__(self, grid: GridConfig):
        cell = cell_layout(grid)
        super().__init__(
            {
                "place": In(place_layout(grid)),
                "cell": In(cell),
                "tile": In(4),
                "near": In(data.ArrayLayout(cell, 4)),
                "open_sides": Out(4),
                "illegal": Out(1),
                "attached": Out(4),
                "side": In(2),
                "fresh_index": In(grid.index_bits),
                "beyond": Out(place_layout(grid)),
                "before": Out(cell),
                "after": Out(cell),
                "fresh": Out(1),
                "forced": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        steps = []
        for side in Side:
            m.submodules[f"step_{side.name.lower()}"] = step = SocketStep(side)
            m.d.comb += [
                step.white.eq(self.near[side].white),
                step.red.eq(self.near[side].red),
                step.colour.eq(~self.tile[side]),
            ]
            steps.append(step)
        m.d.comb += [
            self.open_sides.eq(~(self.cell.white | self.cell.red)),
            self.illegal.eq((Cat(step.illegal for step in steps) & self.open_sides) != 0),
            self.attached.eq(Cat(step.attached for step in steps)),
        ]

        known = self.near[self.side]
        index = Mux(self.fresh, self.fresh_index, known.index)
        m.d.comb += [
            self.fresh.eq(Array(step.fresh for step in steps)[self.side]),
            self.forced.eq(Array(step.forced for step in steps)[self.side]),
            self.before.white.eq(known.white),
            self.before.red.eq(known.red),
            self.before.index.eq(index),
            self.after.white.eq(Array(step.next_white for step in steps)[self.side]),
            self.after.red.eq(Array(step.next_red for step in steps)[self.side]),
            self.after.index.eq(index),
        ]
        with m.Switch(self.side):
            for side in Side:
                with m.Case(side):
                    x, y = neighbour(self.place.x, self.place.y, side)
                    m.d.comb += [self.beyond.x.eq(x), self.beyond.y.eq(y)]
        return m


class EndsOfTile(wiring.Component):
    """The two ends that a tile connects, for one colour. Combinational.

    Of the colour's two edges, those with a socket continue the track that ends in the tile's own
    space; the open ones lead on to a neighbour. A colour with two sockets was joined when the
    second one arrived, and needs nothing.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    edges : In(4)
        The tile's edges of this colour.
    open_sides : In(4), attached : In(4)
        As :class:`SocketsOfTile` gives them.
    own : In
        The frontier index of the tile's space.
    ends : In(ArrayLayout)
        The frontier index of the neighbour on each open side.
    needed : Out(1), join : Out(join_layout)
        Whether there are ends to connect, and which.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(
            {
                "edges": In(4),
                "open_sides": In(4),
                "attached": In(4),
                "own": In(grid.index_bits),
                "ends": In(data.ArrayLayout(grid.index_bits, 4)),
                "needed": Out(1),
                "join": Out(join_layout(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        leaving = Signal(4)
        m.d.comb += [leaving.eq(self.edges & self.open_sides), self.needed.eq(leaving != 0)]
        # ``a`` is the first open side, ``b`` the last one, or else the tile's own space.
        for end, sides in ((self.join.a, reversed(Side)), (self.join.b, Side)):
            for side in sides:
                with m.If(leaving[side]):
                    m.d.comb += [
                        end.index.eq(self.ends[side]),
                        end.attached.eq(self.attached[side]),
                    ]
        with m.If((self.edges & ~self.open_sides & ALL_SIDES) != 0):
            m.d.comb += [self.join.b.index.eq(self.own), self.join.b.attached.eq(1)]
        return m
