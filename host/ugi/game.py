"""The game that an engine plays, put together from the positions that it is shown."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from loopline.game import Colour, GameRecord, Position, Turn, record_of

__all__ = ["KeptGame"]


class KeptGame:
    """Follows a game from position to position, and hands its record on when it is over.

    A position that goes on from the last one, or goes back on it, belongs to the same game; any
    other begins a new one.

    Parameters
    ----------
    keep : callable
        Takes the record of each game that has a turn, when the next one begins.
    """

    def __init__(self, keep: Callable[[GameRecord], None]) -> None:
        self._keep = keep
        self._position: Position | None = None
        self._players: dict[str, str] = {}

    def follow(self, position: Position) -> None:
        """Take note of the position that the engine is shown; it may change afterwards."""
        if self._position is not None:
            before, now = _turns(self._position), _turns(position)
            shared = min(len(before), len(now))
            if before[:shared] != now[:shared]:
                self.end()
        self._position = position.copy()

    def play(self, position: Position, turn: Turn, player: str) -> None:
        """Take note of the turn that the engine, called ``player``, would make there."""
        self.follow(position)
        assert self._position is not None
        self._players[position.to_move.name.capitalize()] = player
        if self._position.is_legal(turn):
            self._position.play(turn)

    def end(self) -> None:
        """Hand the record on, if there is one; a new game begins."""
        position, self._position = self._position, None
        players, self._players = self._players, {}
        if position is not None and position.turns:
            names = [colour.name.capitalize() for colour in Colour]
            tags = {name: players[name] for name in names if name in players}
            self._keep(record_of(position, tags={**tags, "Date": date.today().isoformat()}))


def _turns(position: Position) -> list[Turn]:
    return [played.turn for played in position.history]
