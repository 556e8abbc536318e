"""``loopline referee``: one game between any two players, by the contest's rules."""

from __future__ import annotations

import argparse
import json
import sys
import time
from contextlib import ExitStack

from loopline.game import Played, Position
from loopline.host.cli.commands import Command
from loopline.host.cli.options.positions import position_after
from loopline.host.cli.options.saving import add_save, record_file
from loopline.host.cli.options.times import clock, seconds
from loopline.host.cli.options.variants import add_variant
from loopline.host.errors import UsageError
from loopline.host.players.base import Player
from loopline.host.players.person import LeaveError, Person
from loopline.host.players.spec import PLAYER_TABLE, PlayerOpener
from loopline.host.records.record_file import RecordFile
from loopline.host.referee.played_game import PlayedGame
from loopline.host.referee.referee import TURN_LIMIT, Referee, Watch
from loopline.host.render.terminal import print_sentence
from loopline.host.render.wording import describe_end
from loopline.host.ui.live import LiveView
from loopline.host.ui.terminal_game import game_tags

__all__ = ["COMMAND"]

_MOST_TURNS = 9999


def _limit(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or not 1 <= int(text) <= _MOST_TURNS:
        raise argparse.ArgumentTypeError(f"{text!r} is no limit: use 1 to {_MOST_TURNS}")
    return int(text)


def _configure(parser: argparse.ArgumentParser) -> None:
    for colour in ("white", "red"):
        parser.add_argument(
            f"--{colour}", required=True, metavar="PLAYER", help=f"who plays {colour}, see above"
        )
    add_variant(parser)
    times = parser.add_mutually_exclusive_group()
    times.add_argument(
        "--clock",
        type=clock,
        default=clock("1"),
        metavar="CLOCK",
        help="seconds per turn; N+grace: each player may exceed it once, by 10 minutes; none (1)",
    )
    times.add_argument(
        "--time", dest="clock", type=clock, metavar="SECONDS", help="the same as --clock"
    )
    parser.add_argument(
        "--limit",
        type=_limit,
        default=TURN_LIMIT,
        metavar="N",
        help=f"the number of turns after which an open game is a draw ({TURN_LIMIT})",
    )
    parser.add_argument(
        "--opening", default="", metavar="TURNS", help="turns to begin with, such as '@0/ B1+'"
    )
    parser.add_argument(
        "-T",
        "--ask-code",
        action="store_true",
        help="ask the players for their codes before the game",
    )
    parser.add_argument(
        "--wait",
        type=seconds,
        default=60.0,
        metavar="SECONDS",
        help="how long a player has to be there, such as one who calls tcp-listen (60)",
    )
    parser.add_argument(
        "--settle",
        type=seconds,
        default=1.0,
        metavar="SECONDS",
        help="how long a program has for its beginning, if it is not asked for its code (1)",
    )
    add_save(parser)
    parser.add_argument(
        "--pause", type=seconds, default=0.0, metavar="SECONDS", help="after each turn (0)"
    )
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="print one JSON object, nothing else")
    shown.add_argument("--no-board", action="store_true", help="say the turns, draw no boards")
    shown.add_argument("--quiet", action="store_true", help="say how the game ends, nothing else")


def _notice(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _run(arguments: argparse.Namespace) -> int:
    opening = position_after([arguments.opening], arguments.variant)
    if opening.ending or opening.turns >= arguments.limit:
        raise UsageError("--opening: the game would be over before it begins")
    if arguments.json and "human" in (arguments.white, arguments.red):
        raise UsageError("--json prints nothing that a person could play by")
    opener = PlayerOpener(
        variant=arguments.variant,
        code=arguments.ask_code,
        clock=arguments.clock,
        wait=arguments.wait,
        settle=arguments.settle,
        notice=_notice,
    )
    file = record_file(arguments)
    with ExitStack() as stack:
        players = opener.open_both(arguments.white, arguments.red)
        for player in players:
            stack.callback(player.close)
        referee = Referee(
            *players,
            variant=arguments.variant,
            opening=[played.turn for played in opening.history],
            clock=arguments.clock,
            limit=arguments.limit,
        )
        game = _play(referee, players, arguments, file)
        if game is None:
            print("The game ends here.")
        else:
            _report(game, players, arguments)
    return 0


def _play(
    referee: Referee,
    players: tuple[Player, Player],
    arguments: argparse.Namespace,
    file: RecordFile | None,
) -> PlayedGame | None:
    """Play the game, and keep it however it ends; None if a person has left it."""
    white, red = players
    tags = game_tags(white.name, red.name)
    for player in players:
        if isinstance(player, Person):
            player.tags = tags
    game = None
    try:
        game = referee.play(_watch(referee.position, players, arguments))
    except LeaveError:
        pass
    finally:
        if file and (game or referee.seconds):
            file.add(game.record(tags) if game else referee.record(tags))
    return game


def _watch(
    start: Position, players: tuple[Player, Player], arguments: argparse.Namespace
) -> Watch | None:
    """Begin to show the game as the command line asks; None to show nothing."""
    if arguments.json or arguments.quiet:
        return None
    white, red = players
    typed = "human" in (arguments.white, arguments.red)
    view = LiveView(
        (white.name, red.name),
        arguments.clock,
        boards=not arguments.no_board,
        redraw=False if typed else None,
    )
    view.show(start)

    def watch(position: Position, played: Played, spent: float) -> None:
        view.show_turn(position, played, spent)
        time.sleep(arguments.pause)

    return watch


def _report(
    game: PlayedGame, players: tuple[Player, Player], arguments: argparse.Namespace
) -> None:
    """Say how the game has ended."""
    if arguments.json:
        named = {
            colour: {"player": player.name, "code": getattr(player, "code", None)}
            for colour, player in zip(("white", "red"), players, strict=True)
        }
        print(json.dumps({**named, "limit": arguments.limit, **game.as_dict()}))
        return
    print_sentence(describe_end(game.position, game.ending))
    if not game.ending.on_the_board and game.ending.reason != "turn limit":
        print_sentence(f"{game.explanation[0].upper()}{game.explanation[1:]}.")
    print(f"Result: {game.ending.score}")


COMMAND = Command(
    name="referee",
    summary="let two players play a game by the contest's rules",
    description=(
        "Let two players play one game. Who is late, makes an illegal turn, answers what is no\n"
        "turn, or stops answering, loses; a game that is open after the limit is a draw.\n\n"
        f"{PLAYER_TABLE}\n\n"
        "Exit status 0 when a game was played, however it ended; 1 if a player is not there.\n\n"
        "--json: white and red (player, code), limit, variant, clock, opening, turns (number,\n"
        "colour, turn, forced, seconds), result, winner, termination, explanation."
    ),
    examples=(
        "loopline referee --white sim --red random",
        "loopline referee --white 'cmd:./player -v' --red /dev/ttyUSB0@19200 --save game.txt",
        "loopline referee --white tcp-listen:5000 --red human --clock 60+grace",
    ),
    configure=_configure,
    run=_run,
)
