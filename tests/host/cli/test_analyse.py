"""``loopline analyse``, and the engine's limits on other commands."""

from __future__ import annotations

import html
import json
import re
import signal
import time
from pathlib import Path

import pytest

from loopline.game import Colour, Ending, Position, play_game, read_records
from loopline.host.device.limits import SearchLimits, engine_limits, split_limits, with_limits
from loopline.host.errors import UsageError
from loopline.host.players.analyst import Analyst, Value
from tests.host.framed_puppet import searching_puppet
from tests.host.program import loopline, talking

pytestmark = pytest.mark.xdist_group("engine")

GAME = "@0/ B1\\ A0\\ C2\\ B3\\ C1+ C3\\ @1\\ E1+ D0/"
"""Won by its last turn."""


def test_each_turn_of_each_game(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text(f"{GAME}\n@0/ B1+\n@0/ B9+\n")
    done = loopline("analyse", str(file), "--nodes", "300", "--seed", "1", "--json")
    assert done.returncode == 1, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    turns: list[tuple[int, int | str]] = []
    for line, last, players in ((1, 10, 2), (2, 3, 2), (3, 2, 1)):
        turns += [(line, turn) for turn in range(1, last + 1)]
        turns += [(line, player) for player in ("white", "red")[:players]]
    assert [(each["line"], each.get("turn", each.get("player"))) for each in found] == turns
    position = Position()
    for each in found[:10]:
        assert each["file"] == str(file)
        assert each["mover"] == position.to_move.name.lower()
        assert each["best"] == each["pv"][0]
        assert position.is_legal(each["best"])
        assert each["nodes"] <= 300
        position.play(each["played"])
    # The last turn has won, and the engine would have made it, or another one that does.
    assert (found[9]["mate"], found[9]["depth"]) == (1, 1)
    assert (found[9]["played_mate"], found[9]["loss"], found[9]["mark"]) == (1, 0, "")
    # The turn before has lost; so has its value, which is one turn farther from the end.
    assert (found[8]["played_mate"], found[10]["turns"], found[11]["turns"]) == (-2, 5, 5)
    assert [found[14][name] for name in ("played", "played_score", "loss")] == [None] * 3
    assert found[14]["best_score"] == found[14]["score"]


def test_as_text() -> None:
    done = loopline(
        "analyse", "-", "--device", "engine:quiescence_radius=3", "--depth", "2", stdin=GAME
    )
    assert (done.returncode, done.stderr) == (0, "")
    title, head, *rows = done.stdout.splitlines()
    assert title.startswith("standard input, line 1: ")
    assert head.split() == "turn played value best value loss depth nodes line".split()
    assert len(rows) == 10 + 2
    assert rows[9].count("win in 1") == 2
    assert [row.partition(":")[0] for row in rows[10:]] == ["white", "red"]


def test_into_the_record(tmp_path: Path) -> None:
    """What is written is read again, with the comments that were there before."""
    games, annotated = tmp_path / "games.txt", tmp_path / "annotated.txt"
    games.write_text(f'[White "A"]\n\n# old\n{GAME}\n\n[White "B"]\n@0/ B1+ RESIGN\n@0/ B9+\n')
    words = ("--nodes", "300", "--json", "--annotate", str(annotated), str(games))
    done = loopline("analyse", *words)
    said = (
        f"loopline analyse: {games}, line 8, column 5: turn 2: B9+: B9 is not adjacent to any tile"
    )
    assert (done.returncode, done.stderr) == (1, f"{said}\n")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    first, second = read_records(annotated.read_text().splitlines())
    assert (first.tags["White"], second.tags["White"]) == ("A", "B")
    assert first.tags["Annotator"] == "loopline analyse --device engine:nodes=300"
    assert first.turns == tuple(played.turn for played in play_game(GAME.split()).history)
    assert first.comments[0][0] == "old"
    assert [text.partition(":")[0] for text in first.comments[0][1:]] == ["white", "red"]
    marks = {each["turn"]: each["mark"] for each in found[:10] if each["mark"]}
    assert marks
    comments = {number: texts for number, texts in first.comments.items() if number}
    assert {number: text.split()[0] for number, (text,) in comments.items()} == marks
    assert second.ending == Ending(Colour.RED, "resignation")

    refused = loopline("analyse", "--annotate", str(games), str(games))
    assert refused.returncode == 2
    assert f"--annotate and {games} are the same file, {games}: name another" in refused.stderr
    missing = loopline("analyse", "--annotate", str(games), str(tmp_path / "no.txt"))
    assert (missing.returncode, "cannot read" in missing.stderr) == (2, True)


def test_a_page_has_what_the_objects_have(tmp_path: Path) -> None:
    games, pages = tmp_path / "games.txt", [tmp_path / "a.html", tmp_path / "b.html"]
    games.write_text(f"{GAME}\n@0/ B1+\n")
    for page in pages:
        page.write_text("old")
        done = loopline("analyse", str(games), "--nodes", "60", "--json", "--html", str(page))
        assert (done.returncode, done.stderr) == (0, "")
    assert pages[0].read_bytes() == pages[1].read_bytes()
    shown = [
        " ".join(re.sub("<[^>]*>", " ", part).split())
        for part in pages[0].read_text(encoding="utf-8").split('<section class="turn"')[1:]
    ]
    found = [json.loads(line) for line in done.stdout.splitlines()]
    turns = [each for each in found if "turn" in each]
    assert len(turns) == len(shown) == 10 + 3
    for each, text in zip(turns, shown, strict=True):
        best = Value(each["best_score"], each["best_mate"])
        search = Value(each["score"], each["mate"])
        assert f"{each['turn']}. {each['mover'].capitalize()} " in text
        assert f" Best {html.escape(each['best'])}, {best} " in text
        assert f" Variation {' '.join(each['pv'])} Search {search}, depth {each['depth']}," in text
        assert f", {each['nodes']} node" in text
        if each["played"]:
            value = Value(each["played_score"], each["played_mate"])
            assert f" Played {each['played']}, {value} " in text
            assert f" Loss {int(100 * each['loss'])} % " in text
            assert f" {each['played']} {each['mark']} ".replace("  ", " ") in text
    page = pages[0].read_text(encoding="utf-8")
    for each in found:
        if "player" in each:
            assert f"<td>{each['accuracy']:.1f} %</td>" in page


def test_a_page_that_cannot_be_written_is_told_before_the_analysis(tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    games.write_text(GAME)
    for page, why in (
        (tmp_path, "it is no plain file"),
        (tmp_path / "no" / "page.html", "No such file or directory"),
    ):
        done = loopline("analyse", "--html", str(page), str(games))
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"loopline analyse: cannot write {page}: {why}\n"
    refused = loopline("analyse", "--html", str(games), str(games))
    assert refused.returncode == 2
    assert f"--html and {games} are the same file" in refused.stderr
    other = tmp_path / "other.html"
    other.hardlink_to(games)
    refused = loopline("analyse", "--html", str(other), str(games))
    assert refused.returncode == 2
    assert f"--html and {games} are the same file, {other}" in refused.stderr
    assert games.read_text() == GAME


def test_an_interrupted_analysis_leaves_the_old_page(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("old")
    with talking("analyse", "-", "--time", "600", "--html", str(page)) as talk:
        talk.write(GAME)
        talk.end()
        assert "line 1" in talk.read_line()
        talk.process.send_signal(signal.SIGINT)
        _, errors = talk.rest()
        assert (talk.process.returncode, errors) == (130, "\ninterrupted\n")
    assert [each.read_text() for each in tmp_path.iterdir()] == ["old"]


def test_a_game_that_does_not_fit_is_analysed_as_far_as_it_does(tmp_path: Path) -> None:
    games, page = tmp_path / "games.txt", tmp_path / "page.html"
    annotated = tmp_path / "annotated.txt"
    row = " ".join(["@0+", *(f"{chr(ord('A') + column)}1+" for column in range(1, 12))])
    games.write_text(f'[Variant "loop"]\n\n{row}\n\n[White "A"]\n\n@0/ B1+\n')
    words = ("--device", "engine:grid=8", "--nodes", "10", "--json", str(games))
    done = loopline("analyse", *words, "--html", str(page), "--annotate", str(annotated))
    assert done.returncode == 1
    assert done.stderr.startswith(f"loopline analyse: {games}, line 1: engine:grid=8")
    assert done.stderr.endswith("does not fit into it\n")
    assert done.stderr.count("\n") == 1
    found = [json.loads(line) for line in done.stdout.splitlines()]
    turns = [(each["line"], each["turn"]) for each in found if "turn" in each]
    unfit = turns.index((5, 1))
    assert 1 < unfit < 12
    assert turns[unfit:] == [(5, 1), (5, 2), (5, 3)]
    assert page.read_text(encoding="utf-8").count('<section class="turn"') == len(turns)
    [record] = read_records(annotated.read_text().splitlines())
    assert len(record.turns) == 2


def test_an_analysis_that_fails_leaves_a_page_of_the_games_before(tmp_path: Path) -> None:
    games, page = tmp_path / "games.txt", tmp_path / "page.html"
    games.write_text("@0/ B1+\n")
    words = ("--nodes", "10", "--html", str(page), str(games), str(tmp_path / "no.txt"))
    done = loopline("analyse", *words)
    assert (done.returncode, "cannot read" in done.stderr) == (2, True)
    assert page.read_text(encoding="utf-8").count('<section class="turn"') == 3


def test_a_device_that_finds_an_illegal_turn(tmp_path: Path) -> None:
    games, page = tmp_path / "games.txt", tmp_path / "page.html"
    games.write_text(f"{GAME}\n@0/ B1+\n")
    page.write_text("old")
    with searching_puppet("F9+") as held:
        words = ("--device", held.path, "--nodes", "10", "--html", str(page), str(games))
        done = loopline("analyse", *words)
    assert done.returncode == 1
    assert done.stderr == f"loopline analyse: {held.path} finds F9+, which is not legal\n"
    assert page.read_text() == "old"


def test_options_become_settings() -> None:
    assert with_limits("engine") == "engine"
    assert with_limits("greedy:1") == "greedy:1"
    assert with_limits("engine", seconds=0.5, seed=3) == "engine:time=0.5,seed=3"
    # The spec's own settings win; another limit would end its search earlier.
    assert with_limits("engine:nodes=9", nodes=5, depth=2) == "engine:nodes=9"
    assert with_limits("sim", seconds=0.5, depth=3) == "sim:time=0.5,depth=3"
    assert with_limits("/dev/ttyUSB0@19200", nodes=5) == "/dev/ttyUSB0@19200:nodes=5"
    assert with_limits("sim:nodes=9", depth=2) == "sim:nodes=9"
    assert with_limits("sim:lanes=2", depth=2) == "sim:lanes=2,depth=2"
    with pytest.raises(UsageError, match="--time is for devices and the engine, not for 'random'"):
        with_limits("random", seconds=1.0)
    with pytest.raises(UsageError, match="--seed is for the engine, not for 'sim'"):
        with_limits("sim", seed=1)


def test_settings_become_limits() -> None:
    assert split_limits("sim") == ("sim", SearchLimits())
    assert split_limits("sim:nodes=9") == ("sim", SearchLimits(nodes=9))
    split = split_limits("sim:lanes=2,nodes=9,ponder=on")
    assert split == ("sim:lanes=2,ponder=on", SearchLimits(nodes=9))
    limits = SearchLimits(seconds=1.5, depth=3)
    assert split_limits("port:/dev/a:b@19200:time=1.5,depth=3") == ("port:/dev/a:b@19200", limits)
    for spec in ("engine:nodes=9", "cmd:./player a:nodes=9", "tcp:[::1]:5000", "/dev/a:b"):
        assert split_limits(spec) == (spec, SearchLimits())
    for spec, why in (
        ("sim:nods=9", "'nods' is unknown: use time, nodes, depth, lanes, grid, clock, "),
        ("/dev/a:lanes=2", "'lanes' is unknown: use time, nodes, depth$"),
        ("sim:nodes=0", "nodes: "),
        ("sim:depth=", "depth: "),
    ):
        with pytest.raises(UsageError, match=why):
            split_limits(spec)


def test_an_analyst_reports_and_stops() -> None:
    depths: list[int] = []
    with Analyst("engine") as analyst:
        found = analyst.analyse([], depth=2)
        assert (str(found.value), found.depth) == ("+0", 0)
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


def test_a_forced_loss_is_one_after_all_turns() -> None:
    """An iteration that a limit ends has tried a part of the turns."""
    game = play_game("@0+ B1+ C1\\ C2\\ C3+ D2+ E1\\ E0+ E4\\ F2\\".split())
    turns = [played.turn for played in game.history]
    with Analyst("engine:nodes=300") as analyst:
        assert analyst.analyse(turns).mate == -4
        assert analyst.analyse(turns, whole=True).mate is None
        # Twenty times as many nodes do not find one either.
        assert analyst.analyse(turns, nodes=8000).mate is None
        game = play_game("@0+ A0\\ A0\\ B2\\ @3/ @3+ B4+ D0/".split())
        lost = [played.turn for played in game.history]
        assert analyst.analyse(lost, whole=True).mate == -4


def test_the_limits_of_the_engine_that_frames_can_say():
    assert engine_limits("engine") == SearchLimits()
    assert engine_limits("engine:depth=3,grid=32,nodes=9") == SearchLimits(nodes=9, depth=3)
    assert engine_limits("engine:nodes=9,seed=1") is None
    assert engine_limits("engine:cycles=9") is None
