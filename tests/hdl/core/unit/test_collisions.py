"""No memory is read where it is written in the same cycle, unless nobody uses what is read.

Block RAMs promise nothing there, and the boards are built accordingly. Here such a read gives the
complement of what the memory held, and everything goes on as before. A cell map with one port is
never read where it is written, in the same bank, and its answer not used after that.

In ``make test`` one game has such memories, in ``tests/hdl/evaluator/test_unit.py``.
"""

from __future__ import annotations

import random

import pytest

from loopline.game import Position, Shape
from loopline.hdl.config import Banks, GridConfig
from loopline.hdl.core.types import Status
from loopline.sim.probe.evaluator import NativeEvaluator
from tests.hdl.core.unit.scrambled import scramble


@pytest.mark.xdist_group("collisions")
@pytest.mark.parametrize(
    "banks",
    # With two ports as paired, but for a cell map that may be read and written more freely.
    [Banks.SINGLE_PORT, Banks.PAIRED, Banks.DUAL_PORT],
)
@pytest.mark.slow
def test_turns_are_made_listed_tried_and_taken_back(monkeypatch, banks):
    scramble(monkeypatch)
    unit = NativeEvaluator(GridConfig(size=16, frontier_entries=64, banks=banks))
    rng = random.Random(7)
    tried = 0
    for _ in range(3):
        position = Position()
        unit.clear(position.variant)
        while (
            not position.ending
            and position.turns < 24
            and max(position.width, position.height) < 13
        ):
            turn = rng.choice(position.legal_turns())
            x, y = position.locate(turn) if position.turns else (0, 0)
            position.play(turn)
            assert unit.make(x, y, turn.shape).status == Status.LEGAL.value
            made = {}
            for index, (column, row) in unit.spaces().items():
                for shape in Shape:
                    found = unit.make(column, row, shape)
                    if found.status == Status.MISMATCH.value:
                        continue
                    made[index, shape.code] = (found.status, found.tiles, found.loops, found.lines)
                    if found.status == Status.LEGAL.value:
                        unit.unmake()
                    else:
                        made[index, shape.code] = (found.status,)
            evaluations = {
                (evaluated.index, evaluated.shape): (
                    (status.value, tiles, loops, lines)
                    if status is Status.LEGAL
                    else (status.value,)
                )
                for evaluated in unit.evaluate_all()
                for status, tiles, loops, lines, _ in [evaluated.evaluation]
            }
            assert evaluations == made
            labels = {(*position.locate(turn), turn.shape.code) for turn in position.legal_turns()}
            if not position.ending:
                legal = sum(result[0] == Status.LEGAL.value for result in made.values())
                assert legal == len(labels)
            tried += len(evaluations)
    assert tried > 500
