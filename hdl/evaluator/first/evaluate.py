"""What the first tile of each of a space's candidates does by itself."""

from __future__ import annotations

from typing import NamedTuple

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data, wiring

from loopline.game import Colour, Shape, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.tile import first_of
from loopline.hdl.core.types import Status, place_layout
from loopline.hdl.evaluator.exits import counting
from loopline.hdl.evaluator.first.fetch import Fetched
from loopline.hdl.evaluator.first.neighbours import forced_sides, neighbour_layout, own_sockets
from loopline.hdl.evaluator.sides import side_of, whole
from loopline.hdl.evaluator.types import growth_layout, name_layout

__all__ = ["judge", "picked_layout"]


def picked_layout(grid: GridConfig) -> data.StructLayout:
    """A candidate that goes on in the chain, with what that needs of its space.

    ``inside``: the open sides that are in the box; ``forced``: those on which it forces the space
    beyond, of which ``near`` is the first one; ``names``, ``masks``: the tracks through the tile,
    by colour.
    """
    return data.StructLayout(
        {
            "index": grid.index_bits,
            "symbol": 2,
            "place": place_layout(grid),
            "growth": growth_layout(),
            "tile": 4,
            "inside": 4,
            "forced": 4,
            "names": data.ArrayLayout(name_layout(grid), 2),
            "masks": data.ArrayLayout(4, 2),
            "near": neighbour_layout(grid),
        }
    )


class _Space(NamedTuple):
    """The space whose candidates are judged: what has been fetched of it, the sides without
    sockets, and by colour whether there is one; by shape which candidates are left, their white
    edges, and whether they go on in the chain."""

    fetched: data.View
    open_sides: Value
    has: Value
    left: Value
    tiles: data.View
    forces: Value


class _Candidate(NamedTuple):
    """The candidate that is judged: which of the space's it is, its white edges, and by colour
    where the track through it leaves the box."""

    chosen: Value
    symbol: Value
    tile: Value
    masks: data.View


def judge(
    m: Module, ports: wiring.Component, grid: GridConfig, following: Fetched, take: Value
) -> tuple[Value, data.View]:
    """Judges the candidates of one space after another, one in each cycle.

    Drives ``take``: the following space takes the place of the last one. Tells which candidates are
    left, and the one that waits for the chain (``picked_layout``) while ``first_valid``. ``ports``
    are those of :class:`First`.
    """
    space = Signal(following.space.shape())
    left = Signal(3)
    tiles = Signal(data.ArrayLayout(4, len(Shape)))
    forces = Signal(len(Shape))
    open_sides = Signal(4)
    has = Signal(2)
    judged = _Space(space, open_sides, has, left, tiles, forces)
    candidate = _choose(m, ports, judged)
    chosen = candidate.chosen
    _tell(m, ports, judged, candidate)

    room = ~ports.first_valid | ports.first_ready
    found = (chosen & forces).any()
    picked = _pick(m, ports, grid, judged, candidate, room, found)
    with m.If((found & room) | (ports.done_valid & ports.done_ready)):
        m.d.sync += left.eq(left & ~chosen)
    # The last candidate makes way at once, but not for a place that the chain makes in the same
    # cycle: that is known too late.
    gone = (found & ~ports.first_valid) | (ports.done_valid & ports.done_ready)
    m.d.comb += take.eq(following.ready & (~left.any() | (gone & (chosen == left))))
    with m.If(take):
        _begin(m, ports, judged, following.space)
    return left, picked


def _choose(m: Module, ports: wiring.Component, space: _Space) -> _Candidate:
    """The first one of the candidates that are left."""
    left, fetched = space.left, space.fetched
    chosen = Signal(len(Shape))
    m.d.comb += chosen.eq(Cat(left[0], left[1] & ~left[0], left[2] & ~left[1] & ~left[0]))
    tile = Signal(4)
    symbol = Signal(2)
    for code in range(len(Shape)):
        with m.If(chosen[code]):
            m.d.comb += [tile.eq(space.tiles[code]), symbol.eq(code)]
    masks = Signal(data.ArrayLayout(4, 2))
    counts = counting(ports.edges, fetched.asked.growth).replicate(2)
    exits = space.open_sides & fetched.around.outside & counts
    for colour in Colour:
        edges = tile if colour is Colour.WHITE else ~tile
        known = Mux(space.has[colour], fetched.rest.masks[colour], 0)
        m.d.comb += masks[colour].eq(known | (exits & edges))
    return _Candidate(chosen, symbol, tile, masks)


def _tell(m: Module, ports: wiring.Component, space: _Space, candidate: _Candidate) -> None:
    """The outcome of a candidate that forces nothing."""
    asked = space.fetched.asked
    lines = Cat(whole(candidate.masks[0]), whole(candidate.masks[1]))
    status = _status(ports, asked.growth)
    fits_grid = status == Status.LEGAL
    m.d.comb += [
        ports.done.index.eq(asked.index),
        ports.done.symbol.eq(candidate.symbol),
        ports.done.status.eq(status),
        ports.done.tiles.eq(fits_grid),
        ports.done.lines.eq(Mux(fits_grid, lines, 0)),
        ports.done.growth.eq(asked.growth),
        ports.done_valid.eq((candidate.chosen & ~space.forces).any()),
    ]


def _pick(
    m: Module,
    ports: wiring.Component,
    grid: GridConfig,
    space: _Space,
    candidate: _Candidate,
    room: Value,
    found: Value,
) -> data.View:
    """The candidate that waits for the chain: the next one that is found, as soon as there is
    room."""
    asked, around, rest = (space.fetched[part] for part in ("asked", "around", "rest"))
    near_go = Signal(neighbour_layout(grid))
    forced = Signal(4)
    m.d.comb += forced.eq(forced_sides(around.near, space.open_sides, candidate.tile))
    with m.Switch(side_of(first_of(forced))):
        for number in Side:
            with m.Case(number):
                m.d.comb += near_go.eq(around.near[number])
    names = Signal(data.ArrayLayout(name_layout(grid), 2))
    for colour in Colour:
        with m.If(space.has[colour]):
            m.d.comb += names[colour].eq(rest.names[colour])
        with m.Else():
            m.d.comb += [names[colour].fresh.eq(1), names[colour].id.eq(~0)]
    picked = Signal(picked_layout(grid))
    with m.If(room):
        m.d.sync += [
            ports.first_valid.eq(found),
            picked.index.eq(asked.index),
            picked.symbol.eq(candidate.symbol),
            picked.place.eq(asked.place),
            picked.growth.eq(asked.growth),
            picked.tile.eq(candidate.tile),
            picked.inside.eq(space.open_sides & ~around.outside),
            picked.forced.eq(forced),
            picked.names.eq(names),
            picked.masks.eq(candidate.masks),
            picked.near.eq(near_go),
        ]
    return picked


def _begin(m: Module, ports: wiring.Component, space: _Space, following: data.View) -> None:
    """The following space takes the place of the last one."""
    near = following.around.near
    white, red = own_sockets(near)
    free = ~(white | red)
    fits_grid = _status(ports, following.asked.growth) == Status.LEGAL
    m.d.sync += [
        space.fetched.eq(following),
        space.open_sides.eq(free),
        space.has.eq(Cat(white.any(), red.any())),
    ]
    for code, (fits, mask) in enumerate(_fitting(white, red)):
        forces_some = forced_sides(near, free, mask).any()
        goes_on = fits_grid & forces_some
        m.d.sync += [
            space.left[code].eq(fits),
            space.tiles[code].eq(mask),
            space.forces[code].eq(goes_on),
        ]


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


def _status(ports: wiring.Component, growth: data.View) -> Value:
    """What becomes of a candidate whose first tile makes the box larger so, but for what it
    forces."""
    full_area, full_grid = (
        growth.any & full.bit_select(growth.side[0], 1)
        for full in (ports.edges.area_full, ports.edges.grid_full)
    )
    return Mux(full_area, Status.AREA, Mux(full_grid, Status.BOUNDS, Status.LEGAL))
