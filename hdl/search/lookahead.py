"""Search of two turns: win now, else do not let the opponent win, else stand well."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Colour
from loopline.hdl.arbiter import core_port
from loopline.hdl.config import SEED_BITS, GridConfig
from loopline.hdl.core.client import Client
from loopline.hdl.core.moves import cursor_layout
from loopline.hdl.core.rules import Verdict, is_limited, rules_layout
from loopline.hdl.core.types import SCORE_BITS, Status, TurnOp, turn_layout
from loopline.hdl.search.types import DEPTH, NODE_BITS, NOISE_BITS, Rank, answer_layout, job_layout

__all__ = ["LookAhead"]

_MIDDLE = 1 << (SCORE_BITS - 1)
"""The value of a score of 0."""


class State(enum.Enum, shape=4):
    """What the look-ahead does in a cycle. All codes are states."""

    IDLE = 0
    CALL = 1
    """Offer a command to the turn unit, as of :class:`Client`."""
    RESULT = 2
    """Wait for its outcome."""
    WIN_NEXT = 3
    """Is there an own turn that wins?"""
    WIN_FOUND = 4
    WIN_MADE = 5
    TRY_NEXT = 6
    """Try each own turn."""
    TRY_FOUND = 7
    TRY_MADE = 8
    REFUTE_NEXT = 9
    """Is there a reply to the own turn that wins?"""
    REFUTE_FOUND = 10
    REFUTE_MADE = 11
    SCORE = 12
    """Evaluate the position after the own turn."""
    RANK = 13
    """Keep the own turn if it is better than those before, and unmake it."""
    RANKED = 14
    DONE = 15
    """Offer the answer."""


class _Registers(Client):
    """The state, the command to the turn unit, the job, and the choice among own turns."""

    def __init__(self, grid: GridConfig):
        super().__init__(grid, State)
        # The job, and whether as many turns have been tried as may be.
        self.job = Signal(job_layout())
        self.spent = Signal()
        # Where the next own turn is looked for, and the next reply.
        self.cursor = Signal(cursor_layout(grid))
        self.reply_cursor = Signal(cursor_layout(grid))
        # The own turn, the last reply to it, and whether there was a legal one.
        self.turn = Signal(turn_layout(grid))
        self.reply = Signal(turn_layout(grid))
        self.has_reply = Signal()
        # The reply that refuted an own turn last: most likely it refutes the next one, too.
        self.killer = Signal(turn_layout(grid))
        self.has_killer = Signal()
        # How good the own turn is; whether it has been evaluated.
        self.rank = Signal(Rank)
        self.scored = Signal()
        # The best own turn and its value.
        self.best = Signal(answer_layout(grid))
        self.best_value = Signal(SCORE_BITS + 1)
        # Random numbers.
        self.noise = Signal(16, init=0xACE1)

        # Wires: no more turns are to be tried. The value of the own turn: its score from the
        # player's side as an unsigned number, with some noise; 0 if it has not been evaluated.
        self.late = Signal()
        self.value = Signal(SCORE_BITS + 1)
        # The turn has been made; there is no further candidate.
        self.legal = self.outcome.status == Status.LEGAL
        self.none_left = self.outcome.status == Status.END

    def find(self, cursor: data.View, following: State) -> list:
        """Statements: find the next candidate, from the cursor."""
        return self.core(TurnOp.NEXT, following, index=cursor.index, symbol=cursor.symbol)

    def make(self, turn: data.View, following: State) -> list:
        """Statements: make a turn."""
        return self.core(TurnOp.MAKE, following, x=turn.x, y=turn.y, symbol=turn.symbol)

    def make_found(self, cursor: data.View, following: State) -> list:
        """Statements: make the turn that was found, and move the cursor beyond it."""
        found = self.outcome.turn
        return [
            cursor.index.eq(found.index),
            cursor.symbol.eq(found.symbol.as_value() + 1),
            *self.make(found, following),
        ]


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
    reseed : In(1), seed : In(SEED_BITS)
        Begin the random points anew, from a seed; 0 is that of power-on.
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
                "seed": In(SEED_BITS),
                "rules": In(rules_layout(grid)),
                "busy": Out(1),
                "best": Out(answer_layout(grid)),
                "nodes": Out(NODE_BITS),
                "core": Out(core_port(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        r = _Registers(self._grid)
        verdict = Verdict(self.rules, r.outcome.loops | r.outcome.lines, r.job.colour)
        self._evaluate(m, r)
        self._limit(m, r)
        self._show(m, r)
        with m.Switch(r.state):
            with m.Case(State.IDLE):
                self._begin(m, r)
            with m.Case(State.CALL):
                r.send(m, self.core, tried=self.nodes)
            with m.Case(State.RESULT):
                r.receive(m, self.core, following=Mux(self.abandon, State.IDLE, r.then))
            with m.Case(State.WIN_NEXT):
                m.d.sync += r.find(r.cursor, State.WIN_FOUND)
            with m.Case(State.WIN_FOUND):
                self._win_found(m, r)
            with m.Case(State.WIN_MADE):
                self._win_made(m, r, verdict)
            with m.Case(State.TRY_NEXT):
                m.d.sync += r.find(r.cursor, State.TRY_FOUND)
            with m.Case(State.TRY_FOUND):
                self._try_found(m, r)
            with m.Case(State.TRY_MADE):
                self._try_made(m, r, verdict)
            with m.Case(State.REFUTE_NEXT):
                m.d.sync += r.find(r.reply_cursor, State.REFUTE_FOUND)
            with m.Case(State.REFUTE_FOUND):
                self._refute_found(m, r)
            with m.Case(State.REFUTE_MADE):
                self._refute_made(m, r, verdict)
            with m.Case(State.SCORE):
                m.d.sync += [r.scored.eq(1), *r.core(TurnOp.SCORE, State.RANK)]
                with m.If(~r.job.exact):
                    m.d.sync += r.noise.eq((r.noise >> 1) ^ Mux(r.noise[0], 0xB400, 0))
            with m.Case(State.RANK):
                self._rank(m, r)
            with m.Case(State.RANKED):
                m.d.sync += r.state.eq(State.TRY_NEXT)
                with m.If(r.late & (r.best.rank.as_value() >= Rank.LOSING.value)):
                    m.d.sync += r.state.eq(State.DONE)
            with m.Case(State.DONE):
                m.d.comb += self.answers.valid.eq(1)
                with m.If(self.answers.ready):
                    m.d.sync += r.state.eq(State.IDLE)
        return m

    def _evaluate(self, m: Module, r: _Registers) -> None:
        """The value of the own turn from the turn unit's score, if that is the last outcome."""
        score = r.outcome.score
        own_score = Mux(r.job.colour == Colour.RED, _MIDDLE - score, _MIDDLE + score)
        with m.If(r.scored):
            m.d.comb += r.value.eq(own_score + Mux(r.job.exact, 0, r.noise[:NOISE_BITS]))
        with m.If(self.reseed):
            # The highest bit is that of the initial value: never 0, from which no random bits come.
            m.d.sync += r.noise.eq(r.noise.init ^ self.seed)

    def _limit(self, m: Module, r: _Registers) -> None:
        m.d.comb += r.late.eq(self.late | r.spent)
        with m.If((self.nodes == self.limit) & (self.limit != 0) & ~r.job.probe):
            m.d.sync += r.spent.eq(1)

    def _show(self, m: Module, r: _Registers) -> None:
        m.d.comb += [
            self.busy.eq(r.state != State.IDLE),
            self.core.commands.payload.eq(r.call),
            self.best.eq(r.best),
            self.answers.payload.eq(self.best),
        ]
        with m.If(r.best_value != 0):
            m.d.comb += self.best.score.eq(r.best_value - _MIDDLE)

    def _begin(self, m: Module, r: _Registers) -> None:
        m.d.comb += self.jobs.ready.eq(1)
        m.d.sync += [r.job.eq(self.jobs.payload), r.cursor.eq(0), r.has_killer.eq(0)]
        with m.If(self.jobs.valid):
            m.d.sync += [
                r.best.rank.eq(Rank.NONE),
                r.best.depth.eq(0),
                r.best_value.eq(0),
                self.nodes.eq(0),
                r.spent.eq(0),
                r.state.eq(State.WIN_NEXT),
            ]

    def _win_found(self, m: Module, r: _Registers) -> None:
        m.d.sync += [r.turn.eq(r.outcome.turn), *r.make_found(r.cursor, State.WIN_MADE)]
        with m.If(r.none_left | (r.late & ~r.job.probe)):
            m.d.sync += [
                r.cursor.eq(0),
                r.best.depth.eq(r.none_left),
                r.state.eq(State.TRY_NEXT),
            ]

    def _win_made(self, m: Module, r: _Registers, verdict: Verdict) -> None:
        with m.If(~r.legal):
            m.d.sync += r.state.eq(State.WIN_NEXT)
        with m.Elif(verdict.wins | r.job.probe):
            m.d.sync += [r.best.turn.eq(r.turn), r.best.rank.eq(Rank.WIN), r.best.depth.eq(1)]
            m.d.sync += r.core(TurnOp.UNMAKE, State.DONE)
        with m.Else():
            m.d.sync += r.core(TurnOp.UNMAKE, State.WIN_NEXT)

    def _try_found(self, m: Module, r: _Registers) -> None:
        m.d.sync += [r.turn.eq(r.outcome.turn), *r.make_found(r.cursor, State.TRY_MADE)]
        with m.If(r.none_left):
            m.d.sync += r.state.eq(State.DONE)
            with m.If(~r.late & ~r.job.shallow):
                m.d.sync += r.best.depth.eq(DEPTH)

    def _try_made(self, m: Module, r: _Registers, verdict: Verdict) -> None:
        def rank(rank: Rank, following: State) -> list:
            return [r.rank.eq(rank), r.state.eq(following)]

        m.d.sync += [r.reply_cursor.eq(0), r.scored.eq(0), r.has_reply.eq(0)]
        with m.If(~r.legal):
            m.d.sync += r.state.eq(State.TRY_NEXT)
        with m.Elif(verdict.wins):
            # Only when there was no time to look for it before.
            m.d.sync += rank(Rank.WIN, State.RANK)
        with m.Elif(verdict.loses):
            m.d.sync += rank(Rank.SUICIDE, State.RANK)
        with m.Elif(verdict.draws):
            m.d.sync += rank(Rank.DRAW, State.RANK)
        with m.Elif(r.late):
            m.d.sync += rank(Rank.UNKNOWN, State.RANK)
        with m.Elif(r.job.shallow):
            m.d.sync += rank(Rank.UNKNOWN, State.SCORE)
        with m.Elif(r.has_killer):
            m.d.sync += [r.reply.eq(r.killer), *r.make(r.killer, State.REFUTE_MADE)]
        with m.Else():
            m.d.sync += r.state.eq(State.REFUTE_NEXT)

    def _refute_found(self, m: Module, r: _Registers) -> None:
        m.d.sync += [r.reply.eq(r.outcome.turn), *r.make_found(r.reply_cursor, State.REFUTE_MADE)]
        with m.If(r.none_left & ~r.has_reply & is_limited(self.rules)):
            m.d.sync += [r.rank.eq(Rank.DRAW), r.state.eq(State.RANK)]
        with m.Elif(r.none_left):
            m.d.sync += [r.rank.eq(Rank.SAFE), r.state.eq(State.SCORE)]
        with m.Elif(r.late):
            m.d.sync += [r.rank.eq(Rank.UNKNOWN), r.state.eq(State.RANK)]

    def _refute_made(self, m: Module, r: _Registers, verdict: Verdict) -> None:
        m.d.sync += r.has_reply.eq(r.has_reply | r.legal)
        with m.If(~r.legal):
            m.d.sync += r.state.eq(State.REFUTE_NEXT)
        with m.Elif(verdict.loses):
            m.d.sync += [
                r.rank.eq(Rank.LOSING),
                r.killer.eq(r.reply),
                r.has_killer.eq(1),
                *r.core(TurnOp.UNMAKE, State.SCORE),
            ]
        with m.Else():
            m.d.sync += r.core(TurnOp.UNMAKE, State.REFUTE_NEXT)

    def _rank(self, m: Module, r: _Registers) -> None:
        better = (r.rank.as_value() > r.best.rank.as_value()) | (
            (r.rank == r.best.rank) & (r.value > r.best_value)
        )
        with m.If(better):
            m.d.sync += [
                r.best.turn.eq(r.turn),
                r.best.rank.eq(r.rank),
                r.best.reply.eq(r.reply),
                r.best_value.eq(r.value),
            ]
        m.d.sync += r.core(TurnOp.UNMAKE, State.RANKED)
