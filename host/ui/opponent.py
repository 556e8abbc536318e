"""A program or board that a person plays against; it is opened again after a failure."""

from __future__ import annotations

from collections.abc import Callable

from loopline.host.device import SearchReport
from loopline.host.players.base import Player
from loopline.host.players.device_player import DevicePlayer
from loopline.host.players.spec import PlayerOpener
from loopline.tools.messages import tell

__all__ = ["Opponent"]


class Opponent:
    """A player that can be stopped while it thinks, and be opened again.

    Parameters
    ----------
    spec : str
        The player's spec.
    opener : PlayerOpener
        Opens it.
    """

    def __init__(self, spec: str, opener: PlayerOpener) -> None:
        self.spec = spec
        self._opener = opener
        self._player: Player | None = None
        self._name = spec

    @property
    def name(self) -> str:
        """The player's name; its spec as long as it was never open."""
        return self._name

    def open(
        self,
        report: Callable[[SearchReport], object] = lambda _found: None,
        notice: Callable[[str], None] = tell,
    ) -> Player:
        """Return the player, which is opened unless it is open.

        ``report`` takes what it finds while it thinks, if it tells that, and ``notice`` a message
        when one of several devices is left out. Raises as :meth:`.PlayerOpener.open`.
        """
        player = self._player = self._player or self._opener.open(self.spec)
        self._name = player.name
        if isinstance(player, DevicePlayer):
            player.report = report
            player.tell(notice)
        return player

    def stop(self) -> None:
        """Let the player stop thinking soon. May be called from any thread."""
        if isinstance(self._player, DevicePlayer):
            self._player.stop()
        else:
            self.drop()

    def drop(self) -> None:
        """Close the player. May be called from any thread; a use that is under way fails then."""
        player, self._player = self._player, None
        if player:
            player.close()
