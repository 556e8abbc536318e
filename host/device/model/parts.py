"""The self-test of the model device: the parts that there are without hardware."""

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
"""A game with the tiles of each turn and what it completes: a loop around one corner."""


def run_parts() -> tuple[TestPart, TestPart]:
    """The parts that were tested, and those that have failed."""
    parts = {TestPart.CLEARED: _cleared, TestPart.TURNS: _turns, TestPart.UNMAKE: _undo}
    tested = failed = TestPart(0)
    for part, passes in parts.items():
        tested |= part
        failed |= TestPart(0) if passes() else part
    return tested, failed


def _cleared() -> bool:
    return _is_empty(Position())


def _turns() -> bool:
    position = Position()
    found = [position.play(turn) for turn, _, _ in _TURNS]
    return [(len(played.tiles), completed_by(played)) for played in found] == [
        (tiles, completed) for _, tiles, completed in _TURNS
    ]


def _undo() -> bool:
    position = Position()
    for turn, _, _ in _TURNS:
        position.play(turn)
    for _ in _TURNS:
        position.undo()
    return _is_empty(position)


def _is_empty(position: Position) -> bool:
    return not position.tiles and not position.frontier() and not position.history
