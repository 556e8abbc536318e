"""Find the best turn of a position within limits."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from loopline.engine.board.position import EnginePosition
from loopline.engine.board.tables import NO_MOVE, ROW_BITS, variety_of
from loopline.engine.evaluation.scan import FIRST_ENTRY, new_scanner
from loopline.engine.evaluation.weights import Weights, read_weights
from loopline.engine.jit import compiling
from loopline.engine.options import Limits
from loopline.engine.search.frames import (
    BEST,
    BEST_MOVE,
    CYCLE_LIMIT,
    CYCLES,
    INFINITE,
    MATE,
    NODE_LIMIT,
    NODES,
    NODES_LEFT,
    PAUSE_AT,
    PAUSED,
    ROOT_MOVER,
    ROOT_WIN,
    STOP,
    STOP_AT,
    new_memory,
)
from loopline.engine.search.lanes import begin_lanes, run_lanes
from loopline.engine.search.root import begin_iteration, bring_to_front, open_root
from loopline.engine.search.search import run
from loopline.game import SHAPE_OF_CODE, Position, Shape, Turn
from loopline.hdl.search.config import VARIED_TURNS, SearchConfig

__all__ = ["NO_LIMIT", "Best", "Found", "Searcher"]

NO_LIMIT = 1 << 62

_CHUNK = 2000
"""Nodes between two calls of ``stopped``: about two milliseconds."""


def _copies(one: Any, count: int) -> Any:
    """Return an array of this many copies of a record."""
    copies = np.recarray(count, one.dtype)
    copies[:] = one
    return copies


class Found(NamedTuple):
    """The result of a search, or of its iterations so far.

    Attributes
    ----------
    turn : Turn
        The best turn.
    score : int
        Its score for the player to move; from ``MATE_BOUND`` on a forced win in
        ``MATE - score`` turns of both sides.
    depth : int
        The last complete iteration; 0 before the first one.
    nodes, cycles : int
        Turns that were searched; clock cycles by the cost model.
    line : tuple of Turn
        The principal variation, beginning with the turn.
    seconds : float
        Wall-clock time since the call.
    """

    turn: Turn
    score: int
    depth: int
    nodes: int
    cycles: int
    line: tuple[Turn, ...]
    seconds: float


@dataclass
class Best:
    """The best move so far, with its score, its iteration and its variation."""

    move: int
    score: int
    depth: int
    line: list[int]


class Searcher:
    """Find turns. Every search begins with empty tables: the same search has the same result.

    Parameters
    ----------
    config : SearchConfig
        The settings of the search.
    weights : Weights or None
        The evaluation; None for the default one.

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
        self.scanner = new_scanner(*self.weights.rows(), self.weights.tempo, largest)
        self.scanners = _copies(self.scanner, self.config.lanes)
        self.memories = _copies(new_memory(self.config), self.config.lanes)
        self.scanner, self.memory = self.scanners[0], self.memories[0]

    def warm_up(self) -> None:
        """Compile, or load, all functions, so that the first search is as fast as all others.

        Raises :exc:`BuildError` if they are not compiled yet, and the cache cannot be written to.
        """
        position = Position()
        position.play("@0/")
        with compiling():
            self.search(position, Limits(depth=2))

    def counts(self) -> tuple[int, int]:
        """Return the nodes and cycles of the search under way, or of the last one.

        The nodes are those of all lanes.
        """
        nodes = sum(int(each.totals[NODES]) for each in self.memories)
        return nodes, int(self.memory.totals[CYCLES])

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
            Without any limit: one iteration.
        seed : int or None
            Varies the turns of the opening.
        stopped : function
            Called about every two milliseconds; once it returns True, the search ends.
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
            return self._first()
        here = EnginePosition(position.variant, self.config.grid)
        here.follow(position)

        def found(best: Best) -> Found:
            line = self._turns(here, best.line)
            nodes, cycles = self.counts()
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
        here: EnginePosition,
        turns: int,
        limits: Limits,
        *,
        seed: int | None = None,
        stopped: Callable[[], bool] = lambda: False,
        report: Callable[[Best], None] = lambda _: None,
    ) -> Best:
        """Find a move on the engine's own board, after ``turns`` turns, at least one.

        The other parameters are those of :meth:`search`.
        """
        deadline = None if limits.seconds is None else time.monotonic() + limits.seconds

        def ended() -> bool:
            return stopped() or (deadline is not None and time.monotonic() >= deadline)

        b, m, t = here.board, self.memory, self.memory.totals
        count = self._open(here, turns, limits)
        if not count:
            raise ValueError("no turn fits into the grid")
        if t[ROOT_WIN] != NO_MOVE:
            return Best(int(t[ROOT_WIN]), MATE - 1, 1, [int(t[ROOT_WIN])])
        best = Best(self._first_listed(b), 0, 0, [self._first_listed(b)])
        self._vary(b, count, turns, seed)
        bounded = limits.nodes or limits.cycles or limits.seconds is not None
        deepest = min(limits.depth or (self.config.deepest if bounded else 1), self.config.deepest)
        depth = 1
        boards = _copies(b, self.config.lanes)
        t[NODES_LEFT] = max(0, t[NODE_LIMIT] - t[NODES])
        while depth <= deepest:
            begin_iteration(m, depth, count)
            if self.config.lanes == 1:
                self._run(boards, ended)
            else:
                self._run_lanes(boards, ended)
            score = int(m.frames[0, BEST])
            if score > -INFINITE:
                line = m.line[0, : m.line[0, -1]].tolist()
                best = Best(int(m.frames[0, BEST_MOVE]), score, best.depth, line)
            if t[STOP]:
                break
            best.depth = depth
            bring_to_front(b, m, count)
            report(best)
            if MATE - abs(score) <= depth:
                break
            depth += 1
        return best

    def _run(self, boards, ended: Callable[[], bool]) -> None:
        """Search until an iteration or the search has ended."""
        t = self.memory.totals
        while run(boards[0], self.scanner, self.memory) == PAUSED:
            t[PAUSE_AT] = t[NODES] + _CHUNK
            if ended():
                t[STOP] = 1

    def _run_lanes(self, boards, ended: Callable[[], bool]) -> None:
        """The same with several lanes."""
        begin_lanes(self.memories)
        while end := run_lanes(boards, self.scanners, self.memories, np.int64(_CHUNK)):
            assert end == PAUSED, "all lanes wait for each other"
            if ended():
                for memory in self.memories:
                    memory.totals[STOP] = 1

    def _first_listed(self, b) -> int:
        """Return the first of the root's turns."""
        entry = int(self.memory.listed[0])
        return int(b.place[entry >> 2 & 0xFF]) << 2 | entry & 3

    @staticmethod
    def _first() -> Found:
        """Return the first turn of a game, which is always ``@0/``: see docs/search.md."""
        turn = Turn(0, 0, Shape.SLASH)
        return Found(turn, 0, 0, 0, 0, (turn,), 0.0)

    def _open(self, here: EnginePosition, turns: int, limits: Limits) -> int:
        """Empty the tables and list the root's turns. Return their number."""
        m = self.memory
        m.table[:] = 0
        m.noise[:] = 0
        for memory, scanner in zip(self.memories, self.scanners, strict=True):
            memory.killers[:] = NO_MOVE
            memory.totals[:] = 0
            memory.totals[STOP_AT] = NO_LIMIT
            scanner.found[FIRST_ENTRY] = 0
        m.totals[CYCLES] = self.config.clear_cycles
        m.totals[ROOT_MOVER] = turns & 1
        m.totals[NODE_LIMIT] = limits.nodes or NO_LIMIT
        m.totals[CYCLE_LIMIT] = limits.cycles or NO_LIMIT
        return int(open_root(here.board, self.scanner, m))

    def _vary(self, b, count: int, turns: int, seed: int | None) -> None:
        """With a seed, add some points to each turn of the root."""
        if seed is None or turns >= VARIED_TURNS:
            return
        on_torus = self.config.grid.size - 1
        for n in range(count):
            entry = int(self.memory.listed[n])
            cell = int(b.place[entry >> 2 & 0xFF]) & (on_torus << ROW_BITS | on_torus)
            self.memory.noise[n] = variety_of(cell, entry & 3, seed, turns)

    def _turns(self, here: EnginePosition, line: list[int]) -> list[Turn]:
        """Return the moves of a variation as turns, each in the position in which it is made."""
        turns = []
        for move in line:
            cell, shape = move >> 2, SHAPE_OF_CODE[move & 3]
            turns.append(here.turn(cell, shape))
            here.make(cell, shape)
        for _ in line:
            here.unmake()
        return turns
