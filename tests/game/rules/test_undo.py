"""Taking turns back, and copies."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from loopline.game import Position
from tests.game.strategies import examples, games


def state(position: Position) -> dict[str, Any]:
    """Everything that a position knows, the inside included."""
    board = vars(position._board)
    return {
        "lines": position.lines,
        "history": position.history,
        "cells": list(position.cells()),
        "sockets": dict(board["sockets"]),
        "box": board["box"],
        "partner": dict(vars(board["_ends"])["_partner"]),
        "legal": position.legal_turns(),
    }


@examples(60)
@given(games())
def test_every_turn_taken_back_leaves_the_state_before_it(end: Position) -> None:
    position = Position()
    before = []
    for played in end.history:
        before.append(state(position))
        assert position.play(played.turn) == played
    assert state(position) == state(end)
    for played, expected in zip(reversed(end.history), reversed(before), strict=True):
        assert position.undo() == played
        assert state(position) == expected
    assert state(position) == state(Position())


@examples(60)
@given(games(longest=20, finished=False))
def test_every_legal_turn_can_be_tried(position: Position) -> None:
    before = state(position)
    for turn in position.legal_turns():
        position.play(turn)
        position.undo()
    assert state(position) == before


@examples(60)
@given(games(longest=20), st.integers(0, 20), st.integers(0, 999))
def test_a_copy_goes_its_own_way(position: Position, back: int, choice: int) -> None:
    before = state(position)
    copy = position.copy()
    assert state(copy) == before
    for _ in range(min(back, copy.turns)):
        copy.undo()
    turns = copy.legal_turns()
    if turns:
        copy.play(turns[choice % len(turns)])
    assert state(position) == before
    after = state(copy)
    while position.turns:
        position.undo()
    assert state(copy) == after
    assert copy.lines == position.lines
