"""A device with limits as a player: each of its turns is the one of a search with these limits."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import closing
from types import SimpleNamespace
from typing import cast

import pytest

from loopline.game import MINI, STANDARD, Colour, Position, Turn, Variant, parse_turn, play_game
from loopline.game.wire import TurnStatus
from loopline.host.cli.commands.player import _open
from loopline.host.clock import UNTIMED, Clock
from loopline.host.device import Device, SearchReport, open_device
from loopline.host.device.limits import SearchLimits
from loopline.host.errors import UsageError
from loopline.host.players import device_player
from loopline.host.players import spec as spec_module
from loopline.host.players.analyst import Analyst
from loopline.host.players.device_player import DevicePlayer
from loopline.host.players.line_player import LinePlayer
from loopline.host.players.spec import PlayerOpener

pytestmark = pytest.mark.xdist_group("engine")


@pytest.mark.parametrize("variant", [STANDARD, MINI], ids=str)
def test_a_game_after_an_opening(variant: Variant) -> None:
    chance, position = random.Random(3), Position(variant)
    opening = [parse_turn("@0/"), parse_turn("B1+")]
    limits = SearchLimits(nodes=200)
    with closing(DevicePlayer(open_device("engine"), limits)) as player, Analyst("engine") as other:
        assert player.name.endswith("engine (LE)")
        player.start(Colour.WHITE, variant, opening)
        for turn in opening:
            position.play(turn)
        while not position.ending and position.turns < 12:
            if position.to_move is Colour.WHITE:
                history = [played.turn for played in position.history]
                turn = player.choose(position)
                assert turn == other.analyse(history, variant, nodes=200).turn
            else:
                turn = chance.choice(position.legal_turns())
                player.hear(turn)
            position.play(turn)
        # Another position, and a clock that is shorter than the limit.
        player.start(Colour.RED, variant)
        position = Position(variant)
        position.play("@0+")
        player.hear(parse_turn("@0+"))
        assert position.is_legal(player.choose(position, 0.5))


def test_settings_of_a_spec_are_checked_before_it_is_opened() -> None:
    for spec in ("sim:nodes=x", "sim:cycles=3", "/nowhere:depth=0"):
        with pytest.raises(UsageError):
            PlayerOpener().open(spec)


def test_the_engine_by_frames_tells_what_it_finds() -> None:
    found: list[SearchReport] = []
    with closing(PlayerOpener(frames=True).open("engine:nodes=200")) as player:
        assert isinstance(player, DevicePlayer)
        player.report = found.append
        player.start(Colour.WHITE, STANDARD, [parse_turn("@0/"), parse_turn("B1+")])
        turn = player.choose(play_game(["@0/", "B1+"]))
        assert found[-1].turn == turn
        assert found[-1].nodes >= 200
    with closing(PlayerOpener(frames=True).open("engine:nodes=9,seed=1")) as player:
        assert isinstance(player, LinePlayer)


class Asked:
    """A device that notes when each search has to end."""

    name, identity = "asked", SimpleNamespace(code="LE")

    def __init__(self) -> None:
        self.turns: tuple[Turn, ...] = ()
        self.deadlines: list[float | None] = []

    def new_game(self, variant: Variant, turns: Sequence[Turn]) -> SimpleNamespace:
        return self.play(*turns)

    def play(self, *turns: Turn) -> SimpleNamespace:
        self.turns += turns
        return SimpleNamespace(status=TurnStatus.LEGAL)

    def search(self, *, deadline: float | None, **_: object) -> SimpleNamespace:
        self.deadlines.append(deadline)
        return SimpleNamespace(variation=[parse_turn("@0/")])

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("devices", "clock", "allowed", "ends"),
    [
        # The grace is not for a search, whatever else ends it.
        ("engine,engine:nodes=5", Clock(60, 600), 660.0, 51.0),
        ("engine,engine", Clock(60, 600), 660.0, 51.0),
        ("engine,engine:time=3,nodes=5", Clock(60, 600), 660.0, 3.0),
        ("engine,engine:nodes=5", UNTIMED, None, None),
    ],
)
def test_a_clock_ends_a_search_with_other_limits_too(
    monkeypatch: pytest.MonkeyPatch,
    devices: str,
    clock: Clock,
    allowed: float | None,
    ends: float | None,
) -> None:
    device = Asked()
    monkeypatch.setattr(spec_module, "open_devices", lambda _devices: device)
    monkeypatch.setattr(device_player, "time", SimpleNamespace(monotonic=lambda: 0.0))
    player = PlayerOpener(clock=clock).open(devices)
    player.start(Colour.WHITE)
    player.choose(Position(), allowed)
    assert device.deadlines == [pytest.approx(ends, abs=0.2) if ends else None]


def test_devices_without_limits_take_their_own_time_behind_contest_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for timeout, ends in ((None, None), (10.0, 8.5)):
        device = Asked()
        monkeypatch.setattr(spec_module, "open_devices", lambda _devices, device=device: device)
        monkeypatch.setattr(device_player, "time", SimpleNamespace(monotonic=lambda: 0.0))
        with _open("engine,engine", STANDARD, timeout) as line:
            line.send("-W")
            assert line.read_turn() == parse_turn("@0/")
        assert device.deadlines == [ends]


def test_the_time_of_a_first_turn_begins_when_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The opponent may take long to start; later turns count from what was heard."""
    now = iter([10.0, 20.0])
    clock = SimpleNamespace(monotonic=lambda: next(now))
    device = Asked()
    player = DevicePlayer(cast("Device", device), SearchLimits(seconds=0.5))
    player.start(Colour.WHITE)
    monkeypatch.setattr(device_player, "time", clock)
    player.choose(Position())
    player.hear(parse_turn("B1+"))
    player.choose(play_game(["@0/", "B1+"]))
    assert device.deadlines == [10.5, 20.5]
