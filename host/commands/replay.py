"""``loopline replay``: recorded games, judged by the reference model."""

from __future__ import annotations

import argparse
import json

from loopline.host.commands import Command
from loopline.host.commands.files import open_games
from loopline.host.commands.variants import add_variant
from loopline.host.records import judge_games

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    add_variant(parser, "what games without the tag Variant are")
    parser.add_argument("--json", action="store_true", help="print one JSON object per game")
    parser.add_argument("file", metavar="FILE", help="the file to read, - for standard input")


def _run(arguments: argparse.Namespace) -> int:
    status = 0
    with open_games(arguments.file) as lines:
        for verdict in judge_games(lines, arguments.variant):
            print(json.dumps(verdict.as_dict()) if arguments.json else verdict, flush=True)
            if not verdict.good:
                status = 1
    return status


COMMAND = Command(
    name="replay",
    summary="play recorded games and say how each ended",
    description=(
        "FILE holds whole records as docs/records.md describes them, or just one game per line:\n"
        "turns in either notation separated by blanks; # starts a comment. Per game one line\n"
        "tells whether it is won (by whom and how), drawn, open, illegal, or cannot be read\n"
        "(where, and why). Exit status 1 if any game is illegal or cannot be read.\n\n"
        "--json: line, variant, status (won, drawn, open, illegal, error), result (1-0, 0-1,\n"
        "1/2-1/2, *), winner (white, red or null), reason (as the tag Termination, or null), kind\n"
        "(loop, line, loop+line or null; of the winner's colour), both (whether both colours\n"
        "completed one), turns, tiles, width and height (after the last good turn), error,\n"
        "error_line, error_column (or null), tags (all others)."
    ),
    examples=(
        "loopline replay games.txt",
        "echo '@0/ B1\\ A2\\' | loopline replay --json -",
        "loopline replay --variant loop games.txt",
    ),
    configure=_configure,
    run=_run,
)
