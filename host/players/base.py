"""What every player can do, whatever it is and wherever it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from loopline.game import STANDARD, Colour, Position, Turn, Variant
from loopline.host.errors import UsageError

__all__ = ["Player", "ResignError", "UnfitError"]


class UnfitError(UsageError):
    """The player cannot play what it is asked to: this variant, or this opening."""


class ResignError(Exception):
    """The player resigns instead of making a turn."""


class Player(Protocol):
    """Somebody who plays one colour of one game at a time, and any number of games.

    A referee calls :meth:`start`, then :meth:`choose` when this player is to move and :meth:`hear`
    after each turn of the opponent. What a player does wrong is a :exc:`DeviceError`; after one
    the player may be started again, or closed.
    """

    @property
    def name(self) -> str:
        """How to call the player in a message and in a record."""

    def start(
        self, colour: Colour, variant: Variant = STANDARD, opening: Sequence[Turn] = ()
    ) -> None:
        """Begin a new game after the turns of the opening; whatever was going on is dropped.

        Raises
        ------
        UnfitError
            If this player cannot play the variant, or cannot begin after an opening.
        DeviceError
            If the player does not take part.
        """

    def hear(self, turn: Turn) -> None:
        """Take note of the opponent's turn, the one that ends the game included."""

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        """Return the next turn; called when the game is open and this player is to move.

        Parameters
        ----------
        position : Position
            The game so far. The player may make turns on it if it takes them back.
        seconds : float or None
            How long it may take, from the moment at which the player has been told the last turn
            to that at which its answer is complete. None: as long as this kind of player usually
            may.

        Raises
        ------
        DeviceSilentError
            If there is no answer in time.
        DeviceGoneError
            If the player has died, or hung up.
        DeviceFloodError
            If it sends more than any answer can hold.
        DeviceTalkError
            If the answer is no turn.
        ResignError
            If the player gives up.
        """

    def close(self) -> None:
        """End the player. Never hangs, never raises; closing twice does nothing more."""
