"""A file to which records of games are added."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, TextIO

from loopline.game import GameRecord, RecordError, format_record, read_records
from loopline.game.records.game_record import one_line
from loopline.game.records.record_lines import LONGEST_GAME
from loopline.host.errors import UsageError

__all__ = ["RecordFile", "bounded_lines", "tidy"]

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


def tidy(record: GameRecord) -> GameRecord:
    """Return a record whose tags and comments can be written, whatever was put into them.

    Names of players and what a player says in the end come from outside: control characters in
    them become blanks.
    """
    return replace(
        record,
        tags={name: _line(value) for name, value in record.tags.items()},
        comments={
            number: tuple(line for text in texts if (line := _line(text)))
            for number, texts in record.comments.items()
        },
    )


def _line(text: str) -> str:
    return "".join(char if one_line(char) else " " for char in text).strip()


class RecordFile:
    """A file that grows by whole games; what is in it already stays as it is. A context manager.

    Parameters
    ----------
    path : Path
        The file; it is made if it is not there. All is checked at once, so that nobody plays a
        game that cannot be kept.

    Raises
    ------
    UsageError
        If it cannot be written, or holds something else than records.

    Attributes
    ----------
    path : Path
        The file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            if path.exists() and not path.is_file():
                raise UsageError(f"cannot write {path}: it is no plain file")
            with path.open("a+", encoding="utf-8") as file:
                file.seek(0)
                # All of it is text and its first game is one: that tells a file of records from
                # any other, however many games it holds.
                lines = bounded_lines(file)
                next(read_records(lines), None)
                for _ in lines:
                    pass
        except OSError as error:
            raise UsageError(f"cannot write {path}: {os.strerror(error.errno or 0)}") from error
        except (RecordError, UnicodeDecodeError) as error:
            reason = "it is no text" if isinstance(error, UnicodeDecodeError) else error
            raise UsageError(f"{path} is no file of games to add one to: {reason}") from error

    def add(self, record: GameRecord) -> None:
        """Add a game behind those that are there; UsageError if the disk is full or the like."""
        text = format_record(tidy(record)).encode()
        try:
            with self.path.open("ab+") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - 1))
                ended = file.read(1) in (b"", b"\n")
                # One write: of two programs that save at the same time, both games are kept whole.
                file.write((b"" if not size else b"\n" if ended else b"\n\n") + text)
        except OSError as error:
            raise UsageError(
                f"cannot write {self.path}: {os.strerror(error.errno or 0)}"
            ) from error

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is left to do: each game was written at once."""
