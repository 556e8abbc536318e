"""The course of ``loopline match`` and ``loopline tournament``, from options to report."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from loopline.host.cli.options.contest import workers_of
from loopline.host.errors import DeviceError, UsageError
from loopline.host.players.person import LeaveError
from loopline.host.players.spec import open_player

if TYPE_CHECKING:
    from loopline.host.cluster.spread import Workers
    from loopline.host.matches.contest import Contest
    from loopline.host.matches.openings import Openings
    from loopline.host.matches.plan import Plan
    from loopline.host.matches.sprt import Sprt

__all__ = ["play_contest"]


def play_contest(
    arguments: argparse.Namespace,
    kind: str,
    specs: Sequence[str],
    pairings: Sequence[tuple[int, int]],
    sprt: Sprt | None = None,
) -> int:
    """Play a contest, show its course on standard error and its result on standard output.

    Parameters
    ----------
    arguments : Namespace
        The options of :func:`.contest_options.add_contest`.
    kind : str
        What it is called.
    specs, pairings
        The players, and who meets whom, by number.
    sprt : Sprt or None
        The test that ends a match.

    Raises
    ------
    UsageError, DeviceError
        As :meth:`loopline.host.matches.contest.Contest.run` does.
    """
    from loopline.host.matches.contest import Contest
    from loopline.host.matches.journal import Journal
    from loopline.host.matches.report import as_json, report
    from loopline.host.ui.progress import console

    if arguments.json and "human" in specs:
        raise UsageError("--json leaves no place for the board that 'human' looks at")
    plan, settings = _plan(arguments, specs, pairings)
    if sprt:
        settings["sprt"] = [sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta]
    workers = _fitting(plan, workers_of(arguments))
    games = Path(arguments.save or _file_name(kind, plan.names))
    journal = Path(f"{games}.journal")
    _clear(games, journal, arguments)
    event = arguments.event or f"Loopline {kind}"
    with Journal(journal, settings, resume=arguments.resume) as kept:
        contest = Contest(plan, kept, games, event, sprt)
        try:
            _run(contest, workers, plan)
        except BaseException:
            if contest.played and not contest.is_over():
                print(
                    f"{contest.standing.games} of {2 * plan.pairs} games are in {games}: "
                    "the same command with --resume goes on",
                    file=sys.stderr,
                )
            raise
    if arguments.json:
        print(json.dumps({**as_json(contest), "file": str(games)}))
        return 0
    out = console()
    for part in report(contest):
        out.print(part)
    out.print(f"games: {games}", style="dim")
    return 0


def _plan(
    arguments: argparse.Namespace, specs: Sequence[str], pairings: Sequence[tuple[int, int]]
) -> tuple[Plan, dict[str, Any]]:
    """The plan, and all in it that games depend on, for the journal.

    The number of games is not among it, so that a match can be made longer.
    """
    from loopline.host.matches.pairs import SEEDED
    from loopline.host.matches.plan import Plan, names_of

    for spec in specs:
        if spec.partition(":")[0] in SEEDED:
            # Its seed will be another one; this is for what is wrong with the spec.
            open_player(spec, variant=arguments.variant).close()
    for text in (*arguments.names, arguments.event or ""):
        if not text.isprintable():
            raise UsageError(f"{text!r} is no line of text, for the records")
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
    """The openings, and what tells them from others, for the journal."""
    from loopline.host.matches.openings import GeneratedOpenings, GivenOpenings, read_openings

    if arguments.no_openings:
        return GivenOpenings(), None
    if arguments.openings:
        openings = read_openings(Path(arguments.openings), arguments.variant)
        text = "\n".join(" ".join(map(str, opening)) for opening in openings)
        return GivenOpenings(openings), blake2b(text.encode(), digest_size=8).hexdigest()
    shortest, longest = arguments.opening_turns
    generated = GeneratedOpenings(shortest, longest, arguments.seed, arguments.variant)
    return generated, [shortest, longest]


def _fitting(plan: Plan, workers: Workers) -> Workers:
    """Who can play: players that are there only once play one game after the other, here."""
    from loopline.host.cluster.spread import Workers
    from loopline.host.matches.plan import EXCLUSIVE, is_exclusive

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
        print(f"{exclusive[0]} plays one game at a time.", file=sys.stderr)
    return Workers(1)


def _file_name(kind: str, names: Sequence[str]) -> str:
    """A name for the file of games, made of the players' names."""
    words = [re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-.")[:24] for name in names]
    return f"{kind}-{'-'.join(words)}"[:100] + ".txt"


def _clear(games: Path, journal: Path, arguments: argparse.Namespace) -> None:
    """See to it that no other file is written over."""
    if arguments.overwrite:
        for path in (games, journal):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise UsageError(f"cannot write {path}: {error.strerror}") from error
    for path in (journal, games):
        if path.exists() and not (arguments.resume and journal.exists()):
            hint = "--resume to go on with it, " if path == journal else ""
            raise UsageError(f"{path} exists: use {hint}--overwrite, or another --save")


def _run(contest: Contest, workers: Workers, plan: Plan) -> None:
    """Play, with a bar or lines of progress on standard error."""
    from loopline.host.matches.report import state_text
    from loopline.host.ui.progress import console, progress

    err = console(error=True)
    title = " - ".join(plan.names) if len(plan.names) == 2 else f"{len(plan.names)} players"
    with progress(err, title, "games", bar="human" not in plan.specs) as update:

        def watch(contest: Contest) -> None:
            update(2 * contest.played, 2 * plan.pairs, state_text(contest))

        try:
            contest.run(workers, watch, err.print)
        except LeaveError as error:
            raise DeviceError("the person has left the match") from error
