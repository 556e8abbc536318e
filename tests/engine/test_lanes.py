"""Several lanes: they find what one finds, and find it again."""

import random
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from loopline.bench.measure.search import positions
from loopline.engine.board.board import TURNS
from loopline.engine.options import Limits
from loopline.engine.search import searcher as searching
from loopline.engine.search.frames import DONE, MATE_BOUND
from loopline.engine.search.lanes import run_lanes
from loopline.engine.search.searcher import Searcher
from loopline.game import DELUXE, LIMITED, LOOP, MINI, STANDARD, Position
from loopline.hdl.search.config import Pruning, SearchConfig
from tests.engine.reference import random_position

pytestmark = pytest.mark.xdist_group("engine")

EXACT = replace(Pruning(), table=0, reduce_after=0, reverse_futility_depth=0)
"""A search whose score does not depend on what has been searched before."""

VARIANTS = (STANDARD, LOOP, LIMITED, MINI, DELUXE)

SIGNATURES = Path(__file__).parents[1] / "data" / "lanes_signature.txt"


def searcher(lanes: int, **changes: int) -> Searcher:
    return Searcher(SearchConfig(lanes=lanes, pruning=replace(Pruning(), **changes)))


def open_positions(count: int) -> list[Position]:
    """Positions of games that are not over, in all variants."""
    rng = random.Random(30)
    return [
        random_position(rng, rng.randrange(2, 14), VARIANTS[n % len(VARIANTS)])
        for n in range(count)
    ]


def test_one_lane_that_shares_nothing_is_the_search(monkeypatch):
    """Without a table, which several lanes write later than one. At a shared node it ends before it
    makes the turn whose node would be one too many: some cycles sooner."""
    one, other = searcher(1, table=0), searcher(1, table=0)
    monkeypatch.setattr(other, "_run", other._run_lanes)
    for position in list(positions())[::5]:
        for limits in (Limits(depth=3), Limits(nodes=700), Limits(cycles=50_000)):
            found, expected = (each.search(position, limits) for each in (other, one))
            sooner = expected.cycles - found.cycles
            assert sooner in range(200 if limits.cycles else 1)
            assert found[:-1] == expected._replace(cycles=found.cycles)[:-1]


@pytest.mark.parametrize("lanes", [2, 3, 8, pytest.param(16, marks=pytest.mark.slow)])
def test_the_score_is_that_of_one_lane(lanes):
    one, many = (Searcher(SearchConfig(lanes=n, pruning=EXACT)) for n in (1, lanes))
    for position in [*list(positions())[:: 50 // 10], *open_positions(20)]:
        found, expected = (each.search(position, Limits(depth=3)) for each in (many, one))
        assert found.score == expected.score, position.history
        assert found.turn in position.legal_turns()


@pytest.mark.parametrize("lanes", [2, 8])
def test_the_same_search_has_the_same_result(lanes):
    many = searcher(lanes)
    for position in list(positions())[::10]:
        for limits in (Limits(depth=4), Limits(nodes=3000)):
            first, again = (many.search(position, limits)[:-1] for _ in range(2))
            assert first == again


@pytest.mark.parametrize("lanes", [2, 5, 16])
def test_limits(lanes):
    many = searcher(lanes)
    for position in list(positions())[::10]:
        opening = searcher(1).search(position, Limits(nodes=1)).nodes
        for nodes in (1, 200, 1000, 5000):
            found = many.search(position, Limits(nodes=nodes))
            assert found.nodes <= max(nodes, opening)
        cycles = 300_000
        assert many.search(position, Limits(cycles=cycles)).cycles < cycles + 2000
        stopped = iter([False] * 3 + [True] * 1000)
        found = many.search(position, Limits(depth=9), stopped=partial(next, stopped))
        assert found.turn in position.legal_turns()


@pytest.mark.parametrize(("number", "lanes"), [(20, 8), (10, 8)])
def test_a_limit_makes_no_forced_wins(number, lanes):
    """Nodes whose last turns were left undone by lanes that had to end had values once."""
    many = searcher(lanes)
    position = list(positions())[number]
    for nodes in range(150, 3000, 13):
        assert abs(many.search(position, Limits(nodes=nodes)).score) < MATE_BOUND


@pytest.mark.parametrize("lanes", [2, 3, 8])
def test_what_is_complete_at_a_limit_is_right(lanes):
    """A search to a depth that ends just before its last nodes is incomplete, or has its score."""
    many = Searcher(SearchConfig(lanes=lanes, table_bits=8))
    rng = random.Random(27)
    complete = 0
    for position in positions():
        whole = many.search(position, Limits(depth=2))
        for _ in range(10):
            for limits in (
                Limits(depth=2, nodes=max(1, whole.nodes - rng.randrange(1, 60))),
                Limits(depth=2, cycles=max(1, whole.cycles - rng.randrange(1, 3000))),
            ):
                found = many.search(position, limits)
                if found.depth == 2:
                    complete += 1
                    assert found.score == whole.score, (position.history, limits)
    assert complete


def test_all_turns_are_unmade(monkeypatch):
    """Whatever ends an iteration, all lanes are back at the root."""
    turns = []

    def checked(boards, *others):
        end = run_lanes(boards, *others)
        if end == DONE:
            turns.extend(int(board.state[TURNS]) for board in boards)
        return end

    monkeypatch.setattr(searching, "run_lanes", checked)
    many = searcher(6)
    for position in list(positions())[::10]:
        for limits in (Limits(depth=4), Limits(nodes=1500), Limits(cycles=60_000)):
            many.search(position, limits)
    assert turns
    assert not any(turns)


def test_signatures():
    """The nodes of the bench's positions to depth 3, for some numbers of lanes, by the file."""
    lines = SIGNATURES.read_text(encoding="ascii").splitlines()
    for line in (line for line in lines if not line.startswith("#")):
        lanes, expected = map(int, line.split())
        many = searcher(lanes)
        assert sum(many.search(each, Limits(depth=3)).nodes for each in positions()) == expected


def test_more_lanes_reach_a_depth_in_fewer_cycles():
    cycles = {}
    for lanes in (1, 4):
        many = searcher(lanes)
        found = [many.search(each, Limits(depth=4)) for each in list(positions())[::5]]
        cycles[lanes] = np.sum([each.cycles for each in found])
    assert cycles[1] > 2 * cycles[4]
