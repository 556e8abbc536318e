"""``loopline bench turn-unit``: what it says when there is nothing to compare."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import MagicMock

import pytest

from loopline.bench.measure import turn_unit
from loopline.bench.measure.recorded import FILES
from loopline.sim.native import BuildError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Games of which the second is none."""
    for file in FILES:
        (tmp_path / file).touch()
    (tmp_path / "human_games.txt").write_text("0|Trax||||1|1|\n1|Trax||||1|1|B1+ @0/\n")
    return tmp_path


def one_line(capsys: pytest.CaptureFixture[str]) -> str:
    """All that was said, after the program's name."""
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    name, _, error = said.err.partition(": ")
    assert name == "loopline bench turn-unit"
    return error


def test_an_illegal_game_is_named(capsys, folder, monkeypatch):
    units = []

    def make(grid):
        units.append(MagicMock(grid=grid))
        return units[-1]

    monkeypatch.setattr(turn_unit, "NativeTurnUnit", make)
    assert turn_unit.main([str(folder)]) == 1
    assert one_line(capsys) == "human_games.txt:2: B1+: the first turn is @0/ or @0+\n"
    units[0].close.assert_called_once_with()


@pytest.mark.parametrize("perft", [False, True])
def test_no_unit(capsys, folder, monkeypatch, perft):
    def make(grid):
        raise BuildError("no C++ compiler")

    monkeypatch.setattr(turn_unit, "NativeTurnUnit", make)
    assert turn_unit.main(["--perft", "1"] if perft else [str(folder)]) == 1
    assert one_line(capsys) == "no C++ compiler\n"


def test_no_games(capsys, tmp_path):
    with pytest.raises(SystemExit) as left:
        turn_unit.main([str(tmp_path)])
    assert left.value.code == 2
    path = tmp_path / "human_games.txt"
    assert one_line(capsys).startswith(f"{tmp_path}: No such file or directory ({path}) (see ")
