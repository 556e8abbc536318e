"""First tiles: every candidate of every frontier space, and what its first tile alone does."""

from __future__ import annotations

from amaranth.hdl import Array, Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Colour, Shape, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import edges_layout, exit_sides
from loopline.hdl.core.spaces import seen_layout
from loopline.hdl.core.types import Status, cell_layout, place_layout
from loopline.hdl.trials.types import (
    WINDOW_BITS,
    Mode,
    fetch_layout,
    fetched_layout,
    first_layout,
    growth_layout,
    name_layout,
    opposite,
    side_of,
    sockets_layout,
    trial_layout,
    unit_step,
    whole,
)

__all__ = ["First"]

_AHEAD = 2
"""Spaces fetched ahead of the one whose candidates are judged; a power of two."""


def _own(near: data.View) -> tuple[Value, Value]:
    """The sides on which a space has a white and a red socket, by the tiles beside it.

    A tile's sockets are all ones, see :func:`cell_layout`, and so the last side of both colours.
    """
    white, red = [], []
    for side in Side:
        word = near[side]
        tile = (word.sockets[0].side & word.sockets[1].side).all()
        edge = word.index[side ^ 2]
        white.append(tile & edge)
        red.append(tile & ~edge)
    return Cat(white), Cat(red)


def _lowest(mask: Value) -> Value:
    """The lowest of the bits of a mask alone."""
    return Cat(bit & ~mask[:n].any() for n, bit in enumerate(mask))


def _socket(mask: Value) -> Value:
    """A mask of at most one side as a socket. A tile's, which is of all sides, is any."""
    return Cat(side_of(mask), mask.any())


def _fitting(white: Value, red: Value) -> list[tuple[Value, Value]]:
    """For each shape whether a tile of it fits a space's sockets, and its white edges."""
    result = {}
    for shape in Shape:
        fits, tile = Const(0), Const(0, 4)
        for code in shape.tiles:
            mask = Const(code, 4)
            this = ((white & ~mask) | (red & mask)) == 0
            fits, tile = fits | this, tile | Mux(this, mask, 0)
        result[shape.code] = (fits, tile)
    return [result[code] for code in range(len(Shape))]


def _forced(near: data.View, open_sides: Value, tile: Value) -> Value:
    """The sides on which a tile forces the space beyond it. Outside of the box none has sockets."""
    sides = (near[side].sockets for side in Side)
    meets = (
        Mux(tile[side], sockets[0].valid, sockets[1].valid)
        for side, sockets in zip(Side, sides, strict=True)
    )
    return Cat(meets) & open_sides


class First(wiring.Component):
    """Walks the frontier table and judges the first tile of every candidate.

    ::

        LOOK ─► HOLD ─► fetch ───────► next space ────► this space ───► done (nothing forced)
        table entry     (a round of    sockets around,  one candidate   first (to the chain)
                        the chain)     tracks, exits    per cycle

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    start : In(1), busy : Out(1)
        Begin; under way.
    edges : In(edges_layout)
        What follows from the position's box.
    high : In, space : Out, seen : In(seen_layout)
        The frontier table: free from here on; read port, latency one cycle. Its answer has to stay
        while this stands still.
    elsewhere : In(1)
        What the frontier table shows is for somebody else.
    denied : In(1)
        What it reads in this cycle is for somebody else.
    near : In(ArrayLayout(cell_layout, 4))
        The cell map's answer to a fetch, by side.
    fetch, fetch_valid, fetch_ready, fetched_near, fetched_rest, fetched
        What :class:`Chain` reads for each space.
    first, first_valid, first_ready
        Trials that go on in :class:`Chain`.
    done : Out(trial_layout), done_valid : Out(1), done_ready : In(1)
        The outcomes of those that end with their first tile.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "start": In(1),
                "busy": Out(1),
                "edges": In(edges_layout(grid)),
                "high": In(range(grid.spaces + 1)),
                "space": Out(grid.index_bits),
                "seen": In(seen_layout(grid)),
                "elsewhere": In(1),
                "denied": In(1),
                "near": In(data.ArrayLayout(cell_layout(grid), 4)),
                "fetch": Out(fetch_layout(grid)),
                "fetch_valid": Out(1),
                "fetch_ready": In(1),
                "fetched_near": In(1),
                "fetched_rest": In(1),
                "fetched": In(fetched_layout(grid)),
                "first": Out(first_layout(grid)),
                "first_valid": Out(1),
                "first_ready": In(1),
                "done": Out(trial_layout(grid)),
                "done_valid": Out(1),
                "done_ready": In(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        walking, held = self._walk(m)
        take = Signal()
        following, under_way, ready = self._fetch(m, held, take)
        left, picked = self._judge(m, following, ready, take)
        m.d.comb += self.busy.eq(
            walking | held.valid | under_way.any() | left.any() | self.first_valid
        )
        self._go_on(m, picked)
        return m

    def _walk(self, m: Module) -> tuple[Value, data.View]:
        """Goes along the frontier table: whether it does, and the next space to fetch."""
        grid = self._grid
        held = Signal(
            data.StructLayout({"valid": 1, "index": grid.index_bits, "place": place_layout(grid)})
        )
        # The walk along the table: one entry further in each cycle in which one is looked at. It
        # ends where it begins, so that the first entry is there as soon as it has begun.
        cursor, onward = Signal(range(grid.spaces + 1)), Signal(range(grid.spaces + 1))
        walking, looked, step = Signal(), Signal(), Signal()
        # While the table is somebody else's nobody looks at what is asked for: that is known late.
        m.d.comb += [
            step.eq(walking & looked & ~held.valid),
            onward.eq(Mux(step, cursor + 1, cursor)),
            self.space.eq(onward),
        ]
        m.d.sync += looked.eq(~self.elsewhere & ~self.denied)
        with m.If(~self.elsewhere):
            m.d.sync += cursor.eq(onward)
        with m.If(self.start):
            m.d.sync += walking.eq(1)

        with m.If(walking & ~self.elsewhere):
            with m.If(cursor == self.high):
                m.d.sync += [walking.eq(0), cursor.eq(0)]
            with m.Elif(step):
                m.d.sync += [
                    held.valid.eq(self.seen.live),
                    held.index.eq(cursor),
                    held.place.eq(self.seen.place),
                ]
        return walking, held

    def _fetch(self, m: Module, held: data.View, take: Value) -> tuple[data.View, Value, Value]:
        """Fetches what there is to know of spaces, each of which leaves with ``take``: the one that
        is next, how many there are, and of how many all is known."""
        grid = self._grid
        near_shape = data.StructLayout(
            {"sockets": sockets_layout(), "index": cell_layout(grid)["index"].shape}
        )
        space_shape = data.StructLayout(
            {
                "index": grid.index_bits,
                "place": place_layout(grid),
                "growth": growth_layout(),
                "status": Status,
                "near": data.ArrayLayout(near_shape, 4),
                "fetched": fetched_layout(grid),
            }
        )
        out = exit_sides(self.edges.beside, held.place)
        growth, status = Signal(growth_layout()), Signal(Status)
        m.d.comb += [growth.any.eq(out.any()), growth.side.eq(side_of(out))]
        with m.If(growth.any & self.edges.area_full.bit_select(growth.side[0], 1)):
            m.d.comb += status.eq(Status.AREA)
        with m.Elif(growth.any & self.edges.grid_full.bit_select(growth.side[0], 1)):
            m.d.comb += status.eq(Status.BOUNDS)

        # Spaces that are being fetched or wait for their turn, oldest first at ``head``.
        queue = [Signal(space_shape, name=f"queue{n}") for n in range(_AHEAD)]
        asked, near_next, rest_next, head = (Signal(range(_AHEAD)) for _ in range(4))
        under_way, ready = Signal(range(_AHEAD + 1)), Signal(range(_AHEAD + 1))
        m.d.comb += [
            self.fetch.place.eq(held.place),
            self.fetch.space.eq(held.index),
            self.fetch.growth.eq(growth),
            self.fetch_valid.eq(held.valid & (under_way != _AHEAD)),
        ]
        ask = Signal()
        m.d.comb += ask.eq(self.fetch_valid & self.fetch_ready)
        with m.If(ask):
            m.d.sync += held.valid.eq(0)
        for number, item in enumerate(queue):
            # Whether it is asked for is known late, and as long as it is not, nobody looks here.
            with m.If((under_way != _AHEAD) & (asked == number)):
                m.d.sync += [
                    item.index.eq(held.index),
                    item.place.eq(held.place),
                    item.growth.eq(growth),
                    item.status.eq(status),
                ]
            with m.If(self.fetched_near & (near_next == number)):
                for side in Side:
                    near = self.near[side]
                    m.d.sync += [
                        item.near[side].index.eq(near.index),
                        item.near[side].sockets.eq(Cat(_socket(near.white), _socket(near.red))),
                    ]
            with m.If(self.fetched_rest & (rest_next == number)):
                m.d.sync += item.fetched.eq(self.fetched)
        following = Signal(space_shape)
        m.d.comb += Value.cast(following).eq(Array([Value.cast(item) for item in queue])[head])
        m.d.sync += [
            asked.eq(asked + ask),
            near_next.eq(near_next + self.fetched_near),
            rest_next.eq(rest_next + self.fetched_rest),
            head.eq(head + take),
            under_way.eq(under_way + ask - take),
            ready.eq(ready + self.fetched_rest - take),
        ]
        return following, under_way, ready

    def _judge(
        self, m: Module, following: data.View, ready: Value, take: Value
    ) -> tuple[Value, data.View]:
        """Judges the candidates of one space after another: which are left, and the one that waits
        for the chain."""
        # The space whose candidates are judged, what is known of them by shape, and which are left.
        space, left = Signal(following.shape()), Signal(3)
        tiles = Signal(data.ArrayLayout(4, len(Shape)))
        forces = Signal(len(Shape))
        chosen = Signal(len(Shape))
        m.d.comb += chosen.eq(Cat(left[0], left[1] & ~left[0], left[2] & ~left[1] & ~left[0]))
        tile, symbol = Signal(4), Signal(2)
        for code in range(len(Shape)):
            with m.If(chosen[code]):
                m.d.comb += [tile.eq(tiles[code]), symbol.eq(code)]
        # The sides without sockets, and by colour whether there is one.
        open_sides, has = Signal(4), Signal(2)
        outside = space.fetched.outside
        masks = Signal(data.ArrayLayout(4, 2))
        exits = open_sides & outside & space.fetched.counting.replicate(2)
        for colour in Colour:
            edges = tile if colour is Colour.WHITE else ~tile
            known = Mux(has[colour], space.fetched.masks[colour], 0)
            m.d.comb += masks[colour].eq(known | (exits & edges))
        lines = Cat(whole(masks[0]), whole(masks[1]))

        fits_grid = space.status == Status.LEGAL
        m.d.comb += [
            self.done.index.eq(space.index),
            self.done.symbol.eq(symbol),
            self.done.status.eq(space.status),
            self.done.tiles.eq(fits_grid),
            self.done.lines.eq(Mux(fits_grid, lines, 0)),
            self.done.growth.eq(space.growth),
            self.done_valid.eq((chosen & ~forces).any()),
        ]

        # The candidate that waits for the chain, with what it needs of its space.
        near_go = Signal(space.near[0].shape())
        forced = Signal(4)
        m.d.comb += forced.eq(_forced(space.near, open_sides, tile))
        with m.Switch(side_of(_lowest(forced))):
            for number in Side:
                with m.Case(number):
                    m.d.comb += near_go.eq(space.near[number])
        names = Signal(data.ArrayLayout(name_layout(self._grid), 2))
        for colour in Colour:
            with m.If(has[colour]):
                m.d.comb += names[colour].eq(space.fetched.names[colour])
            with m.Else():
                m.d.comb += [names[colour].fresh.eq(1), names[colour].id.eq(~0)]
        picked = Signal(
            data.StructLayout(
                {
                    "index": self._grid.index_bits,
                    "symbol": 2,
                    "place": place_layout(self._grid),
                    "growth": growth_layout(),
                    "tile": 4,
                    "inside": 4,
                    "forced": 4,
                    "names": names.shape(),
                    "masks": masks.shape(),
                    "near": near_go.shape(),
                }
            )
        )
        room = ~self.first_valid | self.first_ready
        found = (chosen & forces).any()
        with m.If(room):
            m.d.sync += [
                self.first_valid.eq(found),
                picked.index.eq(space.index),
                picked.symbol.eq(symbol),
                picked.place.eq(space.place),
                picked.growth.eq(space.growth),
                picked.tile.eq(tile),
                picked.inside.eq(open_sides & ~outside),
                picked.forced.eq(forced),
                picked.names.eq(names),
                picked.masks.eq(masks),
                picked.near.eq(near_go),
            ]
        with m.If((found & room) | (self.done_valid & self.done_ready)):
            m.d.sync += left.eq(left & ~chosen)
        # The last candidate makes way at once, but not for a place that the chain makes in the same
        # cycle: that is known too late.
        gone = (found & ~self.first_valid) | (self.done_valid & self.done_ready)
        m.d.comb += take.eq(ready.any() & (~left.any() | (gone & (chosen == left))))
        with m.If(take):
            white, red = _own(following.near)
            free = ~(white | red)
            m.d.sync += [
                space.eq(following),
                open_sides.eq(free),
                has.eq(Cat(white.any(), red.any())),
            ]
            for code, (fits, mask) in enumerate(_fitting(white, red)):
                forces_some = _forced(following.near, free, mask).any()
                goes_on = (following.status == Status.LEGAL) & forces_some
                m.d.sync += [left[code].eq(fits), tiles[code].eq(mask), forces[code].eq(goes_on)]
        return left, picked

    def _go_on(self, m: Module, picked) -> None:
        """Where a trial goes on: the first space that is forced; the others wait."""
        grid = self._grid
        forced, near, place = picked.forced, picked.near, picked.place
        go = _lowest(forced)
        wait = forced & ~go
        second, third = _lowest(wait), wait & ~_lowest(wait)
        last = Mux(third.any(), third, second)
        side, colour = Signal(2), Signal()
        m.d.comb += [side.eq(side_of(go)), colour.eq((go & ~picked.tile).any())]

        def of(values, which: Value = colour) -> Value:
            return Mux(which, Value.cast(values[1]), Value.cast(values[0]))

        first, token = self.first, self.first.token
        columns, rows = unit_step(side, grid.coord_bits)
        m.d.comb += [
            first.place.eq(place),
            first.add.eq(picked.inside & ~go),
            first.tile.eq(picked.tile),
            first.names.eq(picked.names),
            first.masks.eq(picked.masks),
            token.mode.eq(Mode.CHAIN),
            token.place.x.eq(place.x + columns),
            token.place.y.eq(place.y + rows),
            token.origin.x.eq(place.x[1:WINDOW_BITS]),
            token.origin.y.eq(place.y[1:WINDOW_BITS]),
            token.colour.eq(colour),
            token.a.eq(opposite(side)),
            Value.cast(token.name_a).eq(of(picked.names)),
            token.mask_a.eq(of(picked.masks)),
            token.b.eq(of([socket.side for socket in near.sockets])),
            token.b_base.eq(1),
            Value.cast(token.other).eq(of(near.sockets, ~colour)),
            token.other_base.eq(1),
            token.space.eq(near.index),
            token.growth.eq(picked.growth),
            token.tiles.eq(1),
            token.lines.eq(Cat(whole(mask) for mask in picked.masks)),
            token.waiting.eq(wait.any()),
            token.two.eq(third.any()),
            token.two_side.eq(side_of(second)),
            token.two_colour.eq((second & ~picked.tile).any()),
            first.waits.place.eq(place),
            first.waits.side.eq(side_of(last)),
            first.waits.colour.eq((last & ~picked.tile).any()),
            token.index.eq(picked.index),
            token.symbol.eq(picked.symbol),
        ]
