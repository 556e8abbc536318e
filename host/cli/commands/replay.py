"""``loopline replay``: recorded games, judged by the reference model, and played on a device."""

from __future__ import annotations

import argparse
import json
from contextlib import nullcontext
from dataclasses import asdict

from loopline.game import IllegalTurnError
from loopline.host.cli.commands import Command
from loopline.host.cli.options.files import file_name, open_games
from loopline.host.cli.options.framed import add_framed_device, opened
from loopline.host.cli.options.variants import add_variant
from loopline.host.device import Device
from loopline.host.device.compare import Comparison, compare_game
from loopline.host.records.records import Verdict, judge_games

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    add_variant(parser, "what games without the tag Variant are")
    add_framed_device(parser, default=None)
    parser.add_argument("--json", action="store_true", help="print one JSON object per game")
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="the file to read, - for standard input"
    )


def _run(arguments: argparse.Namespace) -> int:
    with nullcontext() if arguments.device is None else opened(arguments) as device:
        good = [_replay(name, device, arguments) for name in arguments.files]
    return 0 if all(good) else 1


def _replay(name: str, device: Device | None, arguments: argparse.Namespace) -> bool:
    """Print what has become of each game of a file; whether all were good."""
    good = True
    several = len(arguments.files) > 1
    with open_games(name) as lines:
        for verdict in judge_games(lines, arguments.variant):
            found = _compare(device, verdict) if device else None
            if arguments.json:
                print(json.dumps(_fields(name if several else None, verdict, found)), flush=True)
            else:
                place = f"{file_name(name)}, " if several else ""
                print(f"{place}{verdict}{f'; {found}' if found else ''}", flush=True)
            good = good and verdict.good and not (found and found.differences)
    return good


def _compare(device: Device, verdict: Verdict) -> Comparison:
    """The game on the device, as far as it can be read; an illegal turn has to be refused."""
    position, _, error = verdict.reading
    cause = error.__cause__ if error else None
    illegal = cause.turn if isinstance(cause, IllegalTurnError) else None
    turns = [played.turn for played in position.history]
    return compare_game(device, position.variant, turns, illegal)


def _fields(file: str | None, verdict: Verdict, found: Comparison | None) -> dict[str, object]:
    return {
        **({"file": file} if file is not None else {}),
        **verdict.as_dict(),
        **({"device": asdict(found)} if found else {}),
    }


COMMAND = Command(
    name="replay",
    summary="play recorded games and say how each ended",
    description=(
        "FILE holds whole records as docs/records.md describes them, or just one game per line:\n"
        "turns in either notation separated by blanks; # starts a comment. Per game one line\n"
        "tells whether it is won (by whom and how), drawn, open, illegal, or cannot be read\n"
        "(where, and why). Exit status 1 if any game is illegal or cannot be read.\n\n"
        "With --device the games are played there, too, and each turn is compared with the model:\n"
        "tiles laid, loops and lines, all legal turns. A turn that is illegal has to be refused.\n"
        "Exit status 1 if the device differs; a game too large for it is compared as far as it\n"
        "fits.\n\n"
        "--json: line, variant, status (won, drawn, open, illegal, error), result (1-0, 0-1,\n"
        "1/2-1/2, *), winner (white, red or null), reason (as the tag Termination, or null), kind\n"
        "(loop, line, loop+line or null; of the winner's colour), both (whether both colours\n"
        "completed one), turns, tiles, width and height (after the last good turn), error,\n"
        "error_line, error_column (or null), tags (all others); of several files also file; with\n"
        "--device also device: turns (compared), differences (texts), beyond (whether the rest is\n"
        "too large for it)."
    ),
    examples=(
        "loopline replay games.txt",
        "echo '@0/ B1\\ A2\\' | loopline replay --json -",
        "loopline replay --variant loop games.txt",
        "loopline replay --device /dev/ttyUSB1 games.txt more.txt",
    ),
    configure=_configure,
    run=_run,
)
