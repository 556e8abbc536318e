"""Random sessions with the turn unit against the rules: 2,000 positions, most of them slow.

``loopline bench random-positions`` goes through 100,000.
"""

from __future__ import annotations

from collections import Counter

import pytest

from loopline.bench.torture.random_session import GRIDS, POSITIONS, VARIANTS, grid_of, run_session
from loopline.hdl.config import GridConfig
from tests.sim.probe.units import group, marks_of

SESSIONS = {8: 2, 16: 6, 32: 2, 64: 90}
"""By size of the grid. The large one is compiled to be fast for other tests, too."""


_FIRST = 1_140
"""The first session on each grid. Candidates on the slow path come in crowds; one crowd is among
the sessions that follow."""


def sessions(grid: GridConfig) -> list[int]:
    """Seeds of sessions on a grid, which follow those of the benchmark's first sessions."""
    ours = GRIDS.index(grid)
    count = SESSIONS[grid.size] // sum(grid.size == other.size for other in GRIDS)
    return [len(GRIDS) * (_FIRST + number) + ours for number in range(count)]


QUICK = 40
"""So many sessions on the large grid are in the short run."""


def params(grid: GridConfig) -> list[pytest.ParameterSet]:
    """A grid and its sessions, in the process that compiles it for other tests as well."""
    ours = sessions(grid)
    if grid.frontier_entries != 256:
        small = [group("small memories"), pytest.mark.slow]
        return [pytest.param(grid, ours, marks=small, id="small memories")]
    marks = marks_of(grid.size)
    if grid.size < 64:
        return [pytest.param(grid, ours, marks=marks, id=str(grid.size))]
    return [
        pytest.param(grid, ours[:QUICK], marks=marks, id="64"),
        pytest.param(grid, ours[QUICK:], marks=[*marks, pytest.mark.slow], id="64, the rest"),
    ]


def test_there_are_two_thousand_positions_on_all_grids():
    seeds = [seed for grid in GRIDS for seed in sessions(grid)]
    assert len(set(seeds)) * POSITIONS == 2_000
    assert {grid_of(seed) for seed in seeds} == set(GRIDS)


@pytest.mark.parametrize(("grid", "seeds"), [case for grid in GRIDS for case in params(grid)])
def test_random_positions(units, grid, seeds):
    seen: Counter[str] = Counter()
    deepest = longest = 0
    for seed in seeds:
        assert grid_of(seed) == grid
        outcome = run_session(units[grid], seed)
        assert not outcome.wrong, f"loopline bench random-positions --seeds {seed}: {outcome.wrong}"
        seen += outcome.seen
        deepest, longest = max(deepest, outcome.deepest), max(longest, outcome.longest)
    assert seen["positions"] == POSITIONS * len(seeds)
    assert seen["unmade"] > 20
    if grid.size == 64:
        assert len(seeds) > len(VARIANTS)
        assert min(seen["full"], seen["at the limit"], seen["wiped"]) > 0
        assert seen["FORCED"] > 0 or len(seeds) == QUICK
        assert min(seen["committed"], seen["interrupted"], seen["cleared"]) > 25
        assert (
            min(
                seen["slow"],
                seen["EVALUATE FORCED"],
                seen["EVALUATE AREA"],
                seen["EVALUATE BOUNDS"],
            )
            > 25
        )
        assert deepest >= 32
        assert longest > 8
