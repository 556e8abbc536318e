"""What an own turn is worth, and the states that keep the best one."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal, Value

from loopline.game import Colour
from loopline.hdl.core.types import SCORE_BITS, TurnOp
from loopline.hdl.search.steps import Choice, Job, State, Steps
from loopline.hdl.search.types import NOISE_BITS, Rank

__all__ = ["evaluate", "rate", "score_of"]

_MIDDLE = 1 << (SCORE_BITS - 1)
"""The value of a score of 0."""


def score_of(value: Value) -> Value:
    """The score, from the player's side, that has this value."""
    return value - _MIDDLE


def evaluate(m: Module, reseed: Value, steps: Steps, job: Job, choice: Choice) -> Signal:
    """Work out ``choice.value`` from the turn unit's score, if that is its last outcome. Returns
    the random numbers, which begin as after power-on with ``reseed``."""
    noise = Signal(16, init=0xACE1)
    score = steps.outcome.score
    own_score = Mux(job.colour == Colour.RED, _MIDDLE - score, _MIDDLE + score)
    with m.If(reseed):
        m.d.sync += noise.eq(noise.init)
    with m.If(choice.scored):
        m.d.comb += choice.value.eq(own_score + Mux(job.exact, 0, noise[:NOISE_BITS]))
    return noise


def rate(m: Module, steps: Steps, job: Job, choice: Choice, noise: Signal) -> None:
    """SCORE, RANK, RANKED: evaluates the position after an own turn, takes the turn back, and
    keeps it if it is better than those before."""
    best, rank, value = choice.best, choice.rank, choice.value
    with m.Case(State.SCORE):
        m.d.sync += [choice.scored.eq(1), steps.core(TurnOp.SCORE, State.RANK)]
        with m.If(~job.exact):
            m.d.sync += noise.eq((noise >> 1) ^ Mux(noise[0], 0xB400, 0))

    with m.Case(State.RANK):
        better = (rank.as_value() > best.rank.as_value()) | (
            (rank == best.rank) & (value > choice.best_value)
        )
        with m.If(better):
            m.d.sync += [
                best.turn.eq(choice.turn),
                best.rank.eq(rank),
                best.reply.eq(choice.reply),
                choice.best_value.eq(value),
            ]
        m.d.sync += steps.core(TurnOp.UNMAKE, State.RANKED)

    with m.Case(State.RANKED):
        m.d.sync += steps.state.eq(State.TRY_NEXT)
        with m.If(job.late & (best.rank.as_value() >= Rank.LOSING.value)):
            m.d.sync += steps.state.eq(State.DONE)
