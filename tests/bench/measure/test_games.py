"""``loopline bench games``: what it says when no game can be played, or kept."""

from __future__ import annotations

from loopline.bench.measure import games
from loopline.host.errors import UsageError


def test_a_board_that_does_not_start(capsys):
    assert games.main(["--random", "1", "--itself", "0", "--sim", "clock=none"]) == 1
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
