"""``loopline bench count``: legal turns by the evaluator, the turn unit, and in software.

All candidates of the positions of ``loopline bench search`` are evaluated by the candidate
evaluator; found, made and unmade by the turn unit without it; and made and unmade by the engine,
which numba compiles, on one core. It prints cycles, nanoseconds, and how many candidates each takes
in a second. Exit status 1 if one of them counts another number of legal turns.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import closing
from typing import NamedTuple

import numpy as np

from loopline.bench.measure.search import add_positions, positions
from loopline.engine.board.position import EnginePosition, count_sequences
from loopline.game import Position
from loopline.hdl.core.types import Status, TurnOp
from loopline.sim.probe.evaluator import NativeEvaluator
from loopline.tools.arguments import Parser, decimal_number

__all__ = ["Counts", "count_all", "main"]

_REPEATS = 200
"""How often the engine counts a position: its clock is too coarse for once."""


class Counts(NamedTuple):
    """Sums over positions: candidates, legal turns, cycles, and seconds of the engine.

    ``wrong`` is how many positions have not the same number of legal turns by all three.
    """

    positions: int
    candidates: int
    legal: int
    evaluator: int
    turn_unit: int
    engine: float
    wrong: int

    def per_second(self, clock: float) -> dict[str, float]:
        """Return the candidates in a second, the gateware's at a clock in Hz."""
        return {
            "evaluator": self.candidates * clock / self.evaluator,
            "turn_unit": self.candidates * clock / self.turn_unit,
            "engine": self.candidates / self.engine,
        }


def count_all(unit: NativeEvaluator, count: int) -> Counts:
    """Count the legal turns of so many positions by all three."""
    chosen = list(positions())[:count]
    sums = np.zeros(len(Counts._fields))
    for position in chosen:
        sums += _count(unit, position)
    *whole, seconds, wrong = sums.tolist()
    return Counts(*map(int, whole), seconds, int(wrong))


def _count(unit: NativeEvaluator, position: Position) -> Counts:
    unit.clear(position.variant)
    for played in position.history:
        first = played.tiles[0]
        unit.make(first.x, first.y, first.tile.shape)
        unit.commit()
    before = unit.cycles
    evaluated = [each.evaluation.status is Status.LEGAL for each in unit.evaluate_all()]
    made, cycles = _made(unit)
    here = EnginePosition(position.variant, unit.grid)
    here.follow(position)
    counted = int(count_sequences(here.board, np.int64(1)))
    begun = time.thread_time()
    for _ in range(_REPEATS):
        count_sequences(here.board, np.int64(1))
    seconds = (time.thread_time() - begun) / _REPEATS
    legal = sum(evaluated)
    wrong = not legal == made == counted
    return Counts(1, len(evaluated), legal, unit.cycles - before, cycles, seconds, wrong)


def _made(unit: NativeEvaluator) -> tuple[int, int]:
    """Make and unmake all candidates. Return how many are legal, and the cycles."""
    legal = cycles = 0
    candidates = unit.candidates()
    while found := next(candidates, None):
        cycles += unit.last_cycles
        place = {"x": found.turn__x, "y": found.turn__y, "symbol": found.turn__symbol}
        is_legal = unit.do(TurnOp.MAKE, **place).status == Status.LEGAL.value
        cycles += unit.last_cycles
        if is_legal:
            unit.unmake()
            cycles += unit.last_cycles
            legal += 1
    return legal, cycles + unit.last_cycles


def main(words: Sequence[str] | None = None) -> int:
    """Run with these arguments and return the exit status."""
    parser = Parser(
        prog="loopline bench count",
        description=__doc__,
        examples=["loopline bench count --clock 60 --json"],
    )
    add_positions(parser)
    parser.add_value(
        "--clock",
        decimal_number(0.001, 10_000),
        "the gateware's clock",
        default=60.0,
        metavar="MHZ",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(words)
    with closing(NativeEvaluator()) as unit:
        found = count_all(unit, options.positions)
    rates = found.per_second(options.clock * 1e6)
    if options.json:
        print(json.dumps({**found._asdict(), "candidates_per_second": rates}))
        return int(found.wrong > 0)
    print(
        f"{found.positions} positions, {found.candidates} candidates, {found.legal} legal turns; "
        f"{found.wrong} positions counted wrong"
    )
    each = {
        "evaluator": f"{found.evaluator / found.candidates:.2f} cycles",
        "turn_unit": f"{found.turn_unit / found.candidates:.2f} cycles",
        "engine": f"{found.engine / found.candidates * 1e9:.0f} ns",
    }
    for name, rate in rates.items():
        factor = rates["evaluator"] / rate
        print(
            f"{name:9} {each[name]:>13} for a candidate, {rate / 1e6:6.2f} million "
            f"in a second; the evaluator is {factor:.1f} times as fast"
        )
    print(f"at {options.clock:g} MHz, and with one core of this machine")
    return int(found.wrong > 0)
