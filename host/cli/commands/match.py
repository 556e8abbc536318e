"""``loopline match``: many games between two players, and who is the stronger one."""

from __future__ import annotations

import argparse

from loopline.host.cli.commands import Command
from loopline.host.cli.options.contest import add_contest
from loopline.host.cli.options.contests import play_contest
from loopline.host.cli.options.limits import add_model_limits
from loopline.host.errors import UsageError
from loopline.host.players.spec import PLAYER_TABLE
from loopline.host.transport.engine import is_model, with_options

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "players", nargs="+", metavar="PLAYER", help="the two players, see above; one with --device"
    )
    parser.add_argument(
        "--device", metavar="PLAYER", help="the first player, named as for other programs"
    )
    add_contest(parser)
    add_model_limits(parser, time=False, seed=False)
    parser.add_argument(
        "--sprt",
        nargs=2,
        type=float,
        metavar=("ELO0", "ELO1"),
        help="end as soon as it is clear whether the first player is ELO1 stronger, or just ELO0",
    )
    for name, what in ("alpha", "ELO1 where ELO0 is true"), ("beta", "ELO0 where ELO1 is true"):
        parser.add_argument(
            f"--{name}",
            type=float,
            default=0.05,
            metavar="SHARE",
            help=f"how often --sprt may accept {what} (0.05)",
        )


def _run(arguments: argparse.Namespace) -> int:
    from loopline.host.matches.plan import round_robin
    from loopline.host.matches.sprt import Sprt

    sprt = None
    if arguments.sprt:
        elo0, elo1 = arguments.sprt
        try:
            sprt = Sprt(elo0, elo1, arguments.alpha, arguments.beta)
        except ValueError as error:
            raise UsageError(f"--sprt: {error}") from error
    given = [arguments.device] * (arguments.device is not None) + arguments.players
    if len(given) != 2:
        raise UsageError(f"a match has two players, not {len(given)}: see --help for who can play")
    players = [
        with_options(spec, nodes=arguments.nodes, depth=arguments.depth) if is_model(spec) else spec
        for spec in given
    ]
    if players == given and (arguments.nodes or arguments.depth):
        raise UsageError("--nodes and --depth are for a model without limits, and none plays")
    return play_contest(arguments, "match", players, round_robin(2), sprt)


COMMAND = Command(
    name="match",
    summary="play many games between two players and compare their strength",
    description=(
        "Play pairs of games between two players: both games of a pair begin with the same\n"
        "opening, with colours exchanged. Shown are points, the kinds of pairs, Elo with its\n"
        "error of 95 %, the likelihood that the first player is the stronger one, and the\n"
        "verdict of a sequential test. All games are saved; a match that was interrupted goes on\n"
        "with the same command and --resume, also with more --games than before.\n\n"
        f"{PLAYER_TABLE}\n\n"
        "What a player does wrong is a game lost. Exit status 0 when the match is over, whoever\n"
        "has won. See docs/matches.md for the formulas, for other machines, and for --json."
    ),
    examples=(
        "loopline match greedy random --games 1000",
        "loopline match --device model --nodes 20000 reference --games 40 --clock none",
        "loopline match 'cmd:./new' 'cmd:./old' --games 20000 --sprt 0 10 --concurrency 8",
        "loopline match sim reference --clock 5 --openings openings.txt --save sim.txt",
        "loopline match greedy random --games 100000 --scheduler tcp://10.0.0.1:8786 --resume",
    ),
    configure=_configure,
    run=_run,
)
