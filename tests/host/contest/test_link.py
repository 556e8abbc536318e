import errno
import os
import termios
import time
from contextlib import closing
from pathlib import Path

import pytest

from loopline.game import Position, parse_turn
from loopline.host.contest.link import ContestDevice
from loopline.host.errors import DeviceGoneError, DeviceSilentError, DeviceTalkError, UsageError
from loopline.host.transport.line_spec import split_port
from loopline.host.transport.serial_line import DEFAULT_BAUD, SerialLine
from loopline.host.transport.simulated import SimulatedLine
from tests.host.canned import Canned
from tests.host.leftovers import is_running
from tests.host.puppet import puppet, vanishing_port


def test_a_set_up_of_any_length_goes_out_whole() -> None:
    turns = ["@0/", *("A1+", "B2\\") * 99]
    line = Canned(b"", b"XY\n")
    ContestDevice(line, 60.0).set_up(map(parse_turn, turns))
    assert b"".join(line.sent).decode().split() == ["-S", *turns]


@pytest.mark.parametrize(
    ("spec", "port", "baud"),
    [
        ("/dev/ttyUSB0", "/dev/ttyUSB0", DEFAULT_BAUD),
        ("/dev/ttyUSB0@19200", "/dev/ttyUSB0", 19200),
        ("/dev/a@b@9600", "/dev/a@b", 9600),
        ("COM3", "COM3", DEFAULT_BAUD),
    ],
)
def test_port_and_rate(spec: str, port: str, baud: int) -> None:
    assert split_port(spec) == (port, baud)


@pytest.mark.parametrize("spec", ["", "@9600", "port@", "port@0", "port@-1", "port@fast"])
def test_no_port_and_rate(spec: str) -> None:
    with pytest.raises(UsageError, match=r"is not a device: use sim, PORT or PORT@BAUD"):
        split_port(spec)


# Ports that cannot be used.


def test_port_that_is_not_there() -> None:
    with pytest.raises(DeviceGoneError, match=r"^cannot open /no/port: No such file or directory$"):
        SerialLine("/no/port")


def test_file_that_is_no_port(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(DeviceGoneError, match=r"file: it is no serial port$"):
        SerialLine(str(file))


def test_port_that_is_in_use() -> None:
    with puppet() as held:
        line = SerialLine(held.path)
        with pytest.raises(DeviceGoneError, match=r": another program is using it$"):
            SerialLine(held.path)
        line.close()
        SerialLine(held.path).close()


def test_port_that_fails_while_it_is_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise termios.error(errno.EIO, "Input/output error")

    with puppet() as held, puppet() as other:
        line = SerialLine(other.path)
        monkeypatch.setattr(termios, "tcsetattr", fail)
        with pytest.raises(DeviceGoneError, match="^cannot open .*: Input/output error$"):
            SerialLine(held.path)
        with pytest.raises(DeviceGoneError, match="has no rate of 19200 baud$"):
            line.set_baud(19200)
        line.close()


def test_rate_that_no_port_has() -> None:
    with puppet() as held, pytest.raises(DeviceGoneError, match=r"^cannot open "):
        SerialLine(held.path, 10**12)


def test_port_that_vanishes() -> None:
    master, slave, path = vanishing_port()
    line = SerialLine(path)
    os.close(slave)
    os.close(master)
    try:
        with pytest.raises(DeviceGoneError, match=rf"^{path} has gone away$"):
            line.read(10)
        with pytest.raises(DeviceGoneError, match=rf"^{path} has gone away$"):
            line.write(b"-T\n")
    finally:
        line.close()


# Devices that say what they should not.


def test_silent_device() -> None:
    far = Canned()
    device = ContestDevice(far, timeout=0.2)
    with pytest.raises(DeviceSilentError, match=r"does not answer -T within 0.2 s: is it a"):
        device.identify()
    device.send_turn(parse_turn("@0/"))
    for since in (None, time.monotonic() - 0.05):
        with pytest.raises(DeviceSilentError, match=r"sent nothing within 0.1 s$"):
            device.read_turn(0.1, since)
    assert far.sent == [b"-T\n", b"@0/\n"]


def test_half_a_line_is_dropped() -> None:
    with puppet() as held, ContestDevice(SerialLine(held.path), timeout=5) as device:
        held.say(b"B1")
        with pytest.raises(DeviceSilentError, match=r"sent only b'B1', without a line end, within"):
            device.read_turn(0.2)
        held.say(b"B2+\n")
        assert str(device.read_turn()) == "B2+"


@pytest.mark.parametrize(
    ("said", "error"),
    [
        (b"hello\n", "answers 'hello' instead of a turn$"),
        (b"LL\n", "answers 'LL' instead of a turn$"),
        (b"\xfc\x00\xe0\n", "which is no text$"),
        (b"B1+" * 40, "sends no lines, but b'B1\\+B1\\+"),
    ],
)
def test_answers_that_are_no_turn(said: bytes, error: str) -> None:
    with pytest.raises(DeviceTalkError, match=error):
        ContestDevice(Canned(said), timeout=5).read_turn()


def test_code_that_is_no_code() -> None:
    device = ContestDevice(Canned(b"", b"ERROR\n"), timeout=5)
    with pytest.raises(DeviceTalkError, match=r"answers -T with 'ERROR' instead of a two"):
        device.identify()


def test_an_echo_is_no_code() -> None:
    device = ContestDevice(Canned(b"", b"-T\n"), timeout=5)
    with pytest.raises(DeviceTalkError, match="echoes -T$"):
        device.identify()


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n", b"\n\r\n"])
def test_line_ends(end: bytes) -> None:
    device = ContestDevice(Canned(end + b"@0/" + end + b"AA10\\" + end), timeout=5)
    assert [str(device.read_turn()), str(device.read_turn())] == ["@0/", "AA10\\"]


def test_a_new_game_skips_lines_of_the_old_one() -> None:
    far = Canned(b"A2/\nA", b"", b"B1+\nXY\n", b"@0+\n")
    device = ContestDevice(far, timeout=5)
    assert device.identify() == "XY"
    device.send("-W")
    assert str(device.read_turn()) == "@0+"
    assert far.sent == [b"-T\n", b"-W\n"]


# The simulated board.


@pytest.mark.xdist_group("host-board")
def test_board_names_itself(device: ContestDevice) -> None:
    assert device.identify() == "LL"


@pytest.mark.xdist_group("host-board")
def test_board_opens_and_answers(device: ContestDevice) -> None:
    device.identify()
    device.send("-W")
    position = Position()
    position.play(device.read_turn())
    for _ in range(3):
        turn = position.legal_turns()[0]
        position.play(turn)
        device.send_turn(turn)
        position.play(device.read_turn())
        if position.result:
            break
    assert position.turns >= 2


@pytest.mark.xdist_group("host-board")
def test_board_waits_as_red(device: ContestDevice) -> None:
    device.identify()
    device.send("-B")
    with pytest.raises(DeviceSilentError):
        device.read_turn(0.3)
    device.send_turn(parse_turn("@0+"))
    position = Position()
    position.play("@0+")
    position.play(device.read_turn())


@pytest.mark.xdist_group("host-board")
def test_own_board_ends_with_the_device_and_leaves_nothing() -> None:
    line = SimulatedLine(("--stats",))
    line.open()
    with ContestDevice(line, 120.0) as device:
        assert device.identify() == "LL"
        assert line._line
        assert line._process
        path = line._line.path
        pid = line._process.pid
        assert Path(path).exists()
        assert device.name == "the simulated board"
    assert not Path(path).exists()
    assert not is_running(pid)
    assert '"slowest_answer_ms"' in line.stats
    device.close()


@pytest.mark.xdist_group("host-board")
def test_own_board_that_dies_is_an_error_at_once() -> None:
    line = SimulatedLine()
    line.open()
    with ContestDevice(line, 120.0) as device:
        assert line._process
        line._process.kill()
        begun = time.monotonic()
        with pytest.raises(DeviceGoneError, match=r"has gone away"):
            device.read_turn()
        assert time.monotonic() - begun < 20


def test_board_that_does_not_start(capfd: pytest.CaptureFixture[str]) -> None:
    with (
        closing(SimulatedLine(("--grid", "7"))) as line,
        pytest.raises(DeviceGoneError, match=r"did not start: it ended with status 2$"),
    ):
        line.open()
    assert "'7' is not a power of two" in capfd.readouterr().err
