"""``loopline play`` and ``loopline demo``: a game on a board in the terminal.

``play`` is a person against a player of any kind; ``demo`` shows two players.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import closing

from loopline.game import STANDARD, Colour
from loopline.host.cli.commands import Command
from loopline.host.cli.options.files import add_save, record_file
from loopline.host.cli.options.limits import add_engine_limits, limited
from loopline.host.cli.options.players import add_clock, add_colours, add_player, opener
from loopline.host.cli.options.positions import add_variant
from loopline.host.clock import UNTIMED
from loopline.host.players.base import Player
from loopline.host.players.person import Person
from loopline.host.players.spec import PLAYER_TABLE
from loopline.host.referee.referee import TURN_LIMIT
from loopline.host.ui.terminal_game import TerminalGame
from loopline.tools.arguments import seconds, whole_number

__all__ = ["COMMANDS"]

_HUMAN = "human"
_PAUSE = 0.5

_PLAY = f"""
Play Trax against a device or another player; with 'human', two people play at one terminal. Type
turns in either notation, such as @0/ or B1+ or, as before 1998, A1C or B1S. help explains all
commands, undo takes your turn back, resign gives up, save writes the game to a file. The end of
the input or quit ends the program.

{PLAYER_TABLE}

Exit status 1 if the other player fails.
"""

_DEMO = f"""
Let two players play a whole game and draw it turn by turn. Every turn is checked by the reference
model.

{PLAYER_TABLE}

Exit status 1 if a turn is illegal, or a player fails.
"""


def _configure_play(parser: argparse.ArgumentParser) -> None:
    add_player(parser, "who plays against you")
    add_variant(parser)
    add_engine_limits(parser)
    parser.add_argument(
        "--colour",
        choices=[colour.name.lower() for colour in Colour],
        default="white",
        help="the colour that you play; White begins (white)",
    )
    add_clock(
        parser,
        "none",
        help_text="seconds per turn, such as 30, or 60+grace: one turn may take longer",
    )
    parser.add_argument(
        "--name", default="Human", metavar="NAME", help="your name in the record (Human)"
    )
    add_save(parser)


def _play(arguments: argparse.Namespace) -> int:
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
    """Return the player of the other colour."""
    if arguments.device == _HUMAN:
        return Person()
    device = limited(arguments, arguments.device)
    return opener(arguments.variant, arguments.clock, device).open(device)


def _configure_demo(parser: argparse.ArgumentParser) -> None:
    add_colours(parser, "sim")
    add_variant(parser)
    parser.add_argument(
        "--turns",
        type=whole_number(1, TURN_LIMIT),
        default=TURN_LIMIT,
        metavar="N",
        help=f"end after N turns, with a draw if the game is still open ({TURN_LIMIT})",
    )
    parser.add_argument(
        "--pause",
        type=seconds(),
        metavar="SECONDS",
        help=f"the pause after each turn ({_PAUSE} on a terminal, else 0)",
    )
    add_save(parser)


def _demo(arguments: argparse.Namespace) -> int:
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


COMMANDS = {
    "play": Command(
        description=_PLAY,
        examples=(
            "loopline play",
            "loopline play --colour red --device /dev/ttyUSB0@19200 --save games.txt",
            "loopline play --variant limited --device reference --clock 60+grace",
            "loopline play --device human",
        ),
        configure=_configure_play,
        run=_play,
    ),
    "demo": Command(
        description=_DEMO,
        examples=(
            "loopline demo",
            "loopline demo --turns 20 --pause 2 --red /dev/ttyUSB0",
            "loopline demo --variant limited --white reference --save games.txt",
        ),
        configure=_configure_demo,
        run=_demo,
    ),
}
