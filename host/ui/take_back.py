"""Turns that a person takes back: how many turns of a game stay, and who cannot do it."""

from __future__ import annotations

from loopline.host.errors import DeviceError
from loopline.host.players.base import Player
from loopline.host.players.line_player import LinePlayer

__all__ = ["kept_turns", "refusal"]


def kept_turns(people: tuple[bool, bool], most: int) -> int | None:
    """Return after how many turns, ``most`` at most, a person is to move; None if never.

    ``people`` says which colour a person plays, White first.
    """
    return next((n for n in range(most, -1, -1) if people[n % 2]), None)


def refusal(player: Player) -> str:
    """Return why a player cannot go on from an earlier turn; nothing if it can.

    A contest player is asked, and drops its game.
    """
    if isinstance(player, LinePlayer):
        try:
            if not player.device.knows_set_up():
                return f"{player.name} cannot take turns back"
        except DeviceError as error:
            return str(error)
    return ""
