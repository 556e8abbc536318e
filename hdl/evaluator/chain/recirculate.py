"""Which token DECIDE hands to READ: its own, or the one that takes its place."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal, Value

from loopline.game import Colour
from loopline.hdl.evaluator.chain.ring import Ring
from loopline.hdl.evaluator.chain.stage_decide import Decided
from loopline.hdl.evaluator.chain.stage_join import Joined
from loopline.hdl.evaluator.sides import by_colour
from loopline.hdl.evaluator.types import Mode

__all__ = ["admit", "recirculate"]


def admit(m: Module, ring: Ring, joined: Joined, decided: Decided) -> Value:
    """Admit a fetch or a candidate where DECIDE's place is free, and return whether a candidate
    enters.

    Neither enters while a token waits for the slow path, or while memories are wiped or are to be.
    """
    ports, epochs = ring.ports, ring.epochs
    # A cycle late, which does no harm: slow path and wiping wait until the ring has emptied.
    closed = Signal(init=1)
    enters = Signal()
    any_slow = Cat(token.mode == Mode.SLOW for token in ring.tokens).any()
    m.d.sync += closed.eq(any_slow | epochs.used_up | epochs.wiping)
    m.d.comb += [
        ports.fetches.ready.eq(decided.free & ~closed),
        # An illegal candidate with more tiles to come leaves its place to a fetch only: so what is
        # written in this cycle does not depend on whether the candidate is legal, which is late.
        ports.entries.ready.eq(
            (decided.vacant | decided.over) & ~closed & ~ports.fetches.valid & ~ring.deferred.valid
        ),
        enters.eq(ports.entries.valid & ports.entries.ready),
        epochs.enters.eq(enters),
        epochs.more.eq(joined.route.more),
        epochs.idle.eq(ports.idle),
    ]
    return enters


def recirculate(m: Module, ring: Ring, joined: Joined, decided: Decided, enters: Value) -> None:
    """Hand READ the token for the next round, or the one that takes the place."""
    ports, read, decide = ring.ports, ring.read, ring.decide
    tracks = joined.tracks
    # Fields that the next round does not use keep what they had.
    m.d.sync += read.eq(decide)
    for n, (track_id, parent) in enumerate(zip(tracks.ids, tracks.parents, strict=True)):
        # Used only if the next round reads the parent, or the row in the second way.
        m.d.sync += Value.cast(read.ids[n]).eq(
            Mux(tracks.has_parent[n], Value.cast(parent), Value.cast(track_id))
        )
    with m.If(decided.free):
        m.d.sync += read.mode.eq(Mode.EMPTY)
        with m.If(ports.fetches.valid & ports.fetches.ready):
            fetch = ports.fetches.payload
            m.d.sync += [
                read.mode.eq(Mode.FETCH),
                read.place.eq(fetch.place),
                read.space.eq(fetch.space),
                read.growth.eq(fetch.growth),
                read.colour.eq(Colour.WHITE),
                read.b_base.eq(1),
                read.other.valid.eq(1),
                read.other_base.eq(1),
                read.is_known.eq(0),
                read.second_way.eq(0),
            ]
        with m.Elif(enters):
            m.d.sync += read.eq(ports.entries.payload.token)
    with m.Else():
        m.d.sync += [read.is_known.eq(0), read.second_way.eq(0)]
        with m.If(decided.recirculates):
            # A parent's id is known. For a row in the second way the id is found as before.
            is_known = decide.is_known | (tracks.unresolved & ~tracks.second_way)
            m.d.sync += [read.is_known.eq(is_known), read.second_way.eq(tracks.second_way)]
        with m.Elif(decided.to_slow_path | (decide.mode == Mode.SLOW)):
            m.d.sync += read.mode.eq(Mode.SLOW)
        with m.Else():
            _advance(m, ring, joined, decided)


def _advance(m: Module, ring: Ring, joined: Joined, decided: Decided) -> None:
    """Hand READ the token of a candidate that goes on to its next play."""
    read, decide = ring.read, ring.decide
    tracks, route = joined
    pair, foreign = route.following.pair, ~decide.colour
    track_a = [
        Value.cast(read.id_a).eq(by_colour(tracks.ids, decide.colour)),
        read.exits_a.eq(by_colour(tracks.exits, decide.colour)),
        read.second_way_a.eq(by_colour(decide.second_way, decide.colour)),
    ]
    with m.If(decide.mode == Mode.RESOLVE):
        m.d.sync += [read.mode.eq(Mode.CHAIN), *track_a]
    with m.Else():
        m.d.sync += [
            read.mode.eq(Mode.CHAIN),
            *track_a,
            read.place.eq(route.following.place),
            read.space.eq(route.following.space),
            read.colour.eq(pair.colour),
            read.a.eq(pair.a),
            read.b.eq(pair.b),
            read.b_base.eq(pair.b_base),
            read.other.eq(pair.other),
            read.other_base.eq(pair.other_base),
            read.both.eq(pair.both),
            read.second.eq(0),
        ]
        with m.If(decide.mode == Mode.CHAIN):
            m.d.sync += [
                Value.cast(read.id_a).eq(by_colour(tracks.ids, foreign)),
                read.exits_a.eq(decided.exits_other),
                read.second_way_a.eq(by_colour(decide.second_way, foreign)),
                read.loops.eq(decided.loops),
                read.lines.eq(decided.lines),
                read.tiles.eq(decided.tiles),
                read.both.eq(0),
            ]
            with m.If(route.pushed.valid):
                m.d.sync += read.pending.eq(decide.pending + 1)
            with m.If(decide.both):
                m.d.sync += [
                    read.mode.eq(Mode.RESOLVE),
                    read.place.eq(decide.place),
                    read.space.eq(decide.space),
                    read.colour.eq(foreign),
                    # The side that is left: 0 ^ 1 ^ 2 ^ 3 is 0.
                    read.a.eq(decide.a ^ decide.b ^ decide.other.side),
                    read.b.eq(decide.other.side),
                    read.b_base.eq(decide.other_base),
                    read.other.valid.eq(0),
                    read.second.eq(1),
                ]
            with m.Elif(~route.following.valid):
                m.d.sync += [
                    read.mode.eq(Mode.REVISIT),
                    read.pending.eq(decide.pending - ~route.takes_extra),
                    read.extra.valid.eq(decide.extra.valid & ~route.takes_extra),
                ]
