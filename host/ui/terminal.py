"""What the terminal can do, and what the person wants of it."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from typing import TextIO

__all__ = ["can_redraw", "print_sentence", "terminal_height", "terminal_width", "wants_colour"]


def wants_colour(stream: TextIO | None = None) -> bool:
    """Whether ANSI colours belong on a stream (None: standard output).

    They do on a terminal that is not ``dumb``, unless the variable NO_COLOR is set.
    """
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return (sys.stdout if stream is None else stream).isatty()


def can_redraw(stream: TextIO | None = None) -> bool:
    """Whether lines on a stream (None: standard output) can be drawn over: on a terminal."""
    return os.environ.get("TERM") != "dumb" and (sys.stdout if stream is None else stream).isatty()


def terminal_width() -> int:
    """The characters in a line of the terminal; 80 where there is none."""
    return shutil.get_terminal_size().columns


def terminal_height() -> int:
    """The lines of the terminal; 24 where there is none."""
    return shutil.get_terminal_size().lines


def print_sentence(text: str) -> None:
    """Print a sentence, divided into lines where somebody reads it on a terminal."""
    print(textwrap.fill(text, terminal_width()) if sys.stdout.isatty() else text, flush=True)
