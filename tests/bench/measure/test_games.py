"""``loopline bench games``: games by frames, and what it says when no game can be played."""

from __future__ import annotations

import re

import pytest

from loopline.bench import __main__ as bench
from loopline.bench.measure import games
from loopline.host.errors import UsageError

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
