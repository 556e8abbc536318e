"""The interface of all players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from loopline.game import STANDARD, Colour, Position, Turn, Variant
from loopline.host.errors import UsageError

__all__ = ["Player", "ResignError", "UnfitError"]


class UnfitError(UsageError):
    """The player cannot play this variant, or after this opening."""


class ResignError(Exception):
    """The player resigns instead of making a turn."""


class Player(Protocol):
    """A program, a board or a person that plays one colour of one game at a time.

    A referee calls :meth:`start`, then :meth:`choose` when this player is to move and :meth:`hear`
    after each turn of the opponent. A player's failure raises a :exc:`DeviceError`; afterwards the
    player can be started again, or closed.
    """

    @property
    def name(self) -> str:
        """The player's name in messages and records."""

    def start(
        self, colour: Colour, variant: Variant = STANDARD, opening: Sequence[Turn] = ()
    ) -> None:
        """Begin a new game after the turns of the opening; drop any other game.

        Raises
        ------
        UnfitError
            If this player cannot play the variant, or cannot begin after an opening.
        DeviceError
            If the player fails.
        """

    def hear(self, turn: Turn) -> None:
        """Take note of the opponent's turn, the one that ends the game included."""

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        """Return the next turn; called when the game is open and this player is to move.

        Parameters
        ----------
        position : Position
            The game so far. The player may make turns on it, and has to take them back.
        seconds : float or None
            The time limit, from the moment at which the player hears the last turn to the one at
            which its answer is complete. None: the usual limit of this kind of player.

        Raises
        ------
        DeviceSilentError
            If there is no answer in time.
        DeviceGoneError
            If the player has died, or hung up.
        DeviceFloodError
            If it sends more than any answer can hold.
        DeviceTalkError
            If the answer is not a turn.
        ResignError
            If the player resigns.
        """

    def close(self) -> None:
        """End the player. Never hangs, never raises; a second call does nothing."""
