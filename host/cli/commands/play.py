"""``loopline play`` and ``loopline demo``: a game on a board in the terminal.

``play`` is a person against a player of any kind; ``demo`` shows two players.
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import closing

from loopline.game import STANDARD, Colour, Position, Turn, Variant
from loopline.host.cli.commands import Command
from loopline.host.cli.options.files import add_save, position_at, record_file, recorded_game
from loopline.host.cli.options.limits import add_limits, limited
from loopline.host.cli.options.players import add_clock, add_colours, add_player, opener
from loopline.host.cli.options.positions import add_variant
from loopline.host.clock import UNTIMED
from loopline.host.device.endpoint import is_path
from loopline.host.errors import UsageError
from loopline.host.players.base import Player
from loopline.host.players.console import say
from loopline.host.players.person import Person
from loopline.host.players.spec import LEVELS, PLAYER_TABLE
from loopline.host.records.record_file import RecordFile
from loopline.host.referee.referee import TURN_LIMIT
from loopline.host.render.terminal import can_redraw
from loopline.host.ui.opponent import Opponent
from loopline.host.ui.session import Session, Side
from loopline.host.ui.terminal_game import TerminalGame
from loopline.tools.arguments import seconds, whole_number
from loopline.tools.extras import has_extra

__all__ = ["COMMANDS"]

_HUMAN = "human"
_PAUSE = 0.5

_LEAST_COLUMNS, _LEAST_LINES = 80, 24
"""The smallest terminal for keys and mouse."""

_LEVELS = "\n".join(f"  {name:10}  {player}" for name, player in LEVELS.items())

_PLAY = f"""
Play Trax against a device or another player; with 'human', two people play at one terminal. A
terminal shows the game on its whole screen, with keys and mouse (the extra screen of the
installation; ? lists the keys). With --plain, and where that is impossible, you type turns line by
line.

Type turns in either notation, such as @0/ or B1+ or, as before 1998, A1C or B1S. In the game, help
lists the commands: hint proposes a turn, threats says which turns win, undo takes your turn back,
save writes the game to a file. After the end, undo goes on from your last turn, and rematch plays
again.

LEVEL is one of
{_LEVELS}

{PLAYER_TABLE}

docs/play.md explains keys and commands. Exit status 1 if the other player fails.
"""

_DEMO = f"""
Let two players play a whole game and draw it turn by turn. Every turn is checked by the reference
model.

{PLAYER_TABLE}

Exit status 1 if a turn is illegal, or a player fails.
"""


def _configure_play(parser: argparse.ArgumentParser) -> None:
    opponent = parser.add_mutually_exclusive_group()
    add_player(opponent, "who plays against you")
    opponent.add_argument(
        "--level",
        choices=LEVELS,
        metavar="LEVEL",
        help="how strong a program plays against you, see above",
    )
    add_variant(parser)
    add_limits(parser)
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
    parser.add_argument(
        "--from",
        dest="begun",
        metavar="FILE[@N]",
        help="go on with the last game of FILE, from its end or from after N turns",
    )
    parser.add_argument(
        "--plain", action="store_true", help="type turns, line by line, on a terminal too"
    )
    add_save(parser)


def _begun(text: str, variant: Variant) -> Position:
    """Return the position that ``FILE`` or ``FILE@N`` names."""
    name, at, turns = text.rpartition("@")
    if not at or not turns.isdecimal() or is_path(text):
        name, turns = text, ""
    try:
        after = int(turns) if turns else None
    except ValueError:  # Python reads no number of thousands of digits.
        raise UsageError(f"--from {name}@{turns[:8]}...: a game has not so many turns") from None
    record = recorded_game(name, variant)
    position = position_at(record, after, f"--from {text}")
    if position.ending or position.turns >= TURN_LIMIT:
        raise UsageError(f"--from {text}: the game is over there; FILE@N goes back to turn N")
    return position


def _play(arguments: argparse.Namespace) -> int:
    file = record_file(arguments)
    mine = Colour[arguments.colour.upper()]
    opening: list[Turn] = []
    if arguments.begun is not None:
        position = _begun(arguments.begun, arguments.variant)
        arguments.variant = position.variant
        opening = [played.turn for played in position.history]
    if not arguments.plain and _has_screen():
        return _play_on_screen(arguments, mine, opening, file)
    with closing(_opponent(arguments)) as opponent:
        players = {mine: Person(arguments.name, arguments.clock), mine.other: opponent}
        game = TerminalGame(
            players[Colour.WHITE],
            players[Colour.RED],
            variant=arguments.variant,
            clock=arguments.clock,
            file=file,
            opening=opening,
        )
        variant = "" if arguments.variant == STANDARD else f" ({arguments.variant})"
        if arguments.device == _HUMAN:
            say(f"Two people play{variant}, white begins. Type help for help.")
        else:
            colour = mine.name.lower()
            say(f"You play {colour}{variant} against {opponent.name}. Type help for help.")
        return 0 if game.play() else 1


def _has_screen() -> bool:
    """Return whether to play on the whole screen; say why not if a terminal could show more."""
    if not sys.stdin.isatty() or not can_redraw():
        return False
    if not has_extra("screen"):
        say("You type turns here; pip install 'loopline[screen]' for keys and mouse.")
        return False
    size = os.get_terminal_size(sys.stdout.fileno())
    if size.columns < _LEAST_COLUMNS or size.lines < _LEAST_LINES:
        say(f"You type turns here; keys and mouse need {_LEAST_COLUMNS} x {_LEAST_LINES}.")
        return False
    return True


def _play_on_screen(
    arguments: argparse.Namespace, mine: Colour, opening: list[Turn], file: RecordFile | None
) -> int:
    """Play with keys and mouse; return the exit status."""
    # Imported here: the extra may be missing, and other commands would start later for it.
    from loopline.host.ui.screen.app import play_on_screen

    def find(spec: str) -> Opponent:
        return Opponent(spec, opener(arguments.variant, arguments.clock, spec, frames=True))

    device = LEVELS[arguments.level] if arguments.level else arguments.device
    other: Side = "Human"
    if device != _HUMAN:
        other = find(limited(arguments, device))
        other.open()
    sides = (arguments.name, other) if mine is Colour.WHITE else (other, arguments.name)
    session = Session(sides, variant=arguments.variant, clock=arguments.clock, file=file)
    return 0 if play_on_screen(session, find, opening) else 1


def _opponent(arguments: argparse.Namespace) -> Player:
    """Return the player of the other colour."""
    device = LEVELS[arguments.level] if arguments.level else arguments.device
    if device == _HUMAN:
        return Person(clock=arguments.clock)
    device = limited(arguments, device)
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
            "loopline play --level easy",
            "loopline play --colour red --device /dev/ttyUSB0@19200 --save games.txt",
            "loopline play --variant limited --device engine:nodes=500 --clock 60+grace",
            "loopline play --device human --from games.txt@12",
        ),
        configure=_configure_play,
        run=_play,
    ),
    "demo": Command(
        description=_DEMO,
        examples=(
            "loopline demo",
            "loopline demo --turns 20 --pause 2 --red /dev/ttyUSB0",
            "loopline demo --variant limited --white greedy --save games.txt",
        ),
        configure=_configure_demo,
        run=_demo,
    ),
}
