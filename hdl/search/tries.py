"""The states of the look-ahead that try turns: for a win, all own ones, and the replies to each."""

from __future__ import annotations

from amaranth.hdl import Module
from amaranth.lib import data

from loopline.hdl.core.rules import Verdict, is_limited
from loopline.hdl.core.types import TurnOp
from loopline.hdl.search.steps import Choice, Job, State, Steps
from loopline.hdl.search.types import DEPTH, Rank

__all__ = ["refute", "try_own", "win"]


def win(m: Module, steps: Steps, job: Job, choice: Choice, verdict: Verdict) -> None:
    """WIN_NEXT, WIN_FOUND, WIN_MADE: is there an own turn that wins? A probe is content with
    any."""
    state, best = steps.state, choice.best
    with m.Case(State.WIN_NEXT):
        m.d.sync += steps.find(choice.cursor, State.WIN_FOUND)

    with m.Case(State.WIN_FOUND):
        m.d.sync += [
            choice.turn.eq(steps.outcome.turn),
            steps.make_found(choice.cursor, State.WIN_MADE),
        ]
        with m.If(steps.none_left | (job.late & ~job.probe)):
            m.d.sync += [
                choice.cursor.eq(0),
                best.depth.eq(steps.none_left),
                state.eq(State.TRY_NEXT),
            ]

    with m.Case(State.WIN_MADE):
        with m.If(~steps.legal):
            m.d.sync += state.eq(State.WIN_NEXT)
        with m.Elif(verdict.wins | job.probe):
            m.d.sync += [best.turn.eq(choice.turn), best.rank.eq(Rank.WIN), best.depth.eq(1)]
            m.d.sync += steps.core(TurnOp.UNMAKE, State.DONE)
        with m.Else():
            m.d.sync += steps.core(TurnOp.UNMAKE, State.WIN_NEXT)


def try_own(m: Module, steps: Steps, job: Job, choice: Choice, verdict: Verdict) -> None:
    """TRY_NEXT, TRY_FOUND, TRY_MADE: each own turn. What can the opponent do?"""
    state, rank = steps.state, choice.rank
    with m.Case(State.TRY_NEXT):
        m.d.sync += steps.find(choice.cursor, State.TRY_FOUND)

    with m.Case(State.TRY_FOUND):
        m.d.sync += [
            choice.turn.eq(steps.outcome.turn),
            steps.make_found(choice.cursor, State.TRY_MADE),
        ]
        with m.If(steps.none_left):
            m.d.sync += state.eq(State.DONE)
            with m.If(~job.late & ~job.shallow):
                m.d.sync += choice.best.depth.eq(DEPTH)

    with m.Case(State.TRY_MADE):
        m.d.sync += [choice.reply_cursor.eq(0), choice.scored.eq(0), choice.has_reply.eq(0)]
        with m.If(~steps.legal):
            m.d.sync += state.eq(State.TRY_NEXT)
        with m.Elif(verdict.wins):
            # Only when there was no time to look for it before.
            m.d.sync += [rank.eq(Rank.WIN), state.eq(State.RANK)]
        with m.Elif(verdict.loses):
            m.d.sync += [rank.eq(Rank.SUICIDE), state.eq(State.RANK)]
        with m.Elif(verdict.draws):
            m.d.sync += [rank.eq(Rank.DRAW), state.eq(State.RANK)]
        with m.Elif(job.late):
            m.d.sync += [rank.eq(Rank.UNKNOWN), state.eq(State.RANK)]
        with m.Elif(job.shallow):
            m.d.sync += [rank.eq(Rank.UNKNOWN), state.eq(State.SCORE)]
        with m.Elif(choice.has_killer):
            m.d.sync += [
                choice.reply.eq(choice.killer),
                steps.make(choice.killer, State.REFUTE_MADE),
            ]
        with m.Else():
            m.d.sync += state.eq(State.REFUTE_NEXT)


def refute(
    m: Module, rules: data.View, steps: Steps, job: Job, choice: Choice, verdict: Verdict
) -> None:
    """REFUTE_NEXT, REFUTE_FOUND, REFUTE_MADE: each reply to an own turn. Does it win?"""
    state, rank = steps.state, choice.rank
    with m.Case(State.REFUTE_NEXT):
        m.d.sync += steps.find(choice.reply_cursor, State.REFUTE_FOUND)

    with m.Case(State.REFUTE_FOUND):
        m.d.sync += [
            choice.reply.eq(steps.outcome.turn),
            steps.make_found(choice.reply_cursor, State.REFUTE_MADE),
        ]
        with m.If(steps.none_left & ~choice.has_reply & is_limited(rules)):
            m.d.sync += [rank.eq(Rank.DRAW), state.eq(State.RANK)]
        with m.Elif(steps.none_left):
            m.d.sync += [rank.eq(Rank.SAFE), state.eq(State.SCORE)]
        with m.Elif(job.late):
            m.d.sync += [rank.eq(Rank.UNKNOWN), state.eq(State.RANK)]

    with m.Case(State.REFUTE_MADE):
        m.d.sync += choice.has_reply.eq(choice.has_reply | steps.legal)
        with m.If(~steps.legal):
            m.d.sync += state.eq(State.REFUTE_NEXT)
        with m.Elif(verdict.loses):
            m.d.sync += [
                rank.eq(Rank.LOSING),
                choice.killer.eq(choice.reply),
                choice.has_killer.eq(1),
                steps.core(TurnOp.UNMAKE, State.SCORE),
            ]
        with m.Else():
            m.d.sync += steps.core(TurnOp.UNMAKE, State.REFUTE_NEXT)
