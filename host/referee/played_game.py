"""A finished game, as a record and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from loopline.game import Colour, Ending, GameRecord, Played, Position, Turn, record_of
from loopline.host.clock import CONTEST, Clock

__all__ = ["PlayedGame", "timed_record"]


@dataclass(frozen=True)
class PlayedGame:
    """A finished game.

    Attributes
    ----------
    position : Position
        The last position, with the whole history.
    ending : Ending
        The winner, and the reason.
    explanation : str
        The ending as a clause: for a fault, what happened, and what was expected.
    seconds : tuple of float
        The time of each turn of either player after the opening.
    clock : Clock
        The clock of the game.
    unplayed : str
        Why a player failed before the game could begin; empty if the game was played.
    """

    position: Position
    ending: Ending
    explanation: str
    seconds: tuple[float, ...]
    clock: Clock = CONTEST
    unplayed: str = ""

    @property
    def opening(self) -> int:
        """The number of turns of the opening."""
        return self.position.turns - len(self.seconds)

    def record(self, tags: Mapping[str, str] | None = None) -> GameRecord:
        """Return the game as a record, with the clock and the time of each turn.

        ``tags`` are further tags, such as the players' names; ``Clock`` is added.
        """
        record = timed_record(self.position, self.seconds, self.clock, tags, self.ending)
        if self.ending.on_the_board:
            return record
        last = self.position.turns
        comments = {**record.comments, last: (*record.comments.get(last, ()), self.explanation)}
        return replace(record, comments=comments)

    def as_dict(self) -> dict[str, object]:
        """Return the game for JSON: opening, turns and ending."""
        history = self.position.history
        winner = self.ending.winner
        return {
            "variant": self.position.variant.name,
            "clock": str(self.clock),
            "opening": [str(played.turn) for played in history[: self.opening]],
            "turns": [
                {
                    "number": number,
                    "colour": _name(played.colour),
                    "turn": str(played.turn),
                    "forced": [str(turn) for turn in _forced(played)],
                    "seconds": round(spent, 6),
                }
                for number, (played, spent) in enumerate(
                    zip(history[self.opening :], self.seconds, strict=True), self.opening + 1
                )
            ],
            "result": self.ending.score,
            "winner": None if winner is None else _name(winner),
            "termination": self.ending.reason,
            "explanation": self.explanation,
        }


def timed_record(
    position: Position,
    seconds: Sequence[float],
    clock: Clock,
    tags: Mapping[str, str] | None = None,
    ending: Ending | None = None,
) -> GameRecord:
    """Return the record of a game, finished or not; ``seconds`` are the times of its last turns."""
    record = record_of(position, ending, {**(tags or {}), "Clock": str(clock)})
    first = position.turns - len(seconds) + 1
    comments = {number: (f"{spent:.3f} s",) for number, spent in enumerate(seconds, first)}
    return replace(record, comments=comments)


def _name(colour: Colour) -> str:
    return colour.name.lower()


def _forced(played: Played) -> list[Turn]:
    """Return the forced tiles, named as on the board before the turn, like the turn itself."""
    first, *rest = played.tiles
    column, row = played.turn.column - first.x, played.turn.row - first.y
    return [Turn(tile.x + column, tile.y + row, tile.tile.shape) for tile in rest]
