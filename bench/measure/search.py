"""``loopline bench search``: the node signature of the engine's search, and its speed.

The same positions are searched to the same depth; the sum of their nodes is the signature. It is
the same on every machine, and changes as soon as the search, its order or its weights change. With
``--errors`` it also counts the errors of the prunings that are not exact.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from loopline.bench.makers.games import Game, add_games, chosen_games
from loopline.engine.board.board import Board
from loopline.engine.board.position import EnginePosition
from loopline.engine.evaluation.scan import OTHER_ATTACKS, OWN_ATTACKS, scan
from loopline.engine.options import Limits
from loopline.engine.search.search import has_turn
from loopline.engine.search.searcher import Searcher
from loopline.game import STANDARD, Position
from loopline.hdl.search.config import Pruning, SearchConfig
from loopline.tools.arguments import Parser, whole_number

__all__ = [
    "DEPTH",
    "POSITIONS",
    "PatternErrors",
    "Signature",
    "add_positions",
    "main",
    "pattern_errors",
    "positions",
    "signature",
]

DEPTH = 4
"""The depth to which the positions are searched."""

_DEEPEST = SearchConfig().deepest
"""The greatest depth of a search."""

POSITIONS = 50
"""The number of positions."""

_FILE = Path(__file__).parent / "search_positions.txt"


class Signature(NamedTuple):
    """The result of a run: nodes, cycles by the cost model, seconds of this thread."""

    nodes: int
    cycles: int
    seconds: float


class PatternErrors(NamedTuple):
    """Attacks by pattern against every turn made, for both sides of each position.

    Attributes
    ----------
    positions : int
        Positions times two sides.
    wins : int
        Those in which a turn wins.
    missed : int
        Those in which a turn wins that no pattern shows.
    wrong : int
        Those in which a pattern shows a win that no turn has.
    """

    positions: int
    wins: int
    missed: int
    wrong: int


def positions() -> Iterator[Position]:
    """Yield the positions of the bench."""
    for line in _FILE.read_text(encoding="ascii").splitlines():
        if line and not line.startswith("#"):
            position = Position()
            for turn in line.split():
                position.play(turn)
            yield position


def add_positions(parser: Parser, what: str = "so many of the positions") -> None:
    """Add ``--positions``, how many of :func:`positions` to take; its help is ``what``."""
    parser.add_value("--positions", whole_number(1, POSITIONS), what, default=POSITIONS)


def signature(searcher: Searcher, depth: int = DEPTH) -> Signature:
    """Search all positions and return the sums."""
    searcher.warm_up()
    nodes = cycles = 0
    start = time.thread_time()
    for position in positions():
        found = searcher.search(position, Limits(depth=depth))
        nodes += found.nodes
        cycles += found.cycles
    return Signature(nodes, cycles, time.thread_time() - start)


def _wins(board: Board, searcher: Searcher) -> tuple[list[bool], list[bool]]:
    """Return, each by colour, whether patterns show a win in one, and whether a turn wins."""
    scan(board, searcher.scanner, 0)
    found = searcher.scanner.found
    patterns = [bool(found[OWN_ATTACKS]), bool(found[OTHER_ATTACKS])]
    return patterns, [bool(has_turn(board, searcher.memory, 1 << colour)) for colour in range(2)]


def pattern_errors(games: Iterable[Game], searcher: Searcher) -> PatternErrors:
    """Compare patterns with turns in all positions of games."""
    count = wins = missed = wrong = 0
    for game in games:
        position, here = Position(game.variant), EnginePosition(game.variant)
        for turn in game.turns:
            first = position.play(turn).tiles[0]
            if position.ending:
                break
            here.make((first.y & 63) << 6 | first.x & 63, first.tile.shape)
            here.commit()
            for pattern, there in zip(*_wins(here.board, searcher), strict=True):
                count += 1
                wins += there
                missed += there and not pattern
                wrong += pattern and not there
    return PatternErrors(count, wins, missed, wrong)


def _changed(searcher: Searcher, depth: int, **changes: int) -> tuple[int, int]:
    """Return the number of positions whose score changes, and of those that change by more than 12.

    12 points are a tenth of a factor of e in the odds.
    """
    pruning = replace(Pruning(), reduce_after=0, reverse_futility_depth=0)
    base = Searcher(SearchConfig(pruning=pruning), searcher.weights)
    other = Searcher(SearchConfig(pruning=replace(pruning, **changes)), searcher.weights)
    differ = much = 0
    for position in positions():
        one, two = (each.search(position, Limits(depth=depth)).score for each in (base, other))
        differ += one != two
        much += abs(one - two) > 12
    return differ, much


def _print_errors(games: Iterable[Game], searcher: Searcher) -> None:
    errors = pattern_errors(games, searcher)
    print(f"patterns: {errors.positions} sides of positions, {errors.wins} can win in one")
    print(f"  missed {errors.missed}, wrong {errors.wrong}")
    print(f"scores that change, of {POSITIONS}, and by more than 12 points:")
    for name, depth, changes in (
        ("every turn made for a win in one", 3, {"exact_wins": 1}),
        ("all placements at leaves under attack", 3, {"quiescence_radius": 0}),
        ("without extensions", 3, {"extensions": 0}),
        ("without the table", 3, {"table": 0}),
        (
            "with reverse futility",
            3,
            {"reverse_futility_depth": Pruning().reverse_futility_depth},
        ),
        ("with late turns reduced", 4, {"reduce_after": Pruning().reduce_after}),
    ):
        differ, much = _changed(searcher, depth, **changes)
        print(f"  {name}, depth {depth}: {differ}, {much}", flush=True)


def main(words: Sequence[str] | None = None) -> int:
    """Run with these arguments and return the exit status."""
    parser = Parser(
        prog="loopline bench search",
        description=__doc__,
        examples=["loopline bench search --depth 5", "loopline bench search --errors --games 50"],
    )
    parser.add_value(
        "--depth",
        whole_number(1, _DEEPEST),
        "the depth of the node signature",
        default=DEPTH,
        metavar="D",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--errors",
        action="store_true",
        help="count the errors of the prunings in the games, as with FILE",
    )
    add_games(parser)
    options = parser.parse_args(words)
    games: list[Game] = []
    if options.errors or options.files:
        games = chosen_games(parser, options, SearchConfig().grid.limit, STANDARD)
    searcher = Searcher()
    found = signature(searcher, options.depth)
    speed = found.nodes / found.seconds
    if options.json:
        figures = {"nodes": found.nodes, "cycles": found.cycles, "nodes_per_second": round(speed)}
        print(json.dumps(figures))
    else:
        print(found.nodes)
        print(f"{speed / 1e6:.2f} M nodes/s, {found.cycles / found.nodes:.1f} cycles per node")
    if games:
        _print_errors(games, searcher)
    return 0
