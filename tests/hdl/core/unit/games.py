"""Games by the rules for the tests of the core, in coordinates: the first tile is at (0, 0)."""

from __future__ import annotations

import random
from typing import NamedTuple

from loopline.game import STANDARD, Played, Position, Shape, Turn, Variant
from loopline.hdl.core.types import Status
from loopline.sim.probe.turn_unit import colour_mask

__all__ = ["CROWDED", "Start", "after", "check_made", "random_turns", "start_of"]

CROWDED = "@0/ B1+ C1/ C2\\ @1+ A2/ A3/ D3\\"
"""After these turns ``B3\\`` forces a play that cannot be made."""


class Start(NamedTuple):
    """The first tile of a turn, in coordinates of the plane."""

    x: int
    y: int
    shape: Shape


def start_of(position: Position, turn: Turn) -> Start:
    """Where a turn begins; the first of all at (0, 0)."""
    x, y = position.locate(turn) if position.turns else (0, 0)
    return Start(x, y, turn.shape)


def check_made(outcome, played: Played) -> None:
    """Compare the outcome of a turn that was made with the rules."""
    found = Status(outcome.status), outcome.tiles, outcome.loops, outcome.lines
    loops, lines = colour_mask(played.loops), colour_mask(played.lines)
    assert found == (Status.LEGAL, len(played.tiles), loops, lines)


def after(turns: str) -> Position:
    """The position after some turns."""
    position = Position()
    for turn in turns.split():
        position.play(turn)
    return position


def random_turns(
    seed: int, *, most: int, limit: int, finish: bool = True, variant: Variant = STANDARD
) -> list[Turn]:
    """A random game of at most so many turns that fits a formation's limit.

    Every other game grows towards one corner. Without ``finish`` turns that end the game are
    avoided where there are others.
    """
    rng = random.Random(seed)
    position, turns = Position(variant), []
    corner = rng.choice([None, (0, 0), (99, 0), (0, 99), (99, 99)]) if seed % 2 else None
    while len(turns) < most and not position.ending:
        choice = position.legal_turns()
        rng.shuffle(choice)
        if corner:
            choice.sort(
                key=lambda turn: (
                    abs(turn.column - corner[0]) + abs(turn.row - corner[1])
                    if rng.random() < 0.5
                    else rng.randrange(20)
                )
            )
        for turn in choice:
            position.play(turn)
            too_large = max(position.width, position.height) > limit
            if not too_large and (finish or not position.ending):
                turns.append(turn)
                break
            position.undo()
        else:
            break
    return turns
