"""Files on the command line: games to read, and a file for records."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from loopline.game import GameRecord, Position, RecordError, Variant, parse_game, split_games
from loopline.host.cli.options.positions import add_variant
from loopline.host.errors import RefusalError, UsageError
from loopline.host.records.record_file import OLDER_BYTES, RecordFile, bounded_lines
from loopline.host.referee.live_record import LiveRecord
from loopline.host.render.wording import plural
from loopline.host.whole_file import WholeFile

__all__ = [
    "add_files",
    "add_live",
    "add_record_variant",
    "add_save",
    "file_name",
    "file_path",
    "live_record",
    "open_games",
    "position_at",
    "reason_of",
    "record_file",
    "recorded_game",
    "refuse_shared",
    "replace_file",
]

_SAVE_HELP = "add the game's record to FILE at its end, also if it is left or interrupted"


def add_files(parser: argparse.ArgumentParser) -> None:
    """Add the arguments ``FILE ...``, one at least, to be opened by :func:`open_games`."""
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="the file to read, - for standard input"
    )


def add_record_variant(parser: argparse.ArgumentParser) -> None:
    """Add ``--variant NAME``, the variant of records that do not name theirs."""
    add_variant(parser, "the variant of games without the tag Variant")


def file_name(name: str) -> str:
    """Return how to call a file in a message: ``-`` is standard input, an empty name is quoted."""
    return "standard input" if name == "-" else name or "''"


def file_path(name: str) -> Path:
    """Return the path of a file of games: ``-`` is standard input, which may be any file."""
    return Path("/dev/stdin" if name == "-" else name)


def reason_of(error: OSError) -> str:
    """Return in a few words why a file cannot be used."""
    return os.strerror(error.errno or 0)


def refuse_shared(inputs: Mapping[str, Path | None], outputs: Mapping[str, Path | None]) -> None:
    """Make sure that no file to write has a second use: one would destroy the other.

    Parameters
    ----------
    inputs, outputs : mapping of str to Path or None
        The files to read and to write, by what the command line calls them; None: it has none.

    Raises :exc:`UsageError` if an output is one of the inputs or another output, also by another
    name, or if its name is none that a file can have.
    """
    uses: dict[object, str] = {}
    for name, path in inputs.items():
        if path:
            with suppress(OSError):  # whoever reads it says why it cannot be read
                uses[_identity(path)] = name
    for name, path in outputs.items():
        if path:
            try:
                other = uses.setdefault(_identity(path), name)
            except OSError as error:
                raise UsageError(f"cannot write {path}: {reason_of(error)}") from error
            if other != name:
                raise UsageError(f"{name} and {other} are the same file, {path}: name another one")


def _identity(path: Path) -> object:
    """Return what is equal for all names of a file. Raises OSError for a name that no file has."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return os.path.realpath(path)
    return found.st_dev, found.st_ino


def replace_file(path: Path, data: bytes) -> None:
    """Write a file anew. A plain file is replaced at once: an error leaves it as it is.

    The file of standard output, such as ``/dev/stdout``, keeps what others have written there.

    Raises :exc:`UsageError` if it cannot be written.
    """
    if _is_standard_output(path):
        sys.stdout.buffer.write(data)
        return
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # such as a named pipe
            return
    except OSError as error:
        raise UsageError(f"cannot write {path}: {reason_of(error)}") from error
    WholeFile(path).replace(data)


def _is_standard_output(path: Path) -> bool:
    with suppress(OSError):
        return os.path.samestat(path.stat(), os.fstat(sys.stdout.fileno()))
    return False


@contextmanager
def open_games(name: str) -> Iterator[Iterator[str]]:
    """Open a file, or standard input for ``-``, and yield its lines.

    Bytes that are not UTF-8 are read as Windows-1252. A line that is longer than any game is cut.

    Raises :exc:`UsageError` if the file cannot be read.
    """
    source: str | int = sys.stdin.fileno() if name == "-" else name
    with ExitStack() as stack:
        with _reading(name):
            file = stack.enter_context(
                open(source, encoding="utf-8-sig", errors=OLDER_BYTES, closefd=name != "-")
            )
        yield _lines(file, name)


def _lines(file: TextIO, name: str) -> Iterator[str]:
    with _reading(name):
        yield from bounded_lines(file)


def recorded_game(name: str, variant: Variant, number: int | None = None) -> GameRecord:
    """Return a game of a file: the one of this number, from 1, or the last one.

    ``variant`` is the variant of a game without a tag that names one.

    Raises
    ------
    UsageError
        If the file cannot be read, or does not hold the game.
    RefusalError
        If the game is wrong.
    """
    count, text = 0, None
    with open_games(name) as lines:
        for count, each in enumerate(split_games(lines), start=1):
            text = each
            if count == number:
                break
    if text is None or (number and count < number):
        raise UsageError(
            f"{file_name(name)} holds {plural(count, 'game')}"
            + (f": there is no game {number}" if number else "")
        )
    try:
        return parse_game(text, variant)
    except RecordError as error:
        raise RefusalError(f"{file_name(name)}, {error}") from error


def position_at(record: GameRecord, turns: int | None, option: str) -> Position:
    """Return the position after so many turns of a game; None: after all.

    Raises :exc:`UsageError` if the game has fewer; ``option`` is what asked for them.
    """
    if turns is not None and turns > len(record.turns):
        raise UsageError(f"{option}: the game has only {plural(len(record.turns), 'turn')}")
    return replace(record, turns=record.turns[:turns]).position()


@contextmanager
def _reading(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot read {file_name(name)}: {reason_of(error)}") from error


def add_save(parser: argparse.ArgumentParser, help_text: str = _SAVE_HELP) -> None:
    """Add ``--save FILE``; :func:`record_file` opens it."""
    parser.add_argument("--save", type=Path, metavar="FILE", help=help_text)


def record_file(arguments: argparse.Namespace) -> RecordFile | None:
    """Return the file to which games are added; None without ``--save``.

    Raises :exc:`UsageError` if the file cannot be written.
    """
    return RecordFile(arguments.save) if arguments.save else None


def add_live(parser: argparse.ArgumentParser) -> None:
    """Add ``--live FILE``; :func:`live_record` opens it."""
    parser.add_argument(
        "--live",
        type=Path,
        metavar="FILE",
        help="keep the record of the game in play in FILE, for loopline serve --watch FILE",
    )


def live_record(arguments: argparse.Namespace) -> LiveRecord | None:
    """Return the file for the game in play; None without ``--live``.

    Raises :exc:`UsageError` if the file cannot be written.
    """
    return LiveRecord(arguments.live) if arguments.live else None
