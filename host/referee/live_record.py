"""The record of the game in play, in a file that is written anew after each turn."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from loopline.game import GameRecord, Played, Position, format_record
from loopline.host.errors import UsageError
from loopline.host.records.record_file import tidy
from loopline.host.referee.played_game import PlayedGame
from loopline.host.referee.referee import Referee, Watch
from loopline.host.whole_file import WholeFile

__all__ = ["LiveRecord"]

_HEAD: Final = "# The game in play, by Loopline.\n"


class LiveRecord:
    """A file that always holds the whole record of one game: the last one that has begun.

    A reader sees the record after some turn, never a part of it: each record is a new file, which
    takes the place of the last one.

    Parameters
    ----------
    path : Path
        The file. It is made at once, without a game.

    Raises
    ------
    UsageError
        If the file cannot be written, or exists and is no such file: no other is written over.
    """

    def __init__(self, path: Path) -> None:
        try:
            if path.exists():
                is_ours = path.is_file() and path.read_bytes().startswith(_HEAD.encode())
                if not is_ours:
                    raise UsageError(f"{path} exists, and is no file of --live: choose another")
        except OSError as error:
            reason = os.strerror(error.errno or 0)
            raise UsageError(f"cannot write {path}: {reason}") from error
        self._file = WholeFile(path)
        self._write("")

    def play(
        self, referee: Referee, tags: Mapping[str, str], watch: Watch | None = None
    ) -> PlayedGame:
        """Let a referee play its game, with its record in the file; ``tags`` are the record's.

        The rest is as in :meth:`.Referee.play`. Raises :exc:`UsageError`, too, if the file cannot
        be written.
        """

        def each(position: Position, played: Played, spent: float) -> None:
            self._show(referee.record(tags))
            if watch:
                watch(position, played, spent)

        self._show(referee.record(tags))
        game = referee.play(each)
        self._show(game.record(tags))
        return game

    def _show(self, record: GameRecord) -> None:
        self._write(format_record(tidy(record)))

    def _write(self, text: str) -> None:
        self._file.replace(_HEAD + text)
