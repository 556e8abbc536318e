"""First tiles: every candidate of every frontier space, and what its first tile alone does."""

from __future__ import annotations

from amaranth.hdl import Array, Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Colour, Shape, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status, box_layout, cell_layout
from loopline.hdl.trials.chain import fetch_layout, fetched_layout, first_layout
from loopline.hdl.trials.entries import entry_layout
from loopline.hdl.trials.lane import Lane
from loopline.hdl.trials.types import (
    OFFSET_BITS,
    Mode,
    growth_layout,
    name_layout,
    opposite,
    side_of,
    trial_layout,
    unit_step,
    whole,
)

__all__ = ["First"]

_AHEAD = 2
"""Spaces fetched ahead of the one whose candidates are judged; a power of two."""


def _lowest(mask: Value) -> Value:
    """The lowest of the bits of a mask alone."""
    return mask & (~mask + 1)[: len(mask)]


def _fitting(entry: data.View) -> list[tuple[Value, Value]]:
    """For each shape whether a tile of it fits a space's sockets, and its white edges."""
    result = {}
    for shape in Shape:
        fits, tile = Const(0), Const(0, 4)
        for code in shape.tiles:
            mask = Const(code, 4)
            this = ((entry.white & ~mask) | (entry.red & mask)) == 0
            fits, tile = fits | this, tile | Mux(this, mask, 0)
        result[shape.code] = (fits, tile)
    return [result[code] for code in range(len(Shape))]


def _forced(space: data.View, tile: Value) -> Value:
    """The sides on which a tile forces the space beyond it."""
    sides = []
    for side in Side:
        near = space.near[side]
        meets = Mux(tile[side], near.white.any(), near.red.any())
        is_open = ~(space.entry.white[side] | space.entry.red[side])
        sides.append(is_open & ~space.fetched.outside[side] & meets)
    return Cat(sides)


class First(wiring.Component):
    """Walks the frontier table and judges the first tile of every candidate.

    ::

        LOOK ───────► fetch ───────► next space ───► this space ───► done (nothing forced)
        table entry   (a round of    sockets around,  one candidate   first (to the chain)
                      the chain)     tracks, exits    per cycle

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    start : In(1), busy : Out(1)
        Begin; under way.
    box : In(box_layout), area : In
        The position's box, and the variant's area; see :func:`rules_layout`.
    high : In, space : Out, entry : In(entry_layout)
        The frontier table: free from here on; read port, latency one cycle.
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
                "box": In(box_layout(grid)),
                "area": In(grid.coord_bits),
                "high": In(range(grid.spaces + 1)),
                "space": Out(grid.index_bits),
                "entry": In(entry_layout(grid)),
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
        grid = self._grid
        bits = grid.coord_bits
        space_shape = data.StructLayout(
            {
                "index": grid.index_bits,
                "entry": entry_layout(grid),
                "growth": growth_layout(),
                "status": Status,
                "near": data.ArrayLayout(cell_layout(grid), 4),
                "fetched": fetched_layout(grid),
            }
        )

        # The walk along the table.
        cursor = Signal(range(grid.spaces + 1))
        walking, looked = Signal(), Signal()
        m.d.comb += self.space.eq(cursor)
        with m.If(self.start):
            m.d.sync += [cursor.eq(0), walking.eq(1), looked.eq(0)]

        # Spaces that are being fetched or wait for their turn, oldest first at ``head``.
        queue = [Signal(space_shape, name=f"queue{n}") for n in range(_AHEAD)]
        asked, near_next, rest_next, head = (Signal(range(_AHEAD)) for _ in range(4))
        under_way, ready = Signal(range(_AHEAD + 1)), Signal(range(_AHEAD + 1))
        entry = self.entry
        sockets = entry.white | entry.red
        # The box has been still for some cycles before it is asked for: the columns and rows beside
        # it, and whether it is as wide and as high as can be, are known by then.
        box = self.box
        beside = [Signal(bits, name=f"beside_{side.name.lower()}") for side in Side]
        width, height = (box.east - box.west)[:bits] + 1, (box.south - box.north)[:bits] + 1
        full_area, full_grid = Signal(2), Signal(2)
        m.d.sync += [
            beside[Side.NORTH].eq(box.north - 1),
            beside[Side.EAST].eq(box.east + 1),
            beside[Side.SOUTH].eq(box.south + 1),
            beside[Side.WEST].eq(box.west - 1),
            full_grid.eq(Cat(height == grid.limit, width == grid.limit)),
            full_area.eq(Cat(height == self.area, width == self.area)),  # of 0: without limit
        ]
        out = Cat(
            entry.place.y == beside[Side.NORTH],
            entry.place.x == beside[Side.EAST],
            entry.place.y == beside[Side.SOUTH],
            entry.place.x == beside[Side.WEST],
        )
        growth = Signal(growth_layout())
        m.d.comb += [growth.any.eq(out.any()), growth.side.eq(side_of(out))]
        status = Signal(Status)
        with m.If(growth.any & full_area.bit_select(growth.side[0], 1)):
            m.d.comb += status.eq(Status.AREA)
        with m.Elif(growth.any & full_grid.bit_select(growth.side[0], 1)):
            m.d.comb += status.eq(Status.BOUNDS)

        m.d.comb += [
            self.fetch.place.eq(entry.place),
            self.fetch.space.eq(cursor),
            self.fetch.growth.eq(growth),
            self.fetch.red.eq(entry.red.any()),
        ]
        step = Signal()
        with m.If(walking):
            with m.If(~looked):
                with m.If(cursor == self.high):
                    m.d.sync += walking.eq(0)
                with m.Else():
                    m.d.sync += looked.eq(1)
            with m.Elif(~sockets.any()):
                m.d.comb += step.eq(1)
            with m.Elif(under_way != _AHEAD):
                m.d.comb += [self.fetch_valid.eq(1), step.eq(self.fetch_ready)]
        with m.If(step):
            m.d.sync += [cursor.eq(cursor + 1), looked.eq(0)]
        ask = Signal()
        m.d.comb += ask.eq(self.fetch_valid & self.fetch_ready)
        for number, item in enumerate(queue):
            with m.If(ask & (asked == number)):
                m.d.sync += [
                    item.index.eq(cursor),
                    item.entry.eq(entry),
                    item.growth.eq(growth),
                    item.status.eq(status),
                ]
            with m.If(self.fetched_near & (near_next == number)):
                m.d.sync += item.near.eq(self.near)
            with m.If(self.fetched_rest & (rest_next == number)):
                m.d.sync += item.fetched.eq(self.fetched)
        following = Signal(space_shape)
        m.d.comb += Value.cast(following).eq(Array([Value.cast(item) for item in queue])[head])
        take = Signal()
        m.d.sync += [
            asked.eq(asked + ask),
            near_next.eq(near_next + self.fetched_near),
            rest_next.eq(rest_next + self.fetched_rest),
            head.eq(head + take),
            under_way.eq(under_way + ask - take),
            ready.eq(ready + self.fetched_rest - take),
        ]

        # The space whose candidates are judged, what is known of them by shape, and which are left.
        space, left = Signal(space_shape), Signal(3)
        tiles = Signal(data.ArrayLayout(4, len(Shape)))
        forces = Signal(len(Shape))
        white, red = space.entry.white, space.entry.red
        chosen = Signal(len(Shape))
        m.d.comb += chosen.eq(Cat(left[0], left[1] & ~left[0], left[2] & ~left[1] & ~left[0]))
        tile, symbol = Signal(4), Signal(2)
        for code in range(len(Shape)):
            with m.If(chosen[code]):
                m.d.comb += [tile.eq(tiles[code]), symbol.eq(code)]

        outside = space.fetched.outside
        open_sides = Signal(4)
        forced = Signal(4)
        m.d.comb += [open_sides.eq(~(white | red)), forced.eq(_forced(space, tile))]
        # Signals of their own: what is read here must not be part of what is written below.
        names = Signal(data.ArrayLayout(name_layout(grid), 2))
        masks = Signal(data.ArrayLayout(4, 2))
        first = Signal(first_layout(grid))
        m.d.comb += [first.names.eq(names), first.masks.eq(masks)]
        for colour, own in ((Colour.WHITE, white), (Colour.RED, red)):
            edges = tile if colour is Colour.WHITE else ~tile
            exits = open_sides & edges & outside & space.fetched.counting
            m.d.comb += masks[colour].eq(Mux(own.any(), space.fetched.masks[colour], 0) | exits)
            with m.If(own.any()):
                m.d.comb += names[colour].eq(space.fetched.names[colour])
            with m.Else():
                m.d.comb += names[colour].fresh.eq(1)
        lines = Cat(whole(masks[0]), whole(masks[1]))

        # Where a trial goes on: the first space that is forced; the others wait.
        go = Signal(4)
        m.d.comb += go.eq(_lowest(forced))
        wait = forced & ~go
        second, third = _lowest(wait), wait & ~_lowest(wait)
        side = Signal(2)
        m.d.comb += side.eq(side_of(go))
        m.submodules.lane = lane = Lane(grid)
        with m.Switch(side):
            for number in Side:
                with m.Case(number):
                    m.d.comb += [
                        lane.base.eq(space.near[number]),
                        lane.colour.eq(~tile[number]),
                    ]
        m.d.comb += lane.entry.eq(opposite(side))

        def moved(side: Value, width: int) -> tuple[Value, Value]:
            return unit_step(side, width)

        token = first.token
        dx, dy = moved(side, bits)
        ox, oy = moved(side, OFFSET_BITS)
        m.d.comb += [
            first.place.eq(space.entry.place),
            first.add.eq(open_sides & ~outside & ~go),
            first.tile.eq(tile),
            token.mode.eq(Mode.CHAIN),
            token.place.x.eq(space.entry.place.x + dx),
            token.place.y.eq(space.entry.place.y + dy),
            token.offset.x.eq(ox),
            token.offset.y.eq(oy),
            token.colour.eq(lane.pair.colour),
            token.a.eq(lane.pair.a),
            Value.cast(token.name_a).eq(
                Mux(lane.colour, Value.cast(names[1]), Value.cast(names[0]))
            ),
            token.mask_a.eq(Mux(lane.colour, masks[1], masks[0])),
            token.b.eq(lane.pair.b),
            token.b_base.eq(1),
            token.other.eq(lane.pair.other),
            token.other_base.eq(lane.pair.other_base),
            token.space.eq(lane.base.index),
            token.growth.eq(space.growth),
            token.tiles.eq(1),
            token.lines.eq(lines),
            token.waiting.eq(Mux(third.any(), 2, wait.any())),
            token.index.eq(space.index),
            token.symbol.eq(symbol),
        ]
        for number, mask in enumerate((second, third)):
            x, y = moved(side_of(mask), OFFSET_BITS)
            colour = Signal(name=f"colour{number}")
            m.d.comb += [
                colour.eq((mask & ~tile).any()),
                token.pending[number].x.eq(x),
                token.pending[number].y.eq(y),
                token.pending[number].colour.eq(colour),
                Value.cast(token.pending[number].name).eq(
                    Mux(colour, Value.cast(names[1]), Value.cast(names[0]))
                ),
            ]

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
        rest = Signal(3)
        m.d.comb += rest.eq(left)
        found = (chosen & forces).any()
        room = ~self.first_valid | self.first_ready
        with m.If(room):
            m.d.sync += [self.first.eq(first), self.first_valid.eq(found)]
        with m.If((found & room) | (self.done_valid & self.done_ready)):
            m.d.comb += rest.eq(left & ~chosen)
        m.d.sync += left.eq(rest)
        # The last candidate makes way at once, but not for a place that the chain makes in the same
        # cycle: that is known too late.
        gone = (found & ~self.first_valid) | (self.done_valid & self.done_ready)
        last = gone & (chosen == left)
        with m.If(ready.any() & (~left.any() | last)):
            m.d.comb += take.eq(1)
            m.d.sync += space.eq(following)
            for code, (fits, mask) in enumerate(_fitting(following.entry)):
                goes_on = (following.status == Status.LEGAL) & _forced(following, mask).any()
                m.d.sync += [left[code].eq(fits), tiles[code].eq(mask), forces[code].eq(goes_on)]
        m.d.comb += self.busy.eq(walking | under_way.any() | left.any() | self.first_valid)
        return m
