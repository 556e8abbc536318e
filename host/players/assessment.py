"""Assess the turns of a game: each beside the best one, with a mark, and a summary per player."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from loopline.game import Colour, Position, Turn
from loopline.host.players.analyst import Analysis, Value

__all__ = ["BAD_MARKS", "GOOD_MARK", "Assessment", "Summary", "assess", "summarise"]

BAD_MARKS: Final = {"??": 0.4, "?": 0.2, "?!": 0.1}
"""The smallest loss of expected score that has each mark, the largest first.

``docs/log/search.md`` has the measurement behind the smallest; each other is twice the next.
"""

GOOD_MARK: Final = "!"
"""The mark of a turn that gains what ``?!`` loses: it is so much better than the search's own."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """A turn of a game, or the turn to come.

    Attributes
    ----------
    number : int
        Of the turn, from 1.
    mover : Colour
        The side to move.
    played : Turn or None
        The turn that was played; None for the turn to come.
    found : Analysis
        The search of the position before the turn; its turn is the best one.
    best, value : Value
        Of the best turn and of the one played (the same for the turn to come), for the mover.
    """

    number: int
    mover: Colour
    played: Turn | None
    found: Analysis
    best: Value
    value: Value

    @property
    def loss(self) -> float:
        """The expected score that the turn gives away, 0 to 1."""
        return max(0.0, self.best.expected - self.value.expected)

    @property
    def mark(self) -> str:
        """``!``, ``?!``, ``?``, ``??``, or nothing."""
        if self.value.expected - self.best.expected >= BAD_MARKS["?!"]:
            return GOOD_MARK
        return next((mark for mark, least in BAD_MARKS.items() if self.loss >= least), "")

    @property
    def missed_win(self) -> int:
        """In how many turns of both sides the mover had a forced win that the turn lets go; or 0.

        A win that is slower, but still forced, is not missed.
        """
        before, after = self.best.mate or 0, self.value.mate or 0
        return before if before > 0 >= after else 0

    @property
    def loss_text(self) -> str:
        """The loss in percent, rounded down, so that it agrees with the mark."""
        return f"{int(100 * self.loss)} %"

    @property
    def comment(self) -> str:
        """The mark, the value, the best turn with its value and what follows, as one line."""
        line = " ".join(map(str, self.found.line))
        return f"{self.mark} {self.value}; the search: {self.best}, {line}"


def assess(analyse: Callable[[Sequence[Turn]], Analysis], game: Position) -> Iterator[Assessment]:
    """Yield the assessment of each turn of a game, and of the turn to come if the game is open.

    Values are those of the positions after the turns, found by searches with the same limits, or
    by the end of the game. So the turn that was played and the best one are searched alike. A win
    or loss that the search of the position before the turns has proved stands: a loss is that of
    each turn.

    Parameters
    ----------
    analyse : callable
        Return the analysis of the open position after some turns; a forced loss is one after all
        turns.
    game : Position
        The position at the end of the game.
    """
    position = Position(game.variant)
    turns: list[Turn] = []
    found: Analysis | None = None

    def after(turn: Turn) -> tuple[Value, Analysis | None]:
        position.play(turn)
        ended = position.ending is not None
        winner = position.result and position.result.winner
        position.undo()
        if ended:
            sign = 0 if winner is None else 1 if winner is position.to_move else -1
            return Value.forced(sign) if sign else Value(0), None
        reply = analyse([*turns, turn])
        return reply.value.before, reply

    for number, made in enumerate(game.history, start=1):
        found = found or analyse(turns)
        value, next_found = after(made.turn)
        best = found.value
        if best.mate is None:
            best = value if found.turn == made.turn else after(found.turn)[0]
        estimated = next_found is not None and value.mate is None
        if found.turn == made.turn or (estimated and (found.mate or 0) < 0):
            value = best
        yield Assessment(number, position.to_move, made.turn, found, best, value)
        position.play(made.turn)
        turns.append(made.turn)
        found = next_found
    if game.ending is None:
        found = found or analyse(turns)
        value = found.value
        yield Assessment(len(turns) + 1, position.to_move, None, found, value, value)


class Summary(NamedTuple):
    """The turns of a player.

    Attributes
    ----------
    player : Colour
    turns : int
    accuracy : float
        The mean of the turns' accuracies, in percent.
    marks : dict
        How many turns have each mark.
    worst : Assessment or None
        The first turn with the largest loss; None if no turn loses anything.
    """

    player: Colour
    turns: int
    accuracy: float
    marks: dict[str, int]
    worst: Assessment | None

    def __str__(self) -> str:
        """Return the summary as a clause."""
        counts = " ".join(f"{count} {mark}" for mark, count in self.marks.items())
        text = f"{self.player.name.lower()}: accuracy {self.accuracy:.1f} %, {counts}"
        if self.worst:
            text += f", largest loss {self.worst.loss_text}"
            text += f" ({self.worst.number}. {self.worst.played})"
        return text


def summarise(assessed: Iterable[Assessment]) -> list[Summary]:
    """Return the summary of each player who has made a turn."""
    found = []
    made = [each for each in assessed if each.played]
    for player in Colour:
        own = [each for each in made if each.mover is player]
        if own:
            names = (GOOD_MARK, *reversed(BAD_MARKS))
            marks = {name: sum(each.mark == name for each in own) for name in names}
            accuracy = sum(_accuracy(each.loss) for each in own) / len(own)
            worst = max(own, key=lambda each: each.loss)
            found.append(Summary(player, len(own), accuracy, marks, worst if worst.loss else None))
    return found


def _accuracy(loss: float) -> float:
    """Return the accuracy of a turn in percent: the curve that lichess.org uses for chess."""
    return max(0.0, min(100.0, 103.1668 * math.exp(-4.354 * loss) - 3.1669))
