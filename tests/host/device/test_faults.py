"""Devices that are reset, fall silent, or sit behind a bad cable: on a real port."""

import random
import time

import pytest

from loopline.game import LOOP, STANDARD
from loopline.game.wire import Command, command_frame
from loopline.host.device import Device, SearchReport, exchange, open_device
from loopline.host.device.exchange import Timeouts
from loopline.host.errors import DeviceGoneError, DeviceSilentError, DeviceTalkError, UsageError
from tests.host.device.cable import Cable
from tests.host.device.games import random_game, turns_of
from tests.host.framed_puppet import searching_puppet

QUICK = Timeouts(0.2, 20.0)
NO_LIMITS = {"depth": 0, "nodes": 0, "cycles": 0}


def opened(held: Cable, timeouts: Timeouts = QUICK, back_within: float = 20.0) -> Device:
    return open_device(str(held.path), timeouts=timeouts, back_within=back_within)


class Losing:
    """Loses whole pieces, or bytes in them, as chance will have it."""

    def __init__(self, seed: int, how_often: float) -> None:
        self._chance = random.Random(seed)
        self._how_often = how_often
        self.lost = 0

    def __call__(self, data: bytes) -> bytes:
        if self._chance.random() >= self._how_often:
            return data
        self.lost += 1
        place = self._chance.randrange(len(data))
        match self._chance.randrange(4):
            case 0:
                return b""
            case 1:
                return data[:place]
            case 2:
                return data[:place] + bytes([data[place] ^ 1 << place % 8]) + data[place + 1 :]
            case _:
                return b"\xc0\x81noise\xff" + data


def test_a_lost_answer_is_repeated_and_not_the_action(plugged: Cable) -> None:
    with opened(plugged) as device:
        device.new_game()
        answers = []

        def lose_first(data: bytes) -> bytes:
            answers.append(data)
            return b"" if len(answers) == 1 else data

        plugged.up = lose_first
        state = device.play("@0+")
        assert (state.made, state.turns) == (1, 1)
        assert len(answers) == 2
        assert answers[0] == answers[1]
        assert device.statistics().repeats == 1


@pytest.mark.parametrize("direction", ["up", "down"])
def test_a_bad_cable(plugged: Cable, direction: str) -> None:
    position = random_game(LOOP, 60, 5)
    with opened(plugged, Timeouts(0.15, 60.0)) as device:
        losing = Losing(8, 0.15)
        setattr(plugged, direction, losing)
        device.new_game(LOOP)
        for turn in turns_of(position):
            assert device.play(turn).made == 1
        assert set(device.legal_turns()) == set(position.legal_turns())
        assert device.search(depth=1).turn is not None
        assert len(device.position().tiles) == position.tiles
        assert losing.lost > 5
        assert device.mended == 0


def test_a_cable_that_damages_everything(plugged: Cable) -> None:
    with opened(plugged, Timeouts(0.1, 1.0)) as device:
        plugged.down = lambda data: bytes([*data[:2], data[2] ^ 1, *data[3:]])
        with pytest.raises(DeviceTalkError, match=r"cannot be understood: it says .* DAMAGED"):
            device.statistics()
        plugged.down = bytes
        plugged.up = lambda data: bytes([*data[:2], data[2] ^ 1, *data[3:]])
        with pytest.raises(DeviceTalkError, match=r"cannot be understood: its frames come damaged"):
            device.statistics()


def test_reset_in_the_middle_of_a_game(plugged: Cable) -> None:
    position = random_game(LOOP, 80, 9)
    turns = turns_of(position)
    with opened(plugged) as device:
        device.new_game(LOOP, turns[:70])
        plugged.reset()
        assert device.play(*turns[70:75]).turns == 75
        plugged.reset()
        assert device.position().turns == 75
        plugged.reset()
        assert device.take_back(5).turns == 70
        plugged.reset()
        device.play(*turns[70:])
        assert set(device.legal_turns()) == set(position.legal_turns())
        assert device.mended == 4


def test_a_search_that_another_host_has_left_behind(plugged: Cable) -> None:
    with opened(plugged) as device:
        position = random_game(STANDARD, 20, 11)
        device.new_game(turns=turns_of(position))
        search = command_frame(9, Command.SEARCH, **NO_LIMITS)

        def with_a_search(data: bytes) -> bytes:
            # In one piece with the command, or a quick search would be over before that comes.
            plugged.down = bytes
            return search + data

        plugged.down = with_a_search
        turn = position.legal_turns()[0]
        state = device.play(turn)
        assert (state.made, state.turns) == (1, 21)
        assert device.mended == 1


def test_a_device_that_falls_silent(plugged: Cable) -> None:
    with opened(plugged, Timeouts(0.1, 0.5)) as device:
        plugged.down = lambda _: b""
        begun = time.monotonic()
        with pytest.raises(DeviceSilentError, match=r"does not answer within 0.5 s; its rate here"):
            device.identify()
        assert time.monotonic() - begun >= 0.5
        plugged.down = bytes
        assert device.identify().name == "Engine"


def test_ctrl_c_ends_the_search_on_the_device() -> None:
    with open_device("engine") as device:
        device.new_game(turns=turns_of(random_game(STANDARD, 20, 11)))

        def interrupt(_: SearchReport) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            device.search(report=interrupt)
        # It would refuse that while it is busy.
        assert device.candidates()


def test_a_search_that_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "SECONDS_TO_STOP", 0.5)

    def interrupt(_: SearchReport) -> None:
        raise KeyboardInterrupt

    begun = time.monotonic()
    with (
        searching_puppet("@0/", ends=False) as held,
        open_device(held.path, timeouts=Timeouts(0.1, 20.0)) as device,
    ):
        device.new_game()
        with pytest.raises(DeviceSilentError, match=r"does not end its search within 0.5 s; "):
            device.search(deadline=begun)
        with pytest.raises(KeyboardInterrupt):
            device.search(report=interrupt)
    assert time.monotonic() - begun < 10.0


def test_an_interrupted_search_is_not_stopped_twice() -> None:
    stopped = False

    def interrupt(_: SearchReport) -> None:
        # The first report stops the search; the one after the STOP is interrupted.
        nonlocal stopped
        if stopped:
            raise KeyboardInterrupt
        stopped = True

    begun = time.monotonic()
    with (
        searching_puppet("@0/", ends=False) as held,
        open_device(held.path, timeouts=Timeouts(0.1, 20.0)) as device,
    ):
        device.new_game()
        with pytest.raises(KeyboardInterrupt):
            device.search(report=interrupt, stopped=lambda: stopped)
    assert time.monotonic() - begun < exchange.SECONDS_TO_STOP


def test_an_engine_that_is_killed() -> None:
    with open_device("engine") as device:
        process = device._session._transport._process  # type: ignore[attr-defined]
        process.kill()
        with pytest.raises(DeviceGoneError, match=r"^engine was ended by SIGKILL"):
            device.identify()


def test_rates(plugged: Cable) -> None:
    with opened(plugged) as device:
        before = device.identity.clock / device.identity.bit_cycles
        assert device.set_baud(19200) == pytest.approx(19200, rel=0.01)
        assert device.identity.bit_cycles == round(device.identity.clock / 19200)
        device.new_game(turns=["@0+"])
        device.set_baud(round(before))
        assert device.position().turns == 1
        for baud, error in (
            (0, "has rates from"),
            (10**9, "has rates from"),
            (1_400_000, "has no rate near 1400000 baud: the next is 1333333"),
        ):
            with pytest.raises(UsageError, match=error):
                device.set_baud(baud)


def test_a_rate_at_which_nothing_comes_is_given_up(plugged: Cable) -> None:
    with opened(plugged) as device:
        before = device.identity.bit_cycles
        # The rate is changed, and the host does not follow.
        device._session._exchange.ask(Command.SET_BAUD, bytes([0x10, 0x00]))
        time.sleep(1.5)
        assert device.identify().bit_cycles == before


def test_a_rate_that_the_way_cannot_carry(plugged: Cable) -> None:
    with opened(plugged, Timeouts(0.1, 2.0)) as device:
        device.new_game(turns=["@0+"])
        begun = time.monotonic()

        def deaf(data: bytes) -> bytes:
            return data if time.monotonic() - begun > 3.0 else b""

        plugged.down = deaf
        with pytest.raises(DeviceSilentError, match=r"at 9600 baud; it does at the rate before$"):
            device.set_baud(9600)
        assert device.position().turns == 1
