"""Positions with a corridor: spaces in a row between two walls, filled by one turn.

::

    ▓▓▓▓▓
    ▓   ▓▓▓▓▓▓▓▓▓▓
    ▓     corridor     ◄── a tile here forces all that lies to its left
    ▓   ▓▓▓▓▓▓▓▓▓▓
    ▓▓▓▓▓

In the corridor each space has a white and a red socket; a third one from the side forces it.
"""

from __future__ import annotations

import random

from loopline.game import IllegalTurnError, Position, Shape, Turn

__all__ = ["corridor"]


def corridor(length: int, *, down: bool = False, seed: int = 0) -> list[Turn]:
    """Turns, each of one tile, to a corridor of this length, which goes across or ``down``."""
    upper = [(x, -1) for x in range(length, -1, -1)]
    room = [(x, -2) for x in range(0, -5, -1)]
    room += [(-4, y) for y in (-1, 0, 1)] + [(x, 2) for x in range(-4, 1)]
    lower = [(x, 1) for x in range(length + 1)]
    cells = upper + room + lower
    first = cells[0]
    cells = [(x - first[0], y - first[1]) for x, y in cells]
    if down:
        cells = [(y, x) for x, y in cells]
    rng, position = random.Random(seed), Position()

    def build(number: int) -> bool:
        """Lay the tiles from this one on so that nothing is forced; whether that can be done."""
        if number == len(cells):
            return True
        for shape in rng.sample(list(Shape), 3):
            turn = Turn(*position.label(*cells[number]), shape) if number else Turn(0, 0, shape)
            try:
                played = position.play(turn)
            except IllegalTurnError:
                continue
            if len(played.tiles) == 1 and not position.ending and build(number + 1):
                return True
            position.undo()
        return False

    if not build(0):
        raise ValueError(f"no corridor of length {length} for seed {seed}")
    return [played.turn for played in position.history]
