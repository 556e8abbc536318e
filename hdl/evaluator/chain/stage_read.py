"""The stage READ: what a token knows of its place, and what it asks for there."""

from __future__ import annotations

from typing import NamedTuple

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data

from loopline.game import Colour
from loopline.hdl.evaluator.chain.ring import Ring
from loopline.hdl.evaluator.types import TRIAL_TILE_BITS, Mode, name_layout
from loopline.hdl.evaluator.union_find import row_of

__all__ = ["Source", "Tile", "read_stage"]


class Source(NamedTuple):
    """Where the name of one colour's track comes from, in PICK.

    It is the lower one of the ends of a track of the position (``is_base``), or asked for, as
    that of a track of the trial (``is_asked``), or else it is given. ``known`` is what is known
    of it already, ``row`` the row of that; a partner below ``limit`` has the track's name. By
    ``tag`` what is asked for is told apart from names of other tiles.
    """

    is_base: Value
    is_asked: Value
    known: data.View
    row: Value
    limit: Value
    tag: Value


class Tile(NamedTuple):
    """What READ knows of a tile, in the stages that ask for it."""

    pick_lanes: data.View
    join_lanes: data.View
    join_far: Value
    pick_outside: Value


def read_stage(m: Module, ring: Ring) -> tuple[list[Source], Tile]:
    """Asks for what lies around the tile.

    Tells by colour where the name of the track comes from, and what is known of the tile already.
    """
    _ask(m, ring)
    return _sources(m, ring), _tile(m, ring)


def _ask(m: Module, ring: Ring) -> None:
    """The addresses of what lies around the tile."""
    ports, read, overlay = ring.ports, ring.read, ring.overlay
    exits, surroundings = ring.exits, ring.surroundings
    m.d.comb += [
        ports.place.eq(read.place),
        ports.space.eq(read.space),
        exits.box.eq(ports.box),
        exits.edges.eq(ports.edges),
        exits.place.eq(read.place),
        exits.growth.eq(read.growth),
        surroundings.token.eq(read),
        surroundings.outside.eq(exits.outside),
        overlay.place.eq(surroundings.near),
        overlay.thread.eq(ring.threads[0]),
    ]


def _sources(m: Module, ring: Ring) -> list[Source]:
    """By colour, where the name of the track comes from, and what is known of it."""
    read, names = ring.read, ring.names
    tags = []
    for colour in Colour:
        tile = ring.surroundings.tiles[colour]
        m.d.comb += [names[colour].cell.eq(tile), names[colour].thread.eq(ring.threads[0])]
        tag = Signal(2, name=f"tag_{colour.name.lower()}")
        m.d.sync += tag.eq(Cat(tile.x[-1], tile.y[-1]))
        tags.append(tag)

    sources = []
    shape = name_layout(ring.grid)
    works = (read.mode != Mode.EMPTY) & (read.mode != Mode.SLOW)
    for colour in Colour:
        mine = read.colour == colour
        valid = mine | read.other.valid
        is_given = ~valid | read.known[colour]
        base = Mux(mine, read.b_base & (read.mode != Mode.RESOLVE), read.other_base)
        is_base, is_asked = (Signal(name=f"{n}{colour.value}") for n in ("is_base", "is_asked"))
        given = Signal(shape)
        known = Signal(shape, name=f"known{colour.value}")
        with m.If(is_given & valid):
            m.d.comb += given.eq(read.names[colour])
        with m.Elif(is_given):
            ones = Const(-1, len(given.id) - TRIAL_TILE_BITS)
            m.d.comb += [given.fresh.eq(1), given.id.eq(Cat(~read.tiles, ones))]
        with m.Elif(base):
            m.d.comb += given.id.eq(read.space)
        row = Signal.like(ring.unions[colour].read_row, name=f"known_row{colour.value}")
        limit = Signal.like(read.space, name=f"limit{colour.value}")
        m.d.sync += [
            known.eq(given),
            limit.eq(Mux(is_given | ~base, 0, read.space)),
            row.eq(row_of(given, read.spare[colour])),
            is_base.eq(~is_given & base & works),
            is_asked.eq(~is_given & ~base),
        ]
        sources.append(Source(is_base, is_asked, known, row, limit, tags[colour]))
    return sources


def _tile(m: Module, ring: Ring) -> Tile:
    """The tile's open edges, for the stages that follow."""
    surroundings, exits = ring.surroundings, ring.exits
    pick_lanes, join_lanes = _later(m, surroundings.lanes, "pick_lanes", "join_lanes")
    (pick_outside,) = _later(m, exits.outside, "pick_outside")
    _, join_far = _later(m, surroundings.far, "pick_far", "join_far")
    return Tile(pick_lanes, join_lanes, join_far, pick_outside)


def _later(m: Module, value, *stages: str) -> list:
    """A value of READ in the stages that follow, by the names of the registers."""
    late = [value]
    for stage in stages:
        late.append(Signal.like(value, name=stage))
        m.d.sync += late[-1].eq(late[-2])
    return late[1:]
