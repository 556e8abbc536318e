"""``loopline play``: a person against a device, on a board drawn in the terminal."""

from __future__ import annotations

import argparse
import sys

from loopline.game import Colour, Played
from loopline.host.commands import Command
from loopline.host.commands.devices import add_device
from loopline.host.errors import DeviceError
from loopline.host.link import open_device
from loopline.host.match import DevicePlayer, Match
from loopline.host.person import LeaveError, Person
from loopline.host.scene import Scene

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    add_device(parser)
    parser.add_argument(
        "--colour",
        choices=[colour.name.lower() for colour in Colour],
        default="white",
        help="the colour that you play; White begins (white)",
    )


def _run(arguments: argparse.Namespace) -> int:
    scene = Scene()
    mine = Colour[arguments.colour.upper()]
    if arguments.device == "sim":
        print("Starting the simulated board; the first time it is built first ...", flush=True)
    with open_device(arguments.device) as device:
        person, opponent = Person(scene), DevicePlayer(device)
        match = Match(person, opponent) if mine is Colour.WHITE else Match(opponent, person)
        person.match = match
        print(f"You play {mine.name.lower()} against {device.name}. Type help for help.")

        def watch(played: Played) -> None:
            scene.show_turn(match.position, played)

        scene.show(match.position)
        try:
            match.run(watch)
        except LeaveError:
            print("The game ends here.")
        except (DeviceError, KeyboardInterrupt):
            _show_record(match)
            raise
        else:
            scene.show_end(match.position)
    _show_record(match)
    return 0


def _show_record(match: Match) -> None:
    """Print the game so that it can be kept."""
    if match.record:
        print(f"The game: {match.text}")
    sys.stdout.flush()


COMMAND = Command(
    name="play",
    summary="play against a device in the terminal",
    description=(
        "Play Trax against a device. Type turns in notation, such as @0/ or B1+; help explains\n"
        "it. The end of the input or quit ends the program."
    ),
    examples=(
        "loopline play",
        "loopline play --colour red --device /dev/ttyUSB0@19200",
    ),
    configure=_configure,
    run=_run,
)
