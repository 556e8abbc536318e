"""Recorded games, checked against the rules: the ending of each, or its first error.

The format of the files is described in ``docs/records.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from loopline.game import (
    STANDARD,
    Ending,
    GameReading,
    IllegalTurnError,
    Variant,
    read_game,
    split_games,
)
from loopline.host.render.wording import plural

__all__ = ["CheckedGame", "check_games"]


@dataclass(frozen=True)
class CheckedGame:
    """The result of checking one recorded game.

    Attributes
    ----------
    line : int
        The line of its file on which the game begins, from 1.
    reading : GameReading
        The game, up to its end or its first error.
    """

    line: int
    reading: GameReading

    @property
    def good(self) -> bool:
        """Whether the whole record could be read and played."""
        return self.reading.error is None

    @property
    def ending(self) -> Ending | None:
        """How the game has ended; None if it is open or not valid."""
        return self.reading.record.ending if self.reading.record else None

    @property
    def status(self) -> str:
        """``won``, ``drawn``, ``open``, ``illegal`` or ``error``.

        ``illegal`` is a turn that breaks the rules or follows the game's end, ``error`` anything
        that cannot be read or contradicts the turns.
        """
        if self.reading.error:
            cause = self.reading.error.__cause__
            return "illegal" if isinstance(cause, IllegalTurnError) else "error"
        if self.ending is None:
            return "open"
        return "drawn" if self.ending.winner is None else "won"

    @property
    def both(self) -> bool:
        """Whether both colours completed a loop or line on the turn that ended the game."""
        history = self.reading.position.history if self.good else ()
        return bool(history) and len(history[-1].loops | history[-1].lines) == 2

    def as_dict(self) -> dict[str, object]:
        """Return the result for JSON; ``loopline replay --help`` lists its names."""
        position, record, error = self.reading
        ending = self.ending
        return {
            "line": self.line,
            "variant": position.variant.name,
            "status": self.status,
            "result": ending.score if ending else "*",
            "winner": ending.winner.name.lower() if ending and ending.winner is not None else None,
            "reason": ending.reason if ending else None,
            "kind": position.result.kind if position.result and not error else None,
            "both": self.both,
            "turns": position.turns,
            "tiles": position.tiles,
            "width": position.width,
            "height": position.height,
            "error": error.reason if error else None,
            "error_line": error.line if error else None,
            "error_column": error.column if error else None,
            "tags": dict(record.tags) if record else {},
        }

    def __str__(self) -> str:
        """Return the result as one line."""
        position, record, error = self.reading
        players = [record.tags.get(name) for name in ("White", "Red")] if record else []
        names = f" ({' - '.join(name or '?' for name in players)})" if any(players) else ""
        end = str(self.ending or self.status)
        if error:
            end += f" at line {error.line}, column {error.column}: {error.reason};"
        elif position.result and self.both:
            end += " (both colours complete one)"
        size = f"{plural(position.tiles, 'tile')}, {position.width} x {position.height}"
        if position.variant != STANDARD:
            size += f", {position.variant}"
        return f"line {self.line}{names}: {end} after {plural(position.turns, 'turn')}, {size}"


def check_games(lines: Iterable[str], variant: Variant = STANDARD) -> Iterator[CheckedGame]:
    """Check every game of a file, in order.

    ``variant`` is the variant of games without a tag that names one.
    """
    return (CheckedGame(text.line, read_game(text, variant)) for text in split_games(lines))
