"""A player that makes the turns it was given, and notes what happens to it."""

from __future__ import annotations

import time
from collections.abc import Sequence

from loopline.game import STANDARD, Colour, Position, Turn, Variant, parse_turn


class Scripted:
    """Answers with one turn after the other, or raises what stands in a turn's place.

    ``pause`` is the time that each answer takes, or those of the first answers.
    """

    def __init__(
        self, turns: str | Sequence[str | BaseException], pause: float | Sequence[float] = 0.0
    ) -> None:
        self._turns = turns.split() if isinstance(turns, str) else list(turns)
        self._pauses = [] if isinstance(pause, float) else list(pause)
        self._pause = pause if isinstance(pause, float) else 0.0
        self.name = "scripted"
        self.started: list[tuple[Colour, Variant, tuple[Turn, ...]]] = []
        self.heard: list[str] = []
        self.allowed: list[float | None] = []
        self.start_error: Exception | None = None
        self.hear_errors: dict[str, Exception] = {}

    def start(
        self, colour: Colour, variant: Variant = STANDARD, opening: Sequence[Turn] = ()
    ) -> None:
        self.started.append((colour, variant, tuple(opening)))
        if self.start_error:
            raise self.start_error

    def hear(self, turn: Turn) -> None:
        self.heard.append(str(turn))
        if str(turn) in self.hear_errors:
            raise self.hear_errors[str(turn)]

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        self.allowed.append(seconds)
        time.sleep(self._pauses.pop(0) if self._pauses else self._pause)
        turn = self._turns.pop(0)
        if isinstance(turn, BaseException):
            raise turn
        return parse_turn(turn)

    def close(self) -> None:
        pass
