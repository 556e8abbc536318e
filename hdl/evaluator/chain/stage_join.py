"""The stage JOIN: what the tracks' rows say, and what becomes of the spaces."""

from __future__ import annotations

from typing import NamedTuple

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import data

from loopline.game import Colour
from loopline.hdl.evaluator.chain.ring import Ring
from loopline.hdl.evaluator.chain.stage_pick import Named
from loopline.hdl.evaluator.chain.stage_read import Tile
from loopline.hdl.evaluator.equal import equal
from loopline.hdl.evaluator.next_space import added_layout, next_layout, pushed_layout
from loopline.hdl.evaluator.sides import by_colour
from loopline.hdl.evaluator.types import PENDING, TRIAL_TILE_BITS, Mode, name_layout
from loopline.hdl.evaluator.union_find import tag_of

__all__ = ["Tracks", "Way", "join_stage"]


class Tracks(NamedTuple):
    """What JOIN has found of the tracks, in DECIDE, by colour.

    The name, and the parent's, if it is a child; where the track leaves the box, and whether it
    does; whether its row is the spare one (``spare``). ``unknown``: its parent or that row has to
    be looked up next. ``crowded``: neither row is its own. ``held``, in JOIN: one of these.
    ``same``: both ends of the pair have one name, which is a loop; ``join_same`` is that in JOIN.
    """

    names: list[data.View]
    parents: list[data.View]
    children: Value
    masks: list[Value]
    leaves: Value
    spare: Value
    unknown: Value
    crowded: Value
    held: Value
    join_same: Value
    same: Value


class Way(NamedTuple):
    """What JOIN has found of where the trial goes, in DECIDE.

    ``on``, ``pushed``, ``adds``, ``left_two`` and ``illegal`` are the ``next``, ``pushed``,
    ``adds``, ``two`` and ``illegal`` of :class:`NextSpace`. ``stuck``: it has to be left to the
    slow
    path. ``open_edges``: the tile has one at least; ``exits``: where they leave the box. ``more``,
    ``last_play``: a forced play with others to come, or without. With others to come the pair's
    track gets a row (``put_b``), and the other one goes on (``goes_on``); ``leaves_a``,
    ``leaves_o``: they leave the box, as far as is known without their own rows.
    """

    on: data.View
    pushed: data.View
    adds: data.View
    left_two: Value
    illegal: Value
    stuck: Value
    exits: Value
    open_edges: Value
    more: Value
    last_play: Value
    put_b: Value
    goes_on: Value
    leaves_a: Value
    leaves_o: Value


def join_stage(m: Module, ring: Ring, tile: Tile, named: Named) -> tuple[Tracks, Way]:
    """Tells what the tracks' rows say of them, and where the trial goes."""
    tracks = _tracks(m, ring, tile, named)
    return tracks, _way(m, ring, tile, named, tracks)


def _tracks(m: Module, ring: Ring, tile: Tile, named: Named) -> Tracks:
    """By colour, what the track's row says of it."""
    join, unions, exits = ring.join, ring.unions, ring.exits
    m.d.comb += [exits.ends.eq(ring.ports.partner_places), exits.ends_growth.eq(join.growth)]
    name_shape = name_layout(ring.grid)
    decide_names = [Signal(name_shape, name=f"decide_name{n}") for n in range(2)]
    parents = [Signal(name_shape, name=f"parent{n}") for n in range(2)]
    children = Signal(2)
    found = []
    leaves = Signal(2)
    spare = Signal(2)
    unknown = Signal(2)
    crowded = Signal(2)
    held = Signal(2)
    for colour in Colour:
        row, name = unions[colour].found, named.names[colour]
        here, own, child = (Signal(name=f"{n}{colour.value}") for n in ("here", "own", "child"))
        mask = Signal(4, name=f"found{colour.value}")
        asked = (join.colour == colour) | tile.join_lanes[0].on
        m.d.comb += [
            here.eq(equal(m, row.epoch, ring.epochs.epochs[2], f"same_epoch{colour.value}")),
            own.eq(equal(m, row.tag, tag_of(name), f"same_tag{colour.value}")),
            child.eq(here & own & row.child),
            # With a row that is another name's the play is not made.
            mask.eq(
                Mux(
                    here & named.looks,
                    row.mask,
                    Mux(named.base[colour], exits.exits[colour], 0),
                )
            ),
        ]
        m.d.sync += [
            # The parent is looked up next, or the spare row.
            unknown[colour].eq(asked & here & Mux(own, row.child, ~join.spare[colour])),
            crowded[colour].eq(asked & here & ~own & join.spare[colour]),
        ]
        # One of the two.
        m.d.comb += held[colour].eq(asked & here & (~own | row.child))
        # Whether the mask has any, worked out beside it.
        m.d.sync += leaves[colour].eq(
            Mux(here, row.mask.any(), named.base[colour] & exits.exits[colour].any())
        )
        m.d.sync += [
            children[colour].eq(child),
            parents[colour].eq(row.parent),
            decide_names[colour].eq(name),
        ]
        m.d.sync += spare[colour].eq(~child & (join.spare[colour] | (here & ~own)))
        # It is late, so DECIDE chooses by colour.
        found.append(Signal(4, name=f"decide_found{colour.value}"))
        m.d.sync += found[colour].eq(mask)
    join_same = Signal()
    same = Signal()
    m.d.comb += join_same.eq(by_colour(named.names, join.colour) == Value.cast(join.name_a))
    m.d.sync += same.eq(join_same)
    looked_up = (decide_names, parents, children, found, leaves, spare)
    return Tracks(*looked_up, unknown, crowded, held, join_same, same)


def _way(m: Module, ring: Ring, tile: Tile, named: Named, tracks: Tracks) -> Way:
    """Which spaces are forced, and which comes next."""
    join, exits, onward = ring.join, ring.exits, ring.onward
    m.d.comb += [
        onward.token.eq(join),
        onward.lanes.eq(tile.join_lanes),
        onward.top.eq(ring.ports.waiting.r_data),
    ]
    leaving = onward.exits & exits.counting.replicate(2)
    on = Signal(next_layout(ring.grid))
    pushed = Signal(pushed_layout())
    adds = Signal(data.ArrayLayout(added_layout(), 2))
    left_two = Signal()
    illegal = Signal()
    stuck = Signal()
    decide_exits = Signal(4)
    open_edges = Signal()
    m.d.sync += [
        on.eq(onward.next),
        pushed.eq(onward.pushed),
        adds.eq(onward.adds),
        left_two.eq(onward.two),
        # Beyond the rim the overlay shows what lies at the opposite one.
        illegal.eq(onward.illegal & ~tile.join_far),
        stuck.eq(
            onward.full
            | (onward.pushed.valid & (join.waiting == PENDING))
            | tile.join_far
            | named.strange
            | (join.tiles == (1 << TRIAL_TILE_BITS) - 1)
        ),
        decide_exits.eq(leaving),
        open_edges.eq(tile.join_lanes[0].on),
    ]

    # What the trial has to remember of the tracks, if this play is not its last.
    join_more = Signal()
    more = Signal()
    last_play = Signal()
    put_b = Signal()
    goes_on = Signal()
    leaves_a = Signal()
    leaves_o = Signal()
    plays = join.mode == Mode.CHAIN
    m.d.comb += join_more.eq(onward.forced | join.waiting.any() | join.both)
    m.d.sync += [
        more.eq(plays & join_more),
        last_play.eq(plays & ~join_more),
        put_b.eq(join_more & ~tracks.join_same),
        goes_on.eq(join_more & tile.join_lanes[0].on),
        leaves_a.eq(join.mask_a.any()),
        leaves_o.eq(leaving.any()),
    ]
    return Way(
        on,
        pushed,
        adds,
        left_two,
        illegal,
        stuck,
        decide_exits,
        open_edges,
        more,
        last_play,
        put_b,
        goes_on,
        leaves_a,
        leaves_o,
    )
