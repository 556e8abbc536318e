"""``loopline bench turn-unit``: games, perft, and what it says without a unit."""

from __future__ import annotations

import pytest

from loopline.bench import __main__ as bench
from loopline.bench.measure import turn_unit
from loopline.sim.native import BuildError


def test_games_and_perft(capsys):
    assert turn_unit.main(["--games", "1"]) == 0
    assert capsys.readouterr().out.startswith("1 games, ")
    assert turn_unit.main(["--perft", "2"]) == 0
    assert "perft 2: 24, right" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--games", "1"], ["--perft", "1"]])
def test_no_unit(capsys, monkeypatch, words):
    def make(grid):
        raise BuildError("no C++ compiler")

    monkeypatch.setattr(turn_unit, "NativeTurnUnit", make)
    assert bench.main(["turn-unit", *words]) == 1
    assert capsys.readouterr() == ("", "loopline bench turn-unit: no C++ compiler\n")
