"""The stage JOIN: what the tracks' rows say, and where the candidate goes."""

from __future__ import annotations

from typing import NamedTuple

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import data

from loopline.game import Colour
from loopline.hdl.evaluator.chain.ring import Ring
from loopline.hdl.evaluator.chain.stage_pick import Picked
from loopline.hdl.evaluator.chain.stage_read import Read
from loopline.hdl.evaluator.next_space import next_layout, pushed_layout, socket_write_layout
from loopline.hdl.evaluator.sides import by_colour, equal
from loopline.hdl.evaluator.types import PENDING_SPACES, TILE_NUMBER_BITS, Mode, track_id_layout
from loopline.hdl.evaluator.union_find import tag_of

__all__ = ["Joined", "Route", "Tracks", "join_stage"]


class Tracks(NamedTuple):
    """The tracks that end in the space, by colour. In DECIDE, unless the field's name says JOIN.

    - ``ids``: the track's id;
    - ``parents``, ``has_parent``: it has been joined to this other track;
    - ``exits``, ``has_exits``: the sides on which it leaves the box, and whether there are any;
    - ``second_way``: its row is in the second way, or has to be looked for there;
    - ``unresolved``: its parent, or its row in the second way, has to be read next;
    - ``both_ways_taken``: its rows in both ways belong to other tracks;
    - ``join_unresolved``: one of these two, in JOIN;
    - ``same``, ``join_same``: the pair's sockets are both ends of one track, which is a loop.
    """

    ids: list[data.View]
    parents: list[data.View]
    has_parent: Value
    exits: list[Value]
    has_exits: Value
    second_way: Value
    unresolved: Value
    both_ways_taken: Value
    join_unresolved: Value
    same: Value
    join_same: Value


class Route(NamedTuple):
    """Where the candidate goes. All in DECIDE.

    - ``following``, ``pushed``, ``socket_writes``, ``takes_extra``, ``illegal``: outputs of
      :class:`NextSpace`;
    - ``needs_slow_path``: the candidate outgrows the chain's memories;
    - ``open_edges``: the tile has at least one; ``exits``: those that leave the box;
    - ``more``, ``last_play``: the token makes a forced play, with others to come or without;
    - ``writes_pair``: with others to come, the pair's track gets a row of the union-find;
    - ``goes_on``: with others to come, the track of the other colour goes on;
    - ``has_exits_a``, ``has_exits_other``: these tracks leave the box, as far as is known without
      their rows.
    """

    following: data.View
    pushed: data.View
    socket_writes: data.View
    takes_extra: Value
    illegal: Value
    needs_slow_path: Value
    open_edges: Value
    exits: Value
    more: Value
    last_play: Value
    writes_pair: Value
    goes_on: Value
    has_exits_a: Value
    has_exits_other: Value


class Joined(NamedTuple):
    """What JOIN hands on."""

    tracks: Tracks
    route: Route


def join_stage(m: Module, ring: Ring, read: Read, picked: Picked) -> Joined:
    """Evaluate the tracks' rows, and find out where the candidate goes."""
    tracks = _join_tracks(m, ring, read, picked)
    return Joined(tracks=tracks, route=_find_route(m, ring, read, picked, tracks))


def _join_tracks(m: Module, ring: Ring, read: Read, picked: Picked) -> Tracks:
    """Evaluate the tracks' rows of the union-find."""
    join, union_finds, exits = ring.join, ring.union_finds, ring.exits
    m.d.comb += [exits.ends.eq(ring.ports.partner_places), exits.ends_growth.eq(join.growth)]
    id_shape = track_id_layout(ring.grid)
    tracks = Tracks(
        ids=[Signal(id_shape, name=f"decide_id{n}") for n in range(2)],
        parents=[Signal(id_shape, name=f"parent{n}") for n in range(2)],
        has_parent=Signal(2, name="has_parent"),
        exits=[Signal(4, name=f"decide_exits{n}") for n in range(2)],
        has_exits=Signal(2, name="has_exits"),
        second_way=Signal(2, name="second_way"),
        unresolved=Signal(2, name="unresolved"),
        both_ways_taken=Signal(2, name="both_ways_taken"),
        join_unresolved=Signal(2, name="join_unresolved"),
        same=Signal(name="same"),
        join_same=Signal(name="join_same"),
    )
    for colour in Colour:
        row, track_id = union_finds[colour].r_data, picked.ids[colour]
        valid, own, has_parent = (
            Signal(name=f"{n}{colour.value}") for n in ("valid", "own", "has_parent")
        )
        # The track of the other colour does not matter to a tile without open edges.
        needed = (join.colour == colour) | read.join_edges[0].valid
        base_exits = Mux(picked.is_base[colour], exits.exits[colour], 0)
        m.d.comb += [
            valid.eq(equal(m, row.epoch, ring.epochs.epochs[2], f"same_epoch{colour.value}")),
            own.eq(equal(m, row.tag, tag_of(track_id), f"same_tag{colour.value}")),
            has_parent.eq(valid & own & row.has_parent),
            tracks.join_unresolved[colour].eq(needed & valid & (~own | row.has_parent)),
        ]
        m.d.sync += [
            tracks.ids[colour].eq(track_id),
            tracks.parents[colour].eq(row.parent),
            tracks.has_parent[colour].eq(has_parent),
            # A row that is another track's does not matter here: then the play is not made.
            tracks.exits[colour].eq(Mux(valid & picked.is_candidate, row.exits, base_exits)),
            # Worked out beside the exits, not from them.
            tracks.has_exits[colour].eq(
                Mux(valid, row.exits.any(), picked.is_base[colour] & exits.exits[colour].any())
            ),
            tracks.second_way[colour].eq(~has_parent & (join.second_way[colour] | (valid & ~own))),
            tracks.unresolved[colour].eq(
                needed & valid & Mux(own, row.has_parent, ~join.second_way[colour])
            ),
            tracks.both_ways_taken[colour].eq(needed & valid & ~own & join.second_way[colour]),
        ]
    m.d.comb += tracks.join_same.eq(by_colour(picked.ids, join.colour) == Value.cast(join.id_a))
    m.d.sync += tracks.same.eq(tracks.join_same)
    return tracks


def _find_route(m: Module, ring: Ring, read: Read, picked: Picked, tracks: Tracks) -> Route:
    """Find out which spaces are forced, and which comes next."""
    join, exits, next_space = ring.join, ring.exits, ring.next_space
    m.d.comb += [
        next_space.token.eq(join),
        next_space.edges.eq(read.join_edges),
        next_space.top.eq(ring.ports.pending.r_data),
    ]
    route = Route(
        following=Signal(next_layout(ring.grid), name="following"),
        pushed=Signal(pushed_layout(), name="pushed"),
        socket_writes=Signal(data.ArrayLayout(socket_write_layout(), 2), name="socket_writes"),
        takes_extra=Signal(name="takes_extra"),
        illegal=Signal(name="illegal"),
        needs_slow_path=Signal(name="needs_slow_path"),
        open_edges=Signal(name="open_edges"),
        exits=Signal(4, name="route_exits"),
        more=Signal(name="more"),
        last_play=Signal(name="last_play"),
        writes_pair=Signal(name="writes_pair"),
        goes_on=Signal(name="goes_on"),
        has_exits_a=Signal(name="has_exits_a"),
        has_exits_other=Signal(name="has_exits_other"),
    )
    leaving = next_space.exits & exits.counting.replicate(2)
    m.d.sync += [
        route.following.eq(next_space.next),
        route.pushed.eq(next_space.pushed),
        route.socket_writes.eq(next_space.socket_writes),
        route.takes_extra.eq(next_space.takes_extra),
        # Beyond the window the overlay shows the cells of the opposite border.
        route.illegal.eq(next_space.illegal & ~read.join_beyond_window),
        route.needs_slow_path.eq(
            next_space.overflow
            | (next_space.pushed.valid & (join.pending == PENDING_SPACES))
            | read.join_beyond_window
            | picked.wrong_tile
            | (join.tiles == (1 << TILE_NUMBER_BITS) - 1)
        ),
        route.open_edges.eq(read.join_edges[0].valid),
        route.exits.eq(leaving),
    ]

    join_more = Signal()
    plays = join.mode == Mode.CHAIN
    m.d.comb += join_more.eq(next_space.forced | join.pending.any() | join.both)
    m.d.sync += [
        route.more.eq(plays & join_more),
        route.last_play.eq(plays & ~join_more),
        route.writes_pair.eq(join_more & ~tracks.join_same),
        route.goes_on.eq(join_more & read.join_edges[0].valid),
        route.has_exits_a.eq(join.exits_a.any()),
        route.has_exits_other.eq(leaving.any()),
    ]
    return route
