"""The turn unit at native speed: the status of every placement, and latencies.

Recorded games, full memories and formations at the grid's limit are in ``tests/sim/probe``.
"""

from __future__ import annotations

import pytest

from loopline.game import ForcedPlayError, IllegalTurnError, Position, Shape, Turn, parse_turn
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status
from loopline.sim.probe.turn_unit import NativeTurnUnit
from tests.hdl.core.unit.games import check_made, random_turns, start_of

pytestmark = pytest.mark.xdist_group("native turn unit")  # Compiled once.

SMALL = GridConfig(size=8)


@pytest.fixture(scope="module", params=[SMALL, GridConfig()], ids=["8x8", "64x64"])
def unit(request):
    unit = NativeTurnUnit(request.param)
    yield unit
    unit.close()


def walk(unit):
    """The candidates: what the unit tells of a position."""
    return [
        (found.turn__index, found.turn__x, found.turn__y, found.turn__symbol)
        for found in unit.candidates()
    ]


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


@pytest.mark.parametrize("seed", range(6))
def test_every_placement_in_random_games(unit, seed):
    """Outcomes of every placement, fitting or not."""
    limit = unit.grid.limit
    position = Position()
    unit.clear()
    statuses = set()
    for turn in random_turns(seed, most=20, limit=limit, finish=False):
        start = start_of(position, turn)
        before = walk(unit) if position.turns % 3 == 0 else None
        if position.turns:
            for tried in every_turn(position):
                place = start_of(position, tried)
                outcome = unit.make(*place)
                status, played = expected_status(position, tried, limit)
                assert Status(outcome.status) == status, (position.turns, tried)
                statuses.add(status)
                if played:
                    check_made(outcome, played)
                    # Said once more.
                    check_made(unit.unmake(), played)
        assert before is None or walk(unit) == before
        assert unit.make(*start).status == Status.LEGAL.value
        position.play(turn)
        unit.commit()
    assert {Status.LEGAL, Status.MISMATCH} <= statuses
    assert limit > 6 or Status.BOUNDS in statuses


def test_latencies_along_a_game(unit):
    """As :class:`Placer` documents them: 6 cycles for each tile and one for each open side, ..."""
    turns = "@0/ A0/ @2/ B0/ @1+ D3/ D4+ A4+ @4/ C5/ D6/ C6/".split()
    made = [17, 16, 24, 24, 32, 15, 32, 15, 32, 24, 16, 15]
    unmade = [9, 9, 18, 18, 24, 9, 24, 12, 24, 18, 9, 12]
    position = Position()
    unit.clear()
    for turn, cycles in zip(map(parse_turn, turns), made, strict=True):
        unit.make(*start_of(position, turn))
        assert unit.last_cycles == cycles + 1
        position.play(turn)
    for cycles in reversed(unmade):
        unit.unmake()
        assert unit.last_cycles == cycles + 1
