"""A game in the terminal: boards and sentences, printed one below the other."""

from __future__ import annotations

from loopline.game import Ending, Played, Position
from loopline.host.render.text import board_text
from loopline.host.render.wording import describe_end, describe_turn
from loopline.host.ui.terminal import terminal_width, wants_colour

__all__ = ["Scene"]


class Scene:
    """Prints a game to standard output, as wide as the terminal and in colour if it can."""

    def show(self, position: Position) -> None:
        """Draw the board with the last turn marked."""
        last = position.history[-1] if position.turns else None
        drawing = board_text(position, last=last, colour=wants_colour(), width=terminal_width())
        print(f"\n{drawing}", flush=True)

    def show_turn(self, position: Position, played: Played) -> None:
        """Draw the board after a turn, with the turn in words below."""
        self.show(position)
        print(describe_turn(position, played), flush=True)

    def show_end(self, position: Position, ending: Ending | None = None) -> None:
        """Say how the game has ended; ``ending`` is needed for what the board does not show."""
        print(describe_end(position, ending), flush=True)
