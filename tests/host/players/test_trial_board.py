"""The quick search for turns that complete something, against making every turn."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

from loopline.game import (
    LIMITED,
    LOOP,
    MINI,
    STANDARD,
    VARIANTS,
    Colour,
    Position,
    Turn,
    Variant,
    open_tracks,
)
from loopline.game.grid import coordinates
from loopline.host.players.trial_board import TrialBoard
from tests.game.strategies import STYLES, examples, games, preferred


def completing(position: Position) -> dict[Turn, tuple[frozenset[Colour], frozenset[Colour]]]:
    """Every turn that completes a loop or a line, by making all of them."""
    found = {}
    for turn in position.legal_turns():
        played = position.play(turn)
        position.undo()
        if played.loops or played.lines:
            found[turn] = (played.loops, played.lines)
    return found


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("variant", [STANDARD, LIMITED, LOOP, MINI], ids=str)
def test_finds_what_completes_something(variant: Variant, style: str) -> None:
    chance = random.Random(style)
    seen = 0
    for _ in range(4 if variant is MINI else 2):
        position = Position(variant)
        while position.turns < 25:
            expected = completing(position)
            trial = TrialBoard(position)
            chains = trial.chains()
            assert set(map(trial.turn, chains)) == set(position.legal_turns())
            assert len(chains) == position.count_legal_turns()
            found = {trial.turn(chain): tuple(done) for chain, done in trial.completions(chains)}
            assert found == expected
            seen += len(found)
            # The game goes on as long as it can, for many threats and long formations.
            turns = [turn for turn in preferred(position, style) if turn not in expected]
            if not turns:
                break
            position.play(chance.choice(turns))
            if position.ending:
                break
    assert seen > 0


@examples(15)
@given(position=games(variant=VARIANTS["deluxe"], finished=False))
def test_winners_are_those_of_the_game(position: Position) -> None:
    trial = TrialBoard(position)
    for chain, completed in trial.completions(trial.chains()):
        result = position.play(trial.turn(chain)).result
        position.undo()
        winner = trial.winner(completed, position.to_move)
        assert winner is (result.winner if result else None)


@examples(15)
@given(position=games(finished=False))
def test_a_turn_made_and_taken_back_leaves_nothing(position: Position) -> None:
    trial = TrialBoard(position)
    tiles, sockets, box = dict(trial.board.tiles), dict(trial.board.sockets), trial.board.box
    tracks = set(trial.board.open_tracks())
    for chain in trial.chains():
        trial.lay(chain)
        assert trial.board.tiles != tiles
        trial.lift(chain)
    assert (trial.board.tiles, trial.board.sockets, trial.board.box) == (tiles, sockets, box)
    assert set(trial.board.open_tracks()) == tracks


@examples(15)
@given(position=games(finished=False))
def test_open_tracks_are_those_that_can_be_followed(position: Position) -> None:
    found = {
        (colour, frozenset({(*coordinates(one), one & 3), (*coordinates(other), other & 3)}))
        for colour, one, other in TrialBoard(position).board.open_tracks()
    }
    assert found == {(track.colour, frozenset(track.ends)) for track in open_tracks(position)}


def test_a_turn_is_found_again_only_while_it_is_legal() -> None:
    position = Position()
    position.play("@0/")
    trial = TrialBoard(position)
    for chain in trial.chains():
        assert trial.again(chain) == [chain]
        trial.lay(chain)
        assert trial.again(chain) == []
        trial.lift(chain)
    assert trial.again(None) == []


def test_a_turn_outside_the_area_is_not_found_again() -> None:
    wide = Position(VARIANTS["mini"])
    wide.play("@0/")
    trial = TrialBoard(wide)
    [east] = [chain for chain in trial.chains() if str(trial.turn(chain)) == "B1+"]
    wide.play("@1+")
    wide.play("@1+")
    assert TrialBoard(wide).again(east) == []
