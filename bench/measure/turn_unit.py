"""The turn unit against the rules: recorded games turn by turn, and perft in gateware.

``loopline bench turn-unit FOLDER`` replays the games of the three files in the folder
``shared/games`` through the unit, compiled to native code, and compares with the rules: the
outcome of every turn, the tiles forced, loops and lines, the box, and the whole list of legal
turns before each turn. ``--perft 6`` counts turn sequences with the unit alone. Exit status 1 if
anything differs.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from loopline.bench.measure.candidates import GameError
from loopline.bench.measure.recorded import RecordedGame, read_recorded
from loopline.game import TraxError
from loopline.hdl.config import GridConfig
from loopline.sim.native import BuildError
from loopline.sim.probe.turn_unit import Comparison, NativeTurnUnit, compare_game, unit_perft
from loopline.tools.arguments import Parser, power_of_two, whole_number

PERFT = (1, 2, 24, 432, 9_568, 246_888, 7_209_480)
"""Turn sequences by depth, as other engines and the reference model count them."""


def compare_games(games: Sequence[RecordedGame], grid: GridConfig) -> Comparison:
    """Compare all games, and show progress. Raises :exc:`GameError` and :exc:`BuildError`."""
    seen, console = Comparison(), Console(stderr=True)
    with (
        closing(NativeTurnUnit(grid)) as unit,
        Progress(console=console, disable=not console.is_terminal) as progress,
    ):
        for name, variant, turns in progress.track(games, description="games"):
            try:
                compare_game(unit, turns, seen, name=name, variant=variant)
            except TraxError as error:
                raise GameError(f"{name}: {error}") from None
    return seen


def _compare(games: Sequence[RecordedGame], grid: GridConfig) -> bool:
    """Compare the games and print the result; return whether all is right."""
    start = time.perf_counter()
    seen = compare_games(games, grid)
    print(
        f"{seen.games} games, {seen.turns} turns, {seen.candidates} candidates "
        f"({seen.illegal} illegal by a forced play): {len(seen.differences)} differences"
    )
    print(f"{seen.cycles / max(1, seen.candidates):.2f} cycles for a candidate, made and unmade")
    print(f"{time.perf_counter() - start:.0f} s")
    for difference in seen.differences:
        print(difference)
    return not seen.differences


def _perft(deepest: int, grid: GridConfig) -> bool:
    """Print the counts up to a depth; return whether all are right."""
    right = True
    with closing(NativeTurnUnit(grid)) as unit:
        for depth in range(1, deepest + 1):
            start = time.perf_counter()
            count = unit_perft(unit, depth)
            verdict = "right" if count == PERFT[depth] else f"wrong, not {PERFT[depth]}"
            print(f"perft {depth}: {count}, {verdict}; {time.perf_counter() - start:.1f} s")
            right &= count == PERFT[depth]
    return right


def main(arguments: Sequence[str] | None = None) -> int:
    parser = Parser(
        prog="loopline bench turn-unit",
        description="Compare the turn unit with the rules.",
        examples=["loopline bench turn-unit ../shared/games --perft 5"],
    )
    parser.add_argument(
        "games", type=Path, nargs="?", metavar="FOLDER", help="the folder of recorded games"
    )
    parser.add_value(
        "--perft", whole_number(1, len(PERFT) - 1), "count perft up to this depth", metavar="DEPTH"
    )
    parser.add_value("--first", whole_number(1), "the most games", shown="all")
    parser.add_value(
        "--grid", power_of_two(8, 64), "columns and rows of the grid", default=64, metavar="SIZE"
    )
    options = parser.parse_args(arguments)
    if options.games is None and options.perft is None:
        parser.error("nothing to do: name a folder of games, or --perft DEPTH")
    if options.games is not None and not options.games.is_dir():
        parser.error(f"{options.games} is not a folder")
    grid = GridConfig(size=options.grid)
    games: list[RecordedGame] = []
    if options.games is not None:
        try:
            games = list(read_recorded(options.games))[: options.first]
        except OSError as error:
            parser.error(f"{options.games}: {error.strerror} ({error.filename})")
        except ValueError as error:
            parser.error(f"{options.games}: {error}")

    right = True
    try:
        if options.games is not None:
            right &= _compare(games, grid)
        if options.perft is not None:
            right &= _perft(options.perft, grid)
    except (BuildError, GameError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1
    return int(not right)


if __name__ == "__main__":
    sys.exit(main())
