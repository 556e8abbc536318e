"""``loopline replay``: check recorded games against the rules, and play them on a device."""

from __future__ import annotations

import argparse
import json
from contextlib import nullcontext
from dataclasses import asdict

from loopline.game import IllegalTurnError
from loopline.host.cli.commands import Command
from loopline.host.cli.options.files import (
    add_files,
    add_record_variant,
    file_name,
    open_games,
)
from loopline.host.cli.options.players import add_framed_device
from loopline.host.device import Device, open_device
from loopline.host.device.compare import Comparison, compare_game
from loopline.host.records.checked_games import CheckedGame, check_games

__all__ = ["COMMANDS"]

_DESCRIPTION = """
FILE holds whole records as docs/records.md describes them, or just one game per line: turns in
either notation separated by blanks; # starts a comment. One line per game tells whether it is won
(by whom and how), drawn, open, illegal, or cannot be read (where, and why). Exit status 1 if any
game is illegal or cannot be read.

With --device the games are also played on a device, and each turn is compared with the reference
model: tiles laid, loops and lines, all legal turns. The device has to refuse an illegal turn. Exit
status 1 if the device differs; a game too large for it is compared as far as it fits.

--json: line, variant, status (won, drawn, open, illegal, error), result (1-0, 0-1, 1/2-1/2, *),
winner (white, red or null), reason (as the tag Termination, or null), kind (loop, line, loop+line
or null; of the winner's colour), both (whether both colours completed one), turns, tiles, width
and height (after the last good turn), error, error_line, error_column (or null), tags (all
others). With several files also file. With --device also device: turns (compared), differences
(texts), beyond (whether the rest is too large for it).
"""


def _configure(parser: argparse.ArgumentParser) -> None:
    add_record_variant(parser)
    add_framed_device(parser, default=None)
    parser.add_argument("--json", action="store_true", help="print one JSON object per game")
    add_files(parser)


def _run(arguments: argparse.Namespace) -> int:
    opening = nullcontext() if arguments.device is None else open_device(arguments.device)
    with opening as device:
        good = [_replay(name, device, arguments) for name in arguments.files]
    return 0 if all(good) else 1


def _replay(name: str, device: Device | None, arguments: argparse.Namespace) -> bool:
    """Print how each game of a file ended; return whether all are legal and compared equal."""
    good = True
    several = len(arguments.files) > 1
    with open_games(name) as lines:
        for game in check_games(lines, arguments.variant):
            found = _compare(device, game) if device else None
            if arguments.json:
                print(json.dumps(_fields(name if several else None, game, found)), flush=True)
            else:
                place = f"{file_name(name)}, " if several else ""
                print(f"{place}{game}{f'; {found}' if found else ''}", flush=True)
            good = good and game.good and not (found and found.differences)
    return good


def _compare(device: Device, game: CheckedGame) -> Comparison:
    """Play a game on the device, as far as it can be read. It has to refuse an illegal turn."""
    position, _, error = game.reading
    cause = error.__cause__ if error else None
    illegal = cause.turn if isinstance(cause, IllegalTurnError) else None
    turns = [played.turn for played in position.history]
    return compare_game(device, position.variant, turns, illegal)


def _fields(file: str | None, game: CheckedGame, found: Comparison | None) -> dict[str, object]:
    return {
        **({"file": file} if file is not None else {}),
        **game.as_dict(),
        **({"device": asdict(found)} if found else {}),
    }


COMMANDS = {
    "replay": Command(
        description=_DESCRIPTION,
        examples=(
            "loopline replay games.txt",
            "echo '@0/ B1\\ A2\\' | loopline replay --json -",
            "loopline replay --variant loop games.txt",
            "loopline replay --device /dev/ttyUSB1 games.txt more.txt",
        ),
        configure=_configure,
        run=_run,
    )
}
