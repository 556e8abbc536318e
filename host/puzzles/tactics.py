"""Positions with a forced win, from a file.

A line of the file has the number of own turns until the win, ``|``, and all turns that lead to the
position. ``bench/makers/find_tactics.py`` has found and verified those of ``tactics.txt``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from loopline.game import Position, TraxError

__all__ = ["FILE", "LEVELS", "Tactic", "read_tactics"]

FILE: Final = Path(__file__).with_name("tactics.txt")
"""The positions that come with Loopline."""

LEVELS: Final = range(2, 8)
"""The numbers of own turns that their wins take."""


class Tactic(NamedTuple):
    """A position with a forced win.

    Attributes
    ----------
    own_turns : int
        The number of turns of the side to move, the winning one included.
    source : str
        The file and line of the position.
    position : Position
        The position.
    """

    own_turns: int
    source: str
    position: Position


def read_tactics(file: Path = FILE) -> Iterator[Tactic]:
    """Yield the positions of a file.

    Raises :exc:`OSError` if it cannot be read, and :exc:`ValueError` for a line that is not valid.
    """
    for number, line in enumerate(file.read_text(encoding="ascii").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            own_turns, _, text = line.partition("|")
            position = Position()
            for turn in text.split():
                position.play(turn)
            yield Tactic(int(own_turns), f"{file.name}:{number}", position)
        except (ValueError, TraxError) as error:
            raise ValueError(f"{file}:{number}: {error}") from error
