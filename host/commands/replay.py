"""``loopline replay``: recorded games, judged by the reference model."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import TextIO

from loopline.host.commands import Command
from loopline.host.errors import UsageError
from loopline.host.records import judge_lines

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object per game")
    parser.add_argument("file", metavar="FILE", help="the file to read, - for standard input")


def _open(name: str) -> TextIO:
    """Open the file, or standard input. Bytes that are no text become signs of no turn."""
    source: str | int = sys.stdin.fileno() if name == "-" else name
    try:
        return open(source, encoding="utf-8-sig", errors="backslashreplace", closefd=name != "-")
    except OSError as error:
        raise UsageError(f"cannot read {name}: {os.strerror(error.errno or 0)}") from error


def _run(arguments: argparse.Namespace) -> int:
    status = 0
    with _open(arguments.file) as lines:
        for verdict in judge_lines(lines):
            print(json.dumps(verdict.as_dict()) if arguments.json else verdict, flush=True)
            if not verdict.good:
                status = 1
    return status


COMMAND = Command(
    name="replay",
    summary="play recorded games and say how each ended",
    description=(
        "Each line of FILE is a game: turns in notation separated by blanks; # starts a comment,\n"
        "lines without a turn are ignored. Per game one line tells whether it is won (who, by\n"
        "what), open, illegal or cannot be read. Exit status 1 if any game is illegal or cannot\n"
        "be read.\n\n"
        "--json: line, status (won, open, illegal, error), winner (white, red or null), kind\n"
        "(loop, line, loop+line or null; of the winner's colour), both (whether both colours\n"
        "completed one), turns, tiles, width and height (after the last good turn), error."
    ),
    examples=("loopline replay games.txt", "echo '@0/ B1\\ A2\\' | loopline replay --json -"),
    configure=_configure,
    run=_run,
)
