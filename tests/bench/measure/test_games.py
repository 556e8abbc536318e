"""``loopline bench games``: games by frames, and what it says when no game can be played."""

from __future__ import annotations

import re
import threading
import time

import pytest

from loopline.bench import __main__ as bench
from loopline.bench.measure import games
from loopline.game import read_records
from loopline.host.errors import UsageError
from tests.host.leftovers import nothing_left

SEARCHED = "--random 0 --engine 0 --itself 0 --searched 1 --nodes 300".split()


@pytest.mark.xdist_group("host-board")
def test_a_search_that_finds_something_else_than_the_engine_is_a_fault(capsys, monkeypatch):
    assert games.main(SEARCHED) == 0
    played = capsys.readouterr().out
    assert "1 games to their end" in played
    assert "FAULT" not in played

    class Shorter(games._ComparedDevice):
        def choose(self, position, seconds=None):
            self._nodes = 1
            return super().choose(position, seconds)

    monkeypatch.setattr(games, "_ComparedDevice", Shorter)
    assert games.main(SEARCHED) == 1
    told = capsys.readouterr().out
    assert re.search(r"FAULT score .*; nodes 300, the engine's [0-9]+; line ", told)


@pytest.mark.xdist_group("host-board")
def test_the_games_before_an_interruption_are_counted_and_saved(capsys, monkeypatch, tmp_path):
    ended, play = threading.Event(), games._play

    def played(*words):
        play(*words)
        ended.set()

    def interrupted(_tallies, return_when):
        assert ended.wait(60)
        raise KeyboardInterrupt

    monkeypatch.setattr(games, "_play", played)
    monkeypatch.setattr(games, "wait", interrupted)
    file = tmp_path / "games.trax"
    words = "--random 0 --engine 0 --itself 0 --searched 999 --nodes 100 --save".split()
    with nothing_left():
        assert games.main([*words, str(file)]) == 130
    said = capsys.readouterr()
    count = re.search(r"([0-9]+) games to their end", said.out)
    assert count
    assert int(count[1]) == len(list(read_records(file.read_text().splitlines()))) > 0
    assert "FAULT" not in said.out
    assert said.err.endswith("\ninterrupted\n")


@pytest.mark.xdist_group("host-board")
@pytest.mark.parametrize("kind", ["random", "searched"])
def test_an_interruption_ends_the_turn_under_way(capsys, monkeypatch, kind):
    """A turn of a contest takes seconds, and a search of so many nodes hours."""
    thinking = threading.Event()

    def interrupted(_tallies, return_when):
        assert thinking.wait(60)
        time.sleep(0.2)
        raise KeyboardInterrupt

    def choose(self, *words):
        thinking.set()
        return super(type(self), self).choose(*words)

    monkeypatch.setattr(games, "wait", interrupted)
    watched = games._WatchedDevice if kind == "random" else games._ComparedDevice
    monkeypatch.setattr(games, watched.__name__, type("Watched", (watched,), {"choose": choose}))
    counts = {f"--{each}": str(int(each == kind)) for each in games._OPPONENTS}
    words = [word for pair in counts.items() for word in pair]
    begin = time.monotonic()
    with nothing_left():
        assert games.main([*words, "--nodes", str(10**8)]) == 130
    assert time.monotonic() - begin < 60
    said = capsys.readouterr()
    assert ": 0 games to their end" in said.out
    assert "FAULT" not in said.out


@pytest.mark.slow
def test_a_board_with_several_lanes_plays_as_the_engine_with_as_many(capsys):
    words = "--random 1 --engine 0 --itself 0 --searched 2 --nodes 1500 --sim lanes=3".split()
    assert games.main(words) == 0
    played = capsys.readouterr().out
    assert "2 games to their end" in played
    assert "FAULT" not in played


def test_a_number_of_lanes_that_no_board_has(capsys):
    with pytest.raises(SystemExit):
        games.main(["--sim", "lanes=17"])
    assert "--sim lanes=17: lanes must be from 1 to 16, not 17" in capsys.readouterr().err


def test_a_board_that_does_not_start(capsys):
    assert bench.main(["games", "--random", "1", "--itself", "0", "--sim", "clock=none"]) == 1
    error = capsys.readouterr().err.splitlines()[-1]
    assert error == (
        "loopline bench games: the simulated board did not start: it ended with status 2"
    )


def test_no_room_for_the_games(capsys, monkeypatch):
    def full(options):
        raise UsageError("cannot write games: No space left on device")

    monkeypatch.setattr(games, "_play_all", full)
    assert games.main([]) == 1
    assert capsys.readouterr().err == (
        "loopline bench games: cannot write games: No space left on device\n"
    )
