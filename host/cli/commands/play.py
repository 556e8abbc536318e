"""``loopline play``: a person against a device or another person, on a board in the terminal."""

from __future__ import annotations

import argparse
from contextlib import closing

from loopline.game import STANDARD, Colour
from loopline.host.cli.commands import Command
from loopline.host.cli.options.limits import add_model_limits, limited
from loopline.host.cli.options.players import add_device, opener
from loopline.host.cli.options.saving import add_save, record_file
from loopline.host.cli.options.times import clock
from loopline.host.cli.options.variants import add_variant
from loopline.host.clock import UNTIMED
from loopline.host.players.base import Player
from loopline.host.players.person import Person
from loopline.host.players.spec import PLAYER_TABLE
from loopline.host.ui.terminal_game import TerminalGame

__all__ = ["COMMAND"]

_HUMAN = "human"


def _configure(parser: argparse.ArgumentParser) -> None:
    add_device(parser, "who plays against you")
    add_variant(parser)
    add_model_limits(parser)
    parser.add_argument(
        "--colour",
        choices=[colour.name.lower() for colour in Colour],
        default="white",
        help="the colour that you play; White begins (white)",
    )
    parser.add_argument(
        "--clock",
        type=clock,
        default=UNTIMED,
        metavar="CLOCK",
        help="seconds per turn, such as 30, or 60+grace: one turn may take longer (none)",
    )
    parser.add_argument(
        "--name", default="Human", metavar="NAME", help="your name in the record (Human)"
    )
    add_save(parser)


def _run(arguments: argparse.Namespace) -> int:
    file = record_file(arguments)
    mine = Colour[arguments.colour.upper()]
    with closing(_opponent(arguments)) as opponent:
        players = {mine: Person(arguments.name), mine.other: opponent}
        game = TerminalGame(
            players[Colour.WHITE],
            players[Colour.RED],
            variant=arguments.variant,
            clock=arguments.clock,
            file=file,
        )
        variant = "" if arguments.variant == STANDARD else f" ({arguments.variant})"
        if arguments.device == _HUMAN:
            print(f"Two people play{variant}, white begins. Type help for help.")
        else:
            colour = mine.name.lower()
            print(f"You play {colour}{variant} against {opponent.name}. Type help for help.")
        return 0 if game.play() else 1


def _opponent(arguments: argparse.Namespace) -> Player:
    """Return who plays the other colour."""
    if arguments.device == _HUMAN:
        return Person()
    device = limited(arguments, arguments.device)
    return opener(arguments.variant, arguments.clock, device).open(device)


COMMAND = Command(
    name="play",
    summary="play against a device in the terminal",
    description=(
        "Play Trax against a device or another player; with 'human', two people play at one\n"
        "terminal. Type turns in either notation, such as @0/ or B1+ or, as before 1998, A1C or\n"
        "B1S; help explains it, undo takes your turn back, resign gives up, save writes the game\n"
        "to a file. The end of the input or quit ends the program.\n\n"
        f"{PLAYER_TABLE}\n\n"
        "Exit status 1 if the other player fails."
    ),
    examples=(
        "loopline play",
        "loopline play --colour red --device /dev/ttyUSB0@19200 --save games.txt",
        "loopline play --variant limited --device reference --clock 60+grace",
        "loopline play --device human",
    ),
    configure=_configure,
    run=_run,
)
