"""A contest player, or a device of ours, as a player."""

from __future__ import annotations

import time
from collections.abc import Sequence

from loopline.game import STANDARD, Colour, Position, Turn, Variant, format_turn
from loopline.host.contest.link import ContestDevice
from loopline.host.players.base import UnfitError
from loopline.host.transport.transport import remarking

__all__ = ["LinePlayer"]


class LinePlayer:
    """Whoever speaks the contest's protocol, as a :class:`~loopline.host.players.base.Player`.

    A game is made ready by :meth:`start`, but the line that makes the player think, ``-W`` for
    one, goes out when its time begins to run.

    Parameters
    ----------
    device : ContestDevice
        The player, reachable; closed with this.
    variant : Variant
        What it plays: the protocol has no way to say it.
    code : bool
        Whether it is asked for its code before each game, which also tells that it listens.
    """

    def __init__(
        self, device: ContestDevice, variant: Variant = STANDARD, *, code: bool = True
    ) -> None:
        self.device = device
        self._variant = variant
        self._code: str | None = None
        if code:
            with remarking(device.transport):
                self._code = device.identify()
        self._go: str | None = None
        self._go_after_hearing = False
        self._since = time.monotonic()

    @property
    def name(self) -> str:
        """The device, with its code if it was asked for it."""
        return f"{self.device.name} ({self._code})" if self._code else self.device.name

    @property
    def code(self) -> str | None:
        """The two characters that the player calls itself; None if it was not asked."""
        return self._code

    def start(
        self, colour: Colour, variant: Variant = STANDARD, opening: Sequence[Turn] = ()
    ) -> None:
        """Begin a new game; an opening needs a player that knows how to set one up."""
        if variant != self._variant:
            raise UnfitError(f"{self.name} plays {self._variant}, not {variant}")
        with remarking(self.device.transport):
            self.device.forget()
            if self._code:
                self._code = self.device.identify()
            self._begin(colour, opening)

    def _begin(self, colour: Colour, opening: Sequence[Turn]) -> None:
        to_move = Colour(len(opening) % 2)
        self._go, self._go_after_hearing = None, False
        if not opening and colour is Colour.WHITE:
            self._go = "-W"
        elif len(opening) <= 1 and colour is Colour.RED:
            self.device.send("-B")
            self._go = format_turn(opening[0]) if opening else None
        elif not self.device.knows_set_up():
            raise UnfitError(
                f"{self.name} cannot begin after an opening: it does not answer -S "
                "as Loopline's boards do"
            )
        else:
            self.device.set_up(opening)
            if to_move is colour:
                self._go = "-G"
            else:
                self._go_after_hearing = True

    def hear(self, turn: Turn) -> None:
        """Forward the opponent's turn, from which on the player's time runs.

        Raises DeviceTalkError if the player has said something meanwhile: that can be no answer.
        """
        with remarking(self.device.transport):
            self.device.check_silence()
            self.device.send_turn(turn)
            if self._go_after_hearing:
                self._go_after_hearing = False
                self.device.send("-G")
        self._since = time.monotonic()

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        """Wait for the player's turn."""
        with remarking(self.device.transport):
            if self._go:
                self.device.send(self._go)
                self._go = None
                self._since = time.monotonic()
            return self.device.read_turn(seconds, None if seconds is None else self._since)

    def close(self) -> None:
        """Close the way to the player, and end it if it was started for the game."""
        self.device.close()
