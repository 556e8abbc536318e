"""Units for the tests of ``loopline bench core``, and games for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from loopline.hdl.config import GridConfig
from loopline.sim.probe.evaluator import NativeTrials, Trial
from tests.hdl.core.unit.games import random_turns

SIZE = 16


class QuickTrials(NativeTrials):
    """Compiled faster than it runs, with what other tests have compiled, too."""

    def __init__(self, grid: GridConfig) -> None:
        super().__init__(grid, optimise="-O0")


class FaultyTrials(QuickTrials):
    """Spoils every hundredth outcome: by default a bit of its number of tiles is flipped."""

    spoil: Callable[[Trial], list[Trial]] = staticmethod(
        lambda trial: [trial._replace(tiles=trial.tiles ^ 1)]
    )

    def try_all(self) -> Iterator[Trial]:
        seen = vars(self).setdefault("seen", 0)
        for self.seen, trial in enumerate(super().try_all(), seen + 1):
            yield from self.spoil(trial) if self.seen % 100 == 0 else [trial]


def write_games(folder: Path, *, human: int, random: int, most: int = 14) -> list[list[str]]:
    """Fill the two files with so many generated games that fit the grid; their turns."""
    limit = GridConfig(size=SIZE).limit
    games = [
        list(map(str, random_turns(seed, most=most, limit=limit))) for seed in range(human + random)
    ]
    lines = [f"{n}|Trax||||1|1|{' '.join(turns)}" for n, turns in enumerate(games[:human])]
    lines += ["90|8x8 Trax||||1|1|@0/ A2/", "91|Loop Trax||||1|1|@0/ A2/"]
    (folder / "human_games.txt").write_text("\n".join(["# Games.", *lines, ""]))
    lines = [f"|1|1|0|{' '.join(turns)}||" for turns in games[human:]]
    (folder / "random_games.txt").write_text("\n".join([*lines, ""]))
    return games
