"""A game that a person saves while it goes on: a file of its own, written again with each save."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path

from loopline.game import GameRecord, format_record
from loopline.host.errors import UsageError
from loopline.host.records.record_file import tidy
from loopline.host.whole_file import WholeFile

__all__ = ["save_game"]


def save_game(record: GameRecord, name: str = "", saved: Path | None = None) -> Path:
    """Write a game to a file, and return its path.

    Parameters
    ----------
    record : GameRecord
        The game.
    name : str
        The file; without a name it is ``saved``, or the first of ``game-1.txt``, ``game-2.txt`` ...
        that does not exist.
    saved : Path or None
        The file of the last save, which may be written over. No other is.

    Raises
    ------
    UsageError
        If there is such a file already, or it cannot be written.
    """
    try:
        path = Path(name).expanduser() if name else saved or _free_name()
        if path.exists() and path != saved and path.stat().st_size:
            raise UsageError(f"{path} is there already: choose another name")
        WholeFile(path).replace(format_record(tidy(record)))
    except (OSError, RuntimeError, ValueError) as error:
        reason = os.strerror(error.errno or 0) if isinstance(error, OSError) else error
        raise UsageError(f"cannot write {name or 'the game'}: {reason}") from error
    return path


def _free_name() -> Path:
    return next(path for n in count(1) if not (path := Path(f"game-{n}.txt")).exists())
