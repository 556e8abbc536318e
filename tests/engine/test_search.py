"""The search against plain minimax over the reference model, and what it promises of itself."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from loopline.bench.measure.search import positions
from loopline.engine.board.position import EnginePosition
from loopline.engine.evaluation.evaluation import evaluate as evaluate_engine
from loopline.engine.evaluation.scan import EVALUATION, scan
from loopline.engine.options import Limits
from loopline.engine.search.frames import MATE
from loopline.engine.search.searcher import Found, Searcher
from loopline.game import (
    DELUXE,
    LIMITED,
    LOOP,
    MINI,
    Position,
    Tile,
    Turn,
    answers,
    attacks,
    play_game,
)
from loopline.game.grid import coordinates
from loopline.hdl.search.config import Pruning, SearchConfig
from tests.engine.reference import BEATS_A_LOSS, Minimax, board_of, evaluate, random_position
from tests.game.shared_games import human_games, random_games

pytestmark = pytest.mark.xdist_group("engine")

PLAIN = Pruning(
    attacks=0,
    extensions=0,
    quiescence_radius=0,
    table=0,
    reduce_after=0,
    reverse_futility_depth=0,
    locality=0,
)
"""Alpha-beta with zero windows and killers alone."""


def searcher(**changes: int) -> Searcher:
    return Searcher(SearchConfig(pruning=replace(PLAIN, **changes)))


def told(found: Found) -> tuple:
    """All but the time."""
    return found[:-1]


def compare(position: Position, depth: int, plain: Searcher) -> None:
    """The score is minimax's, and the turn one of those that have it."""
    found = plain.search(position, Limits(depth=depth))
    values = Minimax(plain.weights).values(board_of(position), position.to_move, depth)
    best = max(value for _, value in values)
    good = {
        Turn(*position.label(*coordinates(space)), Tile(tile).shape)
        for (space, tile), value in values
        if value == best
    }
    assert (found.score, found.turn in good) == (best, True), position.history


def test_evaluation():
    plain, positions = searcher(), 0
    for game in [*human_games()[:20], *random_games()[:10]]:
        position = Position()
        here = EnginePosition()
        for move in game.moves:
            if position.ending or not position.is_legal(move):
                break
            first = position.play(move).tiles[0]
            here.make((first.y & 63) << 6 | first.x & 63, first.tile.shape)
            here.commit()
            board = board_of(position)
            for mover in range(2):
                scan(here.board, plain.scanner, mover)
                evaluate_engine(here.board, plain.scanner, mover)
                expected = evaluate(board, type(position.to_move)(mover), plain.weights)
                assert plain.scanner.found[EVALUATION] == expected
            positions += 1
    assert positions > 300


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_plain_search_is_minimax(depth):
    chance = random.Random(depth)
    turns = {1: (1, 25), 2: (1, 18), 3: (1, 3)}[depth]
    for _ in range({1: 20, 2: 4, 3: 1}[depth]):
        compare(random_position(chance, chance.randint(*turns)), depth, searcher())


@pytest.mark.slow
def test_plain_search_is_minimax_on_300_positions():
    chance = random.Random(300)
    for _ in range(300):
        compare(random_position(chance, chance.choice((1, 2, 2, 3, 3, 4))), 3, searcher())


@pytest.mark.parametrize("variant", [LIMITED, DELUXE, LOOP, MINI], ids=str)
def test_plain_search_of_variants(variant):
    chance = random.Random(7)
    for turns in (2, 3, 5, 6):
        compare(
            random_position(chance, min(turns, 4 if variant is MINI else 6), variant), 2, searcher()
        )
    if variant is not MINI:
        # The best turn completes a loop of each colour, a draw in Deluxe Trax.
        position = play_game("@0+ B1\\ B2/ A2+ A3/ A0\\ @3+ @3\\".split(), variant)
        compare(position, 2, searcher())


@pytest.mark.parametrize(
    "changes",
    [
        {"locality": 4},
        {"killers": 0},
        {"zero_windows": 0},
        {"killers": 0, "zero_windows": 0},
    ],
    ids=" ".join,
)
def test_order_and_windows_leave_the_score_unchanged(changes):
    """They choose what is tried first, or how much of it, and nothing else."""
    chance = random.Random(11)
    plain, other = searcher(), searcher(**changes)
    nodes = [0, 0]
    for _ in range(15):
        position = random_position(chance, chance.randint(2, 20))
        found = [each.search(position, Limits(depth=3)) for each in (plain, other)]
        assert found[0].score == found[1].score
        assert found[0].depth == found[1].depth
        nodes = [sum(pair) for pair in zip(nodes, (each.nodes for each in found), strict=True)]
    assert nodes[0] != nodes[1]


def test_the_table_leaves_the_score_unchanged():
    """Also where the side to move is under attack: there an entry has to be as deep as the node is
    with its extension, or each iteration takes over what the one before has found."""
    plain, remembering = (
        searcher(attacks=1, extensions=10, quiescence_radius=2, table=n) for n in range(2)
    )
    nodes = [0, 0]
    for position in positions():
        one, other = (each.search(position, Limits(depth=3)) for each in (plain, remembering))
        assert one.score == other.score, position.history
        nodes = [nodes[0] + one.nodes, nodes[1] + other.nodes]
    assert nodes[1] < nodes[0]


def test_no_turn_is_reduced_further_if_the_number_of_turns_is_zero():
    position = random_position(random.Random(17), 8)
    found = [
        Searcher(SearchConfig(pruning=Pruning(reduce_more_after=after))).search(
            position, Limits(depth=5)
        )
        for after in (0, 255, 30)
    ]
    assert told(found[0]) == told(found[1]) != told(found[2])


def test_no_iteration_is_deeper_than_the_stack_allows():
    engine = Searcher()
    # The engine's memories have one size in a process.
    engine.config = SearchConfig(plies=8)
    for limits in (Limits(depth=6), Limits(nodes=200_000)):
        assert engine.search(play_game(["@0/", "B1+"]), limits).depth == 4


def test_same_again_and_on_a_used_searcher():
    chance = random.Random(13)
    used = Searcher()
    for _ in range(10):
        position = random_position(chance, chance.randint(2, 20))
        for limits in (Limits(depth=3), Limits(nodes=3000), Limits(cycles=200_000)):
            once, again = used.search(position, limits), used.search(position, limits)
            assert told(once) == told(again) == told(Searcher().search(position, limits))


_SCRIPT = """
import random
from tests.engine.reference import random_position
from loopline.engine.options import Limits
from loopline.engine.search.searcher import Searcher
for turns in (3, 9):
    position = random_position(random.Random(turns), turns)
    print(Searcher().search(position, Limits(nodes=70))[:-1])
    print(Searcher().search(position, Limits(nodes=70), seed=5)[:-1])
"""


def test_same_without_jit():
    found = [
        subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            env={**os.environ, "NUMBA_DISABLE_JIT": value},
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parents[2],
        ).stdout
        for value in ("0", "1")
    ]
    assert found[0] == found[1]
    assert found[0].count("Turn") > 8


def test_limits():
    position = random_position(random.Random(17), 4)
    used = Searcher()
    assert used.search(position, Limits(depth=2)).depth == 2
    for nodes in (1000, 1001, 5000):
        assert used.search(position, Limits(nodes=nodes)).nodes == nodes
    found = used.search(position, Limits(cycles=500_000))
    assert 500_000 <= found.cycles < 510_000
    assert used.search(position, Limits(seconds=0.001)).nodes < 1_000_000
    stopped = used.search(position, Limits(depth=60), stopped=lambda: True)
    assert stopped.nodes < 4000
    reports: list[Found] = []
    used.search(position, Limits(depth=3), report=reports.append)
    assert [report.depth for report in reports] == [1, 2, 3]


@pytest.mark.parametrize(
    ("number", "nodes"), [(0, 3850), (1, 1000), (7, 3700), (12, 850), (19, 2350), (32, 3250)]
)
def test_a_turn_that_is_known_to_be_better_is_the_answer_at_a_limit(number: int, nodes: int):
    """Its zero window has failed. With more nodes it gets a value, and that is larger."""
    position, used = list(positions())[number], Searcher()
    found = used.search(position, Limits(nodes=nodes))
    depth = found.depth + 1
    assert found.turn != used.search(position, Limits(depth=found.depth)).turn
    assert found.line == (found.turn,)
    later = found
    for more in range(nodes + 1, 2 * nodes):
        later = used.search(position, Limits(nodes=more, depth=depth))
        if later.score != found.score:
            break
    assert later.turn == found.turn
    assert later.score > found.score


def test_a_forced_loss_that_is_averted_is_not_told():
    """The turn before loses by force; by how much this one is better is not known yet."""
    position = play_game(BEATS_A_LOSS.split())
    found = Searcher().search(position, Limits(nodes=300))
    assert (str(found.turn), found.score, found.depth) == ("B0+", -8191, 1)
    assert found.line == (found.turn,)
    assert Searcher().search(position, Limits(depth=2)).turn == found.turn


def test_wins_and_losses():
    """A win in one is found, and a loss in two is known, whatever else is left out."""
    chance, used, wins, losses = random.Random(19), Searcher(), 0, 0
    while wins < 3 or losses < 3:
        position = random_position(chance, chance.randint(6, 16))
        found = used.search(position, Limits(depth=2))
        if attacks(position, position.to_move):
            wins += 1
            assert found.score == MATE - 1
            assert position.play(found.turn).result
        elif not answers(position):
            losses += 1
            assert found.score <= -MATE + 2
        else:
            assert found.score != MATE - 1


def test_variation_is_a_game():
    chance, used = random.Random(23), Searcher()
    for _ in range(5):
        position = random_position(chance, chance.randint(3, 12))
        found = used.search(position, Limits(nodes=20_000))
        assert found.line[0] == found.turn
        for turn in found.line:
            position.play(turn)


def test_seeds_vary_the_opening():
    used, position = Searcher(), Position()
    for seed in (None, 0, 1):
        assert str(used.search(position, Limits(), seed=seed).turn) == "@0/"
    openings = set()
    for seed in [None, None, *range(8)]:
        position = Position()
        while position.turns < 6:
            position.play(used.search(position, Limits(nodes=300), seed=seed).turn)
        openings.add(" ".join(str(played.turn) for played in position.history))
    assert len(openings) > 5


def test_a_seed_chooses_among_turns_that_are_nearly_as_good():
    """With the points that the seed has given, a turn's score is little above the best one's."""
    used, chance, others = Searcher(), random.Random(29), 0
    for _ in range(6):
        position = random_position(chance, 4)
        best = used.search(position, Limits(depth=2))
        for seed in range(4):
            found = used.search(position, Limits(depth=2), seed=seed)
            assert best.score <= found.score < best.score + 16
            others += found.turn != best.turn
    assert others


def test_no_search_of_what_is_over():
    position = Position()
    for move in "@0/ B1\\ A0\\ C2\\ B3\\ C1+ C3\\ @1\\ E1+ D0/".split():
        position.play(move)
    with pytest.raises(ValueError, match="the game is over"):
        Searcher().search(position, Limits(depth=1))
