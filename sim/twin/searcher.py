"""The search for those who want a turn: limits in, the best turn out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from loopline.game import Position, Shape, Turn

from .config import SearchConfig
from .frames import (
    BEST,
    BEST_MOVE,
    CYCLE_LIMIT,
    CYCLES,
    INFINITE,
    MATE,
    MATE_BOUND,
    NODE_LIMIT,
    NODES,
    PAUSE_AT,
    PAUSED,
    ROOT_MOVER,
    ROOT_WIN,
    STOP,
    new_memory,
)
from .position import TwinPosition
from .root import begin_iteration, bring_to_front, open_root
from .scan import new_scanner
from .search import run
from .tables import HASH_HALF, NO_MOVE, hash_of
from .weights import Weights, read_weights

__all__ = ["Best", "Found", "Limits", "Searcher", "score_text"]

_CHUNK = 2000
"""Nodes between two looks at the clock: about two milliseconds."""

_NO_LIMIT = 1 << 62

_VARIED_TURNS = 8
"""With a seed, turns up to this number of the game are varied."""

_NOISE = 48
"""And the value of each is raised by less than this, a third of a factor of e in the odds."""


class Limits(NamedTuple):
    """When a search ends: at whichever comes first.

    Attributes
    ----------
    depth, nodes, cycles : int or None
        Iterations; nodes; clock cycles by the cost model.
    seconds : float or None
        Of the wall clock, from the call on.
    """

    depth: int | None = None
    nodes: int | None = None
    cycles: int | None = None
    seconds: float | None = None


class Found(NamedTuple):
    """What a search has found so far.

    Attributes
    ----------
    turn : Turn
        The best turn.
    score : int
        Its score for the player to move; from ``MATE_BOUND`` on a forced win, in
        ``MATE - score`` turns of both sides.
    depth : int
        The last iteration that was finished; 0 before the first one.
    nodes, cycles : int
        Turns that were made and looked at; clock cycles by the cost model.
    line : tuple of Turn
        The principal variation, beginning with the turn.
    seconds : float
        Since the call.
    """

    turn: Turn
    score: int
    depth: int
    nodes: int
    cycles: int
    line: tuple[Turn, ...]
    seconds: float


def score_text(score: int) -> str:
    """A score as it is shown: points, or in how many turns of both sides the game is won."""
    if abs(score) < MATE_BOUND:
        return f"{score:+d}"
    return f"{'win' if score > 0 else 'loss'} in {MATE - abs(score)}"


@dataclass
class Best:
    """The best of the iterations so far: the move, its score, the iteration, the variation."""

    move: int
    score: int
    depth: int
    line: list[int]


class Searcher:
    """Finds turns. Every search begins with empty tables, so that the same one finds the same.

    Parameters
    ----------
    config : SearchConfig
        How it searches.
    weights : Weights or None
        The evaluation; none for the default.

    Raises
    ------
    WeightsError
        If the weights cannot be read or are too wide.
    """

    def __init__(self, config: SearchConfig | None = None, weights: Weights | None = None) -> None:
        self.config = config or SearchConfig()
        self.weights = weights or read_weights()
        self.weights.check(self.config.widths.weight)
        largest = (1 << (self.config.widths.evaluation - 1)) - 1
        self.scanner = new_scanner(
            *self.weights.rows(), self.weights.tempo, self.config.attacks, largest
        )
        self.memory = new_memory(self.config)

    def warm_up(self) -> None:
        """Load what is compiled, so that the first search is as fast as all others."""
        position = Position()
        position.play("@0/")
        self.search(position, Limits(depth=2))

    def search(
        self,
        position: Position,
        limits: Limits,
        *,
        seed: int | None = None,
        stopped: Callable[[], bool] = lambda: False,
        report: Callable[[Found], None] | None = None,
    ) -> Found:
        """Find a turn for the player to move.

        Parameters
        ----------
        position : Position
            A game that is not over.
        limits : Limits
            With none of them set, one iteration.
        seed : int or None
            Varies the turns of the opening.
        stopped : function
            Asked every two milliseconds or so; once it says yes, the best so far is returned.
        report : function or None
            Called after each iteration.

        Raises
        ------
        ValueError
            If the game is over, or does not fit into the grid.
        """
        start = time.monotonic()
        if position.ending:
            raise ValueError("the game is over")
        if not position.turns:
            return self._first(seed)
        here = TwinPosition(position.variant, self.config.grid)
        here.follow(position)
        totals = self.memory.totals

        def found(best: Best) -> Found:
            line = self._turns(here, best.line)
            nodes, cycles = int(totals[NODES]), int(totals[CYCLES])
            seconds = time.monotonic() - start
            return Found(line[0], best.score, best.depth, nodes, cycles, tuple(line), seconds)

        def tell(best: Best) -> None:
            if report:
                report(found(best))

        return found(
            self.think(here, position.turns, limits, seed=seed, stopped=stopped, report=tell)
        )

    def think(
        self,
        here: TwinPosition,
        turns: int,
        limits: Limits,
        *,
        seed: int | None = None,
        stopped: Callable[[], bool] = lambda: False,
        report: Callable[[Best], None] = lambda _: None,
    ) -> Best:
        """The same on the twin's own board, after so many turns, of which there is at least one."""
        deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
        b, m, t = here.board, self.memory, self.memory.totals
        count = self._open(here, turns, limits)
        if not count:
            raise ValueError("no turn fits into the grid")
        if t[ROOT_WIN] != NO_MOVE:
            return Best(int(t[ROOT_WIN]), MATE - 1, 1, [int(t[ROOT_WIN])])
        entry = int(m.listed[0])
        move = int(b.place[entry >> 2 & 0xFF]) << 2 | entry & 3
        best = Best(move, 0, 0, [move])
        self._vary(b, count, turns, seed)
        bounded = limits.nodes or limits.cycles or limits.seconds is not None
        deepest = limits.depth or (self.config.plies - 4 if bounded else 1)
        for depth in range(1, deepest + 1):
            begin_iteration(m, depth, count)
            while True:
                t[PAUSE_AT] = t[NODES] + _CHUNK
                if run(b, self.scanner, m) != PAUSED:
                    break
                if stopped() or (deadline is not None and time.monotonic() >= deadline):
                    t[STOP] = 1
            score = int(m.frames[0, BEST])
            if score > -INFINITE:
                line = m.line[0, : m.line[0, -1]].tolist()
                best = Best(int(m.frames[0, BEST_MOVE]), score, best.depth, line)
            if t[STOP]:
                break
            best.depth = depth
            bring_to_front(b, m, count)
            report(best)
            if MATE - abs(score) <= depth or (count == 1 and deadline is not None):
                break
        return best

    def _first(self, seed: int | None) -> Found:
        """The first turn of a game: both are as good, and a seed chooses."""
        shape = Shape.CROSS if seed is not None and seed & 1 else Shape.SLASH
        turn = Turn(0, 0, shape)
        return Found(turn, 0, 0, 0, 0, (turn,), 0.0)

    def _open(self, here: TwinPosition, turns: int, limits: Limits) -> int:
        """Empty the tables and list the root's turns."""
        m = self.memory
        m.table[:] = 0
        m.history[:] = 0
        m.killers[:] = NO_MOVE
        m.noise[:] = 0
        m.totals[:] = 0
        m.totals[ROOT_MOVER] = turns & 1
        m.totals[NODE_LIMIT] = limits.nodes or _NO_LIMIT
        m.totals[CYCLE_LIMIT] = limits.cycles or _NO_LIMIT
        return int(open_root(here.board, self.scanner, m))

    def _vary(self, b, count: int, turns: int, seed: int | None) -> None:
        """With a seed, give each turn of the root some points."""
        if seed is None or turns >= _VARIED_TURNS:
            return
        for n in range(count):
            entry = int(self.memory.listed[n])
            cell = np.array([int(b.place[entry >> 2 & 0xFF])])
            number = int(hash_of(cell, np.array([entry & 3]))[0]) ^ (seed * 0x9E3779B1 + turns)
            number = number * 0xD1342543DE82EF95 & (1 << 64) - 1
            self.memory.noise[n] = (number >> (64 - HASH_HALF)) % _NOISE

    def _turns(self, here: TwinPosition, line: list[int]) -> list[Turn]:
        """Moves as they are written, each in the position in which it is made."""
        turns = []
        shapes = {shape.code: shape for shape in Shape}
        for move in line:
            cell, shape = move >> 2, shapes[move & 3]
            turns.append(here.turn(cell, shape))
            here.play(cell, shape)
        for _ in line:
            here.undo()
        return turns
