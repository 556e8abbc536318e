"""The bench of the search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from loopline.bench.makers.games import STYLES, made_game
from loopline.bench.measure.search import POSITIONS, main, pattern_errors, positions, signature
from loopline.engine.search.searcher import Searcher
from loopline.game import STANDARD

pytestmark = pytest.mark.xdist_group("engine")

SIGNATURE = Path(__file__).parents[2] / "data" / "node_signature.txt"


def test_positions():
    found = list(positions())
    assert len(found) == POSITIONS
    assert not any(position.ending for position in found)
    assert len({str(position.history) for position in found}) == POSITIONS


def test_the_search_has_the_recorded_signature():
    """A change of the search, its order or its weights changes the file, and the commit says so."""
    assert signature(Searcher()).nodes == int(SIGNATURE.read_text().splitlines()[-1])


def test_signature(capsys):
    searcher = Searcher()
    nodes = signature(searcher, 2).nodes
    assert signature(searcher, 2).nodes == nodes
    assert main(["--depth", "2"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == str(nodes)
    assert "M nodes/s" in printed[1]
    assert main(["--depth", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["nodes"] == nodes


def test_patterns_are_nearly_exact():
    numbers = (number for number in range(100) if STYLES[number % len(STYLES)] != "greedy")
    games = [made_game(number, variant=STANDARD) for number in numbers]
    errors = pattern_errors(games, Searcher())
    assert errors.wins > 2_500
    assert errors.missed < errors.wins / 200
    assert errors.wrong < errors.wins / 300
