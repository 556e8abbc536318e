"""The fast software against the rules: every candidate, every turn made and unmade."""

from __future__ import annotations

import random

import numpy as np
import pytest

from loopline.bench.software.software import (
    AREA,
    BOUNDS,
    ILLEGAL,
    LEGAL,
    Outcome,
    SoftwarePosition,
    unpack,
)
from loopline.game import (
    DELUXE,
    LIMITED,
    LOOP,
    MINI,
    STANDARD,
    ColourMismatchError,
    ForcedPlayError,
    OutsideAreaError,
    Position,
    Shape,
    Turn,
    parse_turn,
)
from loopline.sim.probe.turn_unit import colour_mask
from tests.game.shared_games import human_games, random_games
from tests.hdl.core.unit.games import random_turns, start_of

LIMIT = 62


def of_rules(position: Position, limit: int = LIMIT) -> set[Outcome]:
    """Return the outcomes of all candidates by the rules."""
    found = set()
    for x, y in position.frontier():
        width = max(position.east, x) - min(position.west, x) + 1
        height = max(position.south, y) - min(position.north, y) + 1
        for shape in Shape:
            status, done = LEGAL, (0, 0, 0)
            try:
                played = position.play(Turn(*position.label(x, y), shape))
            except ColourMismatchError:
                continue
            except ForcedPlayError:
                status = ILLEGAL
            except OutsideAreaError:
                status = AREA
            else:
                position.undo()
                done = len(played.tiles), colour_mask(played.loops), colour_mask(played.lines)
            if status != AREA and max(width, height) > limit:
                status, done = BOUNDS, (0, 0, 0)
            found.add(Outcome(x, y, shape.code, status, *done, width, height))
    return found


def of_software(position: SoftwarePosition) -> set[Outcome]:
    outcomes = [unpack(int(outcome)) for outcome in position.evaluate_all()]
    assert len(set(outcomes)) == len(outcomes)
    return set(outcomes)


def snapshot(position: SoftwarePosition) -> dict[str, np.ndarray]:
    """Return the parts of the arrays that make up the position."""
    arrays = position.arrays
    kept = {name: getattr(arrays, name).copy() for name in ("tiles", "where", "state")}
    # A cell that has not been next to a tile has no sockets.
    kept["sockets"] = arrays.sockets.copy()
    kept["frontier"] = np.flatnonzero((arrays.where >= 0) & (arrays.tiles == 0))
    return kept


def assert_same(position: SoftwarePosition, kept: dict[str, np.ndarray]) -> None:
    for name, array in snapshot(position).items():
        np.testing.assert_array_equal(array, kept[name], name)


def check_game(turns, variant=STANDARD, *, limit=LIMIT, every=1) -> int:
    """Compare all candidates before each turn, then unmake the game; return their number."""
    rules, software = Position(variant), SoftwarePosition(variant, limit)
    snapshots, candidates = [], 0
    for number, turn in enumerate(turns):
        turn = parse_turn(turn) if isinstance(turn, str) else turn
        snapshots.append((snapshot(software), of_software(software)))
        x, y, shape = start_of(rules, turn)
        outcome = software.make(x, y, shape)
        played = rules.play(turn)
        done = len(played.tiles), colour_mask(played.loops), colour_mask(played.lines)
        size = rules.width, rules.height
        assert outcome == Outcome(x, y, shape.code, LEGAL, *done, *size)
        assert software.tiles == rules.tiles
        assert software.turns == rules.turns
        if number % every == 0 and not rules.ending:
            before = snapshot(software)
            found = of_software(software)
            assert found == of_rules(rules, limit)
            assert_same(software, before)
            candidates += len(found)
    while software.turns:
        software.unmake()
        kept, found = snapshots.pop()
        assert_same(software, kept)
        assert of_software(software) == found
    return candidates


@pytest.mark.parametrize("variant", [STANDARD, LOOP, LIMITED, DELUXE, MINI], ids=str)
def test_random_games(variant):
    candidates = sum(
        check_game(
            random_turns(seed, most=30, limit=LIMIT, finish=False, variant=variant),
            variant,
            every=2,
        )
        for seed in range(6)
    )
    assert candidates > (200 if variant is MINI else 3000)


def test_games_that_fill_a_small_limit():
    turns = random_turns(3, most=40, limit=9, finish=False)
    assert check_game(turns, limit=9) > 1000
    rules, software = Position(), SoftwarePosition(limit=9)
    for turn in turns:
        software.make(*start_of(rules, turn))
        rules.play(turn)
    outcomes = of_software(software)
    assert {LEGAL, BOUNDS} <= {outcome.status for outcome in outcomes}
    too_large = next(outcome for outcome in outcomes if outcome.status == BOUNDS)
    before = snapshot(software)
    shape = next(shape for shape in Shape if shape.code == too_large.shape)
    assert software.make(too_large.x, too_large.y, shape) == too_large
    assert_same(software, before)


def test_recorded_games():
    human = [game for game in human_games() if game.variant == "Trax"]
    for game in random.Random(1).sample(human, 12) + random.Random(2).sample(random_games(), 8):
        check_game(game.moves, every=3)


def test_illegal_turns_leave_nothing_behind():
    seen = 0
    for game in random.Random(5).sample(random_games(), 30):
        if not game.illegal:
            continue
        rules, software = Position(), SoftwarePosition()
        for turn in game.moves:
            software.make(*start_of(rules, parse_turn(turn)))
            rules.play(turn)
        before = snapshot(software)
        for turn in game.illegal:
            assert software.make(*start_of(rules, parse_turn(turn))).status == ILLEGAL
            assert_same(software, before)
            seen += 1
    assert seen > 3


def test_a_whole_game_at_once():
    software = SoftwarePosition()
    for seed in range(4):
        turns = random_turns(seed, most=24, limit=LIMIT)
        rules, starts, candidates, tiles = Position(), [], 0, 0
        for turn in turns:
            starts.append(start_of(rules, turn))
            rules.play(turn)
            if not rules.ending:
                outcomes = of_rules(rules)
                candidates += len(outcomes)
                tiles += sum(outcome.tiles for outcome in outcomes)
        prepared = software.prepare(starts)
        assert software.evaluate_game(prepared) == (candidates, tiles)
        assert software.evaluate_game(prepared) == (candidates, tiles)
        assert software.turns == software.tiles == 0


def test_what_does_not_fit_is_refused():
    software = SoftwarePosition()
    with pytest.raises(ValueError, match=r"a tile \+ does not fit into \(1, 0\)"):
        software.make(1, 0, Shape.CROSS)
    with pytest.raises(ValueError, match="does not fit"):
        software.make(0, 0, Shape.BACKSLASH)
    software.make(0, 0, Shape.SLASH)
    for x, y in ((0, 0), (2, 0), (1, 1), (64, 0), (-65, 3), (0, 1000)):
        with pytest.raises(ValueError, match="does not fit"):
            software.make(x, y, Shape.CROSS)
    # White and red enter (1, 0) from the west and the south, after this turn.
    software.make(0, 1, Shape.SLASH)
    software.make(1, 1, Shape.CROSS)
    software.unmake()
    software.unmake()
    software.unmake()
    with pytest.raises(IndexError, match="no turn to unmake"):
        software.unmake()
    with pytest.raises(ValueError, match="the limit is 1 to 62, not 63"):
        SoftwarePosition(limit=63)
