# amaranth: UnusedElaboratable=no
"""Several lanes in gateware against those of the engine: turn, score, variation and nodes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from loopline.bench.measure.lane import differences
from loopline.bench.measure.search import positions
from loopline.boards.presets import PRESETS
from loopline.engine.options import Limits
from loopline.game import DELUXE, LIMITED, LOOP, MINI, Position, Variant, limited
from loopline.game.position import play_game
from loopline.hdl.config import SEED_BITS
from loopline.hdl.search.config import SearchConfig
from tests.engine.reference import random_position
from tests.hdl.search.lanes.both import (
    BARE,
    DRAWN,
    SMALL,
    VARIANTS,
    Both,
    compare_apart,
    open_positions,
    some_nodes,
)

pytestmark = pytest.mark.xdist_group("crew")  # Compiled once.

SIGNATURES = Path(__file__).parents[3] / "data" / "lanes_signature.txt"


@pytest.fixture(
    scope="module", params=[3, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 4, 8))]
)
def both(request: pytest.FixtureRequest) -> Iterator[Both]:
    # A small table is full, and emptied soon.
    both = Both(SearchConfig(lanes=request.param, table_bits=8))
    with closing(both.lane):
        yield both


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 25))]
)
def test_bench_positions(both: Both, first: int) -> None:
    """Deep enough for killers of a shared node."""
    for position in islice(positions(), first, None, 25):
        both.compare(position, depth=3)


def test_limits_of_nodes(both: Both) -> None:
    """The search ends anywhere in the tree."""
    rng = random.Random(27)
    for position in islice(positions(), 0, None, 6):
        both.compare(position, nodes=some_nodes(rng))


def test_a_search_that_ends_in_the_first_turn(both: Both) -> None:
    """Before the root's turn has a value there is a turn in the variation of its child."""
    both.compare(play_game("@0+ A2/".split(), LIMITED), nodes=24)


@pytest.mark.parametrize(
    ("game", "variant", "depth", "seed"),
    [
        pytest.param("@0+ B1/ C1+", MINI, 4, None, id="a larger window, after a cut"),
        pytest.param("@0/ A0/ B2/", MINI, 4, None, id="a cut below one that is heeded"),
        pytest.param("@0+ B1/", limited(4), 3, None, id="the end of a node of who waits there"),
        pytest.param(
            "@0+ A2+ @1\\ A0/", limited(3), 3, None, id="the end of a node of who is there"
        ),
        pytest.param(
            "@0/ A0+ @2\\ B3\\", limited(4), 3, None, id="a wait while turns are given up"
        ),
        pytest.param(
            "@0+ @1\\ A0\\ A3+ C1/", limited(3), 3, 15089, id="points, and help elsewhere"
        ),
        pytest.param("@0/ A0/ A0/", limited(3), 3, 16815, id="points, and help below the root"),
        pytest.param(DRAWN, DELUXE, 2, 331, id="points, and both win"),
    ],
)
def test_what_is_rare(
    both: Both, game: str, variant: Variant, depth: int, seed: int | None
) -> None:
    """Of three lanes one comes to it."""
    both.compare(play_game(game.split(), variant), depth=depth, seed=seed)


@pytest.mark.parametrize(
    "seed", [8806, *(pytest.param(n, marks=pytest.mark.slow) for n in (0, 37304))]
)
def test_a_node_is_given_up_before_one_above_it(both: Both, seed: int) -> None:
    """Of four lanes one hears of both before it has given up what is below the first."""
    both.lane.disturb(seed)
    both.compare(play_game("@0/ B1+ A0\\ B3\\ A0+".split(), LOOP), depth=4)
    both.lane.disturb(0)


def test_limits_that_do_not_count(both: Both) -> None:
    """The search goes on until it is stopped."""
    both.lane.set_up(next(iter(positions())))
    both.lane.limit(nodes=30, depth=1, free=True)
    found = both.lane.search(after=100_000)
    both.check_contracts()
    both.lane.limit()
    assert found.depth > 1
    assert found.nodes > 1000


def test_deeper(both: Both) -> None:
    """Deep enough for lanes that help each other."""
    rng = random.Random(41)
    for turns in (1, 2, 3, 4):
        both.compare(random_position(rng, turns), depth=4, nodes=4000)


def test_much_deeper(both: Both) -> None:
    """Deep enough for as many shared nodes of a lane as there may be."""
    for position in open_positions(2, 12, limited(3)):
        both.compare(position, depth=7, nodes=9000)


def test_a_lane_shares_so_many_nodes_and_no_more(both: Both) -> None:
    """Three lanes come to another node that one of them would share."""
    game = "@0/ B1\\ A2/ A3/ A4+ @2+ @3\\ B4+ B5/ C0\\ D5\\ E5\\ E6\\"
    both.compare(play_game(game.split()), depth=4)


def test_the_end_of_what_a_lane_waits_for(both: Both) -> None:
    """Of three lanes one waits for its helpers, until a node above is given up."""
    both.compare(play_game(["@0/"], LIMITED), depth=5)


@pytest.mark.parametrize(
    ("game", "variant", "nodes"),
    [
        ("@0/ A2/", LIMITED, 305),
        ("@0/ B1+ A0+ A3\\ C2+ @2/", DELUXE, 946),
        ("@0/ A2+ B2+ C2/", limited(5), 1189),
        ("@0/", LIMITED, 388),
    ],
)
def test_nodes_that_are_left_when_another_lane_gets_none(
    both: Both, game: str, variant: Variant, nodes: int
) -> None:
    """With three lanes one has some left, and uses them before it ends, too."""
    both.compare(play_game(game.split(), variant), nodes=nodes)


@pytest.mark.parametrize("nodes", [1312, 1328, *range(1205, 1230, 6)])
def test_an_iteration_that_is_complete_when_the_search_ends(both: Both, nodes: int) -> None:
    """Some are: the last lane with nodes had no more to do. The next one is not begun anew."""
    both.compare(list(positions())[30], nodes=nodes)


@pytest.mark.parametrize("step", [25, pytest.param(1, marks=pytest.mark.slow)])
def test_what_is_complete_when_a_search_is_stopped_is_right(both: Both, step: int) -> None:
    """No node has a value before all its turns have been told."""
    rng = random.Random(6)
    complete = 0
    for position in islice(positions(), 0, None, step):
        both.lane.set_up(position)
        both.lane.limit(depth=2)
        whole = both.lane.search()
        for _ in range(10):
            found = both.lane.search(after=max(1, whole.cycles - rng.randrange(2000)))
            if found.depth == 2:
                complete += 1
                assert found.score == whole.score
    assert complete


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_variants(both: Both, variant: Variant) -> None:
    for position in open_positions(6, 5, variant):
        both.compare(position, depth=2)


def test_varied_openings(both: Both) -> None:
    rng = random.Random(9)
    for turns in range(1, 10, 2):
        seed = rng.randrange(1 << SEED_BITS)
        both.compare(random_position(rng, turns), depth=2, seed=seed)


def test_first_turn(both: Both) -> None:
    both.compare(Position(), depth=3)


def test_units_of_any_speed_and_pauses_change_no_result(both: Both) -> None:
    """Results follow from the search alone. Each lane's unit waits at random, and the search stands
    still now and then, so that lanes come to what they share in all orders."""
    rng = random.Random(12)
    for position in (*islice(positions(), 0, None, 20), *open_positions(10, 32, *VARIANTS)):
        both.lane.disturb(rng.randrange(1, 1 << 16))
        limit = rng.choice(({"depth": 2}, {"nodes": some_nodes(rng)}))
        both.compare(position, **limit)
    both.lane.disturb(0)


def test_a_search_that_is_stopped_answers_soon_and_leaves_the_position(both: Both) -> None:
    rng = random.Random(4)
    for position in open_positions(8, 77, *VARIANTS):
        both.lane.disturb(rng.choice((0, rng.randrange(1 << 16))))
        both.lane.set_up(position)
        both.lane.limit(depth=4)
        after = rng.randrange(1, 120_000)
        found = both.lane.search(after=after)
        both.check_contracts()
        assert found.found
        assert found.turn in position.legal_turns()
        assert found.line[0] == found.turn
        assert found.cycles <= after + 60_000, "opening and unwinding"
        both.lane.limit(depth=2)
        expected = both.engine.search(position, Limits(depth=2))
        assert differences(both.lane.search(), expected) == []
    both.lane.disturb(0)


def abandon(both: Both, position: Position, after: int) -> None:
    """Abandon a search after so many cycles."""
    both.lane.set_up(position)
    both.lane.limit(depth=4)
    both.lane.search(after=after, abandons=True)


def test_a_search_that_is_abandoned_leaves_nothing_behind(both: Both) -> None:
    rng = random.Random(5)
    for position in open_positions(8, 78, *VARIANTS):
        both.lane.disturb(rng.choice((0, rng.randrange(1 << 16))))
        both.lane.set_up(position)
        both.lane.limit(depth=4, nodes=rng.choice((0, 0, some_nodes(rng))))
        both.lane.search(after=rng.randrange(1, 150_000), abandons=True)
        both.lane.disturb(0)
        both.compare(position, depth=2)


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 5))]
)
def test_a_search_is_abandoned_in_any_cycle(both: Both, first: int) -> None:
    """In all cycles of one of the root's turns, which is listed, and of some nodes of all lanes."""
    position = random_position(random.Random(3), 2)
    expected = both.engine.search(position, Limits(depth=2))
    cycles = (*range(1, 9000, 300), *range(1400, 1800), *range(9000, 9100))
    for number, after in enumerate(cycles[first::5]):
        abandon(both, position, after)
        if number % 10 == 1:
            both.lane.set_up(position)
            both.lane.limit(depth=2)
            assert differences(both.lane.search(), expected) == [], after


def test_a_search_is_abandoned_while_a_lane_looks_for_work(both: Both) -> None:
    """The others have dropped their jobs: the next job does not begin before that lane has, too."""
    position = random_position(random.Random(3), 2)
    for after in (*range(8840, 8860), *range(9100, 9120)):
        abandon(both, position, after)
        both.compare(position, depth=1)


def test_a_search_is_abandoned_while_the_roots_list_answers(both: Both) -> None:
    """In all cycles of one of the root's turns, which is read from the list without the grant."""
    position = random_position(random.Random(3), 2)
    for after in range(3030, 3160):
        abandon(both, position, after)
    both.compare(position, depth=1)


@pytest.mark.parametrize(
    "cycles",
    [range(15_000, 20_000, 30), pytest.param(range(2000, 20_000, 12), marks=pytest.mark.slow)],
)
def test_a_search_is_abandoned_while_a_probe_waits(both: Both, cycles: range) -> None:
    """A probe that waits for the clock of a lane is answered when that lane has dropped its job.

    There are few such cycles, in rows of a few dozen."""
    position = random_position(random.Random(3), 2)
    for after in cycles:
        abandon(both, position, after)
    both.compare(position, depth=1)


def test_probe(both: Both) -> None:
    both.compare_probes()


OTHER_SIZES = {
    "small": replace(SMALL, lanes=3),
    "bare": replace(BARE, lanes=5),
    **{
        name: replace(each.search, lanes=max(2, each.search.lanes))
        for name, each in PRESETS.items()
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHER_SIZES)
def test_other_sizes(name: str) -> None:
    compare_apart(OTHER_SIZES[name])


@pytest.mark.slow
@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_signatures(lanes: int) -> None:
    lines = SIGNATURES.read_text(encoding="ascii").splitlines()
    expected = dict(map(int, line.split()) for line in lines if not line.startswith("#"))
    both, nodes = Both(SearchConfig(lanes=lanes)), 0
    with closing(both.lane):
        for position in positions():
            both.compare(position, depth=3)
            both.lane.limit(depth=3)
            nodes += both.lane.search().nodes
    assert nodes == expected[lanes]


@pytest.mark.slow
def test_a_lane_that_waits_longer_than_clocks_can_be_compared() -> None:
    """It has to give up meanwhile; it goes on 2,204 beats later than that."""
    both = Both(SearchConfig(lanes=8))
    with closing(both.lane):
        both.compare(play_game("@0/ B1/ C1\\ C0+ @2/ B1+ B0+".split(), LIMITED), depth=5)


@pytest.mark.slow
def test_many_positions(both: Both) -> None:
    rng = random.Random(300)
    for position in open_positions(300, 301, *VARIANTS):
        both.lane.disturb(rng.choice((0, 0, rng.randrange(1 << 16))))
        both.compare(position, depth=rng.choice((2, 3)), nodes=rng.choice((0, some_nodes(rng))))
    both.lane.disturb(0)
