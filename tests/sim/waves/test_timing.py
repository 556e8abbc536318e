"""Timing diagrams: those of the documentation are what the gateware does."""

import re
from pathlib import Path

import pytest

from loopline.sim.waves.timing import DIAGRAMS, OPENING, main

DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("timing")
    assert main([str(made)]) == 0
    return made


def test_pictures_of_the_documentation_are_those_of_the_gateware(folder):
    made = {path.name: path.read_text() for path in folder.iterdir()}
    kept = {path.name: path.read_text() for path in (DOCS / "timing").iterdir()}
    others = [name for name in {**made, **kept} if made.get(name) != kept.get(name)]
    assert not others, "to be made again: python -m loopline.sim.waves.timing docs/timing"
    text = (DOCS / "core.md").read_text()
    for shown in DIAGRAMS:
        assert f"timing/{shown.name}.json" in text
        assert f"(timing/{shown.name}.svg)" in text
    turns = re.findall(r"\d+\. (\S+)", (DOCS / "pictures" / "core.txt").read_text())
    assert turns == OPENING


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main([str(tmp_path / "file")]) == 1
    error = capsys.readouterr().err
    assert error.startswith("python -m loopline.sim.waves.timing: ")
    assert error.count("\n") == 1
