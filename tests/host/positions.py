"""Games, positions and records for the tests of the host."""

from __future__ import annotations

import random
from pathlib import Path

from loopline.game import STANDARD, GameRecord, Position, Variant, play_game, read_records

FORCED_GAME = "@0+ B1+ B2/"
"""The last turn forces one tile."""

ORDERED_GAME = "@0+ B1\\ C1\\ B0\\ D2/ A3/ @1/ C4\\ E3\\ C5\\ C0\\"
"""The last turn forces several tiles. Both players attack, and red has an L threat."""

WON_GAME = "@0/ B1\\ A2\\"
"""Red wins by a loop."""

LOOP_GAME = "@0+ @1+ C1\\ C2\\ B3\\ D2+ B0/ C4+ C5\\ D4\\ E4\\ D5+"
BOTH_GAME = "@0/ A0\\ B1\\ B3/ A3/ @3\\ B0\\ A3+ @3\\ A2/"
"""Both players complete a loop with the last turn."""

LINE_GAME = "@0/ A2+ B2\\ C2/ A0+ B4\\ @2+ A3/ E3/ @4\\ G3/ @3/ D0+ B6+ F3+ F2/ A7/ F0/ D8\\"
WIDE_GAME = "@0+ B1+ C1+ D1+ E1+ F1+ G1+" + " @1\\ @1/" * 11


def position_after(text: str, variant: Variant = STANDARD) -> Position:
    """Return the position after some turns in notation."""
    return play_game(text.split(), variant)


def random_position(seed: int, turns: int, variant: Variant = STANDARD) -> Position:
    """Return a position of a random game, which may be over."""
    choice = random.Random(seed)
    position = Position(variant)
    while position.turns < turns and not position.ending:
        position.play(choice.choice(position.legal_turns()))
    return position


def records_of(path: Path) -> list[GameRecord]:
    """Return the games of a file of records."""
    return list(read_records(path.read_text(encoding="utf-8-sig").splitlines()))
