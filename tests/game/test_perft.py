"""Counts of turn sequences."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopline.game import Position, perft, play_game
from tests.game.naive import Game

DATA = Path(__file__).resolve().parents[1] / "data" / "perft.txt"


def chosen_positions() -> list[tuple[str, list[str], list[int]]]:
    """Name, turns and counts of every position in the data file."""
    positions = []
    name = ""
    for line in DATA.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            name = line[2:]
        elif line:
            turns, counts = line.split(";")
            positions.append((name, turns.split(), [int(count) for count in counts.split()]))
    return positions


@pytest.mark.parametrize(
    ("depth", "count"), [(0, 1), (1, 2), (2, 24), (3, 432), (4, 9_568), (5, 246_888)]
)
def test_from_the_start(depth: int, count: int) -> None:
    assert perft(Position(), depth) == count


@pytest.mark.slow
def test_six_turns_from_the_start() -> None:
    assert perft(Position(), 6) == 7_209_480


@pytest.mark.parametrize(
    ("turns", "counts"), [pytest.param(t, c, id=name) for name, t, c in chosen_positions()]
)
def test_chosen_positions(turns: list[str], counts: list[int]) -> None:
    position = play_game(turns)
    assert [perft(position, depth) for depth in range(1, len(counts) + 1)] == counts
    assert [str(played.turn) for played in position.history] == turns


@pytest.mark.parametrize(("name", "turns", "counts"), chosen_positions()[::3])
def test_the_data_file_is_what_the_slow_implementation_counts(
    name: str, turns: list[str], counts: list[int]
) -> None:
    game = Game()
    for turn in turns:
        game.play(turn)
    assert game.perft(1) == counts[0], name


def test_the_last_turn_is_only_counted() -> None:
    """The short way gives the same as making every turn."""
    position = play_game(["@0/", "A0\\"])
    total = 0
    for turn in position.legal_turns():
        position.play(turn)
        total += len(position.legal_turns())
        position.undo()
    assert perft(position, 2) == total


def test_a_finished_game_has_no_continuation() -> None:
    position = play_game(["@0/", "A0\\", "B1+", "@1/"])
    assert [perft(position, depth) for depth in range(3)] == [1, 0, 0]


def test_a_negative_depth_is_refused() -> None:
    with pytest.raises(ValueError, match="a depth is 0 or more, not -1"):
        perft(Position(), -1)
