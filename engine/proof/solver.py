"""The proof of forced wins for those who want to know: who attacks, limits in, the win out."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from loopline.engine.board.board import Board
from loopline.engine.evaluation.scan import Scanner
from loopline.engine.proof.proof import open_proof, prove
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
from loopline.hdl.search.config import SearchConfig

__all__ = ["CHUNK", "NO_LIMIT", "Attempt", "Solver"]

CHUNK = 2000
"""Nodes between two looks at the clock: about two milliseconds."""

NO_LIMIT = 1 << 62


class Attempt(NamedTuple):
    """What an attempt at a proof has come to.

    Attributes
    ----------
    turns : int
        In how many turns of both sides the attacker wins, at most; 0 if that is not proved.
    settled : bool
        Whether it is certain, the one or the other; else the limits came first. Not being proved
        means that attacks alone do not win.
    line : list of int
        Moves that lead there, the attacker's first; the last ones may be missing.
    """

    turns: int
    settled: bool
    line: list[int]


def _never() -> bool:
    return False


class Solver:
    """Proves forced wins with the memories of a search.

    Parameters
    ----------
    config : SearchConfig
        How it searches.
    scanner, memory
        Those of the search; nodes, cycles and the table go on from where they are.
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
            Nobody has won.
        attacker : int
            The side to move, 0 for White.
        nodes : int
            How many there may be.
        base : int
            How many entries of the list of placements are in use.
        turns : int or None
            Only wins in so many turns of both sides.
        stopped : function
            Asked every two milliseconds or so; once it says yes, this ends.
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
        """The same by itself, with empty tables."""
        m = self._memory
        m.table[:] = 0
        m.totals[:] = 0
        m.totals[NODE_LIMIT] = m.totals[CYCLE_LIMIT] = NO_LIMIT
        return self.attempt(board, attacker, nodes, turns=turns)
