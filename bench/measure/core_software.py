"""The candidates of games judged on this machine's processor, in one thread."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from loopline.bench.measure.candidates import judged_by_model, replay
from loopline.bench.measure.recorded import RecordedGame
from loopline.bench.software.software import SoftwarePosition
from loopline.game import Shape
from loopline.game.board import Board
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status

__all__ = ["DifferenceError", "Speed", "compare_software"]

_SECONDS = 1.0
"""For how long the fast one does it all over and over; the best time counts."""


class DifferenceError(Exception):
    """The software that is to be compared with is wrong itself."""


class Speed(NamedTuple):
    """Candidates per second by the model and with numba; ``candidates`` is how many were judged."""

    candidates: int
    model: float
    numba: float


def compare_software(games: Sequence[RecordedGame], grid: GridConfig) -> Speed:
    """Judge all candidates of all positions of these games with both, one after the other.

    As the trials do on this grid: turns for which it has no room are out of bounds.

    The time is this thread's: that for the candidates alone with the model, and with numba also
    that for the turns in between. Raises :exc:`DifferenceError` if they do not find the same.
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
        judged = judged_by_model(board, grid)
        seconds += time.thread_time() - start
        candidates += len(judged)
        tiles += sum(said.tiles for said in judged.values() if said.status is Status.LEGAL)

    for game in games:
        turns.append([])
        replay(game, visit, make)

    position = SoftwarePosition(limit=grid.limit)
    position.judge_game(position.prepare([]))  # compiled now, or loaded, and not timed
    prepared = [position.prepare(game) for game in turns]
    best, spent = float("inf"), 0.0
    while spent < _SECONDS:
        start = time.thread_time()
        found = [position.judge_game(game) for game in prepared]
        best, spent = min(best, time.thread_time() - start), spent + time.thread_time() - start
        sums = sum(count for count, _ in found), sum(laid for _, laid in found)
        if sums != (candidates, tiles):
            expected = candidates, tiles
            raise DifferenceError(f"numba counts {sums} candidates and tiles, not {expected}")
    return Speed(candidates, candidates / seconds, candidates / best)
