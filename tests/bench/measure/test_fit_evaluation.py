"""The fit of the evaluation: its features are the search's, and it learns who wins."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from loopline.bench.makers.fit_evaluation import collect, main
from loopline.engine.board.position import EnginePosition
from loopline.engine.evaluation.evaluation import evaluate
from loopline.engine.evaluation.scan import EVALUATION, scan
from loopline.engine.evaluation.weights import read_weights
from loopline.engine.search.searcher import Searcher

pytestmark = pytest.mark.xdist_group("engine")


def test_the_features_are_those_of_the_search():
    searcher, chance, out = Searcher(), random.Random(3), np.zeros(1024, np.int16)
    weights = searcher.weights
    tables = (weights.ends, weights.distances, weights.lines, weights.perimeter)
    numbers = np.concatenate([[weights.tempo], *[table.ravel() for table in tables]])
    compared = 0
    for _ in range(20):
        here = EnginePosition(grid=searcher.config.grid)
        for _ in range(25):
            candidate = chance.choice(list(here.candidates()))
            outcome = here.make(candidate.cell, candidate.shape)
            if outcome.status.value:
                continue
            if outcome.completed:
                break
            here.commit()
            for mover in range(2):
                scan(here.board, searcher.scanner, mover)
                evaluate(here.board, searcher.scanner, mover)
                features = out[: collect(here.board, searcher.scanner, mover, 1, out)]
                total = (np.sign(features) * numbers[abs(features) - 1]).sum()
                assert searcher.scanner.found[EVALUATION] == total
                compared += 1
    assert compared > 200


def test_games_are_played_and_weights_fitted(tmp_path, capsys):
    games, again, fitted = (str(tmp_path / name) for name in ("a.npz", "b.npz", "weights.txt"))
    for path in (games, again):
        assert main(["play", "--games", "30", "--nodes", "200", "--seed", "5", path]) == 0
    with np.load(games) as one, np.load(again) as other:
        assert all((one[name] == other[name]).all() for name in one.files)
        assert set(one["results"]) == {-1, 0, 1}
        positions = len(one["ends"])
    capsys.readouterr()
    assert main(["fit", "--steps", "60", games, again, fitted]) == 0
    told = capsys.readouterr().out
    used, held = (int(re.search(rf"(\d+) {word}", told)[1]) for word in ("positions", "held out"))
    assert used + held == positions
    losses = re.search(r"results of \d+ ([0-9.]+) \(without features ([0-9.]+)", told)
    assert float(losses[1]) < float(losses[2])
    read_weights(tmp_path / "weights.txt").check(10)
