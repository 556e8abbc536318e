"""The stage EVALUATE: what the first tile of each of a space's candidates does by itself."""

from __future__ import annotations

from typing import NamedTuple

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data, wiring

from loopline.game import Colour, Shape, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.tile import first_of
from loopline.hdl.core.types import Status, place_layout
from loopline.hdl.evaluator.exits import counting_exits
from loopline.hdl.evaluator.first.fetch import Fetched
from loopline.hdl.evaluator.first.neighbours import forced_sides, neighbour_layout, own_sockets
from loopline.hdl.evaluator.sides import is_line, side_of
from loopline.hdl.evaluator.types import growth_layout, track_id_layout

__all__ = ["Evaluated", "evaluate_stage", "selected_layout"]


def selected_layout(grid: GridConfig) -> data.StructLayout:
    """A candidate that enters the chain.

    - ``index``, ``symbol``, ``place``, ``growth``: the candidate, and how it grows the box;
    - ``tile``: the white edges of its first tile;
    - ``inside``: the open sides within the box;
    - ``forced``: those beyond which the tile forces the space; ``neighbour`` is the first of these;
    - ``ids``, ``exits``: of the tracks through the tile, by colour.
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
            "ids": data.ArrayLayout(track_id_layout(grid), 2),
            "exits": data.ArrayLayout(4, 2),
            "neighbour": neighbour_layout(grid),
        }
    )


class Evaluated(NamedTuple):
    """The output of the stage: the candidate that enters the chain (``selected_layout``), while
    ``entries.valid``; and whether candidates of the space are left (``some``)."""

    selected: data.View
    some: Value


class _Space(NamedTuple):
    """The registers of the stage: the space, and its candidates by shape code.

    - ``fetched``: what has been fetched of the space;
    - ``open_sides``: its sides without sockets; ``has``: by colour, whether it has a socket;
    - ``left``: the candidates that are left; ``tiles``: their white edges; ``forces``: whether they
      force a space, and so enter the chain.
    """

    fetched: data.View
    open_sides: Value
    has: Value
    left: Value
    tiles: data.View
    forces: Value


class _Candidate(NamedTuple):
    """The candidate that is evaluated in this cycle: a mask of its shape code (``chosen``) and the
    code itself, its white edges, and by colour the exits of the track through it."""

    chosen: Value
    symbol: Value
    tile: Value
    exits: data.View


def evaluate_stage(
    m: Module, ports: wiring.Component, grid: GridConfig, fetched: Fetched, take: Value
) -> Evaluated:
    """Evaluate the candidates of one space after another, one per cycle.

    A candidate whose first tile forces no space is evaluated by ``ports.evaluations``; any other
    one is selected for the chain.

    Parameters
    ----------
    ports : FirstTiles
        Drives ``evaluations``, and ``valid`` of ``entries``.
    fetched : Fetched
        The next space.
    take : Signal
        Driven: the next space takes the place of the present one.
    """
    space = _Space(
        fetched=Signal(fetched.space.shape(), name="space"),
        open_sides=Signal(4, name="open_sides"),
        has=Signal(2, name="has"),
        left=Signal(len(Shape), name="left"),
        tiles=Signal(data.ArrayLayout(4, len(Shape)), name="tiles"),
        forces=Signal(len(Shape), name="forces"),
    )
    candidate = _choose(m, ports, space)
    _offer_evaluation(m, ports, space, candidate)

    chosen, left = candidate.chosen, space.left
    room = ~ports.entries.valid | ports.entries.ready
    enters = (chosen & space.forces).any()
    evaluated = ports.evaluations.valid & ports.evaluations.ready
    selected = _select(m, grid, space, candidate, room)
    with m.If(room):
        m.d.sync += ports.entries.valid.eq(enters)
    with m.If((enters & room) | evaluated):
        m.d.sync += left.eq(left & ~chosen)
    # The next space comes as soon as the last candidate leaves; but not if the chain has made room
    # for it in this cycle, which is known too late.
    leaves = (enters & ~ports.entries.valid) | evaluated
    m.d.comb += take.eq(fetched.ready & (~left.any() | (leaves & (chosen == left))))
    with m.If(take):
        _load(m, ports, space, fetched.space)
    return Evaluated(selected=selected, some=left.any())


def _choose(m: Module, ports: wiring.Component, space: _Space) -> _Candidate:
    """Return the first of the candidates that are left."""
    left, fetched = space.left, space.fetched
    chosen = Signal(len(Shape))
    m.d.comb += chosen.eq(Cat(left[0], left[1] & ~left[0], left[2] & ~left[1] & ~left[0]))
    tile = Signal(4)
    symbol = Signal(2)
    for code in range(len(Shape)):
        with m.If(chosen[code]):
            m.d.comb += [tile.eq(space.tiles[code]), symbol.eq(code)]
    exits = Signal(data.ArrayLayout(4, 2))
    counts = counting_exits(ports.edges, fetched.space.growth).replicate(2)
    own_exits = space.open_sides & fetched.cells.outside & counts
    for colour in Colour:
        edges = tile if colour is Colour.WHITE else ~tile
        other_end = Mux(space.has[colour], fetched.tracks.exits[colour], 0)
        m.d.comb += exits[colour].eq(other_end | (own_exits & edges))
    return _Candidate(chosen=chosen, symbol=symbol, tile=tile, exits=exits)


def _offer_evaluation(
    m: Module, ports: wiring.Component, space: _Space, candidate: _Candidate
) -> None:
    """Offer the evaluation of a candidate that forces nothing."""
    known, evaluation = space.fetched.space, ports.evaluations.payload
    lines = Cat(is_line(exits) for exits in candidate.exits)
    status = _status(ports, known.growth)
    legal = status == Status.LEGAL
    m.d.comb += [
        evaluation.index.eq(known.index),
        evaluation.symbol.eq(candidate.symbol),
        evaluation.status.eq(status),
        evaluation.tiles.eq(legal),
        evaluation.lines.eq(Mux(legal, lines, 0)),
        evaluation.growth.eq(known.growth),
        ports.evaluations.valid.eq((candidate.chosen & ~space.forces).any()),
    ]


def _select(
    m: Module, grid: GridConfig, space: _Space, candidate: _Candidate, room: Value
) -> data.View:
    """Return the register of the candidate that enters the chain, which is loaded while there is
    ``room`` in it."""
    known, cells, tracks = (space.fetched[part] for part in ("space", "cells", "tracks"))
    neighbour = Signal(neighbour_layout(grid))
    forced = Signal(4)
    m.d.comb += forced.eq(forced_sides(cells.neighbours, space.open_sides, candidate.tile))
    with m.Switch(side_of(first_of(forced))):
        for side in Side:
            with m.Case(side):
                m.d.comb += neighbour.eq(cells.neighbours[side])
    ids = Signal(data.ArrayLayout(track_id_layout(grid), 2))
    for colour in Colour:
        with m.If(space.has[colour]):
            m.d.comb += ids[colour].eq(tracks.ids[colour])
        with m.Else():
            # The first tile has number 0, which is inverted.
            m.d.comb += [ids[colour].is_new.eq(1), ids[colour].number.eq(~0)]
    selected = Signal(selected_layout(grid))
    with m.If(room):
        m.d.sync += [
            selected.index.eq(known.index),
            selected.symbol.eq(candidate.symbol),
            selected.place.eq(known.place),
            selected.growth.eq(known.growth),
            selected.tile.eq(candidate.tile),
            selected.inside.eq(space.open_sides & ~cells.outside),
            selected.forced.eq(forced),
            selected.ids.eq(ids),
            selected.exits.eq(candidate.exits),
            selected.neighbour.eq(neighbour),
        ]
    return selected


def _load(m: Module, ports: wiring.Component, space: _Space, following: data.View) -> None:
    """Load the next space and its candidates."""
    neighbours = following.cells.neighbours
    white, red = own_sockets(neighbours)
    open_sides = ~(white | red)
    fits_grid = _status(ports, following.space.growth) == Status.LEGAL
    m.d.sync += [
        space.fetched.eq(following),
        space.open_sides.eq(open_sides),
        space.has.eq(Cat(white.any(), red.any())),
    ]
    for code, (fits, tile) in enumerate(_fitting_tiles(white, red)):
        forces = forced_sides(neighbours, open_sides, tile).any()
        m.d.sync += [
            space.left[code].eq(fits),
            space.tiles[code].eq(tile),
            space.forces[code].eq(fits_grid & forces),
        ]


def _fitting_tiles(white: Value, red: Value) -> list[tuple[Value, Value]]:
    """Return by shape code whether a tile of the shape fits a space's sockets, and the tile's white
    edges."""
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
    """Return the status of a candidate that grows the box like this and forces nothing."""
    full_area, full_grid = (
        growth.valid & full.bit_select(growth.side[0], 1)
        for full in (ports.edges.area_full, ports.edges.grid_full)
    )
    return Mux(full_area, Status.AREA, Mux(full_grid, Status.BOUNDS, Status.LEGAL))
