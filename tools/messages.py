"""Messages for people: they break between words where they are read, on a terminal."""

from __future__ import annotations

import shutil
import signal
import sys
import textwrap
from typing import TextIO

__all__ = ["fill", "fitting", "signal_name", "tell"]


def fill(text: str, width: int | None = None) -> str:
    """Break a text between words into lines of ``width`` characters; None: of the terminal's.

    A longer word, such as a path, has a line of its own.
    """
    width = shutil.get_terminal_size().columns - 1 if width is None else width
    return textwrap.fill(text, max(width, 20), break_on_hyphens=False, break_long_words=False)


def fitting(text: str, stream: TextIO) -> str:
    """Return a text as a stream needs it: broken on a terminal, else one line for programs."""
    return fill(text) if stream.isatty() else text


def tell(text: str, stream: TextIO | None = None) -> None:
    """Print a message to a stream; None: to standard error."""
    stream = sys.stderr if stream is None else stream
    print(fitting(text, stream), file=stream, flush=True)


def signal_name(number: int) -> str:
    """Return a signal's name; most of those for real time have none, and are ``signal NUMBER``."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
