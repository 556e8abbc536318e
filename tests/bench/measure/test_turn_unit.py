"""``loopline bench turn-unit``: games, perft, and what it says without a unit."""

from __future__ import annotations

import pytest

from loopline.bench import __main__ as bench
from loopline.bench.measure import turn_unit
from loopline.sim.native import BuildError


def test_games_that_fill_a_small_grid(capsys):
    """The first one does, and ends there."""
    assert turn_unit.main(["--grid", "8", "--games", "1"]) == 0
    assert ": 0 differences" in capsys.readouterr().out


def test_a_game_of_a_file_that_outgrows_the_grid(capsys, tmp_path):
    file = tmp_path / "row.txt"
    file.write_text("@0+ B1+ C1+ D1+ E1+ F1+ G1+\n")
    assert turn_unit.main(["--grid", "8", str(file)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("1 games, 6 turns, ")
    assert "1 games outgrew the grid, and were compared up to there\n" in printed


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


def test_what_was_found_before_an_interruption_is_printed(capsys, interrupt):
    interrupt(turn_unit)
    assert turn_unit.main(["--games", "3"]) == 130
    assert capsys.readouterr().out.startswith("1 games, ")
