"""Games for devices."""

from __future__ import annotations

import random

from loopline.game import Position, Variant

LOOP_GAME = "@0+ @1+ A0/ A3\\".split()


def random_game(variant: Variant, turns: int, seed: int) -> Position:
    """A game of random turns, taken back where one would end it."""
    chance = random.Random(seed)
    position = Position(variant)
    while position.turns < turns:
        position.play(chance.choice(position.legal_turns()))
        if position.ending:
            position.undo()
            if position.turns > 3:
                position.undo()
    return position


def turns_of(position: Position) -> list[str]:
    return [str(played.turn) for played in position.history]
