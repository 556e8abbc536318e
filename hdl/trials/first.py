"""First tiles: every candidate of every frontier space, and what its first tile alone does."""

from __future__ import annotations

from typing import NamedTuple

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Colour, Shape, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import edges_layout, exit_sides
from loopline.hdl.core.spaces import seen_layout
from loopline.hdl.core.types import Status, cell_layout, place_layout
from loopline.hdl.trials.exits import counting
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
    trial_layout,
    unit_step,
    whole,
)

__all__ = ["First"]


def _codes_layout() -> data.ArrayLayout:
    """A neighbour as a candidate sees it, by colour.

    Of a space: how many sides on from the one that is seen its socket is, or 0. A tile has one
    code for both colours, which no space has: 1 if it shows a white edge, 2 if a red one.
    """
    return data.ArrayLayout(2, 2)


def _codes(word: data.View, side: Side) -> Value:
    """The codes of the cell on a side."""
    entry = side.opposite
    edge = word.index[entry]
    codes = []
    for mask in (word.white, word.red):
        one, two, three = (mask[(entry + n) % 4] for n in range(1, 4))
        # A tile's sockets are all ones, see :func:`cell_layout`; a space has one of a colour.
        tile = one & two
        codes.append(Cat(Mux(tile, edge, one | three), Mux(tile, ~edge, two | three)))
    return Cat(codes)


def _own(near: data.View) -> tuple[Value, Value]:
    """The sides on which a space has a white and a red socket, by the tiles beside it."""
    codes = [near[side].codes.as_value() for side in Side]
    return Cat(code == 0b0101 for code in codes), Cat(code == 0b1010 for code in codes)


def _lowest(mask: Value) -> Value:
    """The lowest of the bits of a mask alone."""
    return Cat(bit & ~mask[:n].any() for n, bit in enumerate(mask))


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
    meets = (Mux(tile[side], near[side].codes[0].any(), near[side].codes[1].any()) for side in Side)
    return Cat(meets) & open_sides


def _asked(grid: GridConfig) -> data.StructLayout:
    """Which space is fetched."""
    index, place = grid.index_bits, place_layout(grid)
    return data.StructLayout({"index": index, "place": place, "growth": growth_layout()})


def _around(grid: GridConfig) -> data.StructLayout:
    """What lies around it: on which sides that is outside of the box, the codes of each neighbour,
    see :func:`_codes_layout`, and its frontier index."""
    near = {"codes": _codes_layout(), "index": cell_layout(grid)["index"].shape}
    return data.StructLayout({"outside": 4, "near": data.ArrayLayout(data.StructLayout(near), 4)})


def _space_layout(grid: GridConfig) -> data.StructLayout:
    """All that is fetched of a space."""
    return data.StructLayout(
        {"asked": _asked(grid), "around": _around(grid), "rest": fetched_layout(grid)}
    )


class _Line(NamedTuple):
    """Two places in a line: what is in the first one, and whether there is anything (``ready``),
    in either (``some``); ``room``: not in both."""

    value: data.View
    ready: Value
    some: Value
    room: Value


def _line_up(
    m: Module, name: str, comes: data.View, arrives: Value, leaves: Value, *, at_once: bool = False
) -> _Line:
    """A line of two places: what comes takes the last one, and the first one a cycle later, as soon
    as that is free; or ``at_once``, which takes a LUT for each bit. What is in the first one leaves
    with ``leaves``. Nothing arrives without room, nor in the cycle after another."""
    first, last = (Signal.like(comes, name=f"{name}_{n}") for n in ("first", "last"))
    ready, full = Signal(name=f"{name}_ready"), Signal(name=f"{name}_full")
    room = ~(ready & full)
    # What arrives and what leaves is known late. Until it has arrived nobody looks at it, and a
    # space has two candidates or more, so that the next one has a cycle's time to move up.
    with m.If(room):
        m.d.sync += [last.eq(comes), full.eq(arrives)]
    with m.If(~ready):
        m.d.sync += [first.eq(last), ready.eq(full)]
        if at_once:
            m.d.sync += [ready.eq(full | arrives), full.eq(0)]
            with m.If(~full):
                m.d.sync += first.eq(comes)
    with m.If(leaves):
        m.d.sync += ready.eq(0)
    return _Line(first, ready, ready | full, room)


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
    fetch, fetch_valid, fetch_ready, fetched_near, fetched_outside, fetched_rest, fetched
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
                "fetched_outside": In(4),
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
        m.d.comb += self.busy.eq(walking | held.valid | under_way | left.any() | self.first_valid)
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
        is next, whether there is any, and whether all is known of the next one."""
        grid = self._grid
        out = exit_sides(self.edges.beside, held.place)
        growth, ask = Signal(growth_layout()), Signal()
        m.d.comb += [
            growth.any.eq(out.any()),
            growth.side.eq(side_of(out)),
            self.fetch.place.eq(held.place),
            self.fetch.space.eq(held.index),
            self.fetch.growth.eq(growth),
            ask.eq(self.fetch_valid & self.fetch_ready),
        ]
        with m.If(ask):
            m.d.sync += held.valid.eq(0)

        # Spaces that are being fetched or wait for their turn, in three parts, as they come: what
        # was asked for, what lies around it, and the rest.
        asked, around, rest = (Signal(shape(grid)) for shape in (_asked, _around, fetched_layout))
        m.d.comb += [
            asked.index.eq(held.index),
            asked.place.eq(held.place),
            asked.growth.eq(growth),
            around.outside.eq(self.fetched_outside),
            rest.eq(self.fetched),
        ]
        for side in Side:
            near = self.near[side]
            m.d.comb += [
                around.near[side].index.eq(near.index),
                around.near[side].codes.eq(_codes(near, side)),
            ]
        parts = {
            "asked": _line_up(m, "asked", asked, ask, take),
            "around": _line_up(m, "around", around, self.fetched_near, take),
            "rest": _line_up(m, "rest", rest, self.fetched_rest, take, at_once=True),
        }
        following = Signal(_space_layout(grid))
        m.d.comb += [following[name].eq(part.value) for name, part in parts.items()]
        m.d.comb += self.fetch_valid.eq(held.valid & parts["asked"].room)
        return following, parts["asked"].some, parts["rest"].ready

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
        outside = space.around.outside
        masks = Signal(data.ArrayLayout(4, 2))
        exits = open_sides & outside & counting(self.edges, space.asked.growth).replicate(2)
        for colour in Colour:
            edges = tile if colour is Colour.WHITE else ~tile
            known = Mux(has[colour], space.rest.masks[colour], 0)
            m.d.comb += masks[colour].eq(known | (exits & edges))
        lines = Cat(whole(masks[0]), whole(masks[1]))

        status = self._status(space.asked.growth)
        fits_grid = status == Status.LEGAL
        m.d.comb += [
            self.done.index.eq(space.asked.index),
            self.done.symbol.eq(symbol),
            self.done.status.eq(status),
            self.done.tiles.eq(fits_grid),
            self.done.lines.eq(Mux(fits_grid, lines, 0)),
            self.done.growth.eq(space.asked.growth),
            self.done_valid.eq((chosen & ~forces).any()),
        ]

        # The candidate that waits for the chain, with what it needs of its space.
        near_go = Signal(space.around.near[0].shape())
        forced = Signal(4)
        m.d.comb += forced.eq(_forced(space.around.near, open_sides, tile))
        with m.Switch(side_of(_lowest(forced))):
            for number in Side:
                with m.Case(number):
                    m.d.comb += near_go.eq(space.around.near[number])
        names = Signal(data.ArrayLayout(name_layout(self._grid), 2))
        for colour in Colour:
            with m.If(has[colour]):
                m.d.comb += names[colour].eq(space.rest.names[colour])
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
                picked.index.eq(space.asked.index),
                picked.symbol.eq(symbol),
                picked.place.eq(space.asked.place),
                picked.growth.eq(space.asked.growth),
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
        m.d.comb += take.eq(ready & (~left.any() | (gone & (chosen == left))))
        with m.If(take):
            white, red = _own(following.around.near)
            free = ~(white | red)
            fits_grid = self._status(following.asked.growth) == Status.LEGAL
            m.d.sync += [
                space.eq(following),
                open_sides.eq(free),
                has.eq(Cat(white.any(), red.any())),
            ]
            for code, (fits, mask) in enumerate(_fitting(white, red)):
                forces_some = _forced(following.around.near, free, mask).any()
                goes_on = fits_grid & forces_some
                m.d.sync += [left[code].eq(fits), tiles[code].eq(mask), forces[code].eq(goes_on)]
        return left, picked

    def _status(self, growth: data.View) -> Value:
        """What becomes of a candidate whose first tile makes the box larger so, but for what it
        forces."""
        full_area, full_grid = (
            growth.any & full.bit_select(growth.side[0], 1)
            for full in (self.edges.area_full, self.edges.grid_full)
        )
        return Mux(full_area, Status.AREA, Mux(full_grid, Status.BOUNDS, Status.LEGAL))

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

        def socket(colour: Value) -> tuple[Value, Value]:
            # The neighbour's side: so far on from the one that is seen, which is opposite to ours.
            code = of(near.codes, colour)
            return (opposite(side) + code)[:2], code.any()

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
            token.b.eq(socket(colour)[0]),
            token.b_base.eq(1),
            Value.cast(token.other).eq(Cat(socket(~colour))),
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
