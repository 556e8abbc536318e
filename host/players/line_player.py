"""A contest player behind a link as a player."""

from __future__ import annotations

import time
from collections.abc import Sequence

from loopline.game import STANDARD, Colour, Position, Turn, Variant, format_turn
from loopline.host.contest.link import ContestDevice
from loopline.host.players.base import UnfitError
from loopline.host.transport.transport import remarking

__all__ = ["LinePlayer"]


class LinePlayer:
    """A contest device as a :class:`~loopline.host.players.base.Player`.

    :meth:`start` prepares a game. The line that makes the device search, such as ``-W``, goes out
    when the device's time begins to run.

    Parameters
    ----------
    device : ContestDevice
        The device, reachable; closed with this player.
    variant : Variant
        The device's variant, which the protocol cannot tell.
    code : bool
        Whether to ask for the device's code before each game, which also shows that it listens.
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
        """The device's name, with its code if it was asked for one."""
        return f"{self.device.name} ({self._code})" if self._code else self.device.name

    @property
    def code(self) -> str | None:
        """The device's two-character code; None if it was not asked for one."""
        return self._code

    def start(
        self, colour: Colour, variant: Variant = STANDARD, opening: Sequence[Turn] = ()
    ) -> None:
        """Begin a new game; an opening of more than one turn needs the protocol's extension."""
        if variant != self._variant:
            raise UnfitError(f"{self.name} plays {self._variant}, not {variant}")
        with remarking(self.device.transport):
            self.device.discard()
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
        """Forward the opponent's turn; the device's time starts to run.

        Raises DeviceTalkError if the device has sent bytes meanwhile, which cannot be an answer.
        """
        with remarking(self.device.transport):
            self.device.check_silence()
            self.device.send_turn(turn)
            if self._go_after_hearing:
                self._go_after_hearing = False
                self.device.send("-G")
        self._since = time.monotonic()

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        """Wait for the device's turn."""
        with remarking(self.device.transport):
            if self._go:
                self.device.send(self._go)
                self._go = None
                self._since = time.monotonic()
            return self.device.read_turn(seconds, None if seconds is None else self._since)

    def close(self) -> None:
        """Close the transport, and end a program that was started for it."""
        self.device.close()
