"""Search of two turns: win now, else do not let the opponent win, else stand well."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal, signed
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Colour
from loopline.hdl.config import GridConfig
from loopline.hdl.core.moves import cursor_layout
from loopline.hdl.core.rules import Verdict, is_limited, rules_layout
from loopline.hdl.core.types import (
    SCORE_BITS,
    Status,
    TurnOp,
    command_layout,
    outcome_layout,
    turn_layout,
)

__all__ = ["DEPTH", "NODE_BITS", "NOISE_BITS", "LookAhead", "Rank", "answer_layout", "job_layout"]

DEPTH = 2
"""How many turns it looks ahead."""

NODE_BITS = 32
"""Width of the number of turns that a search tries."""

NOISE_BITS = 2
"""Random points, 0 to 3, on top of each evaluation: equal turns are not always played alike."""


class Rank(enum.Enum, shape=3):
    """How good a candidate is, before any evaluation. Larger is better."""

    NONE = 0
    """No candidate was found yet."""
    SUICIDE = 1
    """It completes a track of the opponent's and none of the player's own."""
    LOSING = 2
    """The opponent can win with the next turn."""
    UNKNOWN = 3
    """Time ran out before all replies were tried."""
    DRAW = 4
    """It ends the game as a draw, as some variants have it."""
    SAFE = 5
    """The opponent cannot win with the next turn."""
    WIN = 6
    """It completes a track of the player's own."""


def job_layout() -> data.StructLayout:
    """What to search for: a turn of this colour; with ``probe`` whether there is a legal one.

    ``shallow``: do not look at the replies. ``exact``: add no random points.
    """
    return data.StructLayout({"colour": 1, "probe": 1, "shallow": 1, "exact": 1})


def answer_layout(grid: GridConfig) -> data.StructLayout:
    """The best turn and its rank; ``Rank.NONE`` if there is no legal turn that fits the grid.

    ``score``: the evaluation after it, from the player's side, 0 if none was made. ``reply``: the
    one that refutes it, if it is ``LOSING``. ``depth``: how many turns ahead all were tried; 1 also
    for a win in one. Of a probe's answer nothing but ``rank`` has a meaning.
    """
    return data.StructLayout(
        {
            "turn": turn_layout(grid),
            "rank": Rank,
            "score": signed(SCORE_BITS),
            "reply": turn_layout(grid),
            "depth": range(DEPTH + 1),
        }
    )


class LookAhead(wiring.Component):
    """Chooses a turn by trying all of its own, and all of the opponent's replies to each.

    ::

        job ──► WIN: any own turn that wins? ──yes──────────────────────────────► answer
                 │ no                                                               ▲
                 ▼                                                                  │
                TRY: each own turn ──► REFUTE: each reply ──► SCORE ──► RANK ─ all ─┘
                 ▲                     one that wins?         tracks'    keep  tried, or late
                 │                                            ends       best
                 └────────────────────────────────────────────────────────┘

    A probe ends with the first turn that is legal. Where the area is limited, a turn that leaves
    the opponent no legal one is a draw.

    The position is left as it was found. With ``late``, or when ``limit`` turns have been tried,
    the best turn so far is the answer, after at most one more own turn has been tried.

    Latency: for ``n`` own turns and ``m`` replies to each about ``n * m`` times the turn unit's
    time to try a turn (make, take back, find the next). An own turn that loses costs little: the
    reply that refuted the one before is tried first. So a turn that parries the opponent's attack
    is found soon, if there is one.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    jobs : In(stream of job_layout), answers : Out(stream of answer_layout)
        One answer for each job that is not abandoned.
    late : In(1)
        Time has run out. Stays high until the answer.
    limit : In(NODE_BITS)
        The most turns to try, of both sides; 0 for any number. A probe has no limit.
    abandon : In(1)
        Drop the job, once the turn unit has finished its operation; the position is undefined
        then. An answer that is offered already stays on offer.
    reseed : In(1)
        Let the random points begin as after power-on.
    rules : In(rules_layout)
        The variant that is played.
    busy : Out(1)
        A job is being worked on, or its answer is on offer.
    best : Out(answer_layout)
        The best turn so far; the answer, from then to the next job.
    nodes : Out(NODE_BITS)
        How many turns were tried, likewise.
    core_commands : Out(stream of command_layout), core_outcomes : In(stream of outcome_layout)
        The turn unit.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "jobs": In(stream.Signature(job_layout())),
                "answers": Out(stream.Signature(answer_layout(grid))),
                "late": In(1),
                "limit": In(NODE_BITS),
                "abandon": In(1),
                "reseed": In(1),
                "rules": In(rules_layout(grid)),
                "busy": Out(1),
                "best": Out(answer_layout(grid)),
                "nodes": Out(NODE_BITS),
                "core_commands": Out(stream.Signature(command_layout(grid))),
                "core_outcomes": In(stream.Signature(outcome_layout(grid))),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._grid

        class State(enum.Enum, shape=4):
            IDLE = 0
            CALL = 1
            RESULT = 2
            WIN_NEXT = 3
            WIN_FOUND = 4
            WIN_JUDGE = 5
            TRY_NEXT = 6
            TRY_FOUND = 7
            TRY_JUDGE = 8
            REFUTE_NEXT = 9
            REFUTE_FOUND = 10
            REFUTE_JUDGE = 11
            SCORE = 12
            RANK = 13
            RANKED = 14
            DONE = 15

        state, then = Signal(State, name="state"), Signal(State, name="then")
        call = Signal(command_layout(grid))
        outcome = Signal(outcome_layout(grid))
        colour, probe, shallow, exact = Signal(), Signal(), Signal(), Signal()
        # No more turns are to be tried: the time, or the nodes, are used up.
        spent, late = Signal(), Signal()
        m.d.comb += late.eq(self.late | spent)
        with m.If((self.nodes == self.limit) & (self.limit != 0) & ~probe):
            m.d.sync += spent.eq(1)
        cursor, reply_cursor = Signal(cursor_layout(grid)), Signal(cursor_layout(grid))
        turn, reply = Signal(turn_layout(grid)), Signal(turn_layout(grid))
        # The reply that refuted an own turn last: most likely it refutes the next one, too.
        killer, has_killer = Signal(turn_layout(grid)), Signal()
        rank = Signal(Rank)
        scored = Signal()
        has_reply = Signal()
        best = Signal(answer_layout(grid))
        best_value = Signal(SCORE_BITS + 1)

        def core(op: TurnOp, following: State, **fields):
            """Have the turn unit do ``op`` and go on in ``following`` with its ``outcome``."""
            return [
                call.op.eq(op),
                *(call[name].eq(value) for name, value in fields.items()),
                then.eq(following),
                state.eq(State.CALL),
            ]

        def next_candidate(at: data.View, following: State):
            return core(TurnOp.NEXT, following, index=at.index, symbol=at.symbol)

        def place_found(at: data.View, following: State):
            """Make the turn that was found, and move the cursor beyond it."""
            found = outcome.turn
            return [
                at.index.eq(found.index),
                at.symbol.eq(found.symbol.as_value() + 1),
                *core(TurnOp.PLACE, following, x=found.x, y=found.y, symbol=found.symbol),
            ]

        legal = outcome.status == Status.LEGAL
        none_left = outcome.status == Status.END
        verdict = Verdict(self.rules, outcome.loops | outcome.lines, colour)

        # The score from the player's own side, as an unsigned number, with some noise.
        noise = Signal(16, init=0xACE1)
        middle = 1 << (SCORE_BITS - 1)
        own_score = Mux(colour == Colour.RED, middle - outcome.score, middle + outcome.score)
        with m.If(self.reseed):
            m.d.sync += noise.eq(noise.init)
        value = Signal.like(best_value)
        with m.If(scored):
            m.d.comb += value.eq(own_score + Mux(exact, 0, noise[:NOISE_BITS]))

        m.d.comb += [
            self.busy.eq(state != State.IDLE),
            self.core_commands.payload.eq(call),
            self.best.eq(best),
            self.answers.payload.eq(self.best),
        ]
        with m.If(best_value != 0):
            m.d.comb += self.best.score.eq(best_value - middle)
        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.comb += self.jobs.ready.eq(1)
                m.d.sync += [
                    colour.eq(self.jobs.payload.colour),
                    probe.eq(self.jobs.payload.probe),
                    shallow.eq(self.jobs.payload.shallow),
                    exact.eq(self.jobs.payload.exact),
                    cursor.eq(0),
                    has_killer.eq(0),
                ]
                with m.If(self.jobs.valid):
                    m.d.sync += [
                        best.rank.eq(Rank.NONE),
                        best.depth.eq(0),
                        best_value.eq(0),
                        self.nodes.eq(0),
                        spent.eq(0),
                        state.eq(State.WIN_NEXT),
                    ]

            # One operation of the turn unit.
            with m.Case(State.CALL):
                m.d.comb += self.core_commands.valid.eq(1)
                with m.If(self.core_commands.ready):
                    m.d.sync += state.eq(State.RESULT)
                    with m.If(call.op == TurnOp.PLACE):
                        m.d.sync += self.nodes.eq(self.nodes + 1)
            with m.Case(State.RESULT):
                m.d.comb += self.core_outcomes.ready.eq(1)
                with m.If(self.core_outcomes.valid):
                    m.d.sync += [
                        outcome.eq(self.core_outcomes.payload),
                        state.eq(Mux(self.abandon, State.IDLE, then)),
                    ]

            # Is there an own turn that wins? A probe is content with any.
            with m.Case(State.WIN_NEXT):
                m.d.sync += next_candidate(cursor, State.WIN_FOUND)
            with m.Case(State.WIN_FOUND):
                m.d.sync += [turn.eq(outcome.turn), place_found(cursor, State.WIN_JUDGE)]
                with m.If(none_left | (late & ~probe)):
                    m.d.sync += [cursor.eq(0), best.depth.eq(none_left), state.eq(State.TRY_NEXT)]
            with m.Case(State.WIN_JUDGE):
                with m.If(~legal):
                    m.d.sync += state.eq(State.WIN_NEXT)
                with m.Elif(verdict.wins | probe):
                    m.d.sync += [best.turn.eq(turn), best.rank.eq(Rank.WIN), best.depth.eq(1)]
                    m.d.sync += core(TurnOp.UNDO, State.DONE)
                with m.Else():
                    m.d.sync += core(TurnOp.UNDO, State.WIN_NEXT)

            # Each own turn: what can the opponent do?
            with m.Case(State.TRY_NEXT):
                m.d.sync += next_candidate(cursor, State.TRY_FOUND)
            with m.Case(State.TRY_FOUND):
                m.d.sync += [turn.eq(outcome.turn), place_found(cursor, State.TRY_JUDGE)]
                with m.If(none_left):
                    m.d.sync += state.eq(State.DONE)
                    with m.If(~late & ~shallow):
                        m.d.sync += best.depth.eq(DEPTH)
            with m.Case(State.TRY_JUDGE):
                m.d.sync += [reply_cursor.eq(0), scored.eq(0), has_reply.eq(0)]
                with m.If(~legal):
                    m.d.sync += state.eq(State.TRY_NEXT)
                with m.Elif(verdict.wins):
                    # Only when there was no time to look for it before.
                    m.d.sync += [rank.eq(Rank.WIN), state.eq(State.RANK)]
                with m.Elif(verdict.loses):
                    m.d.sync += [rank.eq(Rank.SUICIDE), state.eq(State.RANK)]
                with m.Elif(verdict.draws):
                    m.d.sync += [rank.eq(Rank.DRAW), state.eq(State.RANK)]
                with m.Elif(late):
                    m.d.sync += [rank.eq(Rank.UNKNOWN), state.eq(State.RANK)]
                with m.Elif(shallow):
                    m.d.sync += [rank.eq(Rank.UNKNOWN), state.eq(State.SCORE)]
                with m.Elif(has_killer):
                    m.d.sync += [
                        reply.eq(killer),
                        core(
                            TurnOp.PLACE,
                            State.REFUTE_JUDGE,
                            x=killer.x,
                            y=killer.y,
                            symbol=killer.symbol,
                        ),
                    ]
                with m.Else():
                    m.d.sync += state.eq(State.REFUTE_NEXT)

            with m.Case(State.REFUTE_NEXT):
                m.d.sync += next_candidate(reply_cursor, State.REFUTE_FOUND)
            with m.Case(State.REFUTE_FOUND):
                m.d.sync += [
                    reply.eq(outcome.turn),
                    place_found(reply_cursor, State.REFUTE_JUDGE),
                ]
                with m.If(none_left & ~has_reply & is_limited(self.rules)):
                    m.d.sync += [rank.eq(Rank.DRAW), state.eq(State.RANK)]
                with m.Elif(none_left):
                    m.d.sync += [rank.eq(Rank.SAFE), state.eq(State.SCORE)]
                with m.Elif(late):
                    m.d.sync += [rank.eq(Rank.UNKNOWN), state.eq(State.RANK)]
            with m.Case(State.REFUTE_JUDGE):
                m.d.sync += has_reply.eq(has_reply | legal)
                with m.If(~legal):
                    m.d.sync += state.eq(State.REFUTE_NEXT)
                with m.Elif(verdict.loses):
                    m.d.sync += [
                        rank.eq(Rank.LOSING),
                        killer.eq(reply),
                        has_killer.eq(1),
                        core(TurnOp.UNDO, State.SCORE),
                    ]
                with m.Else():
                    m.d.sync += core(TurnOp.UNDO, State.REFUTE_NEXT)

            # The verdict on this own turn.
            with m.Case(State.SCORE):
                m.d.sync += [
                    scored.eq(1),
                    core(TurnOp.SCORE, State.RANK),
                ]
                with m.If(~exact):
                    m.d.sync += noise.eq((noise >> 1) ^ Mux(noise[0], 0xB400, 0))
            with m.Case(State.RANK):
                better = (rank.as_value() > best.rank.as_value()) | (
                    (rank == best.rank) & (value > best_value)
                )
                with m.If(better):
                    m.d.sync += [
                        best.turn.eq(turn),
                        best.rank.eq(rank),
                        best.reply.eq(reply),
                        best_value.eq(value),
                    ]
                m.d.sync += core(TurnOp.UNDO, State.RANKED)
            with m.Case(State.RANKED):
                m.d.sync += state.eq(State.TRY_NEXT)
                with m.If(late & (best.rank.as_value() >= Rank.LOSING.value)):
                    m.d.sync += state.eq(State.DONE)

            with m.Case(State.DONE):
                m.d.comb += self.answers.valid.eq(1)
                with m.If(self.answers.ready):
                    m.d.sync += state.eq(State.IDLE)
        return m
