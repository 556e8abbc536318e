"""The parts that ``SELF_TEST`` tests: those of a board that software has, too."""

from __future__ import annotations

from typing import Final

from loopline.game import Position
from loopline.game.wire import Completed, TestPart, completed_by

__all__ = ["run_parts"]

_TURNS: Final = (
    ("@0+", 1, Completed(0)),
    ("@1+", 1, Completed(0)),
    ("A0/", 2, Completed(0)),
    ("A3\\", 2, Completed.WHITE_LOOP),
)
"""A game, with the tiles of each turn and what it completes: a loop around one corner."""


def run_parts() -> tuple[TestPart, TestPart]:
    """Return the parts that were tested, and those that failed."""
    position = Position()
    passed = {TestPart.CLEARED: _is_empty(position)}
    played = [position.play(turn) for turn, _, _ in _TURNS]
    passed[TestPart.TURNS] = [(len(each.tiles), completed_by(each)) for each in played] == [
        (tiles, completed) for _, tiles, completed in _TURNS
    ]
    for _ in _TURNS:
        position.undo()
    passed[TestPart.UNMAKE] = _is_empty(position)
    tested = failed = TestPart(0)
    for part, good in passed.items():
        tested |= part
        failed |= TestPart(0) if good else part
    return tested, failed


def _is_empty(position: Position) -> bool:
    return not position.tiles and not position.frontier() and not position.history
