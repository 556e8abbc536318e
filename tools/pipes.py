"""Standard output whose reader ends before all is written, as in ``loopline boards | head``."""

from __future__ import annotations

import os
import sys
from typing import Final

__all__ = ["lose_output"]

_BROKEN_PIPE: Final = 141
"""What a shell says of a program that SIGPIPE ended."""


def lose_output() -> int:
    """Lose what is left of standard output after a :exc:`BrokenPipeError`, so that the flush at the
    program's end succeeds.

    Return the exit status that every program has then.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return _BROKEN_PIPE
