"""``loopline moves`` and ``loopline perft``."""

import json

import pytest

from tests.host.program import loopline

MOVES_2 = "@1+ @1/ @1\\ A0+ A0/ A0\\ A2+ A2/ A2\\ B1+ B1/ B1\\"
LINE = "@0+ B1+ C1+ D1+ E1+ F1+ G1+ H1+"


def shapes(spaces: str) -> list[str]:
    return [space + shape for space in spaces.split() for shape in "+/\\"]


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (["moves"], ["@0+", "@0/"]),
        (["moves", "@0/"], MOVES_2.split()),
        (["moves", "@0/", "B1\\", "A2\\"], []),
        (["moves", "@0+ B1+ C1+"], shapes("@1 A0 A2 B0 B2 C0 C2 D1")),
        (["moves", "--variant", "mini", "@0+ B1+ C1+"], shapes("A0 A2 B0 B2 C0 C2")),
        (["moves", "--variant", "limited-2", "@0+ B1+"], shapes("A0 A2 B0 B2")),
        (["moves", "--variant", "limited-1", "@0+"], []),
        (["moves", LINE], []),
        (["perft", "4"], ["1 2", "2 24", "3 432", "4 9568"]),
        (["perft", "1", "@0/", "B1+"], ["1 18"]),
        (["perft", "2", "@0/", "B1\\", "A2\\"], ["1 0", "2 0"]),
        (["perft", "1", "--variant", "mini", "@0/", "--processes", "1", "B1+"], ["1 18"]),
        (["moves", "@0+", "--variant", "limited-2", "B1+"], shapes("A0 A2 B0 B2")),
    ],
)
def test_what_is_printed(words: list[str], printed: list[str]) -> None:
    done = loopline(*words)
    assert (done.stdout.splitlines(), done.stderr, done.returncode) == (printed, "", 0)
    if words[0] == "moves":
        assert json.loads(loopline(*words, "--json").stdout) == printed


@pytest.mark.parametrize("others", [["@0/", "B1+"], ["A1C B1S"], ["A1C", "B1+"]])
def test_turns_are_one_argument_or_many_in_either_notation(others: list[str]) -> None:
    turns = loopline("moves", "@0/ B1+").stdout
    assert turns == loopline("moves", *others).stdout
    assert len(turns.split()) == 18


def test_moves_in_the_old_notation() -> None:
    done = loopline("moves", "--notation", "old", "A1C", "B1+")
    assert done.stdout.split()[:6] == ["A1S", "A1D", "A1U", "1AS", "1AR", "1AL"]


def test_moves_where_lines_do_not_win() -> None:
    assert "I1+" in loopline("moves", "--variant", "loop", LINE).stdout.split()
