"""The journal of a match: its settings, and each pair as soon as it is played.

A text file of JSON, one object per line::

    {"journal": 1, "date": "2026-11-21", "settings": {"players": ["a", "b"], ...}}
    {"pair": 2, "games": [{"white": 0, "turns": "@0/ B1+ ...", "winner": 0, ...}, {...}]}
    {"pair": 1, ...}

A match is resumed from its journal. Pairs stand in the order in which they ended. Each line is on
the disk before its pair counts. After a crash at most the last line is cut short: opening the
journal removes it, and its pair is played again.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Self

from loopline.game import Ending
from loopline.host.errors import UsageError
from loopline.host.matches.pairs import GameResult, PairResult

__all__ = ["Journal", "set_aside"]

_FORMAT: Final = 1
_HEAD: Final = b'{"journal": '
"""How every journal begins."""

Settings = Mapping[str, object]


class Journal:
    """A match's journal, open for writing. A context manager.

    Parameters
    ----------
    path : Path
        The file.
    settings : Mapping
        All that the games depend on, as JSON. A match can be resumed only with equal settings.
    resume : bool
        Whether to go on with the file, if it exists.
    overwrite : bool
        Whether to begin anew, whatever the file is; it stays as it was until the first pair is
        saved. Without either, it must be new.

    Attributes
    ----------
    path : Path
        The file.
    results : dict
        The pairs played, by number.
    date : str
        The first day of the match, as in records.

    Raises
    ------
    UsageError
        If the file is in use by a running match, cannot be written, exists without ``resume`` and
        ``overwrite``, or is no journal, or that of a match with other settings, with ``resume``.
    """

    def __init__(
        self, path: Path, settings: Settings, *, resume: bool = False, overwrite: bool = False
    ) -> None:
        self.results: dict[int, PairResult] = {}
        self.date = date.today().isoformat()
        if not (resume or overwrite) and path.exists():
            raise UsageError(f"{path} exists: use --resume to go on with it, or another --save")
        self.path = path
        self._new = False
        self._head: dict[str, object] | None = None
        exists = path.exists()
        try:
            self._file = path.open("r+b" if exists else "x+b")
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}") from error
        try:
            self._new = not exists
            _lock(self._file, path)
            self._new = overwrite and not exists
            self._head = {"journal": _FORMAT, "date": self.date, "settings": settings}
            if not overwrite:
                self._begin(json.loads(json.dumps(settings)))
        except BaseException:
            self.close()
            raise

    def _begin(self, settings: dict[str, Any]) -> None:
        # Bytes after the last line end are a line that a crash has cut short.
        *lines, rest = self._file.read().split(b"\n")
        self._read(lines, settings)
        if not lines and not rest.startswith(_HEAD[: len(rest)]):
            raise UsageError(f"{self.path} is no journal")
        # Nothing is changed before all of the file is known to be a journal.
        self._file.seek(-len(rest), os.SEEK_END)
        self._file.truncate()
        self._new = not lines
        if lines:
            self._head = None

    def _read(self, lines: list[bytes], settings: dict[str, Any]) -> None:
        for number, line in enumerate(lines, start=1):
            try:
                entry = json.loads(line)
                if number == 1:
                    self._check(entry, settings)
                else:
                    result = _result(entry)
                    self.results[result.number] = result
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise UsageError(f"{self.path}, line {number}, is no line of a journal") from error

    def _check(self, entry: Any, settings: dict[str, Any]) -> None:
        """Check that the first line is that of this match; the errors are those of `_result`."""
        if entry["journal"] != _FORMAT:
            raise UsageError(f"{self.path} is of another release, format {entry['journal']}")
        self.date = date.fromisoformat(entry["date"]).isoformat()
        theirs = entry["settings"]
        if not isinstance(theirs, dict):
            raise TypeError("the settings have no names")
        for name in [*settings, *theirs]:
            if settings.get(name) != theirs.get(name):
                raise UsageError(
                    f"{self.path} has another match: its {name} is {_brief(theirs.get(name))}, "
                    f"not {_brief(settings.get(name))}"
                )

    def add(self, result: PairResult) -> bool:
        """Save a pair. Return False, and change nothing, if the journal has it already."""
        if result.number in self.results:
            return False
        if self._head is not None:
            self._file.seek(0)
            self._file.truncate()
            self._new = True
            self._write(self._head)
            self._head = None
        self._write(_entry(result))
        self.results[result.number] = result
        return True

    def _write(self, entry: dict[str, object]) -> None:
        try:
            self._file.write(json.dumps(entry).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise UsageError(f"cannot write {self.path}: {error.strerror}") from error

    def close(self) -> None:
        """Close the file; delete a new one without pairs."""
        if not self._file.closed and self._new and not self.results:
            self.path.unlink(missing_ok=True)
        # Each pair was written at once: what fails here has failed, and been told, before.
        with suppress(OSError):
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def set_aside(path: Path) -> Path:
    """Rename a journal to ``PATH.old``, which is returned; one that is there is replaced.

    Raises :exc:`UsageError` if the journal is in use by a running match, or cannot be renamed.
    """
    aside = Path(f"{path}.old")
    try:
        with path.open("rb") as file:
            _lock(file, path)
            path.replace(aside)
    except OSError as error:
        raise UsageError(f"cannot rename {path} to {aside}: {error.strerror}") from error
    return aside


def _lock(file: BinaryIO, path: Path) -> None:
    """Lock a journal until it is closed; UsageError if a running match has it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise UsageError(f"{path} is in use by a match that is running") from error
    except OSError as error:
        raise UsageError(f"cannot lock {path}: {error.strerror}") from error


def _brief(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:56]} ..."


def _entry(result: PairResult) -> dict[str, object]:
    games = [{**vars(game), "turns": " ".join(game.turns)} for game in result.games]
    return {"pair": result.number, "games": games}


def _result(entry: Any) -> PairResult:
    """Return the pair of a line; raise ValueError, KeyError or TypeError if it is not valid.

    Turns are only texts here: whoever knows the variant can play them.
    """
    number = entry["pair"]
    if type(number) is not int or number < 1:
        raise ValueError("pairs count from 1")
    first, second = map(_game, entry["games"])
    return PairResult(number, (first, second))


def _game(entry: Any) -> GameResult:
    game = GameResult(
        **{**entry, "turns": tuple(str.split(entry["turns"])), "slowest": tuple(entry["slowest"])}
    )
    players = [game.white] if game.winner is None else [game.white, game.winner]
    if any(type(player) is not int or player not in (0, 1) for player in players):
        raise ValueError("the players are 0 and 1")
    if type(game.opening) is not int or not 0 <= game.opening <= len(game.turns):
        raise ValueError("the opening is a number of the turns")
    if not str.isprintable(game.explanation):
        raise ValueError("the explanation is a line of text")
    if len(game.slowest) != 2 or not all(0 <= seconds < 1e9 for seconds in game.slowest):
        raise ValueError("each player has a slowest turn")
    # It raises ValueError for a reason that does not go with the winner.
    Ending(game.winning_colour, game.reason)
    return game
