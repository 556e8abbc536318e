"""The argument that names a file for the records of the games played."""

from __future__ import annotations

import argparse
from pathlib import Path

from loopline.host.records.record_file import RecordFile

__all__ = ["add_save", "record_file"]


_HELP = "add the game's record to FILE at its end, also if it is left or interrupted"


def add_save(parser: argparse.ArgumentParser, help_text: str = _HELP) -> None:
    """Add ``--save FILE``; :func:`record_file` opens what it names."""
    parser.add_argument("--save", type=Path, metavar="FILE", help=help_text)


def record_file(arguments: argparse.Namespace) -> RecordFile | None:
    """Return the file to which games are added; none if that is not wanted.

    Raises :exc:`UsageError` if it cannot take games.
    """
    return RecordFile(arguments.save) if arguments.save else None
