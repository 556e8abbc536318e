"""Prove forced wins within limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from loopline.engine.board.board import Board
from loopline.engine.evaluation.scan import Scanner
from loopline.engine.search.frames import (
    CYCLE_LIMIT,
    NODE_LIMIT,
    NODES,
    PAUSE_AT,
    PAUSED,
    PROOF_LENGTH,
    PROOF_LIMIT,
    STOP,
    Memory,
)
from loopline.engine.solver.dfpn import open_proof, prove
from loopline.hdl.search.config import SearchConfig

__all__ = ["CHUNK", "NO_LIMIT", "Attempt", "Solver"]

CHUNK = 2000
"""Nodes between two calls of ``stopped``: about two milliseconds."""

NO_LIMIT = 1 << 62


class Attempt(NamedTuple):
    """The result of an attempt at a proof.

    Attributes
    ----------
    turns : int
        In how many turns of both sides the attacker wins, at most; 0 if that is not proved.
    settled : bool
        Whether the win is proved, or it is proved that attacks alone do not win; False if a limit
        was reached before.
    line : list of int
        The moves of the win, the attacker's first; the last ones may be missing.
    """

    turns: int
    settled: bool
    line: list[int]


def _never() -> bool:
    return False


class Solver:
    """Prove forced wins with the memories of a search.

    Parameters
    ----------
    config : SearchConfig
        The settings of the search.
    scanner, memory
        Those of the search. Nodes, cycles and the transposition table are shared with it.
    """

    def __init__(self, config: SearchConfig, scanner: Scanner, memory: Memory) -> None:
        self._config = config
        self._scanner = scanner
        self._memory = memory

    def attempt(
        self,
        board: Board,
        attacker: int,
        nodes: int,
        *,
        base: int = 0,
        turns: int | None = None,
        stopped: Callable[[], bool] = _never,
    ) -> Attempt:
        """Try to prove that the side to move wins by attacks.

        Parameters
        ----------
        board : Board
            A position of a game that goes on.
        attacker : int
            The side to move, 0 for White.
        nodes : int
            The most nodes.
        base : int
            The number of entries in use in the list of placements.
        turns : int or None
            The most turns of both sides until the win; None for no limit.
        stopped : function
            Called about every two milliseconds; once it returns True, the attempt ends.
        """
        m, t = self._memory, self._memory.totals
        open_proof(m, attacker, base, self._config.plies if turns is None else turns)
        t[PROOF_LIMIT] = t[NODES] + nodes
        while True:
            t[PAUSE_AT] = t[NODES] + CHUNK
            if prove(board, self._scanner, m) != PAUSED:
                break
            if stopped():
                t[STOP] = 1
        line = m.line[0, : m.line[0, -1]].tolist() if t[PROOF_LENGTH] else []
        return Attempt(int(t[PROOF_LENGTH]), not t[STOP], line)

    def settle(self, board: Board, attacker: int, nodes: int, turns: int | None = None) -> Attempt:
        """Try to prove a win as :meth:`attempt` does, with empty tables and counters."""
        m = self._memory
        m.table[:] = 0
        m.totals[:] = 0
        m.totals[NODE_LIMIT] = m.totals[CYCLE_LIMIT] = NO_LIMIT
        return self.attempt(board, attacker, nodes, turns=turns)
