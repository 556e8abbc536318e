import json
import subprocess

import pytest

from .program import COMMAND, environment, loopline


def test_moves_of_the_empty_board() -> None:
    assert loopline("moves").stdout == "@0+\n@0/\n"


def test_moves_as_json() -> None:
    done = loopline("moves", "--json", "@0/")
    assert json.loads(done.stdout) == (
        "@1+ @1/ @1\\ A0+ A0/ A0\\ A2+ A2/ A2\\ B1+ B1/ B1\\".split()
    )
    assert done.returncode == 0


def test_turns_may_be_one_argument_or_many() -> None:
    assert loopline("moves", "@0/ B1+").stdout == loopline("moves", "@0/", "B1+").stdout != ""


def test_no_moves_after_the_end() -> None:
    done = loopline("moves", "--json", "@0/", "B1\\", "A2\\")
    assert (done.stdout, done.returncode) == ("[]\n", 0)


def test_perft() -> None:
    done = loopline("perft", "4")
    assert (done.stdout, done.returncode) == ("1 2\n2 24\n3 432\n4 9568\n", 0)


def test_perft_from_a_position() -> None:
    assert loopline("perft", "2", "@0/", "B1+").stdout.splitlines()[0] == "1 18"


def test_perft_after_the_end() -> None:
    assert loopline("perft", "2", "@0/", "B1\\", "A2\\").stdout == "1 0\n2 0\n"


@pytest.mark.parametrize("depth", ["0", "-1", "x", "1.5", ""])
def test_no_such_depth(depth: str) -> None:
    done = loopline("perft", "--", depth)
    assert done.returncode == 2
    assert done.stderr == (
        f"loopline perft: argument DEPTH: {depth!r} is no depth: use a number from 1 "
        "(see loopline perft --help)\n"
    )


@pytest.mark.parametrize("command", [("moves",), ("perft", "2")])
def test_illegal_turn_is_a_negative_answer(command: tuple[str, ...]) -> None:
    done = loopline(*command, "@0/", "C7+")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"loopline {command[0]}: turn 2 is illegal: C7+: C7 is not adjacent to any tile\n"
    )


@pytest.mark.parametrize("command", [("moves",), ("perft", "2")])
def test_unreadable_turn_is_wrong_use(command: tuple[str, ...]) -> None:
    done = loopline(*command, "@0/", "seven")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"loopline {command[0]}: turn 2: 'seven'")
    assert done.stderr.count("\n") == 1


def test_reader_that_goes_away_is_no_traceback() -> None:
    with subprocess.Popen(
        [*COMMAND, "perft", "5"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"1 2\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141
