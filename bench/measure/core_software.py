"""The candidates of games evaluated on this machine's processor, in one thread."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from loopline.bench.measure.candidates import evaluate_position, visit_positions
from loopline.bench.measure.recorded import RecordedGame
from loopline.bench.software.software import SoftwarePosition
from loopline.game import Shape
from loopline.game.board import Board
from loopline.hdl.config import GridConfig

__all__ = ["DifferenceError", "Speed", "compare_software"]

_SECONDS = 1.0
"""Seconds for which numba's work is repeated; the best time counts."""


class DifferenceError(Exception):
    """Numba and the rules find different numbers."""


class Speed(NamedTuple):
    """Candidates per second by the rules and with numba, and the number of candidates."""

    candidates: int
    rules: float
    numba: float


def compare_software(games: Sequence[RecordedGame], grid: GridConfig) -> Speed:
    """Evaluate all candidates of all positions of these games by the rules and with numba.

    As on the gateware, turns for which the grid has no room are out of bounds. The time is this
    thread's: of the rules for candidates alone, of numba for the games' turns, too. Raises
    :exc:`DifferenceError` if the sums of both differ.
    """
    seconds, candidates, tiles = 0.0, 0, 0
    turns: list[list[tuple[int, int, Shape]]] = []

    def make(x: int, y: int, shape: Shape) -> bool:
        turns[-1].append((x, y, shape))
        # Only first tiles make the formation larger.
        extents = (max(line) - min(line) + 1 for line in list(zip(*turns[-1], strict=True))[:2])
        return max(extents) <= grid.limit

    def visit(board: Board, _number: int) -> None:
        nonlocal seconds, candidates, tiles
        start = time.thread_time()
        evaluations = evaluate_position(board, grid)
        seconds += time.thread_time() - start
        candidates += len(evaluations)
        tiles += sum(evaluation.tiles for evaluation in evaluations.values())

    for game in games:
        turns.append([])
        visit_positions(game, visit, make)

    position = SoftwarePosition(limit=grid.limit)
    position.evaluate_game(position.prepare([]))  # Compiles or loads it before the time is taken.
    prepared = [position.prepare(game) for game in turns]
    best, spent = float("inf"), 0.0
    while spent < _SECONDS:
        start = time.thread_time()
        found = [position.evaluate_game(game) for game in prepared]
        best, spent = min(best, time.thread_time() - start), spent + time.thread_time() - start
        sums = sum(count for count, _ in found), sum(laid for _, laid in found)
        if sums != (candidates, tiles):
            expected = candidates, tiles
            raise DifferenceError(f"numba counts {sums} candidates and tiles, not {expected}")
    return Speed(candidates, candidates / seconds, candidates / best)
