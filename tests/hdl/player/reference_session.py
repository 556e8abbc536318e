"""A reference session: what the contest protocol, with ``-S`` and ``-G``, requires of a player."""

from __future__ import annotations

import random

from loopline.game import STANDARD, IllegalTurnError, Position, Turn, Variant
from tests.hdl.player.session_driver import Outcome

__all__ = ["ReferenceSession", "random_line", "winning_turns"]


def winning_turns(position: Position, limit: int) -> set[Turn]:
    """Return the turns that win at once for the side to move and that the grid can hold."""
    wins = set()
    for turn in position.legal_turns():
        mover, result = position.to_move, position.play(turn).result
        if result and result.winner is mover and max(position.width, position.height) <= limit:
            wins.add(turn)
        position.undo()
    return wins


class ReferenceSession:
    """Follow the lines sent to a player, and check its answers and outputs.

    Parameters
    ----------
    limit : int
        The largest formation that the player's grid holds.
    thorough : bool
        The player has time to find each win in one turn.

    Attributes
    ----------
    state : str
        ``none`` (no game), ``awaited`` (the opponent is to move), ``set-up``, ``thinking`` or
        ``over``.
    position : Position
        The game.
    answers : int
        How many answers of the player were checked.
    """

    def __init__(self, limit: int, *, thorough: bool = False):
        self.limit = limit
        self.thorough = thorough
        self.state = "none"
        self.position = Position()
        self.answers = 0
        # The least and the largest number of refusals in the next outcome.
        self._least = self._most = 0

    def step(self, line: str, outcome: Outcome, variant: Variant = STANDARD) -> None:
        """Check the outcome of a line: what the player did since the line before."""
        self._check_answer(outcome.before)
        self._follow(line, variant)
        self._check_answer(outcome.after)
        assert outcome.refused <= self._most
        assert outcome.refused >= self._least or not outcome.idle
        self._most -= outcome.refused
        self._least = max(0, self._least - outcome.refused)
        if outcome.idle:
            self._least = self._most = 0
            assert self.state != "thinking"
            assert not outcome.thinking
            assert outcome.over == (self.state == "over")

    def _follow(self, line: str, variant: Variant) -> None:
        if line in ("-T", "-W", "-B", "-S"):
            self.position = Position(variant)
            self.state = {"-T": "none", "-W": "thinking", "-B": "awaited", "-S": "set-up"}[line]
            # A turn that is still to be refused may be dropped instead.
            self._least = 0
        elif self.state not in ("awaited", "set-up"):
            self._refuse()
        elif line == "-G":
            self.state = "thinking"
        elif not self._play(line):
            self._refuse()
        elif self.position.ending:
            self.state = "over"
        elif self.state == "awaited":
            self.state = "thinking"

    def _check_answer(self, turn: Turn | None) -> None:
        if turn is None:
            return
        assert self.state == "thinking", f"{turn} while it is not the player's turn"
        wins = winning_turns(self.position, self.limit) if self.thorough else set()
        assert self._play(turn), f"{turn} is not legal in {self.position}"
        assert not wins or turn in wins
        self.state = "over" if self.position.ending else "awaited"
        self.answers += 1

    def _play(self, turn: Turn | str) -> bool:
        """Make a turn; return whether it is legal and the grid can hold it."""
        try:
            self.position.play(turn)
        except IllegalTurnError:
            return False
        if max(self.position.width, self.position.height) > self.limit:
            self.position.undo()
            return False
        return True

    def _refuse(self) -> None:
        self._least += 1
        self._most += 1


def random_line(rng: random.Random, session: ReferenceSession, expected: Turn | None = None) -> str:
    """Return a line that may come next: sessions, ``-G``, nonsense, and mostly a legal turn; often
    the one that a player expects."""
    kind = rng.random()
    turns = session.position.legal_turns()
    if kind < 0.08:
        return rng.choice(["-T", "-W", "-B", "-S"])
    if kind < 0.16 or (session.state == "set-up" and kind < 0.3):
        return "-G"
    if kind < 0.22 or not turns:
        return f"{rng.choice('@ABCD')}{rng.randrange(5)}{rng.choice('+/')}"
    if kind < 0.7 and expected and session.state == "awaited":
        return str(expected)
    return str(rng.choice(turns))
