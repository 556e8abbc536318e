"""``loopline match`` and ``loopline tournament``: many games, to compare the strength of players.

Both are contests. They differ in the pairings; a match may end early by a sequential test.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Any

from loopline.host.cli.commands import Command
from loopline.host.cli.options.files import add_live, live_record, refuse_shared
from loopline.host.cli.options.limits import add_limits, limited_players
from loopline.host.cli.options.players import add_clock, add_start_timeout
from loopline.host.cli.options.positions import add_variant
from loopline.host.cli.options.workers import add_workers, workers_of
from loopline.host.cluster.spread import Workers
from loopline.host.errors import DeviceError, UsageError
from loopline.host.matches.against import older_engine
from loopline.host.matches.contest import Contest
from loopline.host.matches.journal import Journal, set_aside
from loopline.host.matches.openings import (
    GeneratedOpenings,
    GivenOpenings,
    Openings,
    read_openings,
)
from loopline.host.matches.plan import (
    EXCLUSIVE,
    Plan,
    gauntlet,
    is_exclusive,
    names_of,
    round_robin,
)
from loopline.host.matches.sprt import LARGEST_ELO, Sprt
from loopline.host.matches.summary import as_json, state_text, summary
from loopline.host.players.console import LeaveError
from loopline.host.players.spec import PLAYER_TABLE, check_player
from loopline.host.transport.engine import ENGINE, is_engine, with_options
from loopline.host.ui.progress import console, progress
from loopline.tools.arguments import decimal_number, even_number, number_range, seed
from loopline.tools.messages import tell

__all__ = ["COMMANDS"]

_FORMATS = ("round-robin", "gauntlet")
_RISK = 0.05
"""How often a sequential test may be wrong, if nothing else is said."""

_MATCH = f"""
Play pairs of games between two players: both games of a pair begin with the same opening, with
colours exchanged. The result shows points, the kinds of pairs, Elo with its error of 95 %, the
likelihood that the first player is the stronger one, and the verdict of a sequential test. All
games are saved; the same command with --resume continues a match that was interrupted, also with
more --games than before.

{PLAYER_TABLE}

A player's fault loses the game. Exit status 0 when the match is over, whoever has won. See
docs/matches.md for the formulas, for other machines, and for --json.
"""

_TOURNAMENT = f"""
Play a tournament of pairs of games, as loopline match does, and show the cross table: Elo with its
error of 95 %, the mean of all players being 0, and each player's points against each. In every
round all pairings begin with the same opening.

{PLAYER_TABLE}
"""


# The options.


def _configure_match(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "players",
        nargs="*",
        metavar="PLAYER",
        help="the two players, see above; one with --device; none or one with --against",
    )
    parser.add_argument(
        "--device", metavar="PLAYER", help="the first player, named as for other programs"
    )
    parser.add_argument(
        "--against",
        metavar="COMMIT",
        help="play the engine against that of a commit; PLAYER has the settings of both (engine)",
    )
    _add_contest(parser)
    add_limits(parser, match=True)
    parser.add_argument(
        "--sprt",
        nargs=2,
        type=decimal_number(-LARGEST_ELO, LARGEST_ELO),
        metavar=("ELO0", "ELO1"),
        help="end as soon as it is clear whether the first player is ELO1 stronger, or just ELO0",
    )
    for name, what in ("alpha", "ELO1 where ELO0 is true"), ("beta", "ELO0 where ELO1 is true"):
        parser.add_argument(
            f"--{name}",
            type=decimal_number(0, 1),
            metavar="SHARE",
            help=f"how often --sprt may accept {what} ({_RISK})",
        )


def _configure_tournament(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "players", nargs="+", metavar="PLAYER", help="the players, three or more, see above"
    )
    parser.add_argument(
        "--format",
        choices=_FORMATS,
        default=_FORMATS[0],
        help="all against each other, or the first player against the others (round-robin)",
    )
    _add_contest(parser)


def _add_contest(parser: argparse.ArgumentParser) -> None:
    """Add the options that match and tournament share."""
    parser.add_argument(
        "--games",
        type=even_number(2, 1_000_000),
        default=100,
        metavar="N",
        help="how many games each two players play against each other, an even number (100)",
    )
    parser.add_argument(
        "--name",
        dest="names",
        action="append",
        default=[],
        metavar="NAME",
        help="the first player's name; given again, the second player's, and so on",
    )
    add_variant(parser)
    add_clock(parser, "1", "--time")
    add_start_timeout(parser)
    openings = parser.add_mutually_exclusive_group()
    openings.add_argument(
        "--opening-turns",
        type=number_range(1, 40),
        default=(4, 6),
        metavar="N..M",
        help="let each pair of games begin after N to M random turns (4..6)",
    )
    openings.add_argument(
        "--openings", metavar="FILE", help="let the pairs begin after the games of this file"
    )
    openings.add_argument(
        "--no-openings", action="store_true", help="let all games begin with the empty board"
    )
    parser.add_argument(
        "--seed", type=seed, default=1, metavar="N", help="the seed of openings and players (1)"
    )
    add_workers(parser, "games")
    parser.add_argument(
        "--save",
        metavar="FILE",
        help="the file for the games; FILE.journal is for --resume (named after the players)",
    )
    add_live(parser)
    existing = parser.add_mutually_exclusive_group()
    existing.add_argument(
        "--resume", action="store_true", help="continue from FILE.journal, if it exists"
    )
    existing.add_argument(
        "--overwrite", action="store_true", help="begin anew, and replace these files if they exist"
    )
    parser.add_argument("--event", metavar="TEXT", help="the event, for the records")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")


# The course.


def _match(arguments: argparse.Namespace) -> int:
    sprt = None
    if arguments.sprt is None and (arguments.alpha, arguments.beta) != (None, None):
        raise UsageError("--alpha and --beta say how often --sprt may be wrong: give it, too")
    if arguments.sprt:
        elo0, elo1 = arguments.sprt
        try:
            alpha, beta = (
                _RISK if risk is None else risk for risk in (arguments.alpha, arguments.beta)
            )
            sprt = Sprt(elo0, elo1, alpha, beta)
        except ValueError as error:
            raise UsageError(f"--sprt: {error}") from error
    named = [arguments.device] * (arguments.device is not None) + arguments.players
    if arguments.against:
        named = _against(arguments, named)
    if len(named) != 2:
        raise UsageError(f"a match has two players, not {len(named)}: see --help for who can play")
    players = limited_players(arguments, named)
    return _play_contest(arguments, "match", players, round_robin(2), sprt)


def _against(arguments: argparse.Namespace, named: Sequence[str]) -> list[str]:
    """Return the engine and an older one with the same settings, and name them."""
    if len(named) > 1 or not all(map(is_engine, named)):
        raise UsageError(
            "--against plays the engine: use at most one PLAYER, engine[:NAME=VALUE,...]"
        )
    spec = with_options(
        named[0] if named else ENGINE,
        nodes=arguments.nodes,
        depth=arguments.depth,
        seed=arguments.seed,
    )
    arguments.nodes = arguments.depth = None
    old, commit = older_engine(arguments.against, spec, arguments.variant, arguments.clock)
    arguments.names += ["new", commit][len(arguments.names) :]
    return [spec, old]


def _tournament(arguments: argparse.Namespace) -> int:
    count = len(arguments.players)
    if count < 3:
        raise UsageError("a tournament has three players or more: use loopline match for two")
    pairings = gauntlet(count) if arguments.format == "gauntlet" else round_robin(count)
    return _play_contest(arguments, "tournament", arguments.players, pairings)


def _play_contest(
    arguments: argparse.Namespace,
    kind: str,
    specs: Sequence[str],
    pairings: Sequence[tuple[int, int]],
    sprt: Sprt | None = None,
) -> int:
    """Play a contest, with progress on standard error and the result on standard output.

    Parameters
    ----------
    arguments : Namespace
        The options of :func:`_add_contest`.
    kind : str
        ``match`` or ``tournament``.
    specs, pairings
        The players, and the pairs that meet, as indices of players.
    sprt : Sprt or None
        The test that ends a match.

    Raises :exc:`UsageError` and :exc:`DeviceError` as :meth:`.Contest.run` does.
    """
    if arguments.json and "human" in specs:
        raise UsageError("--json prints no board that a person could play on")
    plan, settings = _plan(arguments, specs, pairings)
    if sprt:
        settings["sprt"] = [sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta]
    workers = _fitting(plan, workers_of(arguments))
    if arguments.live:
        if workers.scheduler is not None or workers.concurrency not in (None, 1):
            raise UsageError("--live follows one game at a time: it needs --concurrency 1")
        workers = Workers(1)
    games = arguments.save
    games = _default_file(kind, plan.names, arguments) if games is None else Path(games)
    journal = Path(f"{games}.journal")
    openings = None if arguments.openings is None else Path(arguments.openings)
    outputs = {"--save": games, "FILE.journal": journal, "--live": arguments.live}
    refuse_shared({"--openings": openings}, outputs)
    _check_files(games, journal, arguments)
    event = arguments.event or f"Loopline {kind}"
    live = live_record(arguments)
    with Journal(
        journal, settings, resume=arguments.resume, overwrite=arguments.overwrite
    ) as finished:
        contest = Contest(plan, finished, games, event, sprt, live)
        try:
            _run(contest, workers, plan)
        except BaseException:
            if contest.played and not contest.is_over():
                how = (
                    f"--save {games} --resume, not --overwrite,"
                    if arguments.overwrite
                    else "--resume"
                )
                tell(
                    f"{contest.standing.games} of {2 * plan.pairs} games are in {games}: "
                    f"the same command with {how} continues"
                )
            raise
    if arguments.json:
        print(json.dumps({**as_json(contest), "file": str(games)}))
        return 0
    out = console()
    for part in summary(contest):
        out.print(part)
    out.print(f"games: {games}", style="dim")
    return 0


def _plan(
    arguments: argparse.Namespace, specs: Sequence[str], pairings: Sequence[tuple[int, int]]
) -> tuple[Plan, dict[str, Any]]:
    """Return the plan, and the settings that the journal keeps: all that games depend on.

    The number of games is not among them, so that a match can be made longer.
    """
    for spec in specs:
        check_player(spec)
    for text in (*arguments.names, arguments.event or ""):
        if not text.isprintable():
            raise UsageError(f"{text!r} is not a line of text, as records need it")
    if len(arguments.names) > len(specs):
        raise UsageError(f"--name: {len(arguments.names)} names, but {len(specs)} players")
    openings, source = _openings(arguments)
    plan = Plan(
        specs=tuple(specs),
        names=names_of(specs, arguments.names),
        pairings=tuple(pairings),
        rounds=arguments.games // 2,
        openings=openings,
        variant=arguments.variant,
        clock=arguments.clock,
        seed=arguments.seed,
        start=arguments.start_timeout,
    )
    settings = {
        "players": list(specs),
        "names": list(plan.names),
        "pairings": [list(pairing) for pairing in pairings],
        "variant": plan.variant.name,
        "clock": str(plan.clock),
        "openings": source,
        "seed": plan.seed,
    }
    return plan, settings


def _openings(arguments: argparse.Namespace) -> tuple[Openings, object]:
    """Return the openings, and what identifies them in the journal."""
    if arguments.no_openings:
        return GivenOpenings(), None
    if arguments.openings is not None:
        openings = read_openings(Path(arguments.openings), arguments.variant)
        text = "\n".join(" ".join(map(str, opening)) for opening in openings)
        return GivenOpenings(openings), blake2b(text.encode(), digest_size=8).hexdigest()
    shortest, longest = arguments.opening_turns
    generated = GeneratedOpenings(shortest, longest, arguments.seed, arguments.variant)
    return generated, [shortest, longest]


def _fitting(plan: Plan, workers: Workers) -> Workers:
    """Return the workers for a plan: a player that exists only once plays one game at a time."""
    exclusive = [spec for spec in plan.specs if is_exclusive(spec)]
    if not exclusive:
        return workers
    twice = {spec for spec in exclusive if exclusive.count(spec) > 1}
    if twice:
        raise UsageError(f"{twice.pop()!r} cannot play against itself")
    if workers.scheduler is not None:
        raise UsageError(f"{EXCLUSIVE} play on this machine: {exclusive[0]!r} needs no --scheduler")
    if workers.concurrency not in (None, 1):
        raise UsageError(
            f"{EXCLUSIVE} play one game at a time: {exclusive[0]!r} needs --concurrency 1"
        )
    if workers.concurrency is None:
        tell(f"{exclusive[0]} plays one game at a time.")
    return Workers(1)


def _default_file(kind: str, names: Sequence[str], arguments: argparse.Namespace) -> Path:
    """Return the file of games, named after the players.

    A new contest takes the first name that no other one has used: with -2, -3 ... at its end.
    ``--resume`` takes the last one that was used, ``--overwrite`` the one without a number.
    """
    words = [re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-.")[:24] for name in names]
    stem = f"{kind}-{'-'.join(words)}"[:100]
    last = path = Path(f"{stem}.txt")
    if arguments.overwrite:
        return path
    for number in count(2):
        if not path.exists() and not Path(f"{path}.journal").exists():
            break
        last, path = path, Path(f"{stem}-{number}.txt")
    return last if arguments.resume else path


def _check_files(games: Path, journal: Path, arguments: argparse.Namespace) -> None:
    """Make sure that no file of another contest is written over, and nothing but a plain file."""
    for path in (journal, games):
        if path.exists() and not path.is_file():
            raise UsageError(f"cannot write {path}: it is no plain file")
    if arguments.overwrite:
        return
    if journal.exists() and not games.exists() and not arguments.resume:
        aside = set_aside(journal)
        tell(f"{journal} is of another match: it is {aside} now.")
    for path in (journal, games):
        if path.exists() and not (arguments.resume and journal.exists()):
            hint = "--resume to go on with it, " if path == journal else ""
            raise UsageError(f"{path} exists: use {hint}--overwrite, or another --save")


def _run(contest: Contest, workers: Workers, plan: Plan) -> None:
    """Play, with a progress bar or lines on standard error."""
    err = console(error=True)
    title = " - ".join(plan.names) if len(plan.names) == 2 else f"{len(plan.names)} players"
    with progress(err, title, "games", bar="human" not in plan.specs) as update:

        def watch(contest: Contest) -> None:
            update(2 * contest.played, 2 * plan.pairs, state_text(contest))

        try:
            contest.run(workers, watch, err.print)
        except LeaveError as error:
            raise DeviceError("the person has left the match") from error


COMMANDS = {
    "match": Command(
        description=_MATCH,
        examples=(
            "loopline match greedy random --games 1000",
            "loopline match --device engine --nodes 20000 greedy --games 40 --clock none",
            "loopline match 'cmd:./new' 'cmd:./old' --games 20000 --sprt 0 10 --concurrency 8",
            "loopline match sim greedy --clock 5 --openings openings.txt --save sim.txt",
            "loopline match greedy random --games 100000 --scheduler tcp://10.0.0.1:8786 --resume",
        ),
        configure=_configure_match,
        run=_match,
    ),
    "tournament": Command(
        description=_TOURNAMENT,
        examples=(
            "loopline tournament engine:nodes=100 greedy random --games 200",
            "loopline tournament 'cmd:./new' sim engine:nodes=1000 greedy --format gauntlet --json",
        ),
        configure=_configure_tournament,
        run=_tournament,
    ),
}
