"""Timing diagrams: those of the documentation are what the gateware does."""

import json
import re
from pathlib import Path

import pytest

from loopline.sim.waves.timing import NODE_OPENING, OPENING, PAGES, draw, main

DOCS = Path(__file__).parents[3] / "docs"


def shown(page):
    """The files that a page shows or links."""
    return set(re.findall(r"\(timing/([^)]+)\)", (DOCS / f"{page}.md").read_text()))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.slow
def test_pictures_of_the_documentation_are_those_of_the_gateware(page, tmp_path):
    draw(page, tmp_path)
    made = {path.name: path.read_text() for path in tmp_path.iterdir()}
    kept = {name: (DOCS / "timing" / name).read_text() for name in shown(page)}
    others = [name for name in {**made, **kept} if made.get(name) != kept.get(name)]
    assert not others, "to be made again: python -m loopline.sim.waves.timing docs/timing"


def test_each_picture_is_shown():
    assert {path.name for path in (DOCS / "timing").iterdir()} == set().union(*map(shown, PAGES))


@pytest.mark.parametrize(("game", "turns"), [("core", OPENING), ("line", NODE_OPENING)])
def test_positions_are_those_of_the_pictures_of_boards(game, turns):
    text = (DOCS / "pictures" / f"{game}.txt").read_text()
    played = re.findall(r"\d+\. (\S+)", text)
    assert played[: len(turns)] == turns
    assert game == "line" or len(played) == len(turns)


@pytest.mark.parametrize(
    ("name", "says"), [("node", "TAKE"), ("node-attack", "attack"), ("node-expanded", "PROBE")]
)
def test_nodes_are_as_their_titles_say(name, says):
    wave = json.loads((DOCS / "timing" / f"{name}.json").read_text())
    texts = {text for _, *rows in wave["signal"] for row in rows for text in row.get("data", ())}
    assert says in texts
    assert ("attack" in texts) == (name == "node-attack")


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main([str(tmp_path / "file")]) == 1
    error = capsys.readouterr().err
    assert error.startswith("python -m loopline.sim.waves.timing: ")
    assert error.count("\n") == 1
