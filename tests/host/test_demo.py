import re

import pytest

from .program import loopline, position_after

pytestmark = pytest.mark.xdist_group("host-board")


def test_some_turns_of_a_game(sim_port: str) -> None:
    done = loopline("demo", "--turns", "4", "--white", sim_port)
    assert (done.stderr, done.returncode) == ("", 0)
    assert [int(n) for n in re.findall(r"^Turn (\d+): ", done.stdout, re.MULTILINE)] == [1, 2, 3, 4]
    assert "\nNo one has won after 4 turns: a draw.\n" in done.stdout
    record = done.stdout.splitlines()[-1].removeprefix("The game: ")
    assert position_after(record).turns == 4
    assert "\x1b" not in done.stdout


def test_device_that_is_not_there() -> None:
    done = loopline("demo", "--red", "/no/port", "--white", "/no/other")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "loopline demo: cannot open /no/other: No such file or directory\n"
