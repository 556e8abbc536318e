"""A game between two players as it goes on: board, last turn, and the time that each has used."""

from __future__ import annotations

import textwrap

from loopline.game import Colour, Played, Position
from loopline.host.clock import Clock
from loopline.host.render.terminal import (
    can_redraw,
    print_sentence,
    terminal_height,
    terminal_width,
    wants_colour,
)
from loopline.host.render.text import board_text
from loopline.host.render.wording import describe_turn, plural

__all__ = ["LiveView"]

_ROOM_FOR_TIMES = 55


class LiveView:
    """Shows a game on standard output; on a terminal each board is drawn over the last one.

    Parameters
    ----------
    names : tuple of str
        How the players are called, White first.
    clock : Clock
        The clock of the game.
    boards : bool
        Whether to draw the board, or to say the turns only.
    redraw : bool or None
        Whether to draw over the last board; None: where the terminal can do it. Not for a game in
        which somebody types.
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
        """Show the position in which the players take over."""
        if self._boards:
            self._draw(position, f"{_colour(position.to_move)} is to move.")

    def show_turn(self, position: Position, played: Played, seconds: float) -> None:
        """Show a turn that took so long."""
        self._seconds[played.colour].append(seconds)
        text = f"{describe_turn(position, played)} [{seconds:.3f} s]"
        if self._boards:
            self._draw(position, text)
        else:
            print_sentence(text)

    def _draw(self, position: Position, text: str) -> None:
        width = terminal_width()
        last = position.history[-1] if position.turns else None
        board = board_text(position, last=last, colour=wants_colour(), width=width)
        lines = ["", *board.splitlines(), "", *self._times(width), *textwrap.wrap(text, width)]
        # What has left the screen at the top cannot be drawn over.
        back = self._redraw and 0 < self._height < terminal_height()
        start = f"\x1b[{self._height}F\x1b[J" if back else ""
        print(start + "\n".join(lines), flush=True)
        self._height = len(lines)

    def _times(self, width: int) -> list[str]:
        """A line for each player: the time used, the longest turn, and the grace."""
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
