"""What is at the far end, if it is not what it should be."""

import itertools
import re
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from loopline.game import LOOP, STANDARD
from loopline.game.wire import (
    ANSWERS,
    Command,
    Feature,
    Frame,
    FrameReader,
    answer_code,
    pack_frame,
)
from loopline.host.device import (
    ContestOnlyError,
    Device,
    ProtocolVersionError,
    WrongDeviceError,
    open_device,
)
from loopline.host.device.endpoint import stable_names
from loopline.host.device.exchange import Exchange, Timeouts, reply_to
from loopline.host.device.find import find_devices
from loopline.host.device.session import greet
from loopline.host.errors import DeviceFloodError, DeviceGoneError, DeviceSilentError, UsageError
from loopline.host.transport.serial_line import SerialLine
from tests.host.canned import Canned
from tests.host.device.cable import Cable
from tests.host.framed_puppet import IDENTITY
from tests.host.program import COMMAND, TIMEOUT, environment
from tests.host.puppet import Puppet, far_end, puppet

QUICK = Timeouts(0.1, 0.4)


def opened(path: str) -> Device:
    return open_device(path, timeouts=QUICK)


def test_nobody_there() -> None:
    with (
        puppet() as held,
        pytest.raises(
            DeviceSilentError,
            match=rf"^{held.path} does not answer within 0.4 s: is it a Loopline, at this rate\?; "
            "its rate here is 115200 baud$",
        ),
    ):
        opened(held.path)


def test_a_player_of_contests() -> None:
    answers = {b"-T": b"XY\n"}
    with (
        puppet(lambda line: answers.get(line[-2:], b"")) as held,
        pytest.raises(
            ContestOnlyError, match=r"answers -T with 'XY', but knows no frames"
        ) as found,
    ):
        opened(held.path)
    assert found.value.code == "XY"


def test_something_that_talks_of_something_else() -> None:
    with (
        puppet(lambda _: b"login: \r\n") as held,
        pytest.raises(WrongDeviceError, match=r"answers -T with 'login: ' instead of a two-char"),
    ):
        opened(held.path)


@pytest.mark.parametrize(
    ("version", "advice"), [(2, "update Loopline on this PC"), (0, "build its bitstream again")]
)
def test_another_version(held_frames: Callable[..., str], version: int, advice: str) -> None:
    with pytest.raises(
        ProtocolVersionError,
        match=rf"speaks version {version} of the framed link and this program version 1: {advice}",
    ):
        opened(held_frames(protocol=version))


def test_another_device_with_frames(held_frames: Callable[..., str]) -> None:
    with pytest.raises(WrongDeviceError, match=r"calls itself 'CHES': it is no Loopline"):
        opened(held_frames(magic="CHES"))


def test_another_variant(held_frames: Callable[..., str]) -> None:
    path = held_frames(rules=0)
    with pytest.raises(WrongDeviceError, match=r"is built for loop, not standard$"):
        open_device(path, timeouts=QUICK, built_for=STANDARD)
    with open_device(path, timeouts=QUICK, built_for=LOOP) as device:
        assert device.identity.variant == LOOP
        assert device.identity.commit == "00c0ffee"


def test_a_port_that_is_not_there_or_in_use(plugged: Cable) -> None:
    with pytest.raises(DeviceGoneError, match=r"^cannot open /no/port: No such file or directory$"):
        open_device("/no/port")
    with (
        open_device(str(plugged.path)),
        pytest.raises(DeviceGoneError, match=r": another program is using it$"),
    ):
        open_device(str(plugged.path))
    wrong = ("", "@9600", "port:", "/dev/x@fast", "random", "engin:nodes=5", "sim,engine")
    for spec in wrong:
        with pytest.raises(UsageError, match=r"is not a device: use sim\[:NAME=VALUE,...\], en"):
            open_device(spec)


def test_something_that_talks_before_it_is_asked() -> None:
    garbage = Canned(b"", b"\x55\xaa\r\n", endless=b"")
    exchange = Exchange(garbage, QUICK)
    with pytest.raises(WrongDeviceError, match=r"^it sends b'U\\xaa' and no frames"):
        greet(exchange, garbage, QUICK)


def test_one_that_never_stops() -> None:
    endless = Canned(endless=b"U" * 4096)
    exchange = Exchange(endless, QUICK)
    with pytest.raises(DeviceFloodError, match=r"^it never stops sending: b'UUUU"):
        exchange.forget()
    with pytest.raises(DeviceSilentError, match=r"^it does not answer within 0.4 s$"):
        exchange.ask(Command.IDENTIFY)
    assert exchange.noise == b""


def test_a_list_without_an_end() -> None:
    item = ANSWERS[0xC6].pack(turn=None, status=1, tiles=0, completed=0)

    class Lister(Canned):
        def read(self, wait: float = 0.0) -> bytes:
            sequence = self.sent[-1][1] & 0x7F
            return pack_frame(sequence, 0xC6, item.replace(b"\xff\xff", b"\x00\x00")) * 64

    with pytest.raises(DeviceFloodError, match=r"^it answers LIST without an end$"):
        Exchange(Lister(), QUICK).ask(Command.LIST)


def test_every_number_but_the_right_one_is_late() -> None:
    payload = ANSWERS[0x8B].pack()
    for sequence in range(128):
        found = reply_to("it", Command.RESET, 5, Frame(sequence, 0x8B, payload))
        assert (found is not None) is (sequence == 5)


def test_ports_are_asked_all_at_once(
    plugged: Cable, held_frames: Callable[..., str], tmp_path: Path
) -> None:
    newer = held_frames(protocol=9)
    file = tmp_path / "file"
    file.touch()
    with (
        puppet() as silent,
        puppet(lambda line: b"XY\n" if line.endswith(b"-T") else b"") as contest,
        puppet(lambda _: b"login: \r\n") as other,
        puppet() as busy,
    ):
        names = [
            str(plugged.path),
            newer,
            silent.path,
            contest.path,
            other.path,
            busy.path,
            "/no/port",
            str(file),
        ]
        used = SerialLine(busy.path)
        try:
            found = find_devices(names, seconds=1.0)
        finally:
            used.close()
    assert [one.port for one in found] == names
    assert [one.kind for one in found] == [
        "loopline",
        "version",
        "silent",
        "contest",
        "other",
        "unusable",
        "unusable",
        "unusable",
    ]
    assert [one.plays for one in found] == [True, False, False, True, *itertools.repeat(False, 4)]
    assert found[0].identity is not None
    # The commit is named unless files differ from it.
    assert re.fullmatch("Engine( [0-9a-f]{8})?, 62 x 62, 12 MHz, standard", found[0].text)
    assert found[1].text.startswith("speaks version 9 of the framed link")
    assert found[3].text == "plays contests as XY, knows no frames"
    assert found[5].text == "another program is using it"
    assert found[6].text == "No such file or directory"
    assert found[7].text == "it is no serial port"


def test_rates_are_tried_one_after_the_other(plugged: Cable) -> None:
    (found,) = find_devices([str(plugged.path)], [9600, 115200], seconds=1.0)
    assert (found.kind, found.baud) == ("loopline", 9600)
    with puppet() as silent:
        (found,) = find_devices([silent.path], [9600, 115200], seconds=0.1)
    assert (found.kind, found.baud) == ("silent", 115200)


def test_all_ports_are_asked_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = threading.Barrier(40, timeout=10)
    monkeypatch.setattr("loopline.host.device.find._ask_at", lambda *_: asked.wait())
    assert sorted(find_devices([f"/dev/ttyS{number}" for number in range(40)])) == [*range(40)]


def test_names_under_which_a_port_may_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, links = tmp_path / "ttyUSB0", tmp_path / "by-id"
    port.touch()
    links.mkdir()
    (links / "usb-board").symlink_to(port)
    (links / "usb-other").symlink_to(tmp_path / "ttyUSB1")
    monkeypatch.setattr("loopline.host.device.endpoint._BY_ID", links)
    assert stable_names(str(port)) == [str(links / "usb-board"), str(port)]
    assert stable_names(str(links / "usb-board")) == [str(links / "usb-board")]
    monkeypatch.setattr("loopline.host.device.endpoint._BY_ID", tmp_path / "none")
    assert stable_names(str(port)) == [str(port)]


def test_a_search_of_another_host_has_ended_when_the_device_is_open() -> None:
    """The board answers STOP at once, and is busy until the search has unmade its turns."""
    stops: list[int] = []
    reader = FrameReader()

    def hear(held: Puppet, data: bytes) -> None:
        for event in reader.feed(data):
            assert isinstance(event, Frame)
            values: dict[str, Any] = {**IDENTITY, "features": Feature.SEARCH}
            if event.code == Command.STOP:
                stops.append(event.sequence)
                values = {"searching": int(len(stops) < 3)}
            code = answer_code(event.code)
            held.say(pack_frame(event.sequence, code, ANSWERS[code].pack(**values)))

    with far_end(hear) as held, open_device(held.path):
        pass
    assert len(stops) == 3


def test_an_interrupt_waits_for_no_answer() -> None:
    asked = threading.Event()
    with far_end(lambda *_: asked.set()) as silent:
        words = [*COMMAND, "devices", silent.path, "--seconds", "60"]
        pipe = subprocess.PIPE
        with subprocess.Popen(words, stdout=pipe, stderr=pipe, env=environment()) as process:
            try:
                assert asked.wait(TIMEOUT)
                process.send_signal(signal.SIGINT)
                assert process.communicate(timeout=20) == (b"", b"\ninterrupted\n")
            finally:
                process.kill()
    assert process.returncode == 130
