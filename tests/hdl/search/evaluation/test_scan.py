"""The node scan against ``scan`` and ``evaluate`` of the engine, in positions of games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from loopline.engine.evaluation.evaluation import evaluate
from loopline.engine.evaluation.scan import EVALUATION, TRACKS, Scanner, scan
from loopline.engine.evaluation.weights import read_weights
from loopline.engine.search.searcher import Searcher
from loopline.game import MINI, STANDARD, Variant
from loopline.hdl.search.config import SearchConfig
from loopline.hdl.search.evaluation.weights import write_groups
from loopline.hdl.search.scan import NodeScan
from loopline.sim.probe.probe import Probe
from tests.game.shared_games import human_games
from tests.hdl.search.evaluation.reader_harness import (
    GRID,
    VARIANTS,
    ReaderGame,
    ReaderHarness,
    engine_attacks,
    gateware_attacks,
    long_game,
    play_games,
    random_weights,
)

pytestmark = pytest.mark.xdist_group("node-scan")  # Compiled once.


@pytest.fixture(scope="module")
def scanner(tmp_path_factory) -> Scanner:
    path: Path = tmp_path_factory.mktemp("weights") / "weights.txt"
    write_groups(path, random_weights())
    return Searcher(weights=read_weights(path)).scanner


@pytest.fixture(scope="module")
def probe() -> Iterator[Probe]:
    # With several lanes it counts tracks, too.
    scan = NodeScan(SearchConfig(grid=GRID, lanes=2), random_weights())
    with Probe(ReaderHarness(scan)) as probe:
        yield probe


def expected(game: ReaderGame, scanner: Scanner, mover: int, whole: int) -> tuple[int, ...]:
    """The valid fields of the result: attack, attack of the other side, rectangle, evaluation,
    tracks."""
    scan(game.here.board, scanner, mover)
    evaluate(game.here.board, scanner, mover)
    own, *others = engine_attacks(scanner)
    last = int(scanner.found[EVALUATION]), int(scanner.found[TRACKS])
    return (own,) if own and not whole else (own, *others, *last)


def seen(game: ReaderGame, mover: int, whole: int) -> tuple[int, ...]:
    """The same of the gateware."""
    result = game.job(mover=mover, whole=whole)
    own, *others = gateware_attacks(result, "result__")
    evaluation = (result.result__evaluation ^ 1 << 13) - (1 << 13)
    return (own,) if own and not whole else (own, *others, evaluation, result.result__tracks)


def compare(game: ReaderGame, scanner: Scanner, chance: random.Random) -> int:
    """Scan for both sides in any order; return how often the side to move had an attack."""
    jobs = [(mover, whole) for mover in range(2) for whole in range(2)]
    attacks = 0
    for mover, whole in chance.sample(jobs, 4):
        result = expected(game, scanner, mover, whole)
        assert seen(game, mover, whole) == result, (str(game), mover, whole)
        attacks += result[0]
    return attacks


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("stall", [0, 7])
def test_results_are_those_of_the_engine(
    probe: Probe, scanner: Scanner, variant: Variant, stall: int
) -> None:
    chance, attacks = random.Random(f"{variant}{stall}"), 0
    probe.stall(stall)
    for game in play_games(probe, variant, chance, 5, 10, 20, 30, 60, 60):
        attacks += compare(game, scanner, chance)
    assert attacks or variant is MINI


def test_children_one_after_another(probe: Probe, scanner: Scanner) -> None:
    """As a search does: make a turn, scan, unmake it."""
    chance = random.Random(11)
    probe.stall(0)
    for turns in (4, 12, 24):
        game = ReaderGame(probe, STANDARD)
        for turn in long_game(chance, STANDARD, turns):
            game.make(turn)
        game.commit()
        for turn in game.position.legal_turns():
            game.make(turn)
            if not game.position.ending:
                compare(game, scanner, chance)
            game.unmake()
        compare(game, scanner, chance)


def test_games_of_people(probe: Probe, scanner: Scanner) -> None:
    chance = random.Random(12)
    probe.stall(0)
    for record in human_games()[20:50]:
        game = ReaderGame(probe, STANDARD)
        for move in record.moves:
            if game.position.ending or not game.position.is_legal(move):
                break
            game.make(move)
            compare(game, scanner, chance)
            game.commit()


def regions(game: ReaderGame) -> int:
    """The number of parts into which the tiles cut the cells around them: 1 without a hole."""
    tiles = {(cell.x, cell.y) for cell in game.position.cells()}
    columns, rows = zip(*tiles, strict=True)
    left = {
        (x, y)
        for x in range(min(columns) - 1, max(columns) + 2)
        for y in range(min(rows) - 1, max(rows) + 2)
    } - tiles
    count = 0
    while left:
        count, heap = count + 1, [left.pop()]
        while heap:
            x, y = heap.pop()
            beside = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & left
            left -= beside
            heap += beside
    return count


@pytest.mark.parametrize("seed", [24, 33, 53, 54, 58])
def test_formations_with_holes(probe: Probe, scanner: Scanner, seed: int) -> None:
    """The games of these seeds have a hole of four or six cells."""
    chance, holes = random.Random(seed), 0
    probe.stall(0)
    for game in play_games(probe, STANDARD, chance, 60):
        if regions(game) > 1:
            holes += 1
            compare(game, scanner, chance)
    assert holes
