"""Every game and position of ``shared/games``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from loopline.game import (
    LOOP,
    STANDARD,
    ColourMismatchError,
    ForcedPlayError,
    Position,
    Shape,
    Turn,
    play_game,
)
from tests.game.positions import play_as_far_as_it_goes
from tests.game.shared_games import human_games, known_positions, outcome_of, random_games


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_random_games(step: int) -> None:
    checked = 0
    games = random_games()
    assert len(games) > 500
    for game in games[::step]:
        position = play_game(game.moves)
        assert outcome_of(position) == game.outcome, game
        assert (position.turns, position.tiles) == (game.turns, game.tiles), game
        assert position.count_legal_turns() == game.legal_count, game
        assert sorted(map(str, position.legal_turns())) == game.legal, game
        if not position.result:
            assert illegal_placements(position) == game.illegal, game
            checked += len(game.illegal)
    assert checked > 500 / step


def illegal_placements(position: Position) -> list[str]:
    """What fits but is illegal because of a forced play, sorted as text."""
    illegal = []
    for x, y in position.frontier():
        for shape in Shape:
            turn = Turn(*position.label(x, y), shape)
            try:
                position.play(turn)
            except ForcedPlayError:
                illegal.append(str(turn))
            except ColourMismatchError:
                continue
            else:
                position.undo()
    return sorted(illegal)


def test_human_games() -> None:
    games = human_games()
    assert {game.variant for game in games} >= {"Trax", "Loop Trax", "8x8 Trax"}
    for game in games:
        position = play_game(game.moves, LOOP if game.variant == "Loop Trax" else STANDARD)
        assert outcome_of(position) == game.outcome, game
        assert (position.turns, position.tiles) == (game.turns, game.tiles), game


def test_known_positions() -> None:
    positions = known_positions()
    assert any(known.illegal_turn for known in positions)
    for known in positions:
        position, error = play_as_far_as_it_goes(known.moves, known.variant)
        assert outcome_of(position) == known.outcome, known
        if known.illegal_turn:
            assert isinstance(error, ForcedPlayError), known
            assert position.turns == known.illegal_turn - 1, known
        else:
            assert error is None, known
            assert position.tiles == known.tiles, known
            assert position.turns == len(known.moves), known


@pytest.mark.parametrize("read", [random_games, human_games, known_positions])
def test_a_missing_file_is_skipped_but_not_in_ci(
    read: Callable[[], object], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tests.game.shared_games.FOLDER", tmp_path)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="is missing"):
        read()
    monkeypatch.delenv("CI")
    with pytest.raises(pytest.skip.Exception, match="beside the repository"):
        read()
