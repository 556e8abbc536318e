"""The stage DECIDE: what a forced play does, and what becomes of the candidate."""

from __future__ import annotations

from typing import NamedTuple

from amaranth.hdl import Cat, Module, Mux, Signal, Value

from loopline.game import Colour
from loopline.hdl.core.types import Status
from loopline.hdl.evaluator.chain.ring import Ring
from loopline.hdl.evaluator.chain.stage_join import Joined
from loopline.hdl.evaluator.chain.stage_read import Read
from loopline.hdl.evaluator.sides import by_colour, is_line
from loopline.hdl.evaluator.types import Mode

__all__ = ["Decided", "decide_stage", "offer_evaluation", "reply_to_fetches"]


class Decided(NamedTuple):
    """What DECIDE makes of a token, in the same cycle.

    - ``loops``, ``lines``, ``tiles``: the candidate's, with this play;
    - ``exits_pair``, ``exits_other``: of the pair's track and of the other colour's;
    - ``writes_a``, ``writes_other``: the play writes a row of the union-find for the track at
      ``a``, and for the other colour's;
    - ``recirculates``: the token goes round once more as it was;
    - ``to_slow_path``: the candidate is left to the slow path;
    - ``writes``: the play is made and written, as others follow;
    - ``over``: the candidate is evaluated, by its last play;
    - ``ended``: the candidate is evaluated, by its last play or since it is illegal;
    - ``vacant``: the token was no candidate's;
    - ``free``: the place is free for another token.
    """

    loops: Value
    lines: Value
    tiles: Value
    exits_pair: Value
    exits_other: Value
    writes_a: Value
    writes_other: Value
    recirculates: Value
    to_slow_path: Value
    writes: Value
    over: Value
    ended: Value
    vacant: Value
    free: Value


def decide_stage(m: Module, ring: Ring, joined: Joined) -> Decided:
    """Work out what the play does, and what becomes of the candidate."""
    join, decide, deferred = ring.join, ring.decide, ring.deferred
    tracks, route = joined
    exits_pair = decide.exits_a | by_colour(tracks.exits, decide.colour)
    exits_other = by_colour(tracks.exits, ~decide.colour) | route.exits
    decided = Decided(
        loops=Signal(2, name="loops"),
        lines=Signal(2, name="lines"),
        tiles=Signal.like(decide.tiles, name="tiles"),
        exits_pair=exits_pair,
        exits_other=exits_other,
        writes_a=Signal(name="writes_a"),
        writes_other=Signal(name="writes_other"),
        recirculates=Signal(name="recirculates"),
        to_slow_path=Signal(name="to_slow_path"),
        writes=Signal(name="writes"),
        over=Signal(name="over"),
        ended=Signal(name="ended"),
        vacant=Signal(init=1, name="vacant"),
        free=Signal(name="free"),
    )
    completes = Signal(2)
    m.d.comb += [
        decided.loops.eq(decide.loops | (tracks.same << decide.colour)[:2]),
        completes.eq(
            ((~tracks.same & is_line(exits_pair)) << decide.colour)
            | ((route.open_edges & is_line(exits_other)) << ~decide.colour)
        ),
        decided.lines.eq(decide.lines | completes),
        decided.tiles.eq(decide.tiles + ~decide.second),
        decided.writes_a.eq(
            route.writes_pair & (route.has_exits_a | by_colour(tracks.has_exits, decide.colour))
        ),
        decided.writes_other.eq(
            route.goes_on & (route.has_exits_other | by_colour(tracks.has_exits, ~decide.colour))
        ),
    ]

    # The write port of a union-find may be taken by the row that the play before has deferred.
    blocked = deferred.valid & Mux(
        deferred.colour == decide.colour, route.writes_pair, decided.writes_other
    )
    unresolved = tracks.unresolved.any()
    cannot_go_on = route.needs_slow_path | tracks.both_ways_taken.any()
    chain = decide.mode == Mode.CHAIN
    works = chain | (decide.mode == Mode.RESOLVE) | (decide.mode == Mode.REVISIT)
    m.d.comb += [
        decided.recirculates.eq(
            works & ~route.illegal & ~cannot_go_on & (unresolved | (chain & blocked))
        ),
        decided.to_slow_path.eq(works & ~route.illegal & cannot_go_on),
        # A play that turns out illegal, or is left to the slow path, is written as well: then the
        # candidate goes no further, and what was written is never read.
        decided.writes.eq(route.more & ~unresolved & ~blocked),
    ]

    # The last play writes nothing, so no write port can block it.
    decide_unresolved = Signal()
    m.d.sync += [
        decide_unresolved.eq(tracks.join_unresolved.any()),
        decided.vacant.eq((join.mode == Mode.EMPTY) | (join.mode == Mode.FETCH)),
    ]
    m.d.comb += [
        decided.over.eq(
            route.last_play & (route.illegal | ~(route.needs_slow_path | decide_unresolved))
        ),
        decided.ended.eq(decided.over | (route.more & route.illegal)),
        decided.free.eq(decided.vacant | decided.ended | ring.ports.slow),
    ]
    return decided


def offer_evaluation(m: Module, ring: Ring, joined: Joined, decided: Decided) -> None:
    """Offer the evaluation of a candidate, ask for the slow path, and tell what the chain does."""
    ports, decide = ring.ports, ring.decide
    evaluation = ports.evaluation
    m.d.comb += [
        ports.evaluation_valid.eq(decided.ended | ports.slow),
        evaluation.index.eq(decide.index),
        evaluation.symbol.eq(decide.symbol),
        evaluation.growth.eq(decide.growth),
        evaluation.status.eq(Mux(joined.route.illegal, Status.FORCED, Status.LEGAL)),
        evaluation.tiles.eq(decided.tiles),
        evaluation.loops.eq(decided.loops),
        evaluation.lines.eq(decided.lines),
    ]
    with m.If(decide.mode == Mode.SLOW):
        m.d.comb += [
            evaluation.status.eq(ports.slow_outcome.status),
            evaluation.tiles.eq(ports.slow_outcome.tiles),
            evaluation.loops.eq(ports.slow_outcome.loops),
            evaluation.lines.eq(ports.slow_outcome.lines),
        ]
    settled = Cat(
        (token.mode == Mode.SLOW) | (token.mode == Mode.EMPTY) for token in ring.tokens
    ).all()
    # While a token waits for the slow path none enters, so what is settled stays so for a round.
    m.d.sync += ports.slow.eq((ring.join.mode == Mode.SLOW) & settled)
    m.d.comb += [
        ports.idle.eq(Cat(token.mode == Mode.EMPTY for token in ring.tokens).all()),
        ports.slot.mode.eq(decide.mode),
        ports.slot.recirculates.eq(decided.recirculates),
        ports.slot.ended.eq(ports.evaluation_valid),
        ports.slot.wiping.eq(ring.epochs.wiping),
    ]


def reply_to_fetches(m: Module, ring: Ring, read: Read, joined: Joined) -> None:
    """Reply to a fetch: to its cells while it is in PICK, to its tracks while it is in DECIDE."""
    reply, tracks = ring.ports.reply, joined.tracks
    m.d.comb += [
        reply.cells_valid.eq(ring.pick.mode == Mode.FETCH),
        reply.outside.eq(read.pick_outside),
        reply.tracks_valid.eq(ring.decide.mode == Mode.FETCH),
        reply.tracks.ids.eq(Cat(Value.cast(track_id) for track_id in tracks.ids)),
        *(reply.tracks.exits[colour].eq(tracks.exits[colour]) for colour in Colour),
    ]
