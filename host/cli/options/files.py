"""Files of games on the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TextIO

from loopline.host.errors import UsageError
from loopline.host.records.record_file import bounded_lines

__all__ = ["file_name", "open_games", "reason_of"]


def file_name(name: str) -> str:
    """Return how to call a file in a message: ``-`` is standard input."""
    return "standard input" if name == "-" else name


def reason_of(error: OSError) -> str:
    """Return in a few words why a file cannot be used."""
    return os.strerror(error.errno or 0)


@contextmanager
def open_games(name: str) -> Iterator[Iterator[str]]:
    """The lines of a file, or of standard input for ``-``, as long as it is open.

    Bytes that are no text become signs of no turn. Of a line that is longer than a game may be,
    only the beginning comes.

    Raises :exc:`UsageError` if it cannot be read.
    """
    source: str | int = sys.stdin.fileno() if name == "-" else name
    with ExitStack() as stack:
        with _reading(name):
            file = stack.enter_context(
                open(source, encoding="utf-8-sig", errors="backslashreplace", closefd=name != "-")
            )
        yield _lines(file, name)


def _lines(file: TextIO, name: str) -> Iterator[str]:
    with _reading(name):
        yield from bounded_lines(file)


@contextmanager
def _reading(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot read {file_name(name)}: {reason_of(error)}") from error
