"""What the contest protocol, with Loopline's extension, says that a player does."""

from __future__ import annotations

from loopline.game import STANDARD, IllegalTurnError, Position, Turn, Variant
from tests.hdl.player.session_bench import Outcome

__all__ = ["SessionModel", "winning_turns"]


def winning_turns(position: Position, limit: int) -> set[Turn]:
    """The turns that win at once for the player to move, and that the grid can hold."""
    wins = set()
    for turn in position.legal_turns():
        mover, result = position.to_move, position.play(turn).result
        if result and result.winner is mover and max(position.width, position.height) <= limit:
            wins.add(turn)
        position.undo()
    return wins


class SessionModel:
    """Follows what is said and checks what is heard.

    Parameters
    ----------
    limit : int
        The largest formation that the player's grid holds.
    patient : bool
        The player has time to find each win in one.

    Attributes
    ----------
    state : str
        ``none`` (no game), ``awaited`` (the opponent is to move), ``set-up``, ``thinking`` or
        ``over``.
    position : Position
        The game.
    answers : int
        How many turns of the player's were heard and checked.
    """

    def __init__(self, limit: int, *, patient: bool = False):
        self.limit = limit
        self.patient = patient
        self.state = "none"
        self.position = Position()
        self.answers = 0
        # How many refusals must, and may, show up in what is seen next.
        self._least = self._most = 0

    def step(self, line: str, outcome: Outcome, variant: Variant = STANDARD) -> None:
        """A line was said, and this is what was seen since the one before."""
        self._hear(outcome.before)
        self._say(line, variant)
        self._hear(outcome.after)
        assert outcome.refused <= self._most
        assert outcome.refused >= self._least or not outcome.idle
        self._most -= outcome.refused
        self._least = max(0, self._least - outcome.refused)
        if outcome.idle:
            self._least = self._most = 0
            assert self.state != "thinking"
            assert not outcome.thinking
            assert outcome.over == (self.state == "over")

    def _say(self, line: str, variant: Variant) -> None:
        if line in ("-T", "-W", "-B", "-S"):
            self.position = Position(variant)
            self.state = {"-T": "none", "-W": "thinking", "-B": "awaited", "-S": "set-up"}[line]
            # What the player still had to refuse, it may drop.
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

    def _hear(self, turn: Turn | None) -> None:
        if turn is None:
            return
        assert self.state == "thinking", f"{turn} without being asked"
        wins = winning_turns(self.position, self.limit) if self.patient else set()
        assert self._play(turn), f"{turn} is not legal in {self.position}"
        assert not wins or turn in wins
        self.state = "over" if self.position.ending else "awaited"
        self.answers += 1

    def _play(self, turn: Turn | str) -> bool:
        """Make a turn; whether it is legal and the grid can hold it."""
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
