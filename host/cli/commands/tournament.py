"""``loopline tournament``: everybody against everybody, or one player against all others."""

from __future__ import annotations

import argparse

from loopline.host.cli.commands import Command
from loopline.host.cli.options.contest import add_contest
from loopline.host.cli.options.contests import play_contest
from loopline.host.errors import UsageError
from loopline.host.players.spec import PLAYER_TABLE

__all__ = ["COMMAND"]

_FORMATS = ("round-robin", "gauntlet")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "players", nargs="+", metavar="PLAYER", help="the players, three or more, see above"
    )
    parser.add_argument(
        "--format",
        choices=_FORMATS,
        default=_FORMATS[0],
        help="everybody against everybody, or the first player against the others (round-robin)",
    )
    add_contest(parser)


def _run(arguments: argparse.Namespace) -> int:
    from loopline.host.matches.plan import gauntlet, round_robin

    count = len(arguments.players)
    if count < 3:
        raise UsageError("a tournament has three players or more: use loopline match for two")
    pairings = gauntlet(count) if arguments.format == "gauntlet" else round_robin(count)
    return play_contest(arguments, "tournament", arguments.players, pairings)


COMMAND = Command(
    name="tournament",
    summary="play everybody against everybody, or one against all",
    description=(
        "Play a tournament of pairs of games, as loopline match does, and show the cross table:\n"
        "Elo with its error of 95 %, the mean of all players being 0, and the points that each\n"
        "player has made against each. In every round all pairings begin with the same opening.\n\n"
        f"{PLAYER_TABLE}"
    ),
    examples=(
        "loopline tournament reference greedy random --games 200",
        "loopline tournament 'cmd:./new' sim reference greedy --format gauntlet --json",
    ),
    configure=_configure,
    run=_run,
)
