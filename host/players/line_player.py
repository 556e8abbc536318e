"""A player behind a line on which the contest's protocol is spoken."""

from __future__ import annotations

import time
from collections.abc import Sequence

from loopline.game import STANDARD, Colour, Position, Turn, Variant, format_turn, parse_turn
from loopline.host.link import ContestDevice
from loopline.host.players.base import UnfitError

__all__ = ["LinePlayer"]


class LinePlayer:
    """A contest player as a :class:`Player`."""

    def __init__(self, device: ContestDevice, variant: Variant = STANDARD) -> None:
        self.device = device
        self._variant = variant
        self._since = time.monotonic()

    @property
    def name(self) -> str:
        """How to call the player in a message."""
        return self.device.name

    def start(
        self, colour: Colour, variant: Variant = STANDARD, opening: Sequence[Turn] = ()
    ) -> None:
        """Begin a new game."""
        if variant != self._variant:
            raise UnfitError(f"{self.name} plays {self._variant}, not {variant}")
        if opening:
            raise UnfitError(f"{self.name} cannot begin after an opening")
        self.device.new_game(colour is Colour.WHITE)
        self._since = time.monotonic()

    def hear(self, turn: Turn) -> None:
        """Forward the opponent's turn."""
        self.device.send_turn(format_turn(turn))
        self._since = time.monotonic()

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        """Wait for the player's turn."""
        if seconds is not None:
            seconds = max(0.0, self._since + seconds - time.monotonic())
        return parse_turn(self.device.read_turn(seconds))

    def close(self) -> None:
        """Close the line, and end what is behind it if it is ours."""
        self.device.close()
