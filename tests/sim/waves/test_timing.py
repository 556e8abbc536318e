"""Timing diagrams: those of the documentation are what the gateware does, and what they say."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from loopline.game import IllegalTurnError, Position, parse_turn, space_name
from loopline.sim.waves.timing import DIAGRAMS, OPENING, main
from loopline.sim.waves.wavesvg import THEMES

DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("timing")
    assert main([str(made)]) == 0
    return made


@pytest.fixture(scope="module")
def waves(folder):
    return {
        shown.name: Wave(json.loads((folder / f"{shown.name}.json").read_text()))
        for shown in DIAGRAMS
    }


class Wave:
    """A diagram's rows by group and name, each a list with what there is in each cycle."""

    def __init__(self, wave):
        self.rows = {
            (group, row["name"]): self.cells(row) for group, *rows in wave["signal"] for row in rows
        }

    @staticmethod
    def cells(row):
        data, cells = iter(row.get("data", ())), []
        for kind in row["wave"]:
            if kind == ".":
                cells.append(cells[-1])
            elif kind in "01":
                cells.append(kind == "1")
            else:
                cells.append(None if kind == "x" else next(data))
        assert next(data, None) is None
        return cells

    def __getitem__(self, key):
        return self.rows[key]

    def texts(self, *key):
        return [cell for cell in self[key] if cell is not None]

    def outcome(self):
        """The status in the one cycle in which an outcome is valid."""
        assert self["outcomes", "valid"].count(True) == 1
        return self["outcomes", "status"][self["outcomes", "valid"].index(True)]

    def written(self):
        """Spaces and what is written there, in order."""
        spaces, contents = self.texts("cell map", "write"), self.texts("cell map", "contents")
        return list(zip(spaces, contents, strict=True))

    def tiles(self):
        return [space + what[-1] for space, what in self.written() if what.startswith("tile")]


def opened():
    position = Position()
    for turn in OPENING:
        position.play(turn)
    return position


def turn_of(wave):
    (turn,) = wave.texts("commands", "turn")
    return turn


def tiles_of(position, turn):
    """The tiles of a legal turn, with the names that they have before it."""
    names = []
    for x, y, tile in position.copy().play(turn).tiles:
        names.append(space_name(*position.label(x, y)) + tile.shape.value)
    return names


def content(sockets):
    """Sockets as the diagrams write them."""
    words = []
    for letter in "wr":
        sides = "".join(
            side.name[0] for side in sorted(sockets) if sockets[side].letter.lower() == letter
        )
        words += [f"{letter}:{sides}"] if sides else []
    return " ".join(words) or "empty"


def test_pictures_of_the_documentation_are_those_of_the_gateware(folder):
    made = {path.name: path.read_text() for path in folder.iterdir()}
    kept = {path.name: path.read_text() for path in (DOCS / "timing").iterdir()}
    others = [name for name in {**made, **kept} if made.get(name) != kept.get(name)]
    assert not others, "to be made again: python -m loopline.sim.waves.timing docs/timing"
    text = (DOCS / "core.md").read_text()
    for shown in DIAGRAMS:
        assert f"timing/{shown.name}.json" in text
        for theme in THEMES:
            assert f"timing/{shown.name}-{theme}.svg" in text
    turns = re.findall(r"\d+\. (\S+)", (DOCS / "pictures" / "core.txt").read_text())
    assert turns == OPENING


def test_a_plain_turn_is_one_tile(waves):
    wave = waves["plain"]
    assert wave.outcome() == "LEGAL 1"
    assert wave.tiles() == tiles_of(opened(), turn_of(wave)) == [turn_of(wave)]
    assert set(wave.texts("forced queue", "depth")) == {"0"}


def test_a_chain_of_three_is_three_tiles(waves):
    wave = waves["chain"]
    assert wave.outcome() == "LEGAL 3"
    tiles = wave.tiles()
    assert tiles[0] == turn_of(wave)
    assert sorted(tiles) == sorted(tiles_of(opened(), turn_of(wave)))
    assert len(set(tiles)) == 3
    assert "1" in wave.texts("forced queue", "depth")
    kinds = wave.texts("journal", "push")
    assert [kind for kind in kinds if kind != "TRACK"] == ["GROWN", "FORCED", "FORCED"]
    assert "TRACK" in kinds


def test_an_unmake_restores_what_the_turn_before_it_wrote(waves):
    turn, unmake = waves["chain"], waves["unmake"]
    assert unmake.outcome() == turn.outcome()
    assert unmake.texts("journal", "pop") == turn.texts("journal", "push")[::-1]
    expected, sides = [], []
    for space, content in turn.written():
        sides.insert(0, space)
        if content.startswith("tile"):  # the last of the tile's writes, each way
            expected, sides = [*sides[1:], space, *expected], []
    assert [space for space, _ in unmake.written()] == expected
    assert_restored(unmake)
    assert unmake["journal", "depth"][0] == turn["journal", "depth"][-1]
    assert unmake["journal", "depth"][-1] == turn["journal", "depth"][0] == "0"


def test_an_illegal_turn_is_found_behind_forced_tiles_and_taken_back(waves):
    wave = waves["illegal"]
    with pytest.raises(IllegalTurnError):
        opened().play(turn_of(wave))
    assert wave.outcome() == "FORCED"
    assert len(wave.tiles()) >= 2
    assert wave.texts("journal", "pop") == wave.texts("journal", "push")[::-1]
    assert wave["journal", "depth"][-1] == "0"
    assert_restored(wave)


def assert_restored(wave):
    """What was written last to each cell is what is there before the turn."""
    position, last = opened(), dict(wave.written())
    for space, what in last.items():
        place = position.locate(parse_turn(space + "+"))
        assert position.tile_at(*place) is None
        assert what == content(position.sockets(*place)), space


def test_evaluations_are_those_of_the_rules(waves):
    wave, position = waves["evaluate"], opened()
    evaluated = list(
        zip(wave.texts("outcomes", "candidate"), wave.texts("outcomes", "status"), strict=True)
    )
    assert len(evaluated) >= 8
    assert len({status for _, status in evaluated}) >= 3
    for candidate, status in evaluated:
        if status == "FORCED":
            assert not position.is_legal(candidate)
        else:
            assert status == f"LEGAL {len(tiles_of(position, candidate))}"
    alone = wave.texts("first tiles", "alone")
    assert alone
    assert all(tiles_of(position, candidate) == [candidate] for candidate in alone)


def test_a_token_is_at_the_next_stage_in_each_cycle(waves):
    wave = waves["evaluate"]
    stages = [wave["chain", name] for name in ("READ", "PICK", "JOIN", "DECIDE")]
    for stage, following in pairwise(stages):
        assert following[1:] == stage[:-1]
    # Four at a time, and each places its tiles one after the other.
    assert any(
        len({stage[cycle].split()[0] for stage in stages if stage[cycle]}) == 4
        for cycle in range(len(stages[0]))
    )
    laid = {}
    for token in stages[0]:
        candidate, _, tile = (token or "").partition(" ")
        if tile.isdigit():
            assert int(tile) - laid.get(candidate, 1) in (0, 1)
            laid[candidate] = int(tile)
    assert max(laid.values()) >= 3


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main([str(tmp_path / "file")]) == 1
    error = capsys.readouterr().err
    assert error.startswith("python -m loopline.sim.waves.timing: ")
    assert error.count("\n") == 1
