"""The turn unit at native speed against the rules, on recorded games.

``make test`` takes a share of the games; ``python -m bench.turn_unit`` takes them all.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from loopline.game import LIMITED, LOOP, STANDARD, Position, Shape
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status
from loopline.sim.probe.turn_unit import Comparison, NativeTurnUnit, compare_game, unit_perft
from tests.game.shared_games import human_games, known_positions, random_games

VARIANTS = {"Trax": STANDARD, "8x8 Trax": LIMITED, "Loop Trax": LOOP}

_SHAPES = {shape.code: shape for shape in Shape}


@pytest.fixture(scope="module")
def unit() -> Iterator[NativeTurnUnit]:
    unit = NativeTurnUnit()
    yield unit
    unit.close()


@pytest.mark.parametrize("share", range(4))
def test_human_games(unit, share):
    seen = Comparison()
    games = sorted(human_games(), key=lambda game: game.variant != "Trax", reverse=True)
    for game in games[share:160:4]:
        variant = VARIANTS[game.variant]
        compare_game(unit, game.moves, seen, name=f"human game {game.name}", variant=variant)
    assert seen.differences == []
    assert seen.games == 40


def test_random_games(unit):
    seen = Comparison()
    for number, game in enumerate(random_games()[:30]):
        compare_game(unit, game.moves, seen, name=f"random game {number}")
    assert seen.differences == []
    assert seen.illegal > 0


def test_known_positions(unit):
    """Without the lists of legal turns: some of these games have more than 300 tiles."""
    seen = Comparison()
    positions = known_positions()
    for known in positions:
        lists, variant = len(known.moves) < 40, STANDARD if known.lines else LOOP
        compare_game(unit, known.moves, seen, name=known.name, lists=lists, variant=variant)
    assert seen.differences == []
    assert seen.games == len(positions)


def test_perft(unit):
    assert [unit_perft(unit, depth) for depth in range(1, 5)] == [2, 24, 432, 9_568]


@pytest.mark.slow
def test_perft_6(unit):
    assert unit_perft(unit, 6) == 7_209_480


@pytest.mark.parametrize("seed", range(3))
def test_streams_that_stall(seed):
    unit = NativeTurnUnit(stall=seed + 1)
    seen = Comparison()
    for game in human_games()[seed * 4 : seed * 4 + 4]:
        variant = VARIANTS[game.variant]
        compare_game(unit, game.moves, seen, name=f"human game {game.name}", variant=variant)
    unit.close()
    assert seen.differences == []


@pytest.mark.parametrize("seed", range(4))
def test_kept_turns_are_taken_back_to_the_empty_board(unit, seed):
    """Make and take back at random, many turns deep, and compare the lists of legal turns."""
    rng = random.Random(seed)
    position = Position()
    unit.clear()
    mask = unit.grid.size - 1
    for _ in range(150):
        if position.turns and (position.result or position.turns == 14 or rng.random() < 0.4):
            position.undo()
            assert unit.unmake().status == Status.LEGAL.value
        else:
            turn = rng.choice(position.legal_turns())
            x, y = position.locate(turn) if position.turns else (0, 0)
            assert unit.make(x, y, turn.shape).status == Status.LEGAL.value
            position.play(turn)
        if position.result:
            continue
        legal = [(*position.locate(turn), turn.shape.code) for turn in position.legal_turns()]
        if not position.turns:
            legal = [(0, 0, shape.code) for shape in (Shape.CROSS, Shape.SLASH)]
        found = []
        for candidate in list(unit.candidates()):
            x, y, code = candidate.turn__x, candidate.turn__y, candidate.turn__symbol
            if unit.make(x, y, _SHAPES[code]).status == Status.LEGAL.value:
                unit.unmake()
                found.append((x, y, code))
        assert sorted(found) == sorted((x & mask, y & mask, code) for x, y, code in legal)
    while position.turns:
        position.undo()
        assert unit.unmake().status == Status.LEGAL.value
    assert unit.unmake().status == Status.END.value


def test_compare_game_notes_a_difference(unit):
    """The comparison is not blind: a formation that the grid cannot hold is a difference."""
    small = NativeTurnUnit(GridConfig(size=8))
    seen = Comparison()
    compare_game(small, ["@0+", *["A0+"] * 7], seen, lists=False)
    small.close()
    assert any("BOUNDS" in difference for difference in seen.differences)
