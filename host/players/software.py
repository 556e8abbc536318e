"""Players that are part of the program: no board, no other process, every variant."""

from __future__ import annotations

import random
from collections.abc import Sequence

from loopline.game import STANDARD, Colour, Position, Turn, Variant

__all__ = ["RandomPlayer"]


class RandomPlayer:
    """Makes any legal turn, each equally likely.

    Parameters
    ----------
    seed : int or None
        With the same seed it makes the same turns, in all the games that it plays one after the
        other; none for turns that nobody can foretell.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed
        self._random = random.Random(seed)

    @property
    def name(self) -> str:
        """``random``, with the seed if it was given."""
        return "random" if self._seed is None else f"random:{self._seed}"

    def start(
        self, colour: Colour, variant: Variant = STANDARD, opening: Sequence[Turn] = ()
    ) -> None:
        """Begin a new game: there is nothing to prepare."""

    def hear(self, turn: Turn) -> None:
        """Take note of nothing: the position says it all."""

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        """Return any legal turn, at once."""
        return self._random.choice(position.legal_turns())

    def close(self) -> None:
        """Nothing to close."""
