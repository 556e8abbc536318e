"""The terminal: what it can show, and a board printed there."""

from __future__ import annotations

import os
import shutil
import sys

from loopline.game import Position
from loopline.host.render.text import board_text
from loopline.host.render.threats import Threats
from loopline.host.render.wording import area_note

__all__ = [
    "can_redraw",
    "drawn_lines",
    "show_board",
    "terminal_height",
    "terminal_width",
    "wants_colour",
]


def wants_colour() -> bool:
    """Whether to use ANSI colours on standard output.

    Colours are for a terminal that is not ``dumb``, unless the variable NO_COLOR is set.
    """
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()


def can_redraw() -> bool:
    """Whether lines on standard output can be drawn over."""
    return os.environ.get("TERM") != "dumb" and sys.stdout.isatty()


def terminal_width() -> int:
    """Return the characters of a line of the terminal; 80 without a terminal."""
    return shutil.get_terminal_size().columns


def terminal_height() -> int:
    """Return the lines of the terminal; 24 without a terminal."""
    return shutil.get_terminal_size().lines


def drawn_lines(position: Position, threats: Threats | None = None) -> list[str]:
    """Return the lines that show a board, as the terminal can."""
    last = position.history[-1] if position.turns else None
    drawing = board_text(
        position, last=last, threats=threats, colour=wants_colour(), width=terminal_width()
    )
    note = area_note(position) if not position.ending else ""
    return [*drawing.splitlines(), *([note] if note else [])]


def show_board(position: Position, threats: Threats | None = None) -> None:
    """Print the board with the last turn marked, and the room of a limited area."""
    print("\n".join(["", *drawn_lines(position, threats), ""]), flush=True)
