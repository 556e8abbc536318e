"""A running game on the terminal: board, last turn, and the time that each player has used."""

from __future__ import annotations

import sys

from loopline.game import Colour, Played, Position
from loopline.host.clock import Clock
from loopline.host.render.terminal import (
    can_redraw,
    drawn_lines,
    terminal_height,
    terminal_width,
)
from loopline.host.render.wording import describe_turn, plural
from loopline.tools.messages import fill, tell

__all__ = ["LiveView"]

_ROOM_FOR_TIMES = 55


class LiveView:
    """Shows a game on standard output; on a terminal each board is drawn over the last one.

    Parameters
    ----------
    names : tuple of str
        The players' names, White first.
    clock : Clock
        The clock of the game.
    boards : bool
        Whether to draw boards, or to print turns only.
    redraw : bool or None
        Whether to draw over the last board; None: if the terminal can do it. Not for a game with a
        person, who types turns.
    """

    def __init__(
        self,
        names: tuple[str, str],
        clock: Clock,
        *,
        boards: bool = True,
        redraw: bool | None = None,
    ) -> None:
        self._names = names
        self._clock = clock
        self._boards = boards
        self._redraw = can_redraw() if redraw is None else redraw
        self._seconds: tuple[list[float], list[float]] = ([], [])
        self._height = 0

    def show(self, position: Position) -> None:
        """Show the position after the opening."""
        if self._boards:
            self._draw(position, f"{_colour(position.to_move)} is to move.")

    def show_turn(self, position: Position, played: Played, seconds: float) -> None:
        """Show a turn, and the seconds that it took."""
        self._seconds[played.colour].append(seconds)
        text = f"{describe_turn(position, played)} [{seconds:.3f} s]"
        if self._boards:
            self._draw(position, text)
        else:
            tell(text, sys.stdout)

    def _draw(self, position: Position, text: str) -> None:
        width = terminal_width()
        told = fill(text, width).splitlines()
        lines = ["", *drawn_lines(position), "", *self._times(width), *told]
        # Lines that have left the screen at the top cannot be drawn over.
        back = self._redraw and 0 < self._height < terminal_height()
        start = f"\x1b[{self._height}F\x1b[J" if back else ""
        print(start + "\n".join(lines), flush=True)
        self._height = len(lines)

    def _times(self, width: int) -> list[str]:
        """Return a line for each player: the time used, the longest turn, and the grace."""
        room = min(max(map(len, self._names)), max(8, width - _ROOM_FOR_TIMES))
        lines = []
        for colour, name, seconds in zip(Colour, self._names, self._seconds, strict=True):
            short = name if len(name) <= room else f"{name[: room - 1]}…"
            text = f"{_colour(colour):<6}{short:<{room}}  {plural(len(seconds), 'turn')}"
            if seconds:
                text += f", {sum(seconds):.2f} s, the longest {max(seconds):.3f} s"
            if any(map(self._clock.exceeded, seconds)):
                text += ", grace used"
            lines.append(text[:width])
        return lines


def _colour(colour: Colour) -> str:
    return colour.name.capitalize()
