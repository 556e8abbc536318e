"""``loopline bench count``: three ways to count, and what it says without a unit."""

from __future__ import annotations

import json

import pytest

from loopline.bench import __main__ as bench
from loopline.bench.measure import count
from loopline.game import STANDARD
from loopline.sim.native import BuildError
from tests.bench.measure.units import SIZE, FaultyEvaluator

pytestmark = pytest.mark.xdist_group(f"evaluator on {SIZE}")


@pytest.fixture
def unit(monkeypatch) -> FaultyEvaluator:
    """The unit of the bench, each time as after power-on. It is right unless it is spoiled."""
    unit = FaultyEvaluator()
    unit.spoil = lambda evaluated: [evaluated]

    def made():
        unit.power_on(STANDARD)
        return unit

    monkeypatch.setattr(count, "NativeEvaluator", made)
    return unit


@pytest.mark.usefixtures("unit")
def test_a_position_counted_three_times(capsys):
    assert count.main(["--positions", "1"]) == 0
    assert "1 positions, " in capsys.readouterr().out
    assert count.main(["--positions", "1", "--clock", "30", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["wrong"] == 0
    rates = found["candidates_per_second"]
    assert rates["evaluator"] == 30e6 * found["candidates"] / found["evaluator"]
    assert found["evaluator"] < found["turn_unit"]


def test_another_number_is_told(unit, capsys):
    unit.spoil = lambda evaluated: []
    assert count.main(["--positions", "5"]) == 1
    assert "counted wrong" in capsys.readouterr().out


def test_no_unit(capsys, monkeypatch):
    def make():
        raise BuildError("no C++ compiler")

    monkeypatch.setattr(count, "NativeEvaluator", make)
    assert bench.main(["count", "--positions", "1"]) == 1
    assert capsys.readouterr() == ("", "loopline bench count: no C++ compiler\n")
