"""``loopline demo``: a device against a device, drawn turn by turn."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing

from loopline.host.cli.commands import Command
from loopline.host.cli.options.players import opener
from loopline.host.cli.options.saving import add_save, record_file
from loopline.host.cli.options.times import seconds
from loopline.host.cli.options.variants import add_variant
from loopline.host.clock import UNTIMED
from loopline.host.players.spec import PLAYER_TABLE
from loopline.host.referee.referee import TURN_LIMIT
from loopline.host.ui.terminal_game import TerminalGame

__all__ = ["COMMAND"]

_PAUSE = 0.5


def _turns(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or not 1 <= int(text) <= TURN_LIMIT:
        raise argparse.ArgumentTypeError(f"{text!r} is no limit: use 1 to {TURN_LIMIT}")
    return int(text)


def _configure(parser: argparse.ArgumentParser) -> None:
    for colour in ("white", "red"):
        parser.add_argument(
            f"--{colour}",
            default="sim",
            metavar="PLAYER",
            help=f"who plays {colour}, see above (sim)",
        )
    add_variant(parser)
    parser.add_argument(
        "--turns",
        type=_turns,
        default=TURN_LIMIT,
        metavar="N",
        help=f"end after N turns, a draw if no one has won by then ({TURN_LIMIT})",
    )
    parser.add_argument(
        "--pause",
        type=seconds,
        metavar="SECONDS",
        help=f"after each turn ({_PAUSE} on a terminal, else 0)",
    )
    add_save(parser)


def _run(arguments: argparse.Namespace) -> int:
    file = record_file(arguments)
    pause = arguments.pause
    if pause is None:
        pause = _PAUSE if sys.stdout.isatty() else 0.0
    players = arguments.white, arguments.red
    white, red = opener(arguments.variant, UNTIMED, *players).open_both(*players)
    with closing(white), closing(red):
        game = TerminalGame(
            white,
            red,
            variant=arguments.variant,
            limit=arguments.turns,
            pause=pause,
            file=file,
        )
        return 0 if game.play() else 1


COMMAND = Command(
    name="demo",
    summary="watch a device play against a device",
    description=(
        "Let a device or another player play a whole game against another one and draw it turn\n"
        "by turn. Every turn is checked by the reference model.\n\n"
        f"{PLAYER_TABLE}\n\n"
        "Exit status 1 if a turn is illegal, or a player fails."
    ),
    examples=(
        "loopline demo",
        "loopline demo --turns 20 --pause 2 --red /dev/ttyUSB0",
        "loopline demo --variant limited --white reference --save games.txt",
    ),
    configure=_configure,
    run=_run,
)
