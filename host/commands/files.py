"""Files of games on the command line."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from loopline.host.errors import UsageError

__all__ = ["file_name", "open_games", "reason_of"]


def file_name(name: str) -> str:
    """Return how to call a file in a message: ``-`` is standard input."""
    return "standard input" if name == "-" else name


def reason_of(error: OSError) -> str:
    """Return in a few words why a file cannot be used."""
    return os.strerror(error.errno or 0)


def open_games(name: str) -> TextIO:
    """Open a file, or standard input for ``-``. Bytes that are no text become signs of no turn.

    Raises :exc:`UsageError` if it cannot be read.
    """
    source: str | int = sys.stdin.fileno() if name == "-" else name
    try:
        return open(source, encoding="utf-8-sig", errors="backslashreplace", closefd=name != "-")
    except OSError as error:
        raise UsageError(f"cannot read {file_name(name)}: {reason_of(error)}") from error
