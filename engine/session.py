"""The lines of the contest link, as a board understands them, for the twin."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable
from typing import Final

from loopline.engine.search.searcher import Limits, Searcher
from loopline.game import STANDARD, Colour, Position, TraxError, Turn, Variant, parse_turn

__all__ = ["CODE", "Session"]

CODE: Final = "LM"
"""What the twin answers to ``-T``."""

_COMMANDS: Final = ("-T", "-W", "-B", "-S")
"""The lines that drop whatever goes on."""

_LONGEST: Final = 64
"""A longer line is noise."""


class Session:
    """Plays one game after the other; see ``docs/link.md`` for the lines.

    Parameters
    ----------
    searcher : Searcher
        Finds the turns.
    limits : Limits
        Of each turn.
    send : function
        Takes a line to be sent, without its end.
    variant : Variant
        What is played.
    seed : int or None
        Varies openings, differently in each game.
    """

    def __init__(
        self,
        searcher: Searcher,
        limits: Limits,
        send: Callable[[str], None],
        variant: Variant = STANDARD,
        seed: int | None = None,
    ) -> None:
        self._searcher = searcher
        self._limits = limits
        self._send = send
        self._variant = variant
        self._seed = seed
        self._games = 0
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._interrupts = 0
        self._position: Position | None = None
        self._own: Colour | None = None
        self._set_up = False

    def run(self, lines: Iterable[str]) -> None:
        """Obey lines until there are no more; what is still due then is answered."""
        reader = threading.Thread(target=self._read, args=(lines,), daemon=True)
        reader.start()
        while (line := self._lines.get()) is not None:
            self._obey(line)

    def _read(self, lines: Iterable[str]) -> None:
        """Take note of lines at once, so that a new session ends a search."""
        try:
            for text in lines:
                line = text.strip()
                if line in _COMMANDS:
                    self._interrupts += 1
                if line and len(line) <= _LONGEST:
                    self._lines.put(line)
        finally:
            self._lines.put(None)

    def _obey(self, line: str) -> None:
        if line in _COMMANDS:
            self._interrupts -= 1
            self._begin(line)
        elif line == "-G":
            if self._position is not None and not self._position.ending and self._waits():
                self._set_up = False
                self._own = self._position.to_move
                self._move()
        else:
            self._hear(line)

    def _begin(self, command: str) -> None:
        self._games += command != "-T"
        self._position = None if command == "-T" else Position(self._variant)
        self._set_up = command == "-S"
        self._own = {"-W": Colour.WHITE, "-B": Colour.RED}.get(command)
        if command in ("-T", "-S"):
            self._send(CODE)
        elif command == "-W":
            self._move()

    def _waits(self) -> bool:
        """Whether a turn from outside, or ``-G``, is awaited."""
        return self._position is not None and (
            self._set_up or self._own is not self._position.to_move
        )

    def _hear(self, line: str) -> None:
        """A turn of the opponent's, or of a set-up; anything else changes nothing."""
        position = self._position
        if position is None or position.ending or not self._waits():
            return
        try:
            position.play(parse_turn(line))
        except TraxError:
            return
        if not self._set_up and not position.ending:
            self._move()

    def _move(self) -> None:
        """Find a turn, make it and tell it, unless a new session begins meanwhile."""
        position = self._position
        assert position is not None
        seed = None if self._seed is None else self._seed + self._games
        try:
            found = self._searcher.search(
                position, self._limits, seed=seed, stopped=lambda: self._interrupts > 0
            )
        except ValueError:
            # No turn fits into the grid: the session is over.
            self._position = None
            return
        if not self._interrupts:
            self.play(position, found.turn)

    def play(self, position: Position, turn: Turn) -> None:
        """Make an own turn and tell it."""
        position.play(turn)
        self._send(str(turn))
