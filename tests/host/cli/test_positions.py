import json
import subprocess

import pytest

from tests.host.program import COMMAND, environment, loopline


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


@pytest.mark.parametrize(
    ("variant", "turns", "spaces"),
    [
        ("standard", "@0+ B1+ C1+", "@1 A0 A2 B0 B2 C0 C2 D1"),
        ("mini", "@0+ B1+ C1+", "A0 A2 B0 B2 C0 C2"),
        ("limited-2", "@0+ B1+", "A0 A2 B0 B2"),
        ("limited-1", "@0+", ""),
    ],
)
def test_moves_keep_within_the_area_of_a_variant(variant: str, turns: str, spaces: str) -> None:
    done = loopline("moves", "--variant", variant, turns)
    assert done.stdout.split() == [space + shape for space in spaces.split() for shape in "+/\\"]
    assert done.returncode == 0


def test_moves_where_lines_do_not_win() -> None:
    line = "@0+ B1+ C1+ D1+ E1+ F1+ G1+ H1+"
    assert loopline("moves", line).stdout == ""
    assert "I1+" in loopline("moves", "--variant", "loop", line).stdout.split()


def test_moves_in_the_old_notation() -> None:
    done = loopline("moves", "--notation", "old", "A1C", "B1+")
    assert done.stdout.split()[:6] == ["A1S", "A1D", "A1U", "1AS", "1AR", "1AL"]
    assert loopline("moves", "A1C", "B1S").stdout == loopline("moves", "@0/", "B1+").stdout


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
        f"loopline perft: argument DEPTH: {depth!r} is not a whole number from 1 to 99 "
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
