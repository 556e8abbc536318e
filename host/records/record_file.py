"""Files of records: read line by line, or extended game by game."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final, TextIO

from loopline.game import GameRecord, RecordError, format_record, read_records
from loopline.game.records.game_record import one_line
from loopline.game.records.record_lines import LONGEST_GAME
from loopline.host.errors import UsageError

__all__ = ["OLDER_BYTES", "RecordFile", "bounded_lines", "tidy"]

OLDER_BYTES: Final = "loopline-older-bytes"
"""How to decode what is not UTF-8 in a file that is read: as Windows-1252, as older files are."""

_MOST: Final = LONGEST_GAME + 1
"""One character more than any game has: a reader of such a line finds it too long."""


def _older(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError), "it is about bytes that are read"
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error(OLDER_BYTES, _older)


def bounded_lines(file: TextIO) -> Iterator[str]:
    """Yield the lines of a file; of a line that is longer than any game, only the beginning.

    The rest of such a line is never in memory.
    """
    while line := file.readline(_MOST):
        yield line
        while not line.endswith("\n") and len(line) == _MOST:
            line = file.readline(_MOST)


def tidy(record: GameRecord) -> GameRecord:
    """Return a record with tags and comments that can be written to a file.

    Names and last words of players may hold any characters: control characters become blanks.
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
    """A file to which records are added behind its content.

    Parameters
    ----------
    path : Path
        The file. It is checked at once, before a game that could not be saved is played. A missing
        one is created with the first game.

    Raises
    ------
    UsageError
        If the file cannot be written, or does not hold records.

    Attributes
    ----------
    path : Path
        The file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            if not path.exists():
                # Only whether its folder takes files: it must not be left empty.
                with TemporaryFile(dir=path.parent):
                    return
            if not path.is_file():
                raise UsageError(f"cannot write {path}: it is no plain file")
            with path.open("a+", encoding="utf-8-sig") as file:
                file.seek(0)
                # A file of records is text with a valid first game. Checking all games would take
                # too long.
                lines = bounded_lines(file)
                next(read_records(lines), None)
                for _ in lines:
                    pass
        except OSError as error:
            raise UsageError(f"cannot write {path}: {os.strerror(error.errno or 0)}") from error
        except (RecordError, UnicodeDecodeError) as error:
            reason = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else error
            raise UsageError(f"{path} is not a file of games to add one to: {reason}") from error

    def add(self, record: GameRecord) -> None:
        """Add a game at the end; UsageError if it cannot be written, such as on a full disk."""
        text = format_record(tidy(record)).encode()
        try:
            with self.path.open("ab+") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - 1))
                ended = file.read(1) in (b"", b"\n")
                # A single write: two programs that save at the same time leave two whole games.
                file.write((b"" if not size else b"\n" if ended else b"\n\n") + text)
        except OSError as error:
            raise UsageError(
                f"cannot write {self.path}: {os.strerror(error.errno or 0)}"
            ) from error
