import re
import sys
from pathlib import Path

import pytest

from loopline.game import Colour, Ending, read_records
from tests.host.positions import position_after, records_of
from tests.host.program import loopline

TURN = re.compile(r"^Turn (\d+): ", re.MULTILINE)


@pytest.mark.xdist_group("host-board")
def test_some_turns_of_a_game(sim_port: str) -> None:
    # Random turns would now and then let the board win with the third turn.
    done = loopline("demo", "--turns", "3", "--white", sim_port, "--red", "greedy:1")
    assert (done.stderr, done.returncode) == ("", 0)
    assert [int(n) for n in TURN.findall(done.stdout)] == [1, 2, 3]
    assert "\nA draw after 3 turns, as the most turns allowed have been made.\n" in done.stdout
    record = done.stdout.splitlines()[-1].removeprefix("The game: ")
    assert position_after(record).turns == 3
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize("variant", ["standard", "limited", "deluxe", "loop", "mini", "limited-4"])
def test_whole_games_of_every_variant(variant: str, tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    for game in 1, 2:
        done = loopline(
            *("demo", "--variant", variant, "--save", str(file)),
            *("--white", f"random:{game}", "--red", "greedy:1"),
        )
        assert (done.stderr, done.returncode) == ("", 0)
        assert done.stdout.endswith(f"\n{file} holds its record\n")
        with file.open(encoding="utf-8") as lines:
            records = list(read_records(lines))
        assert len(records) == game
        record = records[-1]
        assert record.variant.name == variant
        assert record.ending
        assert (record.tags["White"], record.tags["Red"]) == (f"random:{game}", "greedy:1")
        assert "Date" in record.tags
        assert f"The game: {' '.join(map(str, record.turns))}\n" in done.stdout


def test_a_player_that_fails(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    program = Path(__file__).parents[1] / "contestant.py"
    red = f"cmd:{sys.executable} {program} dies-thinking"
    done = loopline("demo", "--white", "random:1", "--red", red, "--save", str(file))
    assert done.returncode == 1
    assert "White wins after 3 turns, as the opponent stopped answering.\nRed " in done.stdout
    [record] = records_of(file)
    assert record.ending == Ending(Colour.WHITE, "fault")
