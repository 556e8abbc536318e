"""Units for the tests of ``loopline bench core``, and games for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from loopline.hdl.config import GridConfig
from loopline.sim.probe.evaluator import EvaluatedCandidate, NativeEvaluator
from tests.hdl.core.unit.games import random_turns

SIZE = 16


class QuickEvaluator(NativeEvaluator):
    """Compiled faster than it runs, with what other tests have compiled, too."""

    def __init__(self, grid: GridConfig) -> None:
        super().__init__(grid, optimise="-O1")


class FaultyEvaluator(QuickEvaluator):
    """Spoils every hundredth evaluation: by default a bit of its number of tiles is flipped."""

    spoil: Callable[[EvaluatedCandidate], list[EvaluatedCandidate]] = staticmethod(
        lambda evaluated: [flipped(evaluated, tiles=1)]
    )

    def evaluate_all(self) -> Iterator[EvaluatedCandidate]:
        seen = vars(self).setdefault("seen", 0)
        for self.seen, evaluated in enumerate(super().evaluate_all(), seen + 1):
            yield from self.spoil(evaluated) if self.seen % 100 == 0 else [evaluated]


def flipped(evaluated: EvaluatedCandidate, **bits: int) -> EvaluatedCandidate:
    """The same candidate with some bits of its evaluation flipped."""
    evaluation = evaluated.evaluation
    changed = {name: getattr(evaluation, name) ^ mask for name, mask in bits.items()}
    return evaluated._replace(evaluation=evaluation._replace(**changed))


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
