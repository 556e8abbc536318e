"""The turn unit against the rules: games turn by turn, and perft in gateware.

``loopline bench turn-unit`` replays games of several variants through the unit, compiled to native
code, and compares with the rules: the outcome of every turn, the tiles forced, loops and lines, the
box, and the whole list of legal turns before each turn. With ``--perft 6`` it counts turn sequences
with the unit instead. Exit status 1 if anything differs.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing

from loopline.bench.interruption import interruptible
from loopline.bench.makers.games import Game, add_games, chosen_games
from loopline.hdl.config import GridConfig
from loopline.host.ui.progress import console, progress
from loopline.sim.probe.turn_unit import Comparison, NativeTurnUnit, compare_game, unit_perft
from loopline.tools.arguments import Parser, power_of_two, whole_number

PERFT = (1, 2, 24, 432, 9_568, 246_888, 7_209_480)
"""Turn sequences by depth, as other engines and the reference model count them."""


def _compare(games: Sequence[Game], grid: GridConfig) -> int:
    """Compare the games and print the result; return the exit status."""
    start, seen, screen = time.perf_counter(), Comparison(), console(error=True)
    with (
        closing(NativeTurnUnit(grid)) as unit,
        progress(screen, "bench turn-unit", "games", bar=screen.is_terminal, lines=0) as update,
        interruptible() as interruption,
    ):
        for done, game in enumerate(games, 1):
            compare_game(unit, game.turns, seen, name=game.name, variant=game.variant)
            update(done, len(games))
    print(
        f"{seen.games} games, {seen.turns} turns, {seen.candidates} candidates "
        f"({seen.illegal} illegal by a forced play): {len(seen.differences)} differences"
    )
    if seen.cut:
        print(f"{seen.cut} games outgrew the grid, and were compared up to there")
    print(f"{seen.cycles / max(1, seen.candidates):.2f} cycles for a candidate, made and unmade")
    print(f"{time.perf_counter() - start:.0f} s")
    for difference in seen.differences:
        print(difference)
    return interruption.status or int(bool(seen.differences))


def _perft(deepest: int, grid: GridConfig) -> int:
    """Print the counts up to a depth; return the exit status."""
    right = True
    with closing(NativeTurnUnit(grid)) as unit:
        for depth in range(1, deepest + 1):
            start = time.perf_counter()
            count = unit_perft(unit, depth)
            verdict = "right" if count == PERFT[depth] else f"wrong, not {PERFT[depth]}"
            print(f"perft {depth}: {count}, {verdict}; {time.perf_counter() - start:.1f} s")
            right &= count == PERFT[depth]
    return int(not right)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = Parser(
        prog="loopline bench turn-unit",
        description="Compare the turn unit with the rules.",
        examples=["loopline bench turn-unit --games 50", "loopline bench turn-unit --perft 5"],
    )
    add_games(parser)
    parser.add_value(
        "--perft",
        whole_number(1, len(PERFT) - 1),
        "count perft up to this depth instead",
        metavar="DEPTH",
    )
    parser.add_value(
        "--grid", power_of_two(8, 64), "columns and rows of the grid", default=64, metavar="SIZE"
    )
    options = parser.parse_args(arguments)
    grid = GridConfig(size=options.grid)
    if options.perft:
        return _perft(options.perft, grid)
    return _compare(chosen_games(parser, options, grid.limit), grid)
