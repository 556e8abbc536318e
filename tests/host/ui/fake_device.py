"""A device that finds the same turn in every search."""

from __future__ import annotations

from types import SimpleNamespace

from loopline.game import parse_turn
from loopline.game.wire import TurnStatus, Verdict
from loopline.host.device import SearchReport


class FakeDevice:
    """Has what :class:`~loopline.host.players.device_player.DevicePlayer` needs of a device."""

    name = "fake"
    identity = SimpleNamespace(code="FK")

    def __init__(self, turn: str, score: int, depth: int) -> None:
        self.turns = ()
        self._found = SearchReport(Verdict.SAFE, score, depth, 9, 9, (parse_turn(turn),))

    def new_game(self, variant, turns=()):
        self.turns = tuple(turns)
        return SimpleNamespace(status=TurnStatus.LEGAL)

    def play(self, *turns):
        self.turns += turns
        return SimpleNamespace(status=TurnStatus.LEGAL)

    def search(self, *, report, **_limits):
        report(self._found)
        return self._found

    def stop(self):
        pass

    def close(self):
        pass
