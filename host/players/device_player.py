"""A device that speaks frames as a player, with limits of its own for each turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from loopline.game import STANDARD, Colour, Position, Turn, Variant
from loopline.game.wire import TurnStatus
from loopline.host.clock import SEARCH_SHARE
from loopline.host.device import Device, SearchReport
from loopline.host.device.group import DeviceGroup
from loopline.host.device.limits import SearchLimits
from loopline.host.errors import DeviceTalkError
from loopline.host.players.base import UnfitError

__all__ = ["DevicePlayer"]


class DevicePlayer:
    """A device as a :class:`~loopline.host.players.base.Player`: it is asked for a search.

    Contest lines have no limits of nodes or depth; frames have.

    Parameters
    ----------
    device : Device or DeviceGroup
        The device, or several together; closed with this player.
    limits : SearchLimits
        Where each search ends. A clock ends it, too.

    Attributes
    ----------
    report : callable
        Takes what the device has found so far, while it thinks and when it has chosen.
    """

    report: Callable[[SearchReport], object]

    def __init__(self, device: Device | DeviceGroup, limits: SearchLimits) -> None:
        self._device = device
        self._limits = limits
        self._variant = STANDARD
        self._heard_at: float | None = None
        self.report = lambda _found: None

    @property
    def name(self) -> str:
        """The device's name, with the code that it has in contests."""
        return f"{self._device.name} ({self._device.identity.code})"

    def start(
        self, colour: Colour, variant: Variant = STANDARD, opening: Sequence[Turn] = ()
    ) -> None:
        """Begin a new game, which any device can do after any opening."""
        self._variant = variant
        state = self._device.new_game(variant, opening)
        if state.status is not TurnStatus.LEGAL:
            raise UnfitError(f"{self.name}: turn {state.made + 1} does not fit into it")
        # The time of a first turn runs from choose on: the opponent may take long to start.
        self._heard_at = None

    def hear(self, turn: Turn) -> None:
        """Note when the opponent's turn was heard; the device gets it with the next search."""
        self._heard_at = time.monotonic()

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        """Return the best turn that a search within the limits finds."""
        since = time.monotonic() if self._heard_at is None else self._heard_at
        self._follow(position)
        limits = self._limits
        times = [limits.seconds] if limits.seconds is not None else []
        if seconds is not None:
            times.append(SEARCH_SHARE * seconds)
        best = self._device.search(
            depth=limits.depth or 0,
            nodes=limits.nodes,
            deadline=since + min(times) if times else None,
            report=self.report,
        )
        self.report(best)
        if not best.variation:
            raise DeviceTalkError(f"{self.name} finds no turn that fits into it")
        return best.variation[0]

    def tell(self, notice: Callable[[str], None]) -> None:
        """Set what takes a message when one of several devices is left out."""
        if isinstance(self._device, DeviceGroup):
            self._device.notice = notice

    def stop(self) -> None:
        """End a search that is under way. May be called from any thread."""
        self._device.stop()

    def _follow(self, position: Position) -> None:
        """Set the device to this position."""
        turns = tuple(played.turn for played in position.history)
        known = len(self._device.turns)
        if position.variant == self._variant and self._device.turns == turns[:known]:
            state = self._device.play(*turns[known:]) if turns[known:] else None
        else:
            self._variant = position.variant
            state = self._device.new_game(position.variant, turns)
        if state and state.status is not TurnStatus.LEGAL:
            raise DeviceTalkError(f"{self.name}: the game does not fit into it")

    def close(self) -> None:
        """Close the device."""
        self._device.close()
