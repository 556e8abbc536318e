"""The turn unit with the evaluator at the limits of its grid and its memories.

Whatever a limit refuses is reported as ``BOUNDS``, and changes nothing: afterwards ``EVALUATE``,
``UNMAKE`` and ``MAKE`` agree with the rules, and the memories are as they were.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from loopline.bench.measure.candidates import Candidate
from loopline.bench.torture.checked_unit import CheckedUnit
from loopline.game import LOOP, STANDARD, Position, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status, TurnOp
from loopline.sim.probe.evaluator import NativeEvaluator
from tests.game.corridors import corridor
from tests.hdl.core.unit.games import CROWDED, after, random_turns, start_of
from tests.sim.probe.units import EACH_SIZE, group

SMALL = GridConfig(size=16, frontier_entries=32, journal=64)
CROSS = 0


def check_intact(checked: CheckedUnit) -> None:
    """``EVALUATE``, ``UNMAKE`` and ``MAKE``, the last also of a turn that was not made before."""
    checked.compare()
    if checked.depth:
        checked.remake()
    turns = quiet_turns(checked)
    assert turns
    assert checked.make(turns[0]) in (Status.LEGAL, Status.BOUNDS)
    checked.compare()
    if checked.depth:
        checked.unmake()


def quiet_turns(checked: CheckedUnit) -> list[Candidate]:
    """The legal turns of one tile that end nothing."""
    turns = [checked.position.named(*turn) for turn in checked.position.candidates()]
    evaluations = {turn: checked.position.evaluate(turn)[0] for turn in turns}
    return [turn for turn in turns if evaluations[turn][1:4] == (1, 0, 0)]


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2, 3))]
)
@pytest.mark.parametrize("size", EACH_SIZE)
def test_positions_at_every_edge_and_corner_of_the_torus(units, size, first):
    """The same game over and around them all: coordinates wrap through 0 in both directions."""
    last, middle = size - 1, size // 2
    edges = [(0, middle), (last, middle), (middle, 0), (middle, last)]
    corners = [(0, 0), (last, 0), (0, last), (last, last)]
    # Fewer tiles in the small units, which are compiled fast and run slowly.
    most = 9 if size == 64 else 5
    for seed, origin in list(enumerate(edges + corners))[first::4]:
        checked = CheckedUnit(units[size], LOOP, origin)
        rng = random.Random(seed)
        while checked.position.tiles < most:
            turns = [checked.position.named(*turn) for turn in checked.position.candidates()]
            near = [turn for turn in turns if max(distance(turn, origin, size)) < 3]
            checked.make(rng.choice(near))
        checked.compare()
        while checked.depth:
            checked.unmake()
        checked.compare()


def distance(turn: Candidate, origin: tuple[int, int], size: int) -> tuple[int, int]:
    """How far a turn is from there on the torus, by columns and rows."""
    across, down = (turn.x - origin[0]) % size, (turn.y - origin[1]) % size
    return min(across, size - across), min(down, size - down)


@pytest.mark.parametrize("size", EACH_SIZE)
def test_formation_two_smaller_than_the_grid_wide_and_high(units, size):
    """62 × 62 on 64: it grows to all four sides in turn, and on none of them any further."""
    limit = size - 2
    for number, (first, second) in enumerate(
        [(Side.EAST, Side.SOUTH), (Side.WEST, Side.NORTH), (Side.NORTH, Side.EAST)]
    ):
        checked = CheckedUnit(units[size], LOOP, (5 * number, size - 1))
        x, y = 5 * number, size - 1
        assert checked.make(at(x, y, size)) is Status.LEGAL
        for side in first, second:
            for length in range(2, limit + 1):
                x, y = x + side.step[0], y + side.step[1]
                assert checked.make(at(x, y, size)) is Status.LEGAL
                if length % 20 == 0:
                    checked.commit()
            checked.commit()
            for shape in range(3):
                beyond = at(x + side.step[0], y + side.step[1], size, shape)
                assert checked.make(beyond) is Status.BOUNDS
        box = checked.position.board.box
        assert (box.width, box.height) == (limit, limit)
        check_intact(checked)
        assert checked.seen["EVALUATE BOUNDS"] > 2 * limit


def at(x: int, y: int, size: int, shape: int = CROSS) -> Candidate:
    """A tile at coordinates of the plane."""
    return Candidate(x % size, y % size, shape)


def fill(
    checked: CheckedUnit, choose: Callable[[list[Candidate]], Candidate], *, keep: bool
) -> Candidate:
    """Make turns of one tile until one is refused; which."""
    while True:
        turn = choose(quiet_turns(checked))
        if checked.make(turn) is not Status.LEGAL:
            return turn
        if not keep:
            checked.commit()


@group("small memories")
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_frontier_table_full(units, seed):
    """The stack of free indices is never found empty: a tile that could do so is refused."""
    rng = random.Random(seed)
    checked = CheckedUnit(units[SMALL], LOOP, (15, 0))
    refused = fill(checked, rng.choice, keep=False)
    assert len(checked.position.board.sockets) > SMALL.frontier_entries - 4
    assert checked.seen["full"] == 1
    check_intact(checked)
    assert checked.make(refused) is Status.BOUNDS
    # All others, legal or not, are refused for the same reason, and EVALUATE still knows better.
    for space, tile in checked.position.candidates():
        assert checked.make(checked.position.named(space, tile)) in (Status.BOUNDS, Status.FORCED)
    checked.compare()
    assert checked.seen["EVALUATE LEGAL"] > 20


@group("small memories")
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_journal_full(units, seed):
    """Turns are refused until one is unmade, or all are made final."""
    rng = random.Random(seed)
    checked = CheckedUnit(units[SMALL], LOOP, (0, 15))
    # Turns inside use few indices, so that the journal is full before the table is.
    fill(checked, lambda turns: crowded(checked, turns, rng), keep=True)
    assert len(checked.position.board.sockets) <= SMALL.frontier_entries - 4
    assert checked.seen["full"] == 1
    depth = checked.depth
    checked.compare()
    checked.unmake()
    checked.compare()
    assert checked.make(rng.choice(quiet_turns(checked))) is Status.LEGAL
    while checked.depth > depth // 2:
        checked.unmake()
    checked.commit()
    assert fill(checked, lambda turns: crowded(checked, turns, rng), keep=True)
    check_intact(checked)
    while checked.depth:
        checked.unmake()
    check_intact(checked)


def crowded(checked: CheckedUnit, turns: list[Candidate], rng: random.Random) -> Candidate:
    """A turn with many neighbours."""
    sockets = {
        checked.position.named(space, tile): checked.position.board.sockets.get(space, 0)
        for space, tile in checked.position.candidates()
    }
    return max(turns, key=lambda turn: (sockets[turn].bit_count(), rng.random()))


def after_a_corridor(unit: NativeEvaluator, *, down: bool = False) -> tuple[CheckedUnit, Candidate]:
    """The position with a corridor that one turn fills with 37 tiles, and that turn."""
    checked, position = CheckedUnit(unit, STANDARD), Position()
    for turn in corridor(36, down=down):
        x, y, shape = start_of(position, turn)
        assert checked.make(at(x, y, 64, shape.code)) is Status.LEGAL
        position.play(turn)
        checked.commit()
    turns = [checked.position.named(*turn) for turn in checked.position.candidates()]
    return checked, max(turns, key=lambda turn: checked.position.evaluate(turn)[0].tiles)


@group(64)
@pytest.mark.parametrize("down", [False, True], ids=["across", "down"])
def test_37_tiles_in_one_turn(units, down):
    """Made and unmade with all that it has changed, with evaluations in between."""
    checked, long = after_a_corridor(units[64], down=down)
    assert checked.make(long) is Status.LEGAL
    assert checked.longest == 37
    checked.compare()
    checked.remake()
    checked.unmake()
    check_intact(checked)


@group(64)
def test_journal_full_in_the_middle_of_37_tiles(units):
    """The tiles laid until then are lifted again."""
    checked, long = after_a_corridor(units[64])
    while checked.make(long) is Status.LEGAL:
        checked.unmake()
        for turn in quiet_turns(checked):
            checked.make(turn)
            if checked.position.evaluate(long)[0].tiles == 37:
                break
            checked.unmake()
    assert checked.seen["full"] == 1
    assert checked.depth > 5
    check_intact(checked)
    checked.commit()
    assert checked.make(long) is Status.LEGAL
    check_intact(checked)


@group(64)
def test_epochs_used_up(units):
    """The evaluator's memories are wiped in the middle of an ``EVALUATE``, and nothing else is."""
    checked, position = CheckedUnit(units[64]), Position()
    for turn in random_turns(7, most=20, limit=62, finish=False):
        x, y, shape = start_of(position, turn)
        assert checked.make(at(x, y, 64, shape.code)) is Status.LEGAL
        position.play(turn)
    checked.use_up_epochs()
    assert checked.seen["wiped"] == 1
    check_intact(checked)


@group(64)
@pytest.mark.parametrize("op", TurnOp)
def test_reset_in_the_middle_of_a_command_and_then_a_known_game(units, op):
    """``CLEAR`` is all that it takes, wherever the command was."""
    crowded = after(CROWDED).history
    for cycles in (1, 2, 3, 5, 8, 13, 21, 34, 55, 89):
        checked = CheckedUnit(units[64])
        for round_ in range(2):
            position = Position()
            for played in crowded:
                x, y, shape = start_of(position, played.turn)
                assert checked.make(at(x, y, 64, shape.code)) is Status.LEGAL
                position.play(played.turn)
            checked.compare()
            assert checked.seen["EVALUATE FORCED"] == 2 * (round_ + 1)
            if round_ == 0:
                turn = max(quiet_turns(checked))
                fields = {"x": turn.x, "y": turn.y, "symbol": turn.shape}
                checked.interrupt(op, cycles, outcomes=cycles // 3, **fields)
                checked.clear(STANDARD)
        while checked.depth:
            checked.unmake()
        checked.compare()
