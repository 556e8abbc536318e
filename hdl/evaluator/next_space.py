"""What a tile's open edges do to the spaces beyond them, and which space is filled next."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import cell_layout, place_layout
from loopline.hdl.evaluator.lane import Lane, pair_layout
from loopline.hdl.evaluator.neighbourhood import open_edge_layout
from loopline.hdl.evaluator.sides import mask_of, opposite, unit_step
from loopline.hdl.evaluator.types import (
    Mode,
    pending_layout,
    socket_layout,
    sockets_layout,
    token_layout,
)

__all__ = ["NextSpace", "next_layout", "pushed_layout", "socket_write_layout"]


def next_layout(grid: GridConfig) -> data.StructLayout:
    """The space that is filled next, if ``valid``, its frontier index and how it is filled.

    Otherwise the play forces no space, and a pending one comes next: ``place`` is the tile beside
    it, ``pair.a`` and ``pair.colour`` are side and colour of its last socket.
    """
    return data.StructLayout(
        {
            "valid": 1,
            "pair": pair_layout(),
            "place": place_layout(grid),
            "space": grid.index_bits,
        }
    )


def socket_write_layout() -> data.StructLayout:
    """A new socket that the overlay has to hold, if ``valid``: the side of the tile that it is on,
    and the candidate's socket of the other colour in that space."""
    return data.StructLayout({"valid": 1, "side": 2, "other": socket_layout()})


def pushed_layout() -> data.StructLayout:
    """A space that becomes pending, if ``valid``, and the side of the tile that it is on."""
    return data.StructLayout({"valid": 1, "side": 2})


class NextSpace(wiring.Component):
    """Finds out which spaces a forced tile forces, and which space comes next. Combinational; for
    the stage JOIN.

    Members
    -------
    token : In(token_layout), edges : In(ArrayLayout(open_edge_layout, 2))
        The token, and the open edges of its tile.
    bases : In(ArrayLayout(cell_layout, 2)), added : In(ArrayLayout(sockets_layout, 2))
        The spaces beyond them: the position's sockets, and those that the candidate has added.
    top : In(pending_layout)
        The top of the stack of pending spaces.
    forced : Out(1), pushed : Out(pushed_layout)
        At least one of the two spaces is forced; if both are, one becomes pending.
    next : Out(next_layout)
        The space that comes next.
    takes_extra : Out(1)
        A pending space that comes next is the token's ``extra`` one, not that of ``top``.
    socket_writes : Out(ArrayLayout(socket_write_layout, 2))
        The new sockets that the overlay has to hold.
    exits : Out(4)
        The open edges that lead out of the box.
    illegal : Out(1)
        A space would have three sockets of a colour.
    overflow : Out(1)
        The overlay cannot hold one of the new sockets.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "token": In(token_layout(grid)),
                "edges": In(data.ArrayLayout(open_edge_layout(), 2)),
                "bases": In(data.ArrayLayout(cell_layout(grid), 2)),
                "added": In(data.ArrayLayout(sockets_layout(), 2)),
                "top": In(pending_layout(grid)),
                "forced": Out(1),
                "pushed": Out(pushed_layout()),
                "next": Out(next_layout(grid)),
                "takes_extra": Out(1),
                "socket_writes": Out(data.ArrayLayout(socket_write_layout(), 2)),
                "exits": Out(4),
                "illegal": Out(1),
                "overflow": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid, token, edges = self._grid, self.token, self.edges
        m.submodules.lane1, m.submodules.lane2 = lanes = Lane(grid), Lane(grid)
        for n, lane in enumerate(lanes):
            m.d.comb += [
                lane.base.eq(self.bases[n]),
                lane.added.eq(self.added[n]),
                lane.colour.eq(~token.colour),
                lane.entry.eq(opposite(edges[n].side)),
            ]
        inside = [edges[n].valid & ~edges[n].outside for n in range(2)]
        forced = [lane.forced & valid for lane, valid in zip(lanes, inside, strict=True)]
        revisit = token.mode == Mode.REVISIT

        # If both are forced the first comes next, but the second if only it overflows the overlay.
        second = Signal()
        m.d.comb += second.eq(
            ~revisit & (~forced[0] | (forced[1] & lanes[1].overflow & ~lanes[0].overflow))
        )
        written = [
            inside[0] & (~forced[0] | second),
            inside[1] & ~(second & forced[1]),
        ]
        m.d.comb += [
            self.forced.eq(forced[0] | forced[1]),
            self.illegal.eq((inside[0] & lanes[0].illegal) | (inside[1] & lanes[1].illegal)),
            self.overflow.eq((written[0] & lanes[0].overflow) | (written[1] & lanes[1].overflow)),
            self.pushed.valid.eq(forced[0] & forced[1]),
            self.pushed.side.eq(Mux(second, edges[0].side, edges[1].side)),
        ]
        for n, lane in enumerate(lanes):
            m.d.comb += [
                self.socket_writes[n].valid.eq(written[n]),
                self.socket_writes[n].side.eq(edges[n].side),
                self.socket_writes[n].other.eq(lane.other),
            ]
        leaving = [
            Mux(edges[n].valid & edges[n].outside, mask_of(edges[n].side), 0) for n in range(2)
        ]
        m.d.comb += self.exits.eq(leaving[0] | leaving[1])

        following = self.next
        columns, rows = unit_step(Mux(second, edges[1].side, edges[0].side), grid.coord_bits)
        m.d.comb += [
            self.takes_extra.eq(token.extra.valid & (token.pending == 1)),
            following.valid.eq(self.forced),
            Value.cast(following.pair).eq(
                Mux(
                    revisit,
                    Value.cast(lanes[0].revisit),
                    Mux(second, Value.cast(lanes[1].pair), Value.cast(lanes[0].pair)),
                )
            ),
            following.place.x.eq(token.place.x + columns),
            following.place.y.eq(token.place.y + rows),
            following.space.eq(Mux(second, self.bases[1].index, self.bases[0].index)),
        ]
        with m.If(~revisit & ~self.forced):
            m.d.comb += [
                following.place.eq(self.top.place),
                following.pair.a.eq(Mux(self.takes_extra, token.extra.side, self.top.side)),
                following.pair.b_base.eq(0),
                following.pair.colour.eq(
                    Mux(self.takes_extra, token.extra.colour, self.top.colour)
                ),
            ]
        return m
