"""``loopline match`` and ``loopline tournament`` as programs."""

import json
import os
import pty
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.host.cluster.dask_cluster import cluster
from tests.host.contestant import contestant
from tests.host.positions import records_of
from tests.host.program import COMMAND, TIMEOUT, environment, loopline

pytestmark = pytest.mark.xdist_group("dask")


Played = tuple[dict[str, Any], list[tuple[str, ...]]]
"""A match's result, and the turns of its games."""


def games_of(path: Path) -> list[tuple[str, ...]]:
    return [tuple(map(str, record.turns)) for record in records_of(path)]


def pairs_in(path: Path) -> list[int]:
    """The pairs of a journal that are there as whole lines, in their order."""
    if not path.exists():
        return []
    *lines, _ = path.read_bytes().split(b"\n")
    return [json.loads(line)["pair"] for line in lines[1:]]


@contextmanager
def running(*argv: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """The command line, killed if it does not end by itself."""
    with subprocess.Popen(
        [*COMMAND, *argv],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=environment(),
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def wait_for_pairs(journal: Path, count: int, process: subprocess.Popen[str]) -> None:
    """Return when so many pairs are in the journal of a match that goes on."""
    deadline = time.monotonic() + TIMEOUT
    while len(pairs_in(journal)) < count:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline, "no pairs are played"
        time.sleep(0.02)


def test_a_match_with_all_that_is_to_say(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    argv = (
        *("match", "greedy", "random", "--games", "6", "--save", str(path)),
        *("--name", "A", "--name", "B", "--concurrency", "1", "--sprt", "0", "400"),
    )
    done = loopline(*argv)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "A against B: 6 games, standard Trax, 1 s per turn"
    assert lines[2].split() == "points % won drawn lost faults slowest turn".split()
    assert re.fullmatch(r"A +6 +100\.0 +6 +0 +0 +0 +0\.\d{3} s", lines[3])
    assert re.fullmatch(r"B +0 +0\.0 +0 +0 +6 +0 +0\.\d{3} s", lines[4])
    text = "\n".join(lines)
    assert "pairs           0: 0, ½: 0, 1: 0, 1½: 0, 2: 3  (by the points of A)" in text
    assert "Elo             not known yet  (A, 95 %)" in text
    assert "superiority     95.8 %  (likelihood that A is the stronger one)" in text
    assert "SPRT            no verdict yet  (LLR " in text
    assert "white won 3, red 3, drawn 0; " in text
    assert "ended by: loop 6" in text
    assert lines[-1] == f"games: {path}"
    assert all(line == line.rstrip() for line in lines)
    assert done.stderr.splitlines()[-1].startswith("A - B: 6 of 6 games, 6 : 0, Elo not known ")
    assert len(records_of(path)) == 6
    again = loopline(*argv, "--resume")
    assert (again.returncode, again.stdout) == (0, done.stdout)


def test_the_result_for_programs(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    done = loopline(
        *("match", "random", "random", "--games", "40", "--save", str(path), "--json"),
        *("--variant", "limited", "--clock", "none", "--sprt", "-5", "5", "--seed", "3"),
        *("--concurrency", "1"),
    )
    assert done.returncode == 0
    result = json.loads(done.stdout)
    one, two = result["players"]
    assert (one["name"], two["name"]) == ("random", "random (2)")
    assert one["player"] == two["player"] == "random"
    assert one["won"] == two["lost"]
    assert one["drawn"] == two["drawn"] == result["draws"]
    assert one["points"] + two["points"] == result["games"] == 40
    assert sum(result["pentanomial"]) == result["pairs"] == 20
    points = sum(kind * count for kind, count in enumerate(result["pentanomial"])) / 2
    assert points == one["points"]
    assert result["elo"]["low"] < result["elo"]["value"] < result["elo"]["high"]
    # Equal players: far from the end of the scale.
    assert abs(result["elo"]["value"]) < 200
    assert 0 < result["superiority"] < 1
    assert result["sprt"]["verdict"] == "open"
    assert result["variant"] == "limited"
    assert result["clock"] == "none"
    assert result["file"] == str(path)
    records = records_of(path)
    assert result["white_wins"] == sum(r.ending.score == "1-0" for r in records if r.ending)
    assert {record.variant.name for record in records} == {"limited"}
    assert result["turns"] == sum(len(record.turns) for record in records)


def test_a_test_that_ends_a_match(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    done = loopline(
        *("match", "greedy", "random", "--games", "1000", "--save", str(path)),
        *("--sprt", "0", "100", "--json", "--concurrency", "1"),
    )
    assert done.returncode == 0
    result = json.loads(done.stdout)
    assert result["sprt"]["verdict"] == "H1"
    assert result["sprt"]["ratio"] >= result["sprt"]["upper"] > 2.9
    assert 4 <= result["games"] < 200
    assert len(records_of(path)) == result["games"]


LONG = ("match", "random", "random", "--games", "200")
"""A match that is not over before what happens to it."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """That match by itself: its result and its games."""
    path = tmp_path_factory.mktemp("whole") / "games.txt"
    done = loopline(*LONG, "--save", str(path), "--json", "--concurrency", "1")
    assert done.returncode == 0
    return json.loads(done.stdout), games_of(path)


def test_a_killed_match_goes_on_and_ends_with_the_same_games(tmp_path: Path, whole: Played) -> None:
    argv = (*LONG, "--save")
    path = tmp_path / "killed.txt"
    journal = tmp_path / "killed.txt.journal"
    with running(*argv, str(path), "--concurrency", "2", folder=tmp_path) as process:
        wait_for_pairs(journal, 5, process)
        process.kill()
        process.wait()
    played = pairs_in(journal)
    assert 5 <= len(played) < 100
    with journal.open("ab") as file:
        file.write(b'{"pair": 100, "games": [{"white": 0, "tur')
    done = loopline(*argv, str(path), "--json", "--resume", "--concurrency", "2")
    assert done.returncode == 0
    result, games = whole
    assert games_of(path) == games
    numbers = pairs_in(journal)
    assert numbers[: len(played)] == played
    assert sorted(numbers) == list(range(1, 101))
    resumed = json.loads(done.stdout)
    for name in ("pentanomial", "elo", "superiority", "reasons", "turns", "white_wins"):
        assert resumed[name] == result[name]


@pytest.mark.parametrize(
    ("option", "how"),
    [
        ((), "--resume"),
        (("--overwrite",), "--save match-random-random-2.txt --resume, not --overwrite,"),
    ],
    ids=["", "overwrite"],
)
def test_an_interrupted_match_says_how_to_go_on(
    tmp_path: Path, option: tuple[str, ...], how: str
) -> None:
    argv = ("match", "random", "random", "--games", "2000", "--concurrency", "2", *option)
    with running(*argv, folder=tmp_path) as process:
        path = tmp_path / "match-random-random-2.txt"
        wait_for_pairs(Path(f"{path}.journal"), 10, process)
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, output) == (130, "")
    *_, hint, blank, last = errors.splitlines()
    games = len(records_of(path))
    assert hint == (
        f"{games} of 2000 games are in {path.name}: the same command with {how} continues"
    )
    assert (blank, last) == ("", "interrupted")
    assert "Traceback" not in errors
    # The last pair may have been on its way from the journal to the file.
    pairs = len(pairs_in(Path(f"{path}.journal")))
    assert pairs - games // 2 in (0, 1)
    assert pairs >= 10


def test_a_match_on_a_cluster_of_which_a_worker_is_killed(tmp_path: Path, whole: Played) -> None:
    path = tmp_path / "games.txt"
    journal = tmp_path / "games.txt.journal"
    with cluster(tmp_path, workers=2) as workers:
        scheduler = ("--scheduler", workers.address, "--save", str(path), "--json")
        with running(*LONG, *scheduler, folder=tmp_path) as process:
            wait_for_pairs(journal, 5, process)
            workers.kill_worker(0)
            at_kill = len(pairs_in(journal))
            output, errors = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 0, errors
    assert at_kill < 100, "the match was over before the worker was killed"
    assert "Traceback" not in errors
    # Every pair is there, and none twice.
    assert sorted(pairs_in(journal)) == list(range(1, 101))
    rounds = [record.tags["Round"] for record in records_of(path)]
    assert rounds == [f"{pair}.{game}" for pair in range(1, 101) for game in (1, 2)]
    assert json.loads(output)["games"] == 200
    assert games_of(path) == whole[1]


def test_a_person_sees_the_board_and_may_leave(tmp_path: Path) -> None:
    argv = ("match", "human", "random", "--games", "2", "--opening-turns", "4", "--clock", "none")
    done = loopline(*argv, "--save", str(tmp_path / "games.txt"), stdin="resign\n")
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == "human plays one game at a time."
    assert done.stderr.splitlines()[-1] == "loopline match: the person has left the match"
    assert "2 of 2 games" not in done.stderr
    assert "━" in done.stdout
    assert "wins by resignation" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_device_is_the_first_player(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    argv = ("random", "--device", "greedy", "--games", "2", "--concurrency", "1")
    done = loopline("match", *argv, "--save", str(path))
    assert done.stdout.splitlines()[0] == (
        "greedy against random: 2 games, standard Trax, 1 s per turn"
    )
    assert [record.tags["White"] for record in records_of(path)] == ["greedy", "random"]


def test_the_game_in_play_is_in_a_file(tmp_path: Path) -> None:
    path, live = tmp_path / "games.txt", tmp_path / "live.txt"
    names = ("--name", "one", "--name", "two")
    argv = ("random", "greedy", "--games", "4", "--save", str(path), "--live", str(live))
    assert loopline("match", *argv, *names).returncode == 0
    [last] = records_of(live)
    assert (last.tags["White"], last.tags["Red"]) == ("two", "one")
    assert last.turns == list(records_of(path))[-1].turns


@pytest.mark.slow
def test_games_of_the_engine_side_by_side(tmp_path: Path) -> None:
    """It is a program of its own in each game, also where it plays against itself."""
    games = []
    for together in ("1", "2"):
        path = tmp_path / f"games-{together}.txt"
        argv = ("engine:depth=1", "engine:depth=1", "--games", "4", "--clock", "none")
        done = loopline("match", *argv, "--concurrency", together, "--save", str(path))
        assert done.returncode == 0
        games.append(games_of(path))
    assert len(games[0]) == 4
    assert games[0] == games[1]


def test_a_tournament(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    argv = ("tournament", "random", "greedy", "random", "--games", "4", "--save", str(path))
    done = loopline(*argv, "--concurrency", "1", "--name", "low", "--name", "high")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "3 players: 12 games, standard Trax, 1 s per turn"
    assert lines[2].split() == "player Elo ± points games % faults 1 2 3".split()
    first = lines[3].split()
    assert first[:2] == ["1", "high"]
    assert first[4:] == ["8", "8", "100.0", "0", "·", "4", "4"]
    assert {line.split()[1] for line in lines[4:6]} == {"low", "random"}
    assert "Some players have made all points against the rest, or none" in done.stdout
    again = loopline(*argv, "--name", "low", "--name", "high", "--json", "--resume")
    result = json.loads(again.stdout)
    assert result["bounded"] is True
    assert result["players"][0]["name"] == "high"
    values = [player["elo"]["value"] for player in result["players"]]
    assert values == sorted(values, reverse=True)
    assert sum(values) == pytest.approx(0, abs=1e-6)
    met = result["players"][0]["against"]
    assert met["low"] == {"pairs": [0, 0, 0, 0, 2], "points": 4.0, "games": 4}


def test_a_gauntlet(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    done = loopline(
        *("tournament", "random", "random", "random", "random", "--format", "gauntlet"),
        *("--games", "2", "--save", str(path), "--json", "--concurrency", "1"),
    )
    result = json.loads(done.stdout)
    assert result["games"] == 6
    met = {player["name"]: len(player["against"]) for player in result["players"]}
    assert met == {"random": 3, "random (2)": 1, "random (3)": 1, "random (4)": 1}


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["match"], "a match has two players, not 0: see --help for who can play"),
        (["match", "random"], "a match has two players, not 1: see --help"),
        (["match", "random", "random", "greedy"], "a match has two players, not 3: see --help"),
        (["match", "--device", "engine", "random", "greedy"], "two players, not 3: see --help"),
        (
            ["match", "random", "random", "--games", "7"],
            "'7' is not an even number from 2 to 1000000",
        ),
        (["match", "random", "random", "--games", "0"], "'0' is not an even number from 2 to"),
        (
            ["match", "random", "random", "--opening-turns", "6..4"],
            "'6..4' is not a number N or a range N..M within 1 to 40",
        ),
        (["match", "random", "random", "--seed", "x"], "'x' is not a whole number from 0 to "),
        (["match", "random", "random", "--clock", "0"], "'0' is not a clock"),
        (["match", "random", "random", "--sprt", "0", "10000"], "argument --sprt: '10000' is not"),
        (["match", "random", "random", "--sprt", "5", "0"], "--sprt: ELO0 has to be less than"),
        (
            ["match", "random", "random", "--sprt", "0", "5", "--alpha", "2"],
            "argument --alpha: '2' is not",
        ),
        (["match", "random", "random", *["--name", "x"] * 3], "--name: 3 names, but 2 players"),
        (["match", "random", "random", "--event", "a\nb"], "'a\\nb' is not a line of text"),
        (["match", "random", "random", "--openings", "none.txt"], "cannot read none.txt: No such"),
        (["match", "random", "random", "--openings", "x", "--no-openings"], "not allowed with"),
        (
            ["match", "random", "random", "--scheduler", "here"],
            "'here' is not a scheduler's address",
        ),
        (["match", "random", "random", "--save", "none/x"], "cannot write none/x.journal: No such"),
        (["match", "/dev/x", "/dev/x"], "'/dev/x' cannot play against itself"),
        (["match", "/dev/x", "random", "--concurrency", "2"], "'/dev/x' needs --concurrency 1"),
        (["match", "human", "sim", "--scheduler", "h:1"], "'human' needs no --scheduler"),
        (["match", "random:x", "random", "--concurrency", "1"], "'random:x': a seed is a number"),
        (["match", "random", "greedy", "--live", "x", "--concurrency", "2"], "--live follows one"),
        (["match", "random", "greedy", "--live", "."], "is no file of --live"),
        (["match", "human", "random", "--json"], "--json prints no board that a person"),
        (["tournament", "random", "random"], "a tournament has three players or more"),
    ],
)
def test_wrong_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argv: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = loopline(*argv)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(f"loopline {argv[0]}: ")
    assert message in done.stderr.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


def test_no_file_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("mine", encoding="utf-8")
    argv = ("match", "random", "random", "--games", "2", "--concurrency", "1", "--save", str(path))
    for option in (), ("--resume",):
        done = loopline(*argv, *option)
        assert done.returncode == 2
        assert done.stderr == (
            f"loopline match: {path} exists: use --overwrite, or another --save\n"
        )
        assert path.read_text(encoding="utf-8") == "mine"
    assert loopline(*argv, "--overwrite").returncode == 0
    games = path.read_bytes()
    done = loopline(*argv)
    assert done.returncode == 2
    assert f"{path}.journal exists: use --resume to go on with it, --overwrite, or" in done.stderr
    assert loopline(*argv, "--resume", "--seed", "2").stderr == (
        f"loopline match: {path}.journal has another match: its seed is 1, not 2\n"
    )
    assert path.read_bytes() == games


def test_a_match_that_cannot_begin_overwrites_nothing(tmp_path: Path) -> None:
    path, journal = tmp_path / "games.txt", tmp_path / "games.txt.journal"
    argv = ("match", "random", "--games", "2", "--concurrency", "1", "--save", str(path))
    assert loopline(*argv, "greedy").returncode == 0
    before = path.read_bytes(), journal.read_bytes()
    for options in ("cmd:nosuch",), ("greedy", "--scheduler", "x"):
        assert loopline(*argv, *options, "--overwrite").returncode != 0
        assert (path.read_bytes(), journal.read_bytes()) == before
    assert loopline(*argv, "greedy:2", "--overwrite").returncode == 0
    assert path.read_bytes() != before[0]
    assert journal.read_bytes().count(b"\n") == 2
    assert sorted(tmp_path.iterdir()) == [path, journal]


def test_what_is_no_plain_file_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    os.mkfifo(path)
    done = loopline("match", "random", "random", "--save", str(path), "--overwrite")
    assert done.returncode == 2
    assert done.stderr == f"loopline match: cannot write {path}: it is no plain file\n"
    assert path.is_fifo()
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("option", [("--overwrite",), ("--resume",)])
def test_a_match_that_is_running_keeps_its_games(tmp_path: Path, option: tuple[str, ...]) -> None:
    path, journal = tmp_path / "games.txt", tmp_path / "games.txt.journal"
    save = ("--concurrency", "1", "--save", str(path))
    argv = ("match", "random", "random", "--games", "400", *save)
    with running(*argv, folder=tmp_path) as process:
        wait_for_pairs(journal, 3, process)
        done = loopline("match", "random:1", "random:2", "--games", "2", *save, *option)
        _, errors = process.communicate(timeout=TIMEOUT)
    assert (done.returncode, done.stderr) == (
        2,
        f"loopline match: {journal} is in use by a match that is running\n",
    )
    assert process.returncode == 0, errors
    assert sorted(pairs_in(journal)) == list(range(1, 201))
    assert len(records_of(path)) == 400


def test_a_bar_on_a_terminal(tmp_path: Path) -> None:
    main, side = pty.openpty()
    argv = [*COMMAND, "match", "random", "random", "--games", "12", "--concurrency", "1"]
    with subprocess.Popen(
        argv,
        stdin=side,
        stdout=subprocess.PIPE,
        stderr=side,
        cwd=tmp_path,
        env=environment(COLUMNS="100"),
    ) as process:
        os.close(side)
        seen = b""
        # Reading from a terminal whose other side is closed is an error.
        try:
            while data := os.read(main, 4096):
                seen += data
        except OSError:
            pass
        assert process.stdout is not None
        report = process.stdout.read().decode()
    os.close(main)
    assert process.returncode == 0
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.decode())
    assert "━" in text
    assert re.search(r"random - random \(2\) .*\d+/12 games", text)
    assert "Elo " in text
    assert "12 games, standard Trax" in report
    assert "\x1b" not in report


def test_a_player_of_any_name_is_in_the_records(tmp_path: Path) -> None:
    # Its command line is its name, and has a character that no record can hold.
    player = contestant(chr(1))
    file = tmp_path / "games.txt"
    argv = ("--games", "2", "--no-openings", "--concurrency", "1", "--clock", "none")
    done = loopline("match", player, "random:1", *argv, "--save", str(file))
    assert done.returncode == 0, done.stderr
    first, second = records_of(file)
    assert first.tags["White"] == second.tags["Red"] == player.replace(chr(1), " ")
