"""``loopline puzzle``: positions to be won by force, in the terminal."""

from __future__ import annotations

import argparse
import random

from loopline.game import Position
from loopline.host.cli.commands import Command
from loopline.host.errors import UsageError
from loopline.host.players.analyst import Analysis, Analyst
from loopline.host.players.console import say
from loopline.host.puzzles.session import solve_puzzles
from loopline.host.puzzles.tactics import LEVELS, read_tactics
from loopline.host.render.wording import plural
from loopline.host.transport.engine import ENGINE
from loopline.tools.arguments import seed, seed_from_time, whole_number

__all__ = ["COMMANDS"]

_NUMBER = 5
_NODES = 1_000_000

_DESCRIPTION = """
Win positions by force, against the best defence. Each puzzle shows a board and says in how many
turns of its own the side to move wins. Type the turn; the engine says whether the win is still
forced, and defends. A wrong turn is taken back. hint says where the winning turn is, solution shows
the win, skip goes on to the next puzzle, quit leaves; help lists all words and explains turns.

The puzzles are from games of the engine against itself (docs/play.md). Short ones come first.
"""


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--level",
        type=whole_number(LEVELS[0], LEVELS[-1]),
        metavar="N",
        help=f"only puzzles that are won in N turns, from {LEVELS[0]} to {LEVELS[-1]}",
    )
    parser.add_argument(
        "--number",
        type=whole_number(1),
        default=_NUMBER,
        metavar="N",
        help=f"how many puzzles ({_NUMBER})",
    )
    parser.add_argument(
        "--seed", type=seed, metavar="N", help="choose the same puzzles as before; default: others"
    )
    parser.add_argument(
        "--nodes",
        type=whole_number(1),
        default=_NODES,
        metavar="N",
        help=f"the most nodes (positions) for each answer ({_NODES}); with fewer it is faster, "
        "but may miss long wins",
    )


def _run(arguments: argparse.Namespace) -> int:
    level: int | None = arguments.level
    tactics = [each for each in read_tactics() if level in (None, each.own_turns)]
    try:
        chosen = seed_from_time() if arguments.seed is None else arguments.seed
    except ValueError as error:
        raise UsageError(str(error)) from error
    tactics = random.Random(chosen).sample(tactics, min(arguments.number, len(tactics)))
    tactics.sort(key=lambda each: each.own_turns)
    with Analyst(ENGINE) as analyst:

        def analyse(position: Position) -> Analysis:
            turns = [played.turn for played in position.history]
            return analyst.analyse(turns, position.variant, nodes=arguments.nodes, whole=True)

        say(f"{plural(len(tactics), 'puzzle')}, seed {chosen}. Type help for help.")
        say(str(solve_puzzles(tactics, analyse)))
    return 0


COMMANDS = {
    "puzzle": Command(
        description=_DESCRIPTION,
        examples=(
            "loopline puzzle",
            "loopline puzzle --level 3 --number 10",
            "loopline puzzle --seed 7",
        ),
        configure=_configure,
        run=_run,
    )
}
