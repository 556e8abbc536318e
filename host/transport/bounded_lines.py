"""Lines of a text that may be anything, a line without an end for one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TextIO

from loopline.game.records.record_lines import LONGEST_GAME

__all__ = ["bounded_lines"]

_MOST: Final = LONGEST_GAME + 1
"""One character more than any game has: whoever reads such a line knows that it is too long."""


def bounded_lines(file: TextIO) -> Iterator[str]:
    """The lines of a file; of one that is longer than any game may be, only the beginning.

    Never more than that is in memory, however long a line is.
    """
    while line := file.readline(_MOST):
        yield line
        while not line.endswith("\n") and len(line) == _MOST:
            line = file.readline(_MOST)
