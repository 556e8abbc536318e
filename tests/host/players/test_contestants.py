"""Whole games against programs that fail in every way: each loses, and leaves nothing behind."""

import re
import time
from contextlib import closing
from pathlib import Path

import pytest

from loopline.game import Colour, Ending, Position, Turn
from loopline.host.clock import CONTEST, Clock
from loopline.host.errors import DeviceError
from loopline.host.players.software import RandomPlayer
from loopline.host.players.spec import PlayerOpener
from loopline.host.referee.referee import play_game
from tests.host.contestant import FAULTS, LAST_WORDS, contestant
from tests.host.leftovers import ends, is_running, nothing_left

GENEROUS = Clock(60.0)

SAID = f"; its standard error ends with '{LAST_WORDS}'"
ENDINGS = {
    "dies-first": ("fault", 1, "has ended with status 3" + SAID),
    "dies-thinking": ("fault", 3, "has ended with status 3" + SAID),
    "dies-after": ("fault", 5, "has ended with status 0" + SAID),
    "killed": ("fault", 3, "was ended by SIGSEGV"),
    "killed-namelessly": ("fault", 3, "was ended by signal "),
    "half-dies": ("fault", 3, "has ended with status 3" + SAID),
    "floods": ("fault", 3, "sends no lines, but b'xxxxxxxxxxxxxxxx'..."),
    "flood-of-blanks": ("fault", 3, "sends nothing but line ends"),
    "closes": ("fault", 3, "has closed its input or output, but runs on"),
    "hangs": ("time", 3, "sent nothing within 1 s"),
    "half": ("time", 3, "sent only b'@1', without a line end, within 1 s"),
    "deaf": ("time", 1, "sent nothing within 1 s"),
    "illegal": ("illegal turn", 3, "Z99+: Z99 is not adjacent to any tile; 18 turns would be"),
    "noise": ("illegal turn", 3, "answers 'I resign!' instead of a turn"),
    "binary": ("illegal turn", 3, r"sent b'\xff\x00\x81', which is no text"),
    "two-turns": ("illegal turn", 5, "sent b'@1+' when it was not its turn"),
    "flood-of-lines": ("illegal turn", 5, r"sent b'@1+\n@1+\n@1+\n@1+\n' when it was not"),
}


class Unhurried(RandomPlayer):
    """Slow enough for all that a fault does after a turn to come before the next turn."""

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        time.sleep(0.2)
        return super().choose(position, seconds)


def test_every_fault_is_known() -> None:
    assert set(ENDINGS) == set(FAULTS)


@pytest.mark.parametrize("fault", FAULTS)
def test_fault(fault: str) -> None:
    reason, number, why = ENDINGS[fault]
    with nothing_left():
        clock = Clock(1.0) if reason == "time" else GENEROUS
        # The answer to -T says that it runs: its start is not on the clock then.
        code = fault not in ("dies-first", "deaf")
        with closing(PlayerOpener(code=code).open(contestant(fault))) as player:
            # A fault in the second turn comes when this one waits for it.
            other = RandomPlayer(3) if number <= 3 else Unhurried(3)
            game = play_game(player, other, clock=clock)
    assert game.ending == Ending(Colour.RED, reason)
    assert game.explanation.startswith(f"white loses at turn {number}: ")
    assert why in game.explanation
    assert "\n" not in game.explanation


def test_player_without_a_fault_plays_to_the_end() -> None:
    with nothing_left(), closing(PlayerOpener().open(contestant())) as player:
        assert player.name.endswith("contestant.py (XY)")
        for _ in range(2):
            game = play_game(player, RandomPlayer(5), clock=GENEROUS)
            assert game.ending.on_the_board


def test_two_programs() -> None:
    with nothing_left():
        white, red = PlayerOpener(code=False).open_both(contestant(), contestant())
        with closing(white), closing(red):
            assert play_game(white, red, clock=GENEROUS).ending.on_the_board


def test_stubborn_program_is_killed_with_all_that_it_has_started(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    with nothing_left():
        with closing(PlayerOpener().open(contestant("stubborn", str(marks)))) as player:
            assert play_game(player, RandomPlayer(5), clock=GENEROUS).ending.on_the_board
            pids = [int(word) for word in marks.read_text(encoding="ascii").split()]
            assert all(map(is_running, pids))
            player.close()
        assert all(map(ends, pids))


def test_program_that_ends_before_the_game() -> None:
    opener = PlayerOpener(code=False, settle=30.0)
    with nothing_left(), pytest.raises(DeviceError, match=re.escape(SAID)):
        opener.open_both(contestant("dies-first"), "random")


def test_contest_clock_is_the_default() -> None:
    assert play_game(RandomPlayer(1), RandomPlayer(2)).clock == CONTEST
