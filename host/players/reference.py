"""The reference player's search: two turns deep, as the gateware's, on any PC and in any variant.

::

    own turns ──► one that wins? ──yes──────────────────────────────────► it
                      │ no
                      ▼
                  EVALUATE each ──► best first ──► REFUTE: a reply that wins? ──no──► it
                                        ▲                       │ yes
                                        └─────────── next ──────┘

The gateware looks at all replies to every turn, then takes the best turn of the best rank. Here the
evaluation comes first, so that the first turn without a winning reply is that turn already. The
reply that refuted the turn before is tried first: under an attack nearly all turns lose to it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from random import Random
from typing import Final

from loopline.game import Colour, Position, Turn
from loopline.game.board import Completed
from loopline.game.chain import Chain
from loopline.host.players.evaluation import evaluate
from loopline.host.players.trial_board import TrialBoard

__all__ = [
    "DEPTH",
    "Found",
    "Limits",
    "Rank",
    "search",
]

_NOISE: Final = 4
"""Up to one less than this is added to an evaluation: equal turns are not always played alike."""

DEPTH: Final = 2
"""How many turns deep the search goes."""


class Rank(IntEnum):
    """How good a turn is, before any evaluation. Larger is better."""

    SUICIDE = 1
    """It wins for the opponent."""
    LOSING = 2
    """The opponent can win with the next turn."""
    DRAW = 3
    """It ends the game in a draw."""
    UNKNOWN = 4
    """Not all replies were tried."""
    SAFE = 5
    """The opponent cannot win with the next turn."""
    WIN = 6
    """It wins."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a search stops, whatever it has found. None: no such limit.

    Parameters
    ----------
    seconds : float or None
        Time from the beginning. It is exceeded by a few milliseconds at most.
    nodes : int or None
        Turns to be tried; at least one own turn is, and a turn whose replies would exceed the
        limit is not looked into.
    depth : int
        1 to win if possible and else to evaluate, 2 to look at the replies, too.
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int = DEPTH


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has found so far.

    Parameters
    ----------
    turn : Turn
        The best turn.
    rank : Rank
        What is known of it.
    points : int
        Its evaluation for the player who makes it, 0 where it ends the game.
    reply : Turn or None
        The opponent's turn that wins after a turn of rank ``LOSING``.
    depth, nodes : int
        How deep the search was, and how many turns it has tried.
    seconds : float
        Time since the beginning.
    """

    turn: Turn
    rank: Rank
    points: int
    reply: Turn | None
    depth: int
    nodes: int
    seconds: float


def search(
    position: Position,
    chance: Random,
    limits: Limits | None = None,
    stopped: Callable[[], bool] = lambda: False,
    report: Callable[[Found], None] | None = None,
) -> Found:
    """Choose a turn. The position stays as it is.

    Parameters
    ----------
    position : Position
        A game that is not over.
    chance : Random
        Decides between turns that are about equal.
    limits : Limits or None
        When to answer with the best turn so far; None for no limit.
    stopped : callable
        Says whether to answer with the best turn so far, now. It is asked every few milliseconds.
    report : callable or None
        Takes what is known each time a depth is finished.
    """
    return _Search(position, chance, limits or Limits(), stopped, report).run()


@dataclass(slots=True)
class _Candidate:
    """An own turn; ``reply`` is the opponent's that refutes it, in notation."""

    chain: Chain
    turn: Turn
    rank: Rank = Rank.UNKNOWN
    points: int = 0
    reply: Turn | None = None


class _Search:
    """One search, from its beginning to its answer."""

    def __init__(
        self,
        position: Position,
        chance: Random,
        limits: Limits,
        stopped: Callable[[], bool],
        report: Callable[[Found], None] | None,
    ) -> None:
        self._begin = time.monotonic()
        self._mover = position.to_move
        self._limited = position.variant.size is not None
        self._chance = chance
        self._limits = limits
        self._stopped = stopped
        self._report = report
        self._trial = TrialBoard(position)
        # The reply that refuted an own turn last: most likely it refutes the next one, too.
        self._killer: Chain | None = None

    def run(self) -> Found:
        """Search and answer."""
        candidates = self._own_turns()
        best = candidates[0]
        if best.rank is Rank.WIN or self._limits.depth < DEPTH:
            return self._finish(best, 1)
        if self._report:
            self._report(self._found(best, 1))
        for candidate in candidates:
            if candidate.rank is Rank.UNKNOWN and not self._refute(candidate):
                break
        # Of equal rank the first: it has the best evaluation.
        best = max(candidates, key=lambda candidate: candidate.rank)
        return self._finish(best, 1 if best.rank is Rank.UNKNOWN else DEPTH)

    def _own_turns(self) -> list[_Candidate]:
        """All own turns, the best first as far as can be told without looking at replies."""
        trial = self._trial
        chains = trial.chains()
        if self._limits.nodes is not None:
            del chains[max(1, self._limits.nodes) :]
        ranks = {}
        for chain, completed in trial.completions(chains):
            rank = self._rank(completed)
            if rank is Rank.WIN:
                return [_Candidate(chain, trial.turn(chain), rank)]
            ranks[chain.steps[0]] = rank
        candidates = []
        for chain in chains:
            rank = ranks.get(chain.steps[0], Rank.UNKNOWN)
            candidate = _Candidate(chain, trial.turn(chain), rank)
            if rank is Rank.UNKNOWN and not self._is_over(0):
                self._evaluate(candidate)
            candidates.append(candidate)
        candidates.sort(key=lambda candidate: (candidate.rank, candidate.points), reverse=True)
        return candidates

    def _rank(self, completed: Completed) -> Rank:
        """What an own turn is worth that completes something."""
        winner = self._trial.winner(completed, self._mover)
        if winner is None:
            return Rank.DRAW
        return Rank.WIN if winner is self._mover else Rank.SUICIDE

    def _evaluate(self, candidate: _Candidate) -> None:
        """Make a turn that completes nothing and look at the board."""
        board = self._trial.board
        self._trial.lay(candidate.chain)
        if self._limited and not any(board.legal_placements()):
            candidate.rank = Rank.DRAW
        else:
            points = evaluate(board) if self._mover is Colour.WHITE else -evaluate(board)
            candidate.points = points + self._chance.randrange(_NOISE)
        self._trial.lift(candidate.chain)

    def _refute(self, candidate: _Candidate) -> bool:
        """Whether a reply wins; if a limit is reached, none is found and the rank stays unknown."""
        if self._is_over(1):
            return False
        trial = self._trial
        trial.lay(candidate.chain)
        reply = trial.winning(trial.again(self._killer), self._mover.other)
        if reply is None:
            replies = trial.chains()
            if not self._is_over(len(replies)):
                reply = trial.winning(replies, self._mover.other)
                candidate.rank = Rank.SAFE
        if reply is not None:
            candidate.rank, candidate.reply = Rank.LOSING, trial.turn(reply)
            self._killer = reply
        trial.lift(candidate.chain)
        return reply is not None

    def _is_over(self, nodes: int) -> bool:
        """Whether a limit is reached, or would be with so many nodes more."""
        limits = self._limits
        if limits.nodes is not None and self._trial.tried + nodes > limits.nodes:
            return True
        if limits.seconds is not None and time.monotonic() - self._begin >= limits.seconds:
            return True
        return self._stopped()

    def _finish(self, candidate: _Candidate, depth: int) -> Found:
        """The answer, reported."""
        found = self._found(candidate, depth)
        if self._report:
            self._report(found)
        return found

    def _found(self, candidate: _Candidate, depth: int) -> Found:
        return Found(
            candidate.turn,
            candidate.rank,
            candidate.points,
            candidate.reply,
            depth,
            self._trial.tried,
            time.monotonic() - self._begin,
        )
