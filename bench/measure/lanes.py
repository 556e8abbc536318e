"""``loopline bench lanes``: how much sooner several lanes reach a depth than one.

The engine searches the positions of ``loopline bench search`` to one depth, with one lane and with
several, and counts the cycles of each search by the cost model. Positions that one lane searches
with few nodes are left out. ``speed`` is the geometric mean of the ratios of the cycles, ``of all``
the ratio of their sums. ``nodes`` says how many more are searched, the shares how the lanes spend
the time: at work, without work, waiting for helpers, and waiting for another lane's clock.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from loopline.bench.measure.search import add_positions, positions
from loopline.engine.options import Limits
from loopline.engine.search.frames import CYCLES, HELD_UP, JOBS, RESTED, WAITED
from loopline.engine.search.searcher import Searcher
from loopline.hdl.search.config import MOST_LANES, SearchConfig
from loopline.tools.arguments import Parser, whole_number

__all__ = ["Search", "Speed", "compare", "main", "search_all"]

_LANES = (2, 4, 8)
_DEPTH = 5
_DEEPEST = 8
_FEW = 5000
"""Positions that one lane searches with fewer nodes are left out."""


class Search(NamedTuple):
    """A search: its nodes and cycles, and what the lanes did, summed over all lanes.

    ``jobs`` is how often a lane came to help; the others are cycles.
    """

    nodes: int
    cycles: int
    jobs: int
    rested: int
    waited: int
    held_up: int


class Speed(NamedTuple):
    """Several lanes against one, as the module's docstring has it."""

    lanes: int
    speed: float
    of_all: float
    nodes: float
    jobs_per_1000_nodes: float
    work: float
    rest: float
    wait: float
    held_up: float


def search_all(lanes: int, depth: int, table_bits: int, count: int) -> list[Search]:
    """Search so many of the positions with so many lanes."""
    searcher = Searcher(SearchConfig(lanes=lanes, table_bits=table_bits))
    every = list(positions())
    found = []
    for n in range(count):
        result = searcher.search(every[n * len(every) // count], Limits(depth=depth))
        totals = [
            sum(int(memory.totals[field]) for memory in searcher.memories)
            for field in (JOBS, RESTED, WAITED, HELD_UP)
        ]
        # Those that have had no work until the end.
        totals[1] += sum(result.cycles - int(each.totals[CYCLES]) for each in searcher.memories)
        found.append(Search(result.nodes, result.cycles, *totals))
    return found


def compare(lanes: int, one: Iterable[Search], many: Iterable[Search]) -> Speed:
    """Compare the searches of several lanes with those of one. Raises ``ValueError`` if all of
    these are of few nodes."""
    pairs = [(a, b) for a, b in zip(one, many, strict=True) if a.nodes >= _FEW]
    if not pairs:
        raise ValueError(f"no position takes one lane {_FEW} nodes: search deeper")
    first, all_of = (
        Search(*(sum(column) for column in zip(*half, strict=True)))
        for half in zip(*pairs, strict=True)
    )
    time = lanes * all_of.cycles
    shares = [all_of.rested / time, all_of.waited / time, all_of.held_up / time]
    return Speed(
        lanes,
        math.exp(sum(math.log(a.cycles / b.cycles) for a, b in pairs) / len(pairs)),
        first.cycles / all_of.cycles,
        all_of.nodes / first.nodes,
        1000 * all_of.jobs / all_of.nodes,
        1 - sum(shares),
        *shares,
    )


def main(words: Sequence[str] | None = None) -> int:
    """Run with these arguments and return the exit status."""
    parser = Parser(
        prog="loopline bench lanes",
        description=__doc__,
        examples=["loopline bench lanes 2 4 8 16 --depth 6 --positions 25"],
    )
    parser.add_argument(
        "lanes",
        nargs="*",
        type=whole_number(2, MOST_LANES),
        metavar="N",
        help=f"numbers of lanes ({' '.join(map(str, _LANES))})",
    )
    parser.add_value(
        "--depth", whole_number(1, _DEEPEST), "the depth of the searches", default=_DEPTH
    )
    parser.add_value(
        "--table-bits", whole_number(6, 14), "the table has 2^N entries", default=14, metavar="N"
    )
    add_positions(parser, "search so many of the positions")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each number")
    options = parser.parse_args(words)
    sizes = (options.depth, options.table_bits, options.positions)
    one = search_all(1, *sizes)
    if not options.json:
        print("lanes  speed  of all  nodes  jobs/1000   work   rest   wait  held up")
    for lanes in options.lanes or _LANES:
        try:
            row = compare(lanes, one, search_all(lanes, *sizes))
        except ValueError as error:
            parser.error(str(error))
        if options.json:
            print(json.dumps(row._asdict()), flush=True)
        else:
            print(
                f"{row.lanes:5}  {row.speed:5.2f}  {row.of_all:6.2f}  {row.nodes:5.2f}  "
                f"{row.jobs_per_1000_nodes:9.2f}  {row.work:5.2f}  {row.rest:5.2f}  "
                f"{row.wait:5.2f}  {row.held_up:7.2f}",
                flush=True,
            )
    return 0
