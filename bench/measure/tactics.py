"""``loopline bench tactics``: the share of forced wins that the search finds, by length and limit.

A position is solved when the search says that the side to move wins by force. The positions come
from ``host/puzzles/tactics.txt``, written by ``python -m loopline.bench.makers.find_tactics``.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from loopline.bench.interruption import interruptible
from loopline.engine.options import Limits
from loopline.engine.search.frames import MATE_BOUND
from loopline.engine.search.searcher import Searcher
from loopline.host.puzzles.tactics import FILE, Tactic, read_tactics
from loopline.tools.arguments import Parser, checked, decimal_number, whole_number

__all__ = ["LIMITS", "Share", "main", "solve"]

LIMITS = ("10 ms", "100 ms", "1 s", "10000 nodes", "100000 nodes", "1000000 nodes")
"""The limits that are measured by default."""

_UNITS = {"ms": 0.001, "s": 1.0}


class Share(NamedTuple):
    """The numbers of positions of a kind, and of those that were solved."""

    positions: int
    solved: int


def limits_of(text: str) -> Limits:
    """Return the limits ``10 ms``, ``1 s`` or ``5000 nodes``; :exc:`ValueError` for other texts."""
    number, _, unit = text.replace("_", " ").partition(" ")
    with suppress(ValueError):
        if unit == "nodes":
            return Limits(nodes=whole_number(1)(number))
        if unit in _UNITS:
            return Limits(seconds=decimal_number(0.001, 10**6)(number) * _UNITS[unit])
    raise ValueError(f"{text!r} is not a limit: use a number with ms, s or nodes")


def solve(searcher: Searcher, tactic: Tactic, limits: Limits) -> bool:
    """Return whether the search finds the win."""
    return searcher.search(tactic.position, limits).score >= MATE_BOUND


def _limits(text: str) -> tuple[str, Limits]:
    return text, limits_of(text)


def main(words: Sequence[str] | None = None) -> int:
    """Run with these arguments and return the exit status."""
    parser = Parser(
        prog="loopline bench tactics",
        description=__doc__,
        examples=["loopline bench tactics --limits '100 ms' '50000 nodes'"],
    )
    parser.add_argument(
        "--limits",
        type=checked(_limits),
        nargs="+",
        default=[_limits(text) for text in LIMITS],
        metavar="LIMIT",
        help=f"the limits of each search ({', '.join(LIMITS)})",
    )
    parser.add_value(
        "--file", Path, "the file of positions", default=FILE, metavar="FILE", shown="tactics.txt"
    )
    parser.add_argument(
        "--unsolved", action="store_true", help="list the positions that are not solved"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(words)
    try:
        tactics = list(read_tactics(options.file))
    except OSError as error:
        parser.error(f"{error.strerror} ({error.filename})")
    except ValueError as error:
        parser.error(str(error))
    searcher = Searcher()
    searcher.warm_up()
    kinds = sorted({tactic.own_turns for tactic in tactics})
    shares: dict[str, dict[int, Share]] = {}
    if not options.json:
        print(f"{len(tactics)} positions; solved, of those with a win in so many own turns:")
        counts = [sum(tactic.own_turns == own for tactic in tactics) for own in kinds]
        print(f"{'':16}" + "".join(f"{own:>9}" for own in kinds) + f"{'all':>9}")
        print(f"{'':16}" + "".join(f"{count:9}" for count in counts) + f"{len(tactics):9}")
    with interruptible() as interruption:
        for text, limits in options.limits:
            start, solved = time.monotonic(), []
            for tactic in tactics:
                solved.append(solve(searcher, tactic, limits))
                if options.unsolved and not solved[-1]:
                    print(f"{text}: {tactic.own_turns} own turns, {tactic.source}", file=sys.stderr)
            shares[text] = {
                own: Share(
                    sum(tactic.own_turns == own for tactic in tactics),
                    sum(
                        yes
                        for yes, each in zip(solved, tactics, strict=True)
                        if each.own_turns == own
                    ),
                )
                for own in kinds
            }
            if not options.json:
                parts = [*shares[text].values(), Share(len(solved), sum(solved))]
                columns = "".join(f"{part.solved / max(1, part.positions):9.1%}" for part in parts)
                print(f"{text:16}{columns}   {time.monotonic() - start:.0f} s", flush=True)
    if options.json:
        print(
            json.dumps(
                {
                    text: {own: share._asdict() for own, share in by_kind.items()}
                    for text, by_kind in shares.items()
                }
            )
        )
    return interruption.status
