"""Who goes round next: the token in DECIDE, or who has its place then."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal, Value

from loopline.game import Colour
from loopline.hdl.evaluator.chain.ring import Ring
from loopline.hdl.evaluator.chain.stage_decide import Play
from loopline.hdl.evaluator.chain.stage_join import Tracks, Way
from loopline.hdl.evaluator.sides import by_colour
from loopline.hdl.evaluator.types import Mode

__all__ = ["enter", "go_round"]


def enter(m: Module, ring: Ring, way: Way, play: Play) -> Value:
    """Lets a fetch or a trial enter where one has ended, unless one waits for the slow path or the
    memories are to be wiped. Tells whether a trial does."""
    ports, epochs = ring.ports, ring.epochs
    # That memories are to be wiped takes longer to begin than it takes to know.
    closed = Signal(init=1)
    enters = Signal()
    waits = Cat(token.mode == Mode.SLOW for token in ring.tokens).any()
    m.d.sync += closed.eq(waits | epochs.last | epochs.wiping)
    m.d.comb += [
        ports.fetch_ready.eq(play.free & ~closed),
        # An illegal trial that had more to come leaves its place to a fetch only: so what is
        # written is known without knowing whether the trial is legal.
        ports.first_ready.eq(
            (play.vacant | play.over) & ~closed & ~ports.fetch_valid & ~ring.late.valid
        ),
        enters.eq(ports.first_valid & ports.first_ready),
    ]
    m.d.comb += [
        epochs.enters.eq(enters),
        epochs.more.eq(way.more),
        epochs.idle.eq(ports.idle),
    ]
    return enters


def go_round(m: Module, ring: Ring, tracks: Tracks, way: Way, play: Play, enters: Value) -> None:
    """Hands READ the token for its next round, or that of who has its place now."""
    ports, read, decide = ring.ports, ring.read, ring.decide
    # What an empty token or a fetch does not use keeps what was there.
    m.d.sync += read.eq(decide)
    for n, (name, parent) in enumerate(zip(tracks.names, tracks.parents, strict=True)):
        # For the next round, if it looks the parent up; with a parent nothing else is done.
        m.d.sync += Value.cast(read.names[n]).eq(
            Mux(tracks.children[n], Value.cast(parent), Value.cast(name))
        )
    found_b = by_colour(tracks.masks, decide.colour)
    name_b, name_o = (by_colour(tracks.names, c) for c in (decide.colour, ~decide.colour))
    spare_b, spare_o = (by_colour(decide.spare, c) for c in (decide.colour, ~decide.colour))
    with m.If(play.free):
        m.d.sync += read.mode.eq(Mode.EMPTY)
        with m.If(ports.fetch_valid & ports.fetch_ready):
            fetch = ports.fetch
            m.d.sync += [
                read.mode.eq(Mode.FETCH),
                read.place.eq(fetch.place),
                read.space.eq(fetch.space),
                read.growth.eq(fetch.growth),
                read.colour.eq(Colour.WHITE),
                read.b_base.eq(1),
                read.other.valid.eq(1),
                read.other_base.eq(1),
                read.known.eq(0),
                read.spare.eq(0),
            ]
        with m.Elif(enters):
            m.d.sync += read.eq(ports.first.token)
    with m.Else():
        m.d.sync += [read.known.eq(0), read.spare.eq(0)]
        with m.If(play.again):
            # A parent is known. A name that goes on to its spare row is found as before.
            known = decide.known | (tracks.unknown & ~tracks.spare)
            m.d.sync += [read.known.eq(known), read.spare.eq(tracks.spare)]
        with m.Elif(play.slow | (decide.mode == Mode.SLOW)):
            m.d.sync += read.mode.eq(Mode.SLOW)
        with m.Elif(decide.mode == Mode.RESOLVE):
            m.d.sync += [
                read.mode.eq(Mode.CHAIN),
                Value.cast(read.name_a).eq(name_b),
                read.mask_a.eq(found_b),
                read.spare_a.eq(spare_b),
            ]
        with m.Else():
            m.d.sync += [
                read.mode.eq(Mode.CHAIN),
                read.place.eq(way.on.place),
                read.space.eq(way.on.space),
                read.colour.eq(way.on.pair.colour),
                read.a.eq(way.on.pair.a),
                Value.cast(read.name_a).eq(name_b),
                read.mask_a.eq(found_b),
                read.spare_a.eq(spare_b),
                read.b.eq(way.on.pair.b),
                read.b_base.eq(way.on.pair.b_base),
                read.other.eq(way.on.pair.other),
                read.other_base.eq(way.on.pair.other_base),
                read.both.eq(way.on.pair.both),
                read.second.eq(0),
            ]
            with m.If(decide.mode == Mode.CHAIN):
                m.d.sync += [
                    Value.cast(read.name_a).eq(name_o),
                    read.mask_a.eq(play.mask_other),
                    read.spare_a.eq(spare_o),
                    read.loops.eq(play.loops),
                    read.lines.eq(play.lines),
                    read.tiles.eq(play.tiles),
                    read.both.eq(0),
                ]
                with m.If(way.pushed.valid):
                    m.d.sync += [read.waiting.eq(decide.waiting + 1)]
                with m.If(decide.both):
                    m.d.sync += [
                        read.mode.eq(Mode.RESOLVE),
                        read.place.eq(decide.place),
                        read.space.eq(decide.space),
                        read.colour.eq(~decide.colour),
                        # The side that is left: of all four this is 0.
                        read.a.eq(decide.a ^ decide.b ^ decide.other.side),
                        read.b.eq(decide.other.side),
                        read.b_base.eq(decide.other_base),
                        read.other.valid.eq(0),
                        read.second.eq(1),
                    ]
                with m.Elif(~way.on.valid):
                    m.d.sync += [
                        read.mode.eq(Mode.REVISIT),
                        read.waiting.eq(decide.waiting - ~way.left_two),
                        read.two.eq(decide.two & ~way.left_two),
                    ]
