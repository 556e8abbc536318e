"""The games that benches make from a seed."""

from __future__ import annotations

import pytest

from loopline.bench.makers.games import STYLES, VARIANTS, made_game
from loopline.game import STANDARD, Position


def test_the_same_number_and_seed_make_the_same_game():
    for number in range(len(STYLES)):
        assert made_game(number, 3) == made_game(number, 3)
        assert made_game(number, 3).turns != made_game(number, 4).turns


def test_every_variant_occurs():
    variants = {made_game(number * len(STYLES)).variant for number in range(len(VARIANTS))}
    assert variants == set(VARIANTS)


def test_loops_lines_forced_plays_and_long_games_occur():
    ends, longest, most = set(), 0, 0
    for number in range(60):
        if STYLES[number % len(STYLES)] == "greedy":
            continue
        position, game = Position(), made_game(number, variant=STANDARD)
        for turn in game.turns:
            most = max(most, len(position.play(turn).tiles))
        ends.add(position.result.kind if position.result else "open")
        longest = max(longest, position.turns)
    assert ends >= {"loop", "line", "open"}
    assert longest == 120
    assert most >= 8


@pytest.mark.parametrize("number", [2, 3])
def test_no_game_outgrows_the_grid(number):
    position = Position()
    for turn in made_game(number, limit=6).turns:
        position.play(turn)
    assert max(position.width, position.height) == 6
