"""The variants as the slow implementation in ``naive.py`` takes them."""

from __future__ import annotations

from loopline.game import Position, Variant
from tests.game.rules.naive import Game
from tests.game.shared_games import outcome_of

RULES: dict[str, tuple[int | None, int | None, bool]] = {
    "standard": (None, 8, False),
    "limited": (8, 8, False),
    "limited-4": (4, 8, False),
    "limited-10": (10, 8, False),
    "deluxe": (8, 8, True),
    "loop": (None, None, False),
    "mini": (3, None, False),
}
"""Rows and columns, length of a line, and whether both on one turn are a draw."""


def naive_game(variant: str | Variant) -> Game:
    """An empty board of the slow implementation."""
    return Game(*RULES[str(variant)])


def naive_outcome(game: Game, mover: str) -> str:
    """The end as the data files write it; ``mover``, ``W`` or ``R``, has made the last turn."""
    completed = {colour.upper() for colour in game.loops | game.lines}
    if game.drawn:
        return "draw:both" if completed else "draw:blocked"
    if not completed:
        return "-"
    winner = mover if mover in completed else ("W" if mover == "R" else "R")
    kinds = [
        kind
        for kind, colours in (("loop", game.loops), ("line", game.lines))
        if winner.lower() in colours
    ]
    return f"{winner}:{'+'.join(kinds)}{':both' * (len(completed) == 2)}"


def outcome(position: Position) -> str:
    """The end as the data files write it, as ``naive_outcome`` does."""
    return f"draw:{position.draw.reason}" if position.draw else outcome_of(position) or "-"
