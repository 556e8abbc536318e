"""The options that ``loopline match`` and ``loopline tournament`` share."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from loopline.host.cli.options.times import clock
from loopline.host.cli.options.variants import add_variant

if TYPE_CHECKING:
    from loopline.host.cluster.spread import Workers

__all__ = ["add_contest", "add_workers", "workers_of"]

_MOST = 1_000_000
_TURNS = (1, 40)


def _count(what: str) -> Callable[[str], int]:
    """Return a reader of numbers from 1, ``what`` being counted, for the command line."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal()) or not 1 <= int(text) <= _MOST:
            raise argparse.ArgumentTypeError(f"{text!r} is no number of {what}: use 1 to {_MOST}")
        return int(text)

    return read


def _games(text: str) -> int:
    games = _count("games")(text)
    if games % 2:
        raise argparse.ArgumentTypeError(f"{text} games are no pairs: use an even number")
    return games


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 18:
        raise argparse.ArgumentTypeError(f"{text!r} is no seed: use a number of up to 18 digits")
    return int(text)


def _turns(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,2})(?:\.\.([0-9]{1,2}))?", text, re.ASCII)
    if found:
        shortest, longest = int(found[1]), int(found[2] or found[1])
        if _TURNS[0] <= shortest <= longest <= _TURNS[1]:
            return shortest, longest
    raise argparse.ArgumentTypeError(
        f"{text!r} is no number of turns: use {_TURNS[0]} to {_TURNS[1]}, or two as in 4..6"
    )


def add_workers(parser: argparse.ArgumentParser, what: str) -> None:
    """Add ``--scheduler`` and ``--concurrency``; ``what`` is done at one time."""
    parser.add_argument(
        "--concurrency",
        "--processes",
        type=_count(what),
        metavar="N",
        help=f"how many {what} at one time (one per processor)",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="let the workers of this Dask scheduler do it, such as tcp://10.0.0.1:8786",
    )


def workers_of(arguments: argparse.Namespace) -> Workers:
    """Return who does the work, as the command line says."""
    from loopline.host.cluster.spread import Workers

    return Workers(arguments.concurrency, arguments.scheduler)


def add_contest(parser: argparse.ArgumentParser) -> None:
    """Add the options that every contest has; the players are the command's."""
    parser.add_argument(
        "--games",
        type=_games,
        default=100,
        metavar="N",
        help="how many games each two players play with each other, an even number (100)",
    )
    parser.add_argument(
        "--name",
        dest="names",
        action="append",
        default=[],
        metavar="NAME",
        help="what to call the first player; once more for the second, and so on",
    )
    add_variant(parser)
    parser.add_argument(
        "--clock",
        "--time",
        type=clock,
        default=clock("1"),
        metavar="CLOCK",
        help="seconds per turn; N+grace: each player may exceed it once, by 10 minutes; none (1)",
    )
    openings = parser.add_mutually_exclusive_group()
    openings.add_argument(
        "--opening-turns",
        type=_turns,
        default=(4, 6),
        metavar="N..M",
        help="let each pair of games begin after N to M random turns (4..6)",
    )
    openings.add_argument(
        "--openings", metavar="FILE", help="let them begin after the games of this file"
    )
    openings.add_argument(
        "--no-openings", action="store_true", help="let all games begin with the empty board"
    )
    parser.add_argument(
        "--seed", type=_seed, default=1, metavar="N", help="of openings and players (1)"
    )
    add_workers(parser, "games")
    parser.add_argument(
        "--save",
        metavar="FILE",
        help="the file for the games, with FILE.journal to resume from (made of the players)",
    )
    existing = parser.add_mutually_exclusive_group()
    existing.add_argument(
        "--resume", action="store_true", help="go on with what is in FILE.journal, if it exists"
    )
    existing.add_argument(
        "--overwrite", action="store_true", help="begin anew, even if these files exist"
    )
    parser.add_argument("--event", metavar="TEXT", help="the event, for the records")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
