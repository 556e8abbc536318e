"""``loopline bench random-positions``: silent about a right unit, and loud about a wrong one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from loopline.bench.torture import random_positions
from loopline.bench.torture.checked_unit import COUNTED
from loopline.bench.torture.random_session import GRIDS, POSITIONS, grid_of, run_session
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import TurnOp
from loopline.sim.probe.evaluator import EvaluatedCandidate, NativeEvaluator
from tests.sim.probe.units import UNITS

# Tests of one grid share a process, which makes the unit once.
pytestmark = pytest.mark.xdist_group("evaluator on 64")

GRID = GridConfig()
SEED = 3
"""Of a session on that grid."""


class Spoiled(NativeEvaluator):
    """A unit that does wrong what the class says, from the eleventh time on."""

    def __init__(self, unit: NativeEvaluator) -> None:
        vars(self).update(vars(unit))

    def wrong(self) -> bool:
        self.times += 1
        return self.times > 10

    def power_on(self, *words: Any) -> None:
        self.times, self.probe.limit = 0, 1_000_000
        super().power_on(*words)


class CountsTiles(Spoiled):
    def make(self, *words: Any) -> Any:
        outcome = super().make(*words)
        return outcome._replace(tiles=outcome.tiles ^ 1) if self.wrong() else outcome


class KeepsTurns(Spoiled):
    def unmake(self) -> Any:
        return self.do(TurnOp.COMMIT) if self.wrong() else super().unmake()


class UnmakesOnCommit(Spoiled):
    def commit(self) -> None:
        super().unmake()
        super().commit()


class ListsLess(Spoiled):
    def do(self, op: TurnOp, **fields: int) -> Any:
        outcome = super().do(op, **fields)
        if op is TurnOp.NEXT and fields["symbol"] == 1 and self.wrong():
            return super().do(op, index=fields["index"], symbol=3)
        return outcome


class Hangs(Spoiled):
    def evaluate_all(self) -> Iterator[EvaluatedCandidate]:
        if self.wrong():
            self.probe.limit = 3
        yield from super().evaluate_all()


@pytest.fixture(scope="module")
def unit() -> NativeEvaluator:
    return UNITS[GRID]


def test_a_seed_decides_everything(unit):
    assert grid_of(SEED) == GRID
    first, again, other = (run_session(unit, seed) for seed in (SEED, SEED, SEED + len(GRIDS)))
    assert first == again
    assert first.seen != other.seen
    assert first.wrong == other.wrong == ""
    assert first.seen["positions"] == POSITIONS
    assert set(first.seen) <= set(COUNTED)


@pytest.mark.parametrize(
    ("spoiled", "said"),
    [
        (CountsTiles, "MAKE of Candidate.* the unit says Evaluation.* the rules Evaluation"),
        (KeepsTurns, "the box: the unit says|UNMAKE, unit.cells"),
        (UnmakesOnCommit, "COMMIT, unit.cells.bank"),
        (ListsLess, "NEXT lists: the unit says|NEXT from"),
        (Hangs, "no outcome within 3 cycles"),
    ],
)
def test_a_wrong_unit_is_noticed(unit, spoiled, said):
    # What is wrong is not met in each session.
    seeds = range(SEED, 9 * len(GRIDS), len(GRIDS))
    found = (run_session(spoiled(unit), seed).wrong for seed in seeds)
    assert re.match(said, next(filter(None, found)))
    unit.probe.limit = 1_000_000


def run(unit: NativeEvaluator, *words: str) -> int:
    return random_positions.main([*words, "--jobs", "1"], unit_type=lambda grid: unit)


def test_the_line_and_the_object(unit, capsys):
    assert run(unit, "--seeds", str(SEED)) == 0
    line = capsys.readouterr().out
    assert line.startswith(f"seeds {SEED} to {SEED}: {POSITIONS} positions, ")
    assert ": 0 of 1 sessions wrong; " in line
    assert line.count("\n") == 1
    assert run(unit, "--seeds", f"{SEED}-{SEED}", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["seeds"] == [SEED, SEED]
    assert (found["sessions"], found["wrong"], found["positions"]) == (1, 0, POSITIONS)
    assert found["candidates"] > 500
    assert found["differences"] == []


def test_what_is_wrong_comes_with_the_command_that_shows_it(unit, capsys):
    assert run(CountsTiles(unit), "--seeds", str(SEED), "--json") == 1
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert found["wrong"] == 1
    again = f"loopline bench random-positions --seeds {SEED}"
    assert [difference["again"] for difference in found["differences"]] == [again]
    assert f"seed {SEED}: {found['differences'][0]['what']}\n  {again}\n" in said.err


class Interrupted(Spoiled):
    sessions = 0

    def power_on(self, *words: Any) -> None:
        self.sessions += 1
        if self.sessions == 2:
            raise KeyboardInterrupt
        super().power_on(*words)


def test_an_interruption_says_where_to_go_on(unit, capsys, monkeypatch):
    # All on one grid.
    monkeypatch.setattr(random_positions, "grid_of", lambda seed: GRID)
    assert run(Interrupted(unit), "--seeds", f"{SEED}-99") == 130
    said = capsys.readouterr()
    rest = f"--seeds {SEED + 1}-99"
    assert said.err.splitlines()[-1] == (
        f"loopline bench random-positions: 1 sessions done, go on with {rest}"
    )
    assert said.out.startswith(f"seeds {SEED} to {SEED}: {POSITIONS} positions, ")
    assert ": 0 of 1 sessions wrong; " in said.out
