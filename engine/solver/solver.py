"""Prove forced wins within limits."""

from __future__ import annotations

from typing import NamedTuple

from loopline.engine.board.board import Board
from loopline.engine.search.frames import CYCLE_LIMIT, NODE_LIMIT, PROOF_LENGTH, STOP
from loopline.engine.search.searcher import NO_LIMIT, Searcher
from loopline.engine.solver.dfpn import open_proof, prove

__all__ = ["Attempt", "Solver"]


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


class Solver:
    """Prove forced wins with the memories of a search.

    Parameters
    ----------
    searcher : Searcher
        The search; its settings and memories are used, and its last result is lost.
    """

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher

    def settle(self, board: Board, attacker: int, nodes: int, turns: int | None = None) -> Attempt:
        """Try to prove that the side to move wins by attacks.

        Parameters
        ----------
        board : Board
            A position of a game that goes on.
        attacker : int
            The side to move, 0 for White.
        nodes : int
            The most nodes.
        turns : int or None
            The most turns of both sides until the win; None for no limit.
        """
        searcher = self._searcher
        m, t = searcher.memory, searcher.memory.totals
        m.table[:] = 0
        t[:] = 0
        t[NODE_LIMIT], t[CYCLE_LIMIT] = nodes, NO_LIMIT
        open_proof(m, attacker, searcher.config.plies if turns is None else turns)
        prove(board, searcher.scanner, m)
        line = m.line[0, : m.line[0, -1]].tolist() if t[PROOF_LENGTH] else []
        return Attempt(int(t[PROOF_LENGTH]), not t[STOP], line)
