"""``loopline referee``: one game between any two players, by the contest's rules."""

from __future__ import annotations

import argparse
import json
import sys
import time
from contextlib import ExitStack

from loopline.game import Played, Position, format_record
from loopline.host.cli.commands import Command
from loopline.host.cli.options.files import (
    add_live,
    add_save,
    live_record,
    record_file,
    refuse_shared,
)
from loopline.host.cli.options.limits import add_limits, limited_players
from loopline.host.cli.options.players import add_clock, add_colours, add_start_timeout
from loopline.host.cli.options.positions import add_variant, position_after
from loopline.host.errors import UsageError
from loopline.host.players.base import Player
from loopline.host.players.console import LeaveError
from loopline.host.players.person import Person
from loopline.host.players.spec import PLAYER_TABLE, PlayerOpener
from loopline.host.records.record_file import RecordFile, tidy
from loopline.host.referee.live_record import LiveRecord
from loopline.host.referee.played_game import PlayedGame
from loopline.host.referee.referee import TURN_LIMIT, Referee, Watch
from loopline.host.render.wording import describe_end
from loopline.host.ui.live import LiveView
from loopline.host.ui.terminal_game import game_tags
from loopline.tools.arguments import seconds, whole_number
from loopline.tools.messages import tell

__all__ = ["COMMANDS"]

_MOST_TURNS = 9999

_DESCRIPTION = f"""
Let two players play one game. A player that is late, makes an illegal turn, answers something that
is not a turn, or stops answering loses. A game that is open after the limit is a draw.

{PLAYER_TABLE}

Exit status 0 when a game was played, however it ended; 1 if a player cannot be reached.

--json: white and red (player, code), limit, variant, clock, opening, turns (number, colour, turn,
forced, seconds), result, winner, termination, explanation.
"""


def _configure(parser: argparse.ArgumentParser) -> None:
    add_colours(parser)
    add_variant(parser)
    add_clock(parser, "1", "--time")
    add_limits(parser, match=True)
    parser.add_argument(
        "--limit",
        type=whole_number(1, _MOST_TURNS),
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
        type=seconds(),
        default=60.0,
        metavar="SECONDS",
        help="how long to wait for a player to appear, such as one that calls tcp-listen (60)",
    )
    parser.add_argument(
        "--settle",
        type=seconds(),
        default=1.0,
        metavar="SECONDS",
        help="how long a program has to start, if it is not asked for its code (1)",
    )
    add_start_timeout(parser)
    add_save(parser)
    add_live(parser)
    parser.add_argument(
        "--pause",
        type=seconds(),
        default=0.0,
        metavar="SECONDS",
        help="the pause after each turn (0)",
    )
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="print one JSON object, nothing else")
    shown.add_argument("--no-board", action="store_true", help="print the turns, draw no boards")
    shown.add_argument("--quiet", action="store_true", help="print how the game ends, nothing else")


def _run(arguments: argparse.Namespace) -> int:
    opening = position_after([arguments.opening], arguments.variant)
    if opening.ending or opening.turns >= arguments.limit:
        raise UsageError("--opening: the game would be over before it begins")
    if arguments.json and "human" in (arguments.white, arguments.red):
        raise UsageError("--json prints no board that a person could play on")
    specs = limited_players(arguments, (arguments.white, arguments.red))
    opener = PlayerOpener(
        variant=arguments.variant,
        code=arguments.ask_code,
        clock=arguments.clock,
        wait=arguments.wait,
        settle=arguments.settle,
        start=arguments.start_timeout,
        notice=tell,
    )
    refuse_shared({}, {"--save": arguments.save, "--live": arguments.live})
    file, live = record_file(arguments), live_record(arguments)
    with ExitStack() as stack:
        players = opener.open_both(*specs)
        for player in players:
            stack.callback(player.close)
        referee = Referee(
            *players,
            variant=arguments.variant,
            opening=[played.turn for played in opening.history],
            clock=arguments.clock,
            limit=arguments.limit,
        )
        game = _play(referee, players, arguments, file, live)
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
    live: LiveRecord | None,
) -> PlayedGame | None:
    """Play the game and save it, however it ends; return None if a person has left it."""
    white, red = players
    tags = game_tags(white.name, red.name)
    for player in players:
        if isinstance(player, Person):
            player.tags = tags
    game = None
    try:
        watch = _watch(referee.position, players, arguments)
        game = live.play(referee, tags, watch) if live else referee.play(watch)
    except LeaveError:
        pass
    finally:
        if file and (game or referee.seconds):
            record = game.record(tags) if game else referee.record(tags)
            try:
                file.add(record)
            except UsageError:
                # It is not lost.
                tell(f"The record that is not saved:\n{format_record(tidy(record))}")
                raise
    return game


def _watch(
    start: Position, players: tuple[Player, Player], arguments: argparse.Namespace
) -> Watch | None:
    """Show the opening, and return what shows each turn; None if no turn is to be shown."""
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
    """Print how the game ended."""
    if arguments.json:
        named = {
            colour: {"player": player.name, "code": getattr(player, "code", None)}
            for colour, player in zip(("white", "red"), players, strict=True)
        }
        print(json.dumps({**named, "limit": arguments.limit, **game.as_dict()}))
        return
    tell(describe_end(game.position, game.ending), sys.stdout)
    if not game.ending.on_the_board and game.ending.reason != "turn limit":
        tell(f"{game.explanation[0].upper()}{game.explanation[1:]}.", sys.stdout)
    print(f"Result: {game.ending.score}")


COMMANDS = {
    "referee": Command(
        description=_DESCRIPTION,
        examples=(
            "loopline referee --white sim --red random",
            "loopline referee --white 'cmd:./player -v' --red /dev/ttyUSB0@19200 --save game.txt",
            "loopline referee --white tcp-listen:5000 --red human --clock 60+grace",
        ),
        configure=_configure,
        run=_run,
    )
}
