"""``loopline analyse``, and the engine's limits on other commands."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from loopline.game import Position, play_game
from loopline.host.errors import UsageError
from loopline.host.players.analyst import Analyst
from loopline.host.transport.engine import with_options
from tests.host.program import loopline

pytestmark = pytest.mark.xdist_group("engine")

GAME = "@0/ B1\\ A0\\ C2\\ B3\\ C1+ C3\\ @1\\ E1+ D0/"
"""Won by its last turn."""


def test_each_turn_of_each_game(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text(f"{GAME}\n@0/ B1+\n@0/ B9+\n")
    done = loopline("analyse", str(file), "--nodes", "300", "--seed", "1", "--json")
    assert done.returncode == 1, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    turns = [
        (line, turn) for line, last in ((1, 10), (2, 3), (3, 2)) for turn in range(1, last + 1)
    ]
    assert [(each["line"], each["turn"]) for each in found] == turns
    position = Position()
    for each in found[:10]:
        assert each["file"] == str(file)
        assert each["mover"] == position.to_move.name.lower()
        assert each["best"] == each["pv"][0]
        assert position.is_legal(each["best"])
        assert each["nodes"] <= 300
        position.play(each["played"])
    # The last turn has won, and the model would have made it, or another one that does.
    assert (found[9]["mate"], found[9]["depth"]) == (1, 1)
    assert found[12]["played"] is None


def test_as_text() -> None:
    done = loopline(
        "analyse", "-", "--device", "engine:quiescence_radius=3", "--depth", "2", stdin=GAME
    )
    assert (done.returncode, done.stderr) == (0, "")
    title, head, *rows = done.stdout.splitlines()
    assert title.startswith("standard input, line 1: ")
    assert head.split() == "turn played best score depth nodes line".split()
    assert len(rows) == 10
    assert "win in 1" in rows[-1]


def test_options_become_settings() -> None:
    assert with_options("engine") == "engine"
    assert with_options("reference:1") == "reference:1"
    assert with_options("engine", seconds=0.5, seed=3) == "engine:time=0.5,seed=3"
    # The spec's own settings win; another limit would end its search earlier.
    assert with_options("engine:nodes=9", nodes=5, depth=2) == "engine:nodes=9"
    with pytest.raises(UsageError, match="--time is for the engine"):
        with_options("random", seconds=1.0)


def test_an_analyst_reports_and_stops() -> None:
    depths: list[int] = []
    with Analyst("engine") as analyst:
        found = analyst.analyse([], depth=2)
        assert (found.score_text, found.depth) == ("+0", 0)
        turns = [played.turn for played in play_game("@0/ B1+ C1+".split()).history]
        found = analyst.analyse(turns, depth=3, report=lambda each: depths.append(each.depth))
        assert (depths, found.depth) == ([1, 2, 3], 3)
        begun = time.monotonic()
        short = analyst.analyse(turns, seconds=0.3)
        assert short.depth >= 1
        assert time.monotonic() - begun < 20
        stopped = analyst.analyse(turns, seconds=600.0, stopped=lambda: True)
        assert stopped.seconds < 300
        with pytest.raises(UsageError, match="the game is over"):
            analyst.analyse([played.turn for played in play_game(GAME.split()).history], depth=1)
    with pytest.raises(UsageError, match="'x' sets nothing"):
        Analyst("engine:x")
