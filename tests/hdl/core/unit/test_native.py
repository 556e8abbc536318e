"""The turn unit at native speed, on small grids and small memories, against the rules.

Recorded games on the full grid are replayed in ``tests/sim``. Here formations reach the limits.
"""

from __future__ import annotations

import random

import pytest

from loopline.game import ForcedPlayError, IllegalTurnError, Position, Shape, Turn
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status
from loopline.sim.probe.turn_unit import Comparison, NativeTurnUnit, compare_game
from tests.hdl.core.unit.evaluation import evaluate
from tests.hdl.core.unit.games import check_made, random_turns, start_of
from tests.hdl.core.unit.resources import Resources

SMALL = GridConfig(size=8)
TINY = GridConfig(size=16, frontier_entries=16, journal=32)


@pytest.fixture(scope="module", params=[SMALL, GridConfig()], ids=["8x8", "64x64"])
def unit(request):
    unit = NativeTurnUnit(request.param)
    yield unit
    unit.close()


@pytest.fixture(scope="module")
def small():
    unit = NativeTurnUnit(SMALL)
    yield unit
    unit.close()


@pytest.fixture(scope="module")
def tiny():
    unit = NativeTurnUnit(TINY)
    yield unit
    unit.close()


def box_of(outcome):
    if outcome.box__empty:
        return None
    return outcome.box__west, outcome.box__north, outcome.box__east, outcome.box__south


def walk(unit):
    """The candidates and the score: all that the unit tells of a position."""
    return [
        (found.turn__index, found.turn__x, found.turn__y, found.turn__symbol)
        for found in unit.candidates()
    ], unit.score()


def expected_status(position, turn, limit):
    """The status that a turn must have, and the turn if legal. ``position`` stays as it was."""
    try:
        played = position.play(turn)
    except ForcedPlayError:
        x, y = position.locate(turn)
        west, east = min(x, position.west), max(x, position.east)
        north, south = min(y, position.north), max(y, position.south)
        return Status.BOUNDS if max(east - west, south - north) >= limit else Status.FORCED, None
    except IllegalTurnError:
        return Status.MISMATCH, None
    too_large = max(position.width, position.height) > limit
    position.undo()
    return (Status.BOUNDS, None) if too_large else (Status.LEGAL, played)


def every_turn(position):
    """Every shape in every cell of the board and around it, fitting or not."""
    for column in range(position.width + 2):
        for row in range(position.height + 2):
            for shape in Shape:
                yield Turn(column, row, shape)


@pytest.mark.parametrize("seed", range(12))
def test_every_placement_in_random_games(unit, seed):
    """Outcomes of every placement, fitting or not, and the evaluation of each position."""
    limit = unit.grid.limit
    position = Position()
    unit.clear()
    statuses = set()
    for turn in random_turns(seed, most=20, limit=limit, finish=False):
        start = start_of(position, turn)
        before = walk(unit) if position.turns % 3 == 0 else None
        if position.turns:
            assert unit.score() == evaluate(position)
            for tried in every_turn(position):
                place = start_of(position, tried)
                outcome = unit.make(*place)
                status, played = expected_status(position, tried, limit)
                assert Status(outcome.status) == status, (position.turns, tried)
                statuses.add(status)
                if played:
                    check_made(outcome, played)
                    assert unit.unmake().status == Status.LEGAL.value
        assert before is None or walk(unit) == before
        assert unit.make(*start).status == Status.LEGAL.value
        position.play(turn)
        unit.commit()
    assert {Status.LEGAL, Status.MISMATCH} <= statuses
    assert limit > 6 or Status.BOUNDS in statuses


@pytest.mark.parametrize("row", range(8))
def test_first_tile_in_any_cell(small, row):
    """Games from every cell of the torus: they grow over its edges, and only coordinates differ."""
    unit = small
    for column in range(8):
        turns = random_turns(8 * row + column, most=14, limit=SMALL.limit)
        position = Position()
        unit.clear()
        for turn in turns:
            x, y, shape = start_of(position, turn)
            outcome = unit.make(x + column, y + row, shape)
            played = position.play(turn)
            check_made(outcome, played)
            assert outcome.lines == 0
            edges = position.west, position.north, position.east, position.south
            shifts = column, row, column, row
            expected = tuple((edge + by) & 7 for edge, by in zip(edges, shifts, strict=True))
            assert box_of(outcome) == expected
            assert position.result or unit.score() == evaluate(position)
        found = {place[1:] for place in walk(unit)[0]}
        legal = {
            ((x + column) & 7, (y + row) & 7, turn.shape.code)
            for turn in position.legal_turns()
            for x, y in [position.locate(turn)]
        }
        assert legal <= found
        for _ in turns:
            assert unit.unmake().status == Status.LEGAL.value
        assert unit.unmake().status == Status.END.value


@pytest.mark.xdist_group("tiny turn unit")  # Compiled once.
@pytest.mark.parametrize("seed", range(10))
def test_small_memories_refuse_what_they_cannot_hold(tiny, seed):
    """Random turns made, taken back and made final, with both memories near their ends."""
    rng = random.Random(seed)
    mask = TINY.size - 1
    position, resources = Position(), Resources(TINY)
    tiny.clear()
    kept = []
    counts = dict.fromkeys(Status, 0)
    for _ in range(150):
        kind = rng.random()
        if kind < 0.05:
            tiny.commit()
            resources.forget()
            kept.clear()
        elif kept and (kind < 0.25 or position.result):
            position.undo()
            kept.pop()
            resources.undo()
            assert tiny.unmake().status == Status.LEGAL.value
        elif position.result:
            break
        else:
            turns = position.legal_turns()
            turn = rng.choice(turns)
            start = start_of(position, turn)
            before = walk(tiny)
            outcome = tiny.make(*start)
            played = position.play(turn)
            fits = max(position.width, position.height) <= TINY.limit and resources.fits(played)
            counts[Status(outcome.status)] += 1
            if fits:
                check_made(outcome, played)
                resources.make(played)
                kept.append(turn)
            else:
                assert Status(outcome.status) == Status.BOUNDS
                position.undo()
                assert walk(tiny) == before
        edges = position.west, position.north, position.east, position.south
        if position.turns and not position.result:
            assert tiny.score() == evaluate(position)
            outcome = tiny.unmake() if not kept else None
            assert outcome is None or Status(outcome.status) == Status.END
            assert outcome is None or box_of(outcome) == tuple(edge & mask for edge in edges)
    assert counts[Status.BOUNDS] > 3
    assert counts[Status.LEGAL] > 5


def test_random_games_with_stalls():
    unit = NativeTurnUnit(SMALL, stall=11)
    seen = Comparison()
    for seed in range(6):
        turns = random_turns(100 + seed, most=20, limit=SMALL.limit)
        compare_game(unit, turns, seen, lists=False)
    unit.close()
    assert seen.differences == []
    assert seen.turns > 30
