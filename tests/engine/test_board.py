"""the engine's board against the reference model, and against the turn unit in gateware."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from loopline.engine.board.board import HASH_NOW, HIGH, REFUSED, WORK
from loopline.engine.board.position import Candidate, EnginePosition, Outcome, count_sequences
from loopline.engine.board.tables import TILE_OF_SHAPE, hash_of, variety_of
from loopline.engine.search.frames import CYCLES
from loopline.engine.search.search import make_counted, unmake_counted
from loopline.engine.search.searcher import Searcher
from loopline.game import DELUXE, LIMITED, LOOP, MINI, STANDARD, Colour, Position, Shape
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status
from loopline.hdl.search.hashing import TO_MOVE_HASH
from loopline.sim.probe.turn_unit import NativeTurnUnit, colour_mask
from tests.game.shared_games import human_games, random_games

pytestmark = pytest.mark.xdist_group("engine")

PERFT = (2, 24, 432, 9_568, 246_888)
VARIANTS = {"Trax": STANDARD, "8x8 Trax": LIMITED, "Loop Trax": LOOP}


def snapshot(here: EnginePosition) -> dict[str, np.ndarray]:
    """All that decides what happens next; not what lies above the stacks."""
    b = here.board
    live = b.sockets > 0
    kept = {name: getattr(b, name).copy() for name in ("cells", "sockets", "state")}
    kept["state"][-1] = 0  # what the last turn consisted of
    kept["place"] = b.place * live
    kept["free"] = b.free[: b.state[6]].copy()
    for colour in range(2):
        kept[f"partner{colour}"] = b.partner[colour] * (b.sockets >> 4 * colour & 15 > 0)
    return kept


def same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return all(np.array_equal(one[name], other[name]) for name in one)


def tried(here: EnginePosition) -> dict[Candidate, Outcome]:
    """The outcome of each candidate; each is taken back, which has to restore everything."""
    before, found = snapshot(here), {}
    for candidate in here.candidates():
        found[candidate] = here.make(candidate.cell, candidate.shape)
        if found[candidate].status is Status.LEGAL:
            here.unmake()
        assert same(snapshot(here), before), candidate
    return found


def compare(moves: list[str], variant=STANDARD) -> int:
    """Follow a game on both; how many candidates were illegal."""
    model, here, illegal = Position(variant), EnginePosition(variant), 0
    for move in moves:
        legal = {}
        for candidate, outcome in tried(here).items():
            if outcome.status is Status.LEGAL:
                legal[here.turn(candidate.cell, candidate.shape)] = outcome.completed
            else:
                illegal += 1
        expected = {}
        for turn in model.legal_turns():
            played = model.play(turn)
            expected[turn] = colour_mask(played.loops | played.lines)
            model.undo()
        assert legal == expected
        if not model.is_legal(move):
            break  # a recorded game of 8 x 8 that has left its area
        first = model.play(move).tiles[0]
        here.make((first.y & 63) << 6 | first.x & 63, first.tile.shape)
        here.commit()
        if model.ending:
            break
    return illegal


def test_recorded_games():
    games = human_games()[:8]
    assert len(games) == 8
    for game in games:
        compare(game.moves, VARIANTS[game.variant])


def test_random_games():
    rare = [game for game in random_games() if game.illegal][:3]
    assert sum(compare(game.moves) for game in [*random_games()[:8], *rare]) > 0


@pytest.mark.parametrize("variant", [LIMITED, DELUXE, LOOP, MINI], ids=str)
def test_random_games_of_variants(variant):
    chance = random.Random(5)
    for _ in range(3):
        model, moves = Position(variant), []
        while not model.ending and len(moves) < 40:
            moves.append(str(chance.choice(model.legal_turns())))
            model.play(moves[-1])
        compare(moves, variant)


@pytest.mark.parametrize("depth", range(1, 6))
def test_perft(depth):
    assert count_sequences(EnginePosition().board, depth) == PERFT[depth - 1]


def test_same_order_and_refusals_as_the_turn_unit():
    """The frontier indices are the gateware's, also when the journal is nearly full."""
    unit = NativeTurnUnit()
    refused = 0
    try:
        for game in [*random_games()[30:32], max(random_games(), key=lambda game: game.tiles)]:
            unit.clear()
            here = EnginePosition()
            model = Position()
            for number, move in enumerate(game.moves):
                expected = [
                    (found.turn__index, found.turn__y << 6 | found.turn__x, found.turn__symbol)
                    for found in unit.candidates()
                ]
                # On an empty board the unit lists no index.
                mine = [(c.index, c.cell, c.shape.code) for c in here.candidates()]
                assert mine == expected or not number
                for candidate in list(here.candidates()):
                    x, y = candidate.cell & 63, candidate.cell >> 6
                    theirs = unit.make(x, y, candidate.shape)
                    outcome = here.make(candidate.cell, candidate.shape)
                    legal = theirs.status == Status.LEGAL.value
                    assert (outcome.status is Status.LEGAL) == legal
                    refused += outcome.status is Status.BOUNDS
                    if legal:
                        assert outcome.completed == theirs.loops | theirs.lines
                        unit.unmake()
                        here.unmake()
                first = model.play(move).tiles[0]
                cell, shape = (first.y & 63) << 6 | first.x & 63, first.tile.shape
                unit.make(first.x, first.y, shape)
                if here.make(cell, shape).status is not Status.LEGAL or model.ending:
                    break
    finally:
        unit.close()
    assert refused > 0


def test_costs_of_turns_are_the_turn_units():
    """Of each ``UNMAKE`` exactly; of each ``MAKE`` up to three less; of refused ones within ten."""
    unit, memory, waits = NativeTurnUnit(), Searcher().memory, 0

    def counted(step: Callable, *arguments: object) -> tuple[int, int]:
        memory.totals[CYCLES] = 0
        found = step(here.board, memory, *arguments)
        return found, int(memory.totals[CYCLES])

    rare = next(game for game in random_games() if game.illegal)
    try:
        for game in (rare, human_games()[3]):
            unit.clear()
            here, model = EnginePosition(), Position()
            for move in game.moves:
                for index, cell, shape in list(here.candidates()):
                    tile = TILE_OF_SHAPE[int(here.board.sockets[index]), shape.code]
                    outcome, cycles = counted(make_counted, cell, tile)
                    unit.make(cell & 63, cell >> 6, shape)
                    if outcome & REFUSED:
                        assert abs(unit.last_cycles - cycles) <= 10
                        continue
                    assert -3 <= unit.last_cycles - cycles <= 0
                    waits += unit.last_cycles - cycles
                    unit.unmake()
                    assert counted(unmake_counted)[1] == unit.last_cycles
                first = model.play(move).tiles[0]
                unit.make(first.x, first.y, first.tile.shape)
                here.make((first.y & 63) << 6 | first.x & 63, first.tile.shape)
                for each in (unit, here):
                    each.commit()
                if model.ending:
                    break
    finally:
        unit.close()
    assert waits


def test_the_hash_is_that_of_the_tiles_and_the_side_to_move():
    """Two orders of the same turns, and another turn on top."""
    hashes = {}
    for moves in ("@0+ B1+ C1+ @1+", "@0+ B1+ @1+ D1+"):
        here, model = EnginePosition(), Position()
        for move in moves.split():
            model.play(move)
        here.follow(model)
        hashes[moves] = int(here.board.state[HASH_NOW])
    assert len(set(hashes.values())) == 1
    here.make(here.board.place[0], next(here.candidates()).shape)
    assert int(here.board.state[HASH_NOW]) not in hashes.values()
    assert here.board.state[HIGH] > 0


def test_the_hash_takes_the_coordinates_of_the_torus():
    """A game that grows over the edges of the torus: the hash of each size, from its cells."""
    model = Position()
    for move in "@0/ B1\\ A0\\ C2\\ B3\\ C1+".split():
        model.play(move)
    found = set()
    for size in (8, 16, 32, 64):
        here, expected = EnginePosition(grid=GridConfig(size=size)), 0
        here.follow(model)
        for turn in model.history:
            expected ^= TO_MOVE_HASH
            for tile in turn.tiles:
                cell = (tile.y % size) << 6 | tile.x % size
                expected ^= int(hash_of(cell, tile.tile.edges(Colour.WHITE)))
        assert int(here.board.state[HASH_NOW]) == expected
        found.add(expected)
    assert len(found) == 4


def test_a_formation_is_as_large_as_the_torus_allows():
    here, model = EnginePosition(grid=GridConfig(size=8)), Position()
    for move in "@0+ B1+ C1+ D1+ E1+ F1+".split():
        model.play(move)
    here.follow(model)
    wider = next(each for each in here.candidates() if each.cell == 6)
    assert here.make(wider.cell, wider.shape).status is Status.BOUNDS
    # It has cost no steps, as those of the turn before, which the search would count again.
    assert here.board.state[WORK] == 0
    lower = next(each for each in here.candidates() if each.cell == 1 << 6)
    assert here.make(lower.cell, lower.shape).status is Status.LEGAL


def test_variety():
    """Six rounds on numbers of 20 bits, written out; a seed has 15 bits."""
    chance, seen = random.Random(3), set()
    for _ in range(200):
        cell, shape = chance.randrange(1 << 12), chance.randrange(3)
        seed, turns = chance.randrange(1 << 20), chance.randrange(8)
        left, right = (shape << 12 | cell) ^ seed % (1 << 15), 0x9E377 ^ turns
        for number in range(6):
            left = (((left >> 7 | left << 13) % (1 << 20)) + right) % (1 << 20)
            left ^= 0xB7E15 >> number
            right = (right << 3 | right >> 17) % (1 << 20) ^ left
        assert variety_of(cell, shape, seed, turns) == left >> 16
        seen.add(left >> 16)
    assert seen == set(range(16))


def test_what_does_not_fit():
    here = EnginePosition()
    with pytest.raises(IndexError, match="there is no turn to unmake"):
        here.unmake()
    with pytest.raises(ValueError, match=r"a tile \\ does not fit into cell 0"):
        here.make(0, Shape.BACKSLASH)
