"""Where a trial goes on: what its tile's open edges do to the spaces beyond them."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import cell_layout, place_layout
from loopline.hdl.evaluator.lane import Lane, pair_layout
from loopline.hdl.evaluator.neighbourhood import lane_layout
from loopline.hdl.evaluator.sides import opposite, unit_step
from loopline.hdl.evaluator.types import (
    Mode,
    socket_layout,
    sockets_layout,
    token_layout,
    waiting_layout,
)

__all__ = ["NextSpace", "added_layout", "next_layout", "pushed_layout"]


def next_layout(grid: GridConfig) -> data.StructLayout:
    """The space that is filled next, and how; without ``valid`` no tile of this play forces one,
    and ``place`` is the tile beside the one that has waited, ``pair.a`` and ``pair.colour`` its
    side and colour."""
    return data.StructLayout(
        {
            "valid": 1,
            "pair": pair_layout(),
            "place": place_layout(grid),
            "space": grid.index_bits,
        }
    )


def added_layout() -> data.StructLayout:
    """A socket that the trial has to remember: on which side of the tile, and what it has added to
    that space before of the other colour."""
    return data.StructLayout({"valid": 1, "side": 2, "kept": socket_layout()})


def pushed_layout() -> data.StructLayout:
    """A space that has to wait, and on which side of the tile it lies."""
    return data.StructLayout({"valid": 1, "side": 2})


class NextSpace(wiring.Component):
    """The stage JOIN, as far as spaces go: which are forced, and which comes next. Combinational.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    token : In(token_layout), lanes : In(ArrayLayout(lane_layout, 2))
        The trial, and its tile's open edges.
    bases : In(ArrayLayout(cell_layout, 2)), added : In(ArrayLayout(sockets_layout, 2))
        The spaces beyond them: as the position has them, and what the trial has added.
    top : In(waiting_layout)
        The space that waits and is next.
    forced : Out(1), pushed : Out(pushed_layout)
        One of the two is forced, or both, and then one has to wait.
    next : Out(next_layout), two : Out(1)
        The space that comes next; ``two`` if it is the second one of the first tile's, should it be
        one that has waited.
    adds : Out(ArrayLayout(added_layout, 2))
        What the trial has to remember.
    exits : Out(4)
        The open edges that lead out of the box.
    illegal : Out(1)
        A space would have three sockets of a colour.
    full : Out(1)
        One would have two of a colour from the trial, which it cannot remember.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "token": In(token_layout(grid)),
                "lanes": In(data.ArrayLayout(lane_layout(), 2)),
                "bases": In(data.ArrayLayout(cell_layout(grid), 2)),
                "added": In(data.ArrayLayout(sockets_layout(), 2)),
                "top": In(waiting_layout(grid)),
                "forced": Out(1),
                "pushed": Out(pushed_layout()),
                "next": Out(next_layout(grid)),
                "two": Out(1),
                "adds": Out(data.ArrayLayout(added_layout(), 2)),
                "exits": Out(4),
                "illegal": Out(1),
                "full": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid, token, where = self._grid, self.token, self.lanes
        m.submodules.lane1, m.submodules.lane2 = lanes = Lane(grid), Lane(grid)
        for n, lane in enumerate(lanes):
            m.d.comb += [
                lane.base.eq(self.bases[n]),
                lane.added.eq(self.added[n]),
                lane.colour.eq(~token.colour),
                lane.entry.eq(opposite(where[n].side)),
            ]
        inside = [where[n].on & ~where[n].outside for n in range(2)]
        forced = [lane.forced & on for lane, on in zip(lanes, inside, strict=True)]
        revisit = token.mode == Mode.REVISIT

        # Of two that are forced the second one goes first if only it could not be remembered.
        second = Signal()
        m.d.comb += second.eq(
            ~revisit & (~forced[0] | (forced[1] & lanes[1].full & ~lanes[0].full))
        )
        remembered = [
            inside[0] & (~forced[0] | second),
            inside[1] & ~(second & forced[1]),
        ]
        m.d.comb += [
            self.forced.eq(forced[0] | forced[1]),
            self.illegal.eq((inside[0] & lanes[0].illegal) | (inside[1] & lanes[1].illegal)),
            self.full.eq((remembered[0] & lanes[0].full) | (remembered[1] & lanes[1].full)),
            self.pushed.valid.eq(forced[0] & forced[1]),
            self.pushed.side.eq(Mux(second, where[0].side, where[1].side)),
        ]
        for n, lane in enumerate(lanes):
            m.d.comb += [
                self.adds[n].valid.eq(remembered[n]),
                self.adds[n].side.eq(where[n].side),
                self.adds[n].kept.eq(lane.kept),
            ]
        leaving = [
            Mux(where[n].on & where[n].outside, (1 << where[n].side)[:4], 0) for n in range(2)
        ]
        m.d.comb += self.exits.eq(leaving[0] | leaving[1])

        on = self.next
        columns, rows = unit_step(Mux(second, where[1].side, where[0].side), grid.coord_bits)
        m.d.comb += [
            self.two.eq(token.two & (token.waiting == 1)),
            on.valid.eq(self.forced),
            Value.cast(on.pair).eq(
                Mux(
                    revisit,
                    Value.cast(lanes[0].waiting),
                    Mux(second, Value.cast(lanes[1].pair), Value.cast(lanes[0].pair)),
                )
            ),
            on.place.x.eq(token.place.x + columns),
            on.place.y.eq(token.place.y + rows),
            on.space.eq(Mux(second, self.bases[1].index, self.bases[0].index)),
        ]
        with m.If(~revisit & ~self.forced):
            m.d.comb += [
                on.place.eq(self.top.place),
                on.pair.a.eq(Mux(self.two, token.two_side, self.top.side)),
                on.pair.b_base.eq(0),
                on.pair.colour.eq(Mux(self.two, token.two_colour, self.top.colour)),
            ]
        return m
