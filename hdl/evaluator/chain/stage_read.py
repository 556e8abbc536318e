"""The stage READ: the addresses of what lies around a token's place."""

from __future__ import annotations

from typing import NamedTuple

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data

from loopline.game import Colour
from loopline.hdl.evaluator.chain.ring import Ring
from loopline.hdl.evaluator.types import TILE_NUMBER_BITS, Mode, track_id_layout
from loopline.hdl.evaluator.union_find import row_of

__all__ = ["Read", "Source", "read_stage"]


class Source(NamedTuple):
    """Where the id of one colour's track comes from. All in PICK.

    - ``is_base``: it is a track of the position, so its id is the lower one of its ends;
    - ``is_stored``: it is a track of the candidate, whose id :class:`TrackIds` has;
    - otherwise its id is ``given``;
    - ``given``: as much of the id as READ knows, and ``row``, the union-find's row of that;
    - ``limit``: of a track of the position, this end; the other end has the id if it is lower;
    - ``tag``: of a stored id, the tag of the tile that it has to belong to.
    """

    is_base: Value
    is_stored: Value
    given: data.View
    row: Value
    limit: Value
    tag: Value


class Read(NamedTuple):
    """What READ hands on.

    - ``sources``: by colour, where the track's id comes from;
    - ``pick_edges``, ``join_edges``: the tile's open edges, in PICK and in JOIN;
    - ``pick_outside``: the sides on which the neighbours are outside of the box, in PICK;
    - ``join_beyond_window``: the tile lies beyond the candidate's window, in JOIN.
    """

    sources: list[Source]
    pick_edges: data.View
    join_edges: data.View
    pick_outside: Value
    join_beyond_window: Value


def read_stage(m: Module, ring: Ring) -> Read:
    """Address the cell map, the overlay and the tracks, and work out what the token alone tells."""
    _address(m, ring)
    neighbourhood, exits = ring.neighbourhood, ring.exits
    pick_edges, join_edges = _delay(m, neighbourhood.edges, "pick_edges", "join_edges")
    (pick_outside,) = _delay(m, exits.outside, "pick_outside")
    _, join_beyond = _delay(
        m, neighbourhood.beyond_window, "pick_beyond_window", "join_beyond_window"
    )
    return Read(
        sources=[_source(m, ring, colour) for colour in Colour],
        pick_edges=pick_edges,
        join_edges=join_edges,
        pick_outside=pick_outside,
        join_beyond_window=join_beyond,
    )


def _address(m: Module, ring: Ring) -> None:
    """Drive the addresses, and the inputs of the combinational parts."""
    ports, read, overlay = ring.ports, ring.read, ring.overlay
    exits, neighbourhood = ring.exits, ring.neighbourhood
    m.d.comb += [
        ports.place.eq(read.place),
        ports.space.eq(read.space),
        exits.box.eq(ports.box),
        exits.edges.eq(ports.edges),
        exits.place.eq(read.place),
        exits.growth.eq(read.growth),
        neighbourhood.token.eq(read),
        neighbourhood.outside.eq(exits.outside),
        overlay.r_cell.eq(neighbourhood.cell),
        overlay.r_thread.eq(ring.threads[0]),
    ]
    for colour in Colour:
        track_ids = ring.track_ids[colour]
        m.d.comb += [
            track_ids.r_cell.eq(neighbourhood.tiles[colour]),
            track_ids.r_thread.eq(ring.threads[0]),
        ]


def _source(m: Module, ring: Ring, colour: Colour) -> Source:
    """Return where the id of a colour's track comes from."""
    read = ring.read
    works = (read.mode != Mode.EMPTY) & (read.mode != Mode.SLOW)
    own = read.colour == colour
    has_track = own | read.other.valid
    is_given = ~has_track | read.is_known[colour]
    of_position = Mux(own, read.b_base & (read.mode != Mode.RESOLVE), read.other_base)

    given_id = Signal(track_id_layout(ring.grid))
    with m.If(is_given & has_track):
        m.d.comb += given_id.eq(read.ids[colour])
    with m.Elif(is_given):
        # A track that this tile begins.
        ones = Const(-1, len(given_id.number) - TILE_NUMBER_BITS)
        m.d.comb += [given_id.is_new.eq(1), given_id.number.eq(Cat(~read.tiles, ones))]
    with m.Elif(of_position):
        m.d.comb += given_id.number.eq(read.space)

    is_base, is_stored = (Signal(name=f"{n}{colour.value}") for n in ("is_base", "is_stored"))
    given = Signal(given_id.shape(), name=f"given{colour.value}")
    row = Signal.like(ring.union_finds[colour].r_row, name=f"given_row{colour.value}")
    limit = Signal.like(read.space, name=f"limit{colour.value}")
    tag = Signal(2, name=f"tag{colour.value}")
    tile = ring.neighbourhood.tiles[colour]
    m.d.sync += [
        is_base.eq(~is_given & of_position & works),
        is_stored.eq(~is_given & ~of_position),
        given.eq(given_id),
        row.eq(row_of(given_id, read.second_way[colour])),
        limit.eq(Mux(is_given | ~of_position, 0, read.space)),
        tag.eq(Cat(tile.x[-1], tile.y[-1])),
    ]
    return Source(is_base=is_base, is_stored=is_stored, given=given, row=row, limit=limit, tag=tag)


def _delay(m: Module, value, *names: str) -> list:
    """Return a value of READ in the stages that follow: one register for each name."""
    values = [value]
    for name in names:
        values.append(Signal.like(value, name=name))
        m.d.sync += values[-1].eq(values[-2])
    return values[1:]
