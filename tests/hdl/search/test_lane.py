# amaranth: UnusedElaboratable=no
"""The search in gateware against the engine: turn, score, principal variation and nodes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from loopline.bench.measure.lane import differences
from loopline.bench.measure.search import positions
from loopline.boards.presets import PRESETS
from loopline.engine.options import Limits
from loopline.game import DELUXE, LOOP, STANDARD, Position, Variant
from loopline.game.position import play_game
from loopline.hdl.config import SEED_BITS, GridConfig
from loopline.hdl.search.config import Pruning, SearchConfig
from loopline.hdl.search.evaluation.weights import read_groups
from loopline.hdl.search.lane import Lane
from tests.engine.reference import BEATS_A_LOSS, random_position
from tests.game.shared_games import human_games
from tests.hdl.search.lanes.both import (
    BARE,
    DRAWN,
    SMALL,
    VARIANTS,
    Both,
    compare_apart,
    default_lane,
    open_positions,
)

pytestmark = pytest.mark.xdist_group("lane")  # Compiled once.


@pytest.fixture(scope="module")
def both() -> Iterator[Both]:
    both = Both(SearchConfig(), default_lane())
    yield both
    both.lane.close()


@pytest.mark.parametrize("first", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_bench_positions(both: Both, first: int) -> None:
    for position in islice(positions(), first, None, 2):
        both.compare(position, depth=2)


def test_limits_of_nodes(both: Both) -> None:
    """The search ends anywhere in the tree."""
    rng = random.Random(27)
    for position in islice(positions(), 0, None, 2):
        both.compare(position, nodes=rng.choice((1, 100, 300, 1000)) + rng.randrange(400))


def test_a_turn_that_is_known_to_be_better_is_the_answer_at_a_limit(both: Both) -> None:
    """As in the engine's test of this name."""
    for number, nodes in ((1, 1000), (12, 850), (19, 2350), (28, 1000)):
        both.compare(list(positions())[number], nodes=nodes)
    both.compare(play_game(BEATS_A_LOSS.split()), nodes=300)


def test_deeper(both: Both) -> None:
    """Deep enough for reductions, and for entries of the table from another path."""
    rng = random.Random(41)
    for turns in (1, 2, 2, 3, 3, 4, 4, 5):
        both.compare(random_position(rng, turns), depth=4, nodes=6000)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_variants(both: Both, variant: Variant) -> None:
    for position in open_positions(12, 5, variant):
        both.compare(position, depth=2)


def test_varied_openings(both: Both) -> None:
    rng = random.Random(9)
    for turns in range(1, 10):
        seed = rng.randrange(1 << SEED_BITS)
        both.compare(random_position(rng, turns), depth=2, seed=seed)


def test_varied_turns_that_complete_both_colours(both: Both) -> None:
    """A draw has a turn's points, too."""
    both.compare(play_game(DRAWN.split(), DELUXE), depth=2, seed=331)


def test_first_turn(both: Both) -> None:
    both.compare(Position(), depth=3)


def test_units_of_any_speed_and_pauses_change_no_result(both: Both) -> None:
    """The lane's unit waits at random, and the search stands still now and then."""
    both.lane.disturb(3)
    for position in open_positions(4, 31, STANDARD):
        both.compare(position, depth=2)
    both.lane.disturb(0)


def test_a_search_that_is_stopped_answers_soon_and_leaves_the_position(both: Both) -> None:
    rng = random.Random(4)
    for position in open_positions(10, 77, STANDARD):
        both.lane.set_up(position)
        both.lane.limit(depth=4)
        after = rng.randrange(1, 120_000)
        found = both.lane.search(after=after)
        assert found.found
        assert found.turn in position.legal_turns()
        assert found.line[0] == found.turn
        assert found.cycles <= after + 30_000, "opening and unwinding"
        both.lane.limit(depth=2)
        expected = both.engine.search(position, Limits(depth=2))
        assert differences(both.lane.search(), expected) == []


def test_a_search_that_is_abandoned_leaves_nothing_behind(both: Both) -> None:
    rng = random.Random(5)
    for position in open_positions(20, 78, STANDARD):
        both.lane.set_up(position)
        both.lane.limit(depth=4)
        both.lane.search(after=rng.randrange(1, 60_000), abandons=True)
        both.compare(position, depth=2)


def test_a_search_is_abandoned_in_any_cycle(both: Both) -> None:
    """Also while the table is emptied, reads or writes: in all cycles of some nodes."""
    (position,) = open_positions(1, 78, STANDARD)
    for after in (*range(5, 14_000, 500), *range(14_000, 14_400)):
        both.lane.set_up(position)
        both.lane.limit(depth=4)
        both.lane.search(after=after, abandons=True)
    both.compare(position, depth=2)


def test_probe(both: Both) -> None:
    both.compare_probes()


OTHER_SIZES = {
    "small": SMALL,
    "bare": BARE,
    "tiny": SearchConfig(grid=GridConfig(size=16), table_bits=6),
    **{name: each.search for name, each in PRESETS.items() if each.search.lanes == 1},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHER_SIZES)
def test_other_sizes(name: str) -> None:
    compare_apart(OTHER_SIZES[name])


def test_search_that_gateware_has_not() -> None:
    config = SearchConfig(pruning=replace(Pruning(), exact_wins=1))
    with pytest.raises(ValueError, match="attacks must be 1 and exact_wins 0"):
        Lane(config, read_groups())


@pytest.mark.slow
def test_node_signature(both: Both) -> None:
    for position in positions():
        both.compare(position, depth=4)


@pytest.mark.slow
def test_many_positions(both: Both) -> None:
    rng = random.Random(300)
    games = [game for game in human_games() if game.turns > 4]
    for game in rng.sample(games, 150):
        variant = LOOP if game.variant == "Loop Trax" else STANDARD
        position = play_game(game.moves[: rng.randrange(1, game.turns)], variant)
        if not position.ending:
            both.compare(position, depth=3)
    for position in open_positions(150, 301, *VARIANTS):
        both.compare(position, depth=3)
