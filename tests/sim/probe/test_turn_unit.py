"""The turn unit at native speed against the rules, on recorded games and chosen positions.

``make test`` takes a share of the games that were played.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from loopline.game import (
    LIMITED,
    LOOP,
    SHAPE_OF_CODE,
    STANDARD,
    Position,
    Shape,
    limited,
    variant_named,
)
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status
from loopline.sim.probe.turn_unit import (
    Comparison,
    NativeTurnUnit,
    compare_game,
    count_sequences,
    unit_perft,
)
from tests.game.positions import chosen_positions
from tests.game.shared_games import human_games, known_positions, random_games
from tests.game.test_perft import CHOSEN as PERFT
from tests.game.test_perft import IDS as PERFT_IDS

CHOSEN = [c for c in chosen_positions() if max(c.width, c.height) < GridConfig().limit]
VARIANTS = {"Trax": STANDARD, "8x8 Trax": LIMITED, "Loop Trax": LOOP}


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
        lists = len(known.moves) < 40
        compare_game(unit, known.moves, seen, name=known.name, lists=lists, variant=known.variant)
    assert seen.differences == []
    assert seen.games == len(positions)


@pytest.mark.parametrize("chosen", CHOSEN, ids=[f"{c.file}: {c.name}" for c in CHOSEN])
def test_chosen_positions(unit, chosen):
    """Before each turn and after the last. That the rules say what the file says: tests/game."""
    seen, lists = Comparison(), len(chosen.turns) < 60
    compare_game(unit, chosen.turns, seen, lists=lists, variant=variant_named(chosen.variant))
    assert seen.differences == []


@pytest.mark.parametrize("chosen", PERFT, ids=PERFT_IDS)
def test_perft_of_every_variant(unit, chosen):
    """To where there are no more than a few thousand sequences."""
    position = compare_game(
        unit, chosen.turns, Comparison(), lists=False, variant=variant_named(chosen.variant)
    )
    if position.ending:
        assert not any(chosen.counts)
        return
    depths = [depth for depth, count in enumerate(chosen.counts, 1) if count < 4_000]
    assert [count_sequences(unit, depth) for depth in depths] == chosen.counts[: len(depths)]


@pytest.mark.parametrize("name", ["mini", "limited-4", "limited", "limited-1", "limited-62"])
@pytest.mark.parametrize("step", [(1, 0), (0, 1), (-1, 0), (0, -1)])
def test_an_area_ends_where_the_variant_says(unit, name, step):
    """A straight row: what lies beyond its ends is neither listed nor made; beside it there is
    room, unless the area has one row only."""
    area = variant_named(name).size
    unit.clear(variant_named(name))
    dx, dy = step
    for number in range(area):
        unit.commit()
        outcome = unit.make(dx * number, dy * number, Shape.CROSS)
        assert Status(outcome.status) is Status.LEGAL
    for number in (-1, area):
        for shape in Shape:
            # A space with one socket takes any shape.
            status = Status(unit.make(dx * number, dy * number, shape).status)
            assert status is Status.AREA
    listed = {(found.turn__x, found.turn__y) for found in unit.candidates()}
    row = range(area)
    expected = {
        ((dx * number + side * dy) & 63, (dy * number + side * dx) & 63)
        for number in row
        for side in (-1, 1)
    }
    assert listed == (expected if area > 1 else set())
    assert unit.unmake().box__empty == (area == 1)


def test_perft(unit):
    unit.clear(STANDARD)
    assert [unit_perft(unit, depth) for depth in range(1, 5)] == [2, 24, 432, 9_568]


@pytest.mark.slow
def test_perft_6(unit):
    unit.clear(STANDARD)
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
    unit.clear(STANDARD)
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
            if unit.make(x, y, SHAPE_OF_CODE[code]).status == Status.LEGAL.value:
                unit.unmake()
                found.append((x, y, code))
        assert sorted(found) == sorted((x & mask, y & mask, code) for x, y, code in legal)
    while position.turns:
        position.undo()
        assert unit.unmake().status == Status.LEGAL.value
    assert unit.unmake().status == Status.END.value


ROW = ["@0+", "B1+", "C1+", "D1+", "E1+", "F1+", "G1+"]
"""Seven columns, of which a grid of eight holds six."""


@pytest.mark.parametrize("variant", [STANDARD, LIMITED, limited(6)])
def test_a_full_grid_is_no_difference(variant):
    """Whether the limit is that of the grid, or an area as large."""
    small = NativeTurnUnit(GridConfig(size=8))
    seen = Comparison()
    position = compare_game(small, ROW, seen, variant=variant)
    compare_game(small, ROW[:6], seen, variant=variant)
    small.close()
    assert seen.differences == []
    assert position.turns == 6
    assert seen.cut == (variant != limited(6))


def test_compare_game_notes_a_turn_that_is_refused():
    """The comparison is not blind: here the frontier is full, and not the grid."""
    small = NativeTurnUnit(GridConfig(frontier_entries=16))
    seen = Comparison()
    compare_game(small, ROW, seen, lists=False)
    small.close()
    assert any("BOUNDS" in difference for difference in seen.differences)


def test_compare_game_notes_a_turn_that_outgrows_the_grid(unit, monkeypatch):
    monkeypatch.setattr(unit, "grid", GridConfig(size=8))
    seen = Comparison()
    compare_game(unit, ROW, seen, lists=False)
    (difference,) = seen.differences
    assert difference.startswith("game, turn 7 (G1+): unit Evaluation(status=<Status.LEGAL")
