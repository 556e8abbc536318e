"""Search of two turns: win now, else do not let the opponent win, else stand well."""

from __future__ import annotations

from amaranth.hdl import Module, Mux
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.arbiter import core_port
from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import Verdict, rules_layout
from loopline.hdl.search.ranking import evaluate, rate, score_of
from loopline.hdl.search.steps import Choice, Job, State, Steps
from loopline.hdl.search.tries import refute, try_own, win
from loopline.hdl.search.types import NODE_BITS, Rank, answer_layout, job_layout

__all__ = ["LookAhead"]


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
    core : Out(core_port)
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
                "core": Out(core_port(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        steps, job, choice = Steps(self._grid), Job(), Choice(self._grid)
        outcome = steps.outcome
        verdict = Verdict(self.rules, outcome.loops | outcome.lines, job.colour)
        m.d.comb += job.late.eq(self.late | job.spent)
        with m.If((self.nodes == self.limit) & (self.limit != 0) & ~job.probe):
            m.d.sync += job.spent.eq(1)
        noise = evaluate(m, self.reseed, steps, job, choice)
        m.d.comb += [
            self.busy.eq(steps.state != State.IDLE),
            self.core.commands.payload.eq(steps.call),
            self.best.eq(choice.best),
            self.answers.payload.eq(self.best),
        ]
        with m.If(choice.best_value != 0):
            m.d.comb += self.best.score.eq(score_of(choice.best_value))

        with m.Switch(steps.state):
            self._begin(m, steps, job, choice)
            self._call(m, steps)
            win(m, steps, job, choice, verdict)
            try_own(m, steps, job, choice, verdict)
            refute(m, self.rules, steps, job, choice, verdict)
            rate(m, steps, job, choice, noise)
            self._end(m, steps)
        return m

    def _begin(self, m: Module, steps: Steps, job: Job, choice: Choice) -> None:
        """IDLE: waits for a job."""
        with m.Case(State.IDLE):
            m.d.comb += self.jobs.ready.eq(1)
            m.d.sync += [
                job.colour.eq(self.jobs.payload.colour),
                job.probe.eq(self.jobs.payload.probe),
                job.shallow.eq(self.jobs.payload.shallow),
                job.exact.eq(self.jobs.payload.exact),
                choice.cursor.eq(0),
                choice.has_killer.eq(0),
            ]
            with m.If(self.jobs.valid):
                m.d.sync += [
                    choice.best.rank.eq(Rank.NONE),
                    choice.best.depth.eq(0),
                    choice.best_value.eq(0),
                    self.nodes.eq(0),
                    job.spent.eq(0),
                    steps.state.eq(State.WIN_NEXT),
                ]

    def _call(self, m: Module, steps: Steps) -> None:
        """CALL, RESULT: one command to the turn unit; a job that is abandoned ends with it."""
        with m.Case(State.CALL):
            steps.send(m, self.core, tried=self.nodes)
        with m.Case(State.RESULT):
            following = Mux(self.abandon, State.IDLE, steps.then)
            steps.receive(m, self.core, following=following)

    def _end(self, m: Module, steps: Steps) -> None:
        """DONE: gives the answer."""
        with m.Case(State.DONE):
            m.d.comb += self.answers.valid.eq(1)
            with m.If(self.answers.ready):
                m.d.sync += steps.state.eq(State.IDLE)
