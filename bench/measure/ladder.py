"""``loopline bench ladder``: the strength of Loopline's players, each against the next one.

Each player meets the next one in pairs of games with the same opening and exchanged colours, by
``loopline match``: a random mover, the gateware's player of two turns, the search at 10 ms, 100 ms
and 1 s. Elo is that of the upper player against the lower one, with the error of 95 %. The last
column is the sum from the bottom; errors add up, too. If all games were won, Elo is a lower bound.
The same command continues an interrupted match: its games are in the folder.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from loopline.tools.arguments import Parser, even_number, seed, whole_number

__all__ = ["RUNGS", "main"]

RUNGS = ("random", "reference", "engine:time=0.01", "engine:time=0.1", "engine:time=1")
"""From the weakest to the strongest."""

_COLUMNS = "{:28} {:28} {:>6} {:>13} {:>15} {:>8}"


class _MatchError(Exception):
    """A match without a result: the message names it, ``status`` is its exit status."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def _match(upper: str, lower: str, options: argparse.Namespace) -> dict[str, Any]:
    """Return the object that ``loopline match --json`` prints. Raises :exc:`_MatchError`."""
    name = f"{upper}-{lower}".translate(str.maketrans(":=,/ ", "_____"))
    words = [
        *(sys.executable, "-m", "loopline.host", "match", upper, lower, "--json", "--resume"),
        *("--games", str(options.games), "--clock", "none", "--seed", str(options.seed)),
        *("--concurrency", str(options.concurrency)),
        *("--save", str(options.folder / f"{name}.txt")),
    ]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        message = f"the match of {upper} and {lower} ended with {done.returncode}"
        raise _MatchError(message, done.returncode)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _elo(found: dict[str, float | None]) -> tuple[str, float, str]:
    """Return the difference as text and as a number, and ``>`` if it is a bound."""
    value, low = found["value"], found["low"]
    if value is None:
        return f"> {low or 0:+.0f}", low or 0.0, "> "
    error = "?" if found["error"] is None else f"{found['error']:.0f}"
    return f"{value:+.0f} ± {error}", value, ""


def main(words: Sequence[str] | None = None) -> int:
    """Run with these arguments and return the exit status."""
    parser = Parser(
        prog="loopline bench ladder",
        description=__doc__,
        examples=["loopline bench ladder --games 200 --folder build/ladder"],
    )
    add = parser.add_argument
    parser.add_value(
        "--games", even_number(2, 10**6), "the number of games of each match", default=200
    )
    parser.add_value("--seed", seed, "the seed of openings and players", default=1)
    parser.add_value(
        "--concurrency", whole_number(1, 999), "the number of games at one time", default=1
    )
    parser.add_value(
        "--folder",
        Path,
        "the folder for the games",
        default=Path("build/ladder"),
        metavar="DIR",
        shown="build/ladder",
    )
    add("--json", action="store_true", help="print one JSON object per match")
    add(
        "players",
        nargs="*",
        default=RUNGS,
        metavar="PLAYER",
        help=f"the players, the weakest first ({' '.join(RUNGS)})",
    )
    options = parser.parse_args(words)
    if len(options.players) < 2:
        parser.error("a ladder has two players or more")
    parser.folder("--folder", options.folder)
    if not options.json:
        print(_COLUMNS.format("player", "against", "games", "points", "Elo", "sum"))
    total, least = 0.0, ""
    for lower, upper in zip(options.players, options.players[1:], strict=False):
        try:
            found = _match(upper, lower, options)
        except _MatchError as error:
            print(f"{parser.prog}: {error}", file=sys.stderr)
            # Wrong use of the match is wrong use of the ladder.
            return 2 if error.status == 2 else 1
        if options.json:
            print(json.dumps(found), flush=True)
            continue
        one, other = found["players"]
        shown, elo, bound = _elo(found["elo"])
        total += elo
        least = least or bound
        points = f"{one['points']:g} : {other['points']:g}"
        row = (upper, lower, found["games"], points, shown, f"{least}{total:+.0f}")
        print(_COLUMNS.format(*row), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
