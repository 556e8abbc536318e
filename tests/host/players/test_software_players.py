"""The players that are part of the program, over whole games in every variant."""

from __future__ import annotations

import random

import pytest

from loopline.game import VARIANTS, Colour, Position, Variant, answers, attacks
from loopline.host.players.software import SOFTWARE, GreedyPlayer, RandomPlayer
from loopline.host.players.spec import PlayerOpener
from loopline.host.referee.referee import PlayedGame, play_game

KINDS = sorted(SOFTWARE)


def game(white: str, red: str, variant: Variant, opening: int = 0, limit: int = 40) -> PlayedGame:
    """A game of at most so many turns after a few turns of any kind."""
    position, chance = Position(variant), random.Random(opening)
    while position.turns < opening:
        position.play(chance.choice(position.legal_turns()))
        assert position.ending is None
    turns = [played.turn for played in position.history]
    players = PlayerOpener(variant=variant).open(white), PlayerOpener(variant=variant).open(red)
    return play_game(*players, variant=variant, opening=turns, limit=limit)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_every_turn_is_legal(kind: str, variant: Variant) -> None:
    for opening in range(3):
        for white, red in ((kind, "random:1"), ("random:2", kind)):
            ending = game(white, red, variant, opening).ending
            assert ending.on_the_board or ending.reason == "turn limit"


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_gives_the_same_games(kind: str) -> None:
    def turns(seed: int) -> list[str]:
        played = game(f"{kind}:{seed}", f"{kind}:{seed + 1}", VARIANTS["standard"], limit=10)
        return [str(turn.turn) for turn in played.position.history]

    assert turns(1) == turns(1)
    assert len({tuple(turns(seed)) for seed in range(6)}) > 1


def test_names() -> None:
    assert [SOFTWARE[kind](7).name for kind in KINDS] == [f"{kind}:7" for kind in KINDS]
    assert RandomPlayer().name == "random"


def test_random_likes_all_turns_equally() -> None:
    player, position = RandomPlayer(5), Position()
    chosen = [str(player.choose(position)) for _ in range(2000)]
    assert set(chosen) == {"@0/", "@0+"}
    # Five standard deviations.
    assert abs(chosen.count("@0/") - 1000) < 112


def test_greedy_wins_if_it_can_and_answers_attacks_if_it_can() -> None:
    player, chance = GreedyPlayer(3), random.Random(8)
    won = answered = 0
    while won < 2 or answered < 2:
        position = Position()
        while position.turns < 12 and not position.ending:
            position.play(chance.choice(position.legal_turns()))
        if position.ending:
            continue
        mover = position.to_move
        own, good = attacks(position, mover), answers(position)
        turn = player.choose(position, 60.0)
        if own:
            won += 1
            assert any(turn in attack.turns for attack in own)
        elif good:
            answered += 1
            assert turn in good


def test_greedy_attacks() -> None:
    """More often than not where nothing else is to be done, and much more often than chance."""
    player, chance = GreedyPlayer(1), random.Random(4)
    made, by_chance, positions = 0, 0, 0
    while positions < 20:
        position = Position()
        while position.turns < 8 and not position.ending:
            position.play(chance.choice(position.legal_turns()))
        mover = position.to_move
        if position.ending or attacks(position, Colour.WHITE) or attacks(position, Colour.RED):
            continue
        positions += 1
        for chooser in (player, RandomPlayer(positions)):
            position.play(chooser.choose(position))
            attacking = position.ending is None and bool(attacks(position, mover))
            made += attacking and chooser is player
            by_chance += attacking and chooser is not player
            position.undo()
    assert made > 10
    assert made > 2 * by_chance
