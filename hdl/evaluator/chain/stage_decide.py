"""The stage DECIDE: what a play does, what becomes of the trial, and what there is to tell."""

from __future__ import annotations

from typing import NamedTuple

from amaranth.hdl import Cat, Module, Mux, Signal, Value

from loopline.game import Colour
from loopline.hdl.core.types import Status
from loopline.hdl.evaluator.chain.ring import Ring
from loopline.hdl.evaluator.chain.stage_join import Tracks, Way
from loopline.hdl.evaluator.chain.stage_read import Tile
from loopline.hdl.evaluator.sides import by_colour, whole
from loopline.hdl.evaluator.types import Mode

__all__ = ["Play", "answer_fetches", "decide_stage", "tell"]


class Play(NamedTuple):
    """What DECIDE makes of a token, in the same cycle.

    The outcome so far; where the pair's track leaves the box, and the other one; which rows of
    the unions a play writes, beside :class:`Way`'s. It goes round ``again``, or to the slow path,
    or it ``goes`` on after a play that is written down, or it has ``ended``: with its last play
    (``over``), or since it is illegal. ``vacant``: there was no trial. ``free``: its place is.
    """

    loops: Value
    lines: Value
    tiles: Value
    mask_pair: Value
    mask_other: Value
    put_a: Value
    put_o: Value
    again: Value
    slow: Value
    goes: Value
    ended: Value
    over: Value
    vacant: Value
    free: Value


def decide_stage(m: Module, ring: Ring, tracks: Tracks, way: Way) -> Play:
    """Tells what the play does, and what becomes of the trial."""
    join, decide, late = ring.join, ring.decide, ring.late
    put_a = Signal()
    put_o = Signal()
    m.d.comb += [
        put_a.eq(way.put_b & (way.leaves_a | by_colour(tracks.leaves, decide.colour))),
        put_o.eq(way.goes_on & (way.leaves_o | by_colour(tracks.leaves, ~decide.colour))),
    ]
    chain = decide.mode == Mode.CHAIN
    resolve = decide.mode == Mode.RESOLVE
    mask_pair = decide.mask_a | by_colour(tracks.masks, decide.colour)
    mask_other = by_colour(tracks.masks, ~decide.colour) | way.exits
    loops = Signal(2)
    lines = Signal(2)
    tiles = Signal.like(decide.tiles)
    completes = Signal(2)
    m.d.comb += [
        loops.eq(decide.loops | (tracks.same << decide.colour)[:2]),
        completes.eq(
            ((~tracks.same & whole(mask_pair)) << decide.colour)
            | ((way.open_edges & whole(mask_other)) << ~decide.colour)
        ),
        lines.eq(decide.lines | completes),
        tiles.eq(decide.tiles + ~decide.second),
    ]
    blocked = late.valid & Mux(late.colour == decide.colour, way.put_b, put_o)
    asks = tracks.unknown.any()
    halts = way.stuck | tracks.crowded.any()
    holds = Signal()
    m.d.sync += holds.eq(tracks.held.any())
    again = Signal()
    slow = Signal()
    works = chain | resolve | (decide.mode == Mode.REVISIT)
    m.d.comb += [
        again.eq(works & ~way.illegal & ~halts & (asks | (chain & blocked))),
        slow.eq(works & ~way.illegal & halts),
    ]
    # A forced play with more to come is written down. It does not matter if it is illegal, or
    # left to the slow path: then nobody will read it.
    goes = Signal()
    m.d.comb += goes.eq(way.more & ~asks & ~blocked)

    # Only with more to come there is something to write that could hold a play up.
    over = Signal()
    ended = Signal()
    free = Signal()
    vacant = Signal(init=1)
    m.d.sync += vacant.eq((join.mode == Mode.EMPTY) | (join.mode == Mode.FETCH))
    m.d.comb += [
        over.eq(way.last_play & (way.illegal | ~(way.stuck | holds))),
        ended.eq(over | (way.more & way.illegal)),
        free.eq(vacant | ended | ring.ports.slow),
    ]
    return Play(
        loops,
        lines,
        tiles,
        mask_pair,
        mask_other,
        put_a,
        put_o,
        again,
        slow,
        goes,
        ended,
        over,
        vacant,
        free,
    )


def tell(m: Module, ring: Ring, way: Way, play: Play) -> None:
    """Tells the outcome of a trial, and what the ring does."""
    ports, decide = ring.ports, ring.decide
    m.d.comb += [
        ports.done_valid.eq(play.ended | ports.slow),
        ports.done.index.eq(decide.index),
        ports.done.symbol.eq(decide.symbol),
        ports.done.growth.eq(decide.growth),
        ports.done.status.eq(Mux(way.illegal, Status.FORCED, Status.LEGAL)),
        ports.done.tiles.eq(play.tiles),
        ports.done.loops.eq(play.loops),
        ports.done.lines.eq(play.lines),
    ]
    with m.If(decide.mode == Mode.SLOW):
        m.d.comb += [
            ports.done.status.eq(ports.slow_outcome.status),
            ports.done.tiles.eq(ports.slow_outcome.tiles),
            ports.done.loops.eq(ports.slow_outcome.loops),
            ports.done.lines.eq(ports.slow_outcome.lines),
        ]
    settled = Cat(
        (token.mode == Mode.SLOW) | (token.mode == Mode.EMPTY) for token in ring.tokens
    ).all()
    # Once one waits nothing enters, so what has settled stays so until it has gone round.
    m.d.sync += ports.slow.eq((ring.join.mode == Mode.SLOW) & settled)
    m.d.comb += [
        ports.idle.eq(Cat(token.mode == Mode.EMPTY for token in ring.tokens).all()),
        ports.slot.mode.eq(decide.mode),
        ports.slot.again.eq(play.again),
        ports.slot.ended.eq(ports.done_valid),
        ports.slot.wiping.eq(ring.epochs.wiping),
    ]


def answer_fetches(m: Module, ring: Ring, tile: Tile, tracks: Tracks) -> None:
    """Tells what a fetch has found: in PICK the cells around, in DECIDE the rest."""
    ports = ring.ports
    m.d.comb += [
        ports.fetched_near.eq(ring.pick.mode == Mode.FETCH),
        ports.fetched_outside.eq(tile.pick_outside),
        ports.fetched_rest.eq(ring.decide.mode == Mode.FETCH),
        ports.fetched.names.eq(Cat(Value.cast(name) for name in tracks.names)),
        *(ports.fetched.masks[colour].eq(tracks.masks[colour]) for colour in Colour),
    ]
