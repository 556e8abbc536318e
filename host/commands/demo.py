"""``loopline demo``: a device against a device, drawn turn by turn."""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import ExitStack

from loopline.game import Played
from loopline.host.commands import Command
from loopline.host.commands.devices import DEVICE_HELP
from loopline.host.commands.times import seconds
from loopline.host.errors import UsageError
from loopline.host.link import open_device
from loopline.host.match import TURN_LIMIT, DevicePlayer, Match
from loopline.host.scene import Scene

__all__ = ["COMMAND"]

_PAUSE = 0.5


def _turns(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= TURN_LIMIT:
        raise argparse.ArgumentTypeError(f"{text!r} is no limit: use 1 to {TURN_LIMIT}")
    return int(text)


def _configure(parser: argparse.ArgumentParser) -> None:
    for colour in ("white", "red"):
        parser.add_argument(
            f"--{colour}",
            default="sim",
            metavar="sim|PORT",
            help=f"the device that plays {colour}: {DEVICE_HELP} (sim)",
        )
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


def _run(arguments: argparse.Namespace) -> int:
    if arguments.white == arguments.red != "sim":
        raise UsageError("a device plays one colour only: name two ports, or sim")
    pause = arguments.pause
    if pause is None:
        pause = _PAUSE if sys.stdout.isatty() else 0.0
    scene = Scene()
    if "sim" in (arguments.white, arguments.red):
        print("Starting the simulated board; the first time it is built first ...", flush=True)
    with ExitStack() as devices:
        white = DevicePlayer(devices.enter_context(open_device(arguments.white)))
        red = DevicePlayer(devices.enter_context(open_device(arguments.red)))
        match = Match(white, red, arguments.turns)

        def watch(played: Played) -> None:
            scene.show_turn(match.position, played)
            time.sleep(pause)

        match.run(watch)
    scene.show_end(match.position)
    print(f"The game: {match.text}")
    return 0


COMMAND = Command(
    name="demo",
    summary="watch a device play against a device",
    description=(
        "Let a device play a whole game against another one and draw it turn by turn. Every turn\n"
        "is checked by the reference model; exit status 1 if one is illegal."
    ),
    examples=("loopline demo", "loopline demo --turns 20 --pause 2 --red /dev/ttyUSB0"),
    configure=_configure,
    run=_run,
)
