"""The game against an implementation that shares nothing with it, on random games."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopline.game import Colour, ForcedPlayError, IllegalTurnError, Position, Side, play_game
from tests.game.rules.naive import Game, name_of
from tests.game.shared_games import random_games
from tests.game.strategies import examples, games

LETTERS = {Colour.WHITE: "w", Colour.RED: "r"}


def board_of(position: Position) -> dict[tuple[int, int], dict[str, str]]:
    return {
        (x, y): {side.name[0]: LETTERS[tile.colour(side)] for side in Side}
        for x, y, tile in position.cells()
    }


def assert_same_turns(position: Position, game: Game) -> None:
    """The same legal turns, and the same ones illegal because of a forced play."""
    placements = game.legal()
    assert sorted(map(str, position.legal_turns())) == sorted(
        text for text, allowed in placements.items() if allowed
    )
    assert position.count_legal_turns() == sum(placements.values())
    for text, allowed in placements.items():
        assert position.is_legal(text) == allowed
        if not allowed:
            with pytest.raises(ForcedPlayError):
                position.play(text)


@examples(60)
@given(games(), st.randoms(use_true_random=False))
def test_whole_games_agree_whatever_the_order_of_forced_plays(
    end: Position, order: random.Random
) -> None:
    position, game = Position(), Game()
    for played in end.history:
        text = str(played.turn)
        position.play(text)
        filled = game.play(text, order)
        assert {(x, y) for x, y, _ in position.history[-1].tiles} == filled
        assert board_of(position) == game.board
        assert {LETTERS[c] for c in position.history[-1].loops} == game.loops
        assert {LETTERS[c] for c in position.history[-1].lines} == game.lines
        assert (position.west, position.north, position.east, position.south) == game.limits()
        assert position.frontier() == game.frontier()
        for x, y in position.frontier():
            sockets = {s.name[0]: LETTERS[c] for s, c in position.sockets(x, y).items()}
            assert sockets == game.sockets(x, y)
    assert_same_turns(position, game)


@examples(80)
@given(games(longest=25), st.integers(0, 999), st.integers(0, 999), st.sampled_from("+/\\"))
def test_any_turn_is_refused_for_the_same_reason(
    position: Position, column: int, row: int, shape: str
) -> None:
    game = Game()
    for played in position.history:
        game.play(str(played.turn))
    # In the formation or beside it, and one space farther to the east and the south.
    text = f"{name_of(column % (position.width + 3))}{row % (position.height + 3)}{shape}"
    reasons = {
        "over": "GameOverError",
        "first": "FirstTurnError",
        "occupied": "OccupiedError",
        "not adjacent": "NotAdjacentError",
        "mismatch": "ColourMismatchError",
        "forced": "ForcedPlayError",
    }
    reason = game.refusal(text)
    if reason is None:
        position.play(text)
    else:
        with pytest.raises(IllegalTurnError) as caught:
            position.play(text)
        assert type(caught.value).__name__ == reasons[reason]


def test_illegal_turns_of_the_shared_games_agree() -> None:
    checked = 0
    for number, record in enumerate(random_games()):
        if record.illegal and number % 20 == 0:
            position, game = play_game(record.moves), Game()
            for text in record.moves:
                game.play(text)
            assert_same_turns(position, game)
            checked += len(record.illegal)
    assert checked > 20
