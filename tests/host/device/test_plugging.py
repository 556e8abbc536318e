"""Cables that are pulled out, in the middle of a command for one, and plugged in again."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from loopline.host.device import Device, SearchReport, WrongDeviceError, open_device
from loopline.host.device.endpoint import DeviceEndpoint
from loopline.host.device.exchange import Timeouts
from loopline.host.errors import DeviceGoneError
from loopline.host.transport.transport import Transport
from tests.host.device.cable import ENGINE, Cable

QUICK = Timeouts(0.2, 20.0)


def opened(held: Cable, timeouts: Timeouts = QUICK, back_within: float = 20.0) -> Device:
    return open_device(str(held.path), timeouts=timeouts, back_within=back_within)


def pulled_in(held: Cable, number: int, power: bool, down: bool) -> None:
    """Have the cable pulled out in the ``number``-th piece of bytes, and plugged in again."""
    seen = 0

    def again() -> None:
        held.pull()
        if power:
            held.power()
        time.sleep(0.3)
        held.plug()

    def spoil(data: bytes) -> bytes:
        nonlocal seen
        seen += 1
        if seen == number:
            threading.Thread(target=again).start()
            return data[: len(data) // 2]
        return data if seen < number else b""

    def straight(data: bytes) -> bytes:
        return data

    setattr(held, "down" if down else "up", spoil)
    setattr(held, "up" if down else "down", straight)

    plug = held.plug

    def plug_and_heal() -> None:
        held.down = held.up = straight
        plug()

    held.plug = plug_and_heal  # type: ignore[method-assign]


ASK: dict[str, Callable[[Device], object]] = {
    "play": lambda device: device.play("C1+"),
    "take back": lambda device: device.take_back(),
    "candidates": lambda device: device.candidates(),
    "search": lambda device: device.search(nodes=2000),
    "position": lambda device: device.position(),
}


@pytest.mark.parametrize(
    ("name", "power", "down"),
    [
        ("play", False, False),
        ("play", False, True),
        ("play", True, False),
        ("play", True, True),
        ("take back", False, False),
        ("candidates", False, False),
        ("search", True, True),
        ("position", True, False),
    ],
)
def test_pulled_out_in_the_middle(plugged: Cable, name: str, power: bool, down: bool) -> None:
    """The cable alone or the power, too, is lost in a command, or in its answer."""
    ask = ASK[name]
    with opened(plugged) as device:
        device.new_game(turns=["@0+", "B1+"])
        expected = ask(device)
        device.new_game(turns=["@0+", "B1+"])
        pulled_in(plugged, 1, power, down)
        found = ask(device)
        if isinstance(found, SearchReport) and isinstance(expected, SearchReport):
            found = replace(found, cycles=expected.cycles)
        assert found == expected
        assert device.mended >= 1
        assert device.position().turns == len(device.turns)


def test_a_cable_that_stays_out(plugged: Cable) -> None:
    with opened(plugged, back_within=0.3) as device:
        device.new_game()
        plugged.pull()
        with pytest.raises(
            DeviceGoneError,
            match=rf"^{plugged.path} has gone away; it did not come back within 0.3 s: "
            rf"cannot open {plugged.path}: No such file",
        ) as error:
            device.play("@0+")
        # It is waited for once.
        assert str(error.value).count("did not come back") == 1
        plugged.plug()
        assert device.play("@0+").made == 1


def test_a_device_that_is_closed_while_it_is_away_is_not_opened_again(plugged: Cable) -> None:
    """Nobody would close it again, and no other program could have the port."""
    device = opened(plugged)
    device.new_game()
    plugged.pull()
    failed: list[DeviceGoneError] = []

    def play() -> None:
        with pytest.raises(DeviceGoneError) as error:
            device.play("@0+")
        failed.append(error.value)

    thread = threading.Thread(target=play)
    thread.start()
    time.sleep(0.3)
    assert thread.is_alive()
    device.close()
    plugged.plug()
    thread.join(10)
    assert [str(error) for error in failed] == [f"{plugged.path} has gone away"]
    with opened(plugged) as again:
        assert again.identify().name == "Engine"


def test_a_device_that_is_closed_as_it_comes_back_is_closed(
    plugged: Cable, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = opened(plugged)
    device.new_game()
    plugged.pull()
    plugged.plug()
    back: list[Transport] = []
    connect_again = DeviceEndpoint.connect_again

    def closed_then(
        endpoint: DeviceEndpoint, seconds: float, gone: DeviceGoneError, closed: threading.Event
    ) -> Transport:
        back.append(connect_again(endpoint, seconds, gone, closed))
        device.close()
        return back[-1]

    monkeypatch.setattr(DeviceEndpoint, "connect_again", closed_then)
    with pytest.raises(DeviceGoneError):
        device.play("@0+")
    with pytest.raises(DeviceGoneError):
        back[-1].read(0)


def test_a_cable_that_may_not_come_back(plugged: Cable) -> None:
    with opened(plugged, back_within=0) as device:
        plugged.pull()
        with pytest.raises(DeviceGoneError, match=rf"^{plugged.path} has gone away$"):
            device.identify()


def test_another_device_in_its_place(plugged: Cable, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(plugged) as device:
        plugged.pull()
        smaller = [*ENGINE, "--set", "grid=32"]
        monkeypatch.setattr("tests.host.device.cable.ENGINE", smaller)
        plugged.power()
        plugged.plug()
        with pytest.raises(WrongDeviceError, match=r"another device has come in its place: Engine"):
            device.identify()
