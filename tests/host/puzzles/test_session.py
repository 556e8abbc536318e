"""Puzzles: what is right, what is wrong, and how a session ends."""

from __future__ import annotations

import io
import re

import pytest

from loopline.game import Position, parse_turn, play_game
from loopline.host.players.analyst import Analysis
from loopline.host.puzzles.session import Analyse, Score, solve_puzzles
from loopline.host.puzzles.tactics import LEVELS, Tactic, read_tactics
from tests.host.program import loopline

TURNS = "@0/ B1\\ A0\\ C2\\ B3\\ C1+ C3\\ @1\\ E1+ D0/".split()
"""Red wins with the last turn, by a loop."""

PUZZLE = Tactic(2, "test", play_game(TURNS[:7]))
"""Red is to move."""


def engine(
    *, start: int | None = 3, wrong: int | None = None, defence: str = "E1+", mate: int = -2
) -> Analyse:
    """An engine that plays the game on.

    It says a mate of ``start`` at the start, of ``wrong`` after a turn of Red that is not the
    game's, and defends against the game's turn with ``defence`` and a mate.
    """

    def analyse(position: Position) -> Analysis:
        number = position.turns
        text, found = TURNS[number], start if number == 7 else 1
        if number == 8:
            right = str(position.history[-1].turn) == TURNS[7]
            text = defence if right else str(position.legal_turns()[0])
            found = mate if right else wrong
        turn = parse_turn(text)
        return Analysis(turn, 0, found, 1, 1, 1, 0.0, (turn,))

    return analyse


class Session:
    """A session with these lines typed: its score, and what it has shown without line ends."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._patch, self._capture = monkeypatch, capsys

    def __call__(self, typed: str, analyse: Analyse, *puzzles: Tactic) -> tuple[Score, str]:
        self._patch.setattr("sys.stdin", io.StringIO(typed))
        score = solve_puzzles(puzzles or (PUZZLE,), analyse)
        return score, " ".join(self._capture.readouterr().out.split())


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Session:
    return Session(monkeypatch, capsys)


def test_a_win_against_the_defence(session: Session) -> None:
    score, shown = session("@1\\\nD0/\n", engine())
    assert score == (1, 1, 1)
    assert "Puzzle 1 of 1: red is to move and wins in 2 turns." in shown
    assert re.search(r"Right\. Turn 9: white plays E1\+.*?\. You win in 1 turn at most\. ", shown)
    assert shown.endswith("Red wins by a loop after 10 turns.")
    assert PUZZLE.position.turns == 7


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (None, "lets the win go: white answers @1+. Try another turn."),
        (4, "lets the win go: white answers @1+ and wins by force. Try another turn."),
    ],
)
def test_a_wrong_turn_is_taken_back(session: Session, wrong: int | None, said: str) -> None:
    score, shown = session("C4+\n@1\\\nD0/\n", engine(wrong=wrong))
    assert score == (1, 1, 0)
    assert f"C4+ {said}" in shown


def test_a_turn_that_loses_at_once_is_taken_back(session: Session) -> None:
    score, shown = session("@1/\nA0/\n", engine())
    assert score == (1, 1, 0)
    assert re.search(r"After @1/: White wins by a \w+ after 8 turns\. Try another turn\.", shown)


def test_a_defence_may_have_to_complete_the_win(session: Session) -> None:
    puzzle = Tactic(2, "test", play_game(TURNS[:8]))

    def analyse(position: Position) -> Analysis:
        turn = parse_turn("E1+" if position.turns == 8 else "F1\\")
        return Analysis(turn, 0, 2 if position.turns == 8 else -1, 1, 1, 1, 0.0, (turn,))

    score, shown = session("E1+\n", analyse, puzzle)
    assert score == (1, 1, 1)
    assert re.search(r"Right\. Turn 10: red plays F1\\.*?\. White wins by a \w+ after 10", shown)


def test_hint_solution_and_skip(session: Session) -> None:
    score, shown = session("hint\n@1\\\nhint\nD0/\nsolution\nskip\nskip\n", engine(), *[PUZZLE] * 4)
    assert score == (4, 1, 0)
    assert "A tile at @1 wins." in shown
    assert "A tile at D0 wins." in shown
    assert "The win: @1\\ E1+ D0/. Red wins by a loop after 10 turns." in shown
    assert str(score) == "Solved 1 of 4 puzzles, 0 without a wrong turn or a hint."


@pytest.mark.parametrize("typed", ["skip\nquit\n", "skip\n"])
def test_leaving(session: Session, typed: str) -> None:
    score, _ = session(typed, engine(), *[PUZZLE] * 3)
    assert str(score) == "Solved 0 of 2 puzzles."


def test_a_win_that_the_engine_does_not_find_is_left_out(session: Session) -> None:
    score, shown = session("", engine(start=None))
    assert score == (0, 0, 0)
    assert shown == "Puzzle 1 of 1 is left out: the engine does not find the win within its limit."


def test_every_position_of_the_file_is_open_and_has_a_level() -> None:
    found = list(read_tactics())
    assert {each.own_turns for each in found} == set(LEVELS)
    assert not any(each.position.ending for each in found)


@pytest.mark.xdist_group("engine")
def test_a_whole_session_through_pipes() -> None:
    """The solutions that one session shows are played in the next one."""
    words = ("puzzle", "--level", "2", "--seed", "1", "--number", "2", "--nodes", "20000")
    done = loopline(*words, stdin="moves\nsolution\nsolution\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("2 puzzles, seed 1. ")
    first, second = re.findall(r"^The win: (.*?)\. ", done.stdout, re.MULTILINE)
    legal = done.stdout.partition("moves\n")[2].split("Your turn")[0].split()
    wrong = next(turn for turn in legal if turn not in first)
    # The person's turns; the engine's defences are the same as before.
    lines = [wrong, "hint", *first.split()[::2], "@9+", *second.split()[::2]]
    done = loopline(*words, stdin="\n".join(lines) + "\n")
    assert (done.returncode, done.stderr) == (0, "")
    shown = " ".join(done.stdout.split())
    assert f"{wrong} lets the win go: " in shown
    assert f"A tile at {first.split()[0][:-1]} wins." in shown
    assert shown.count("Right. ") == 2
    assert shown.endswith("Solved 2 of 2 puzzles, 1 without a wrong turn or a hint.")
