"""Lines out of bytes, as they come from a far end that a test invents."""

import pytest

from loopline.host.errors import DeviceFloodError, DeviceSilentError, DeviceTalkError
from loopline.host.transport.lines import LONGEST_LINE, Lines
from tests.host.canned import Canned


def test_lines_in_pieces() -> None:
    lines = Lines(Canned(b"\r", b"\n@", b"0/\r", b"\nB1+\n\nA2", b"\\\r"))
    assert [lines.read_line(60) for _ in range(3)] == ["@0/", "B1+", "A2\\"]


def test_line_that_is_there_counts_even_without_time() -> None:
    lines = Lines(Canned(b"@0/\nB1+\n"))
    assert lines.read_line(60) == "@0/"
    assert lines.read_line(0) == "B1+"


def test_what_waits_grows_until_it_is_a_line() -> None:
    lines = Lines(Canned(b"\nA1", b"0/", b"\n"))
    assert [lines.waiting() for _ in range(3)] == [b"A1", b"A10/", b"A10/"]
    assert lines.read_line(0) == "A10/"


def test_the_rest_of_a_line_is_dropped_with_its_beginning() -> None:
    class Late(Canned):
        """After the first piece, what comes comes to those who wait."""

        def read(self, wait: float = 0.0) -> bytes:
            return super().read() if wait or not self.sent else b""

    line = Late(b"B1+\n@", b"0", b"/\n", b"LL\n")
    lines = Lines(line)
    assert lines.waiting() == b"B1+\n@"
    line.write(b"-T\n")
    lines.discard()
    assert lines.read_line(60) == "LL"


def test_half_a_line() -> None:
    lines = Lines(Canned(b"B1"))
    with pytest.raises(DeviceSilentError, match=r"^it sent only b'B1', without a line end, within"):
        lines.read_line(0.05)


def test_longest_line() -> None:
    text = "x" * LONGEST_LINE
    assert Lines(Canned(text.encode(), b"\n")).read_line(60) == text
    with pytest.raises(
        DeviceFloodError, match=r"^it sends no lines, but b'xxxxxxxxxxxxxxxx'\.\.\.$"
    ):
        Lines(Canned(text.encode() + b"x")).read_line(60)


def test_nothing_but_line_ends() -> None:
    with pytest.raises(DeviceFloodError, match=r"^it sends nothing but line ends$"):
        Lines(Canned(endless=b"\n" * 1000)).read_line(600)


@pytest.mark.parametrize("byte", [0, 7, 9, 0x1B, 0x7F, 0x80, 0xFF])
def test_no_text(byte: int) -> None:
    with pytest.raises(DeviceTalkError, match=r"which is no text$"):
        Lines(Canned(b"B" + bytes([byte]) + b"\n")).read_line(60)


def test_forgetting() -> None:
    lines = Lines(Canned(b"A\nB\nC", b"D", b"", b"E\n"))
    assert lines.read_line(60) == "A"
    lines.discard()
    assert lines.read_line(60) == "E"
    with pytest.raises(DeviceFloodError, match=r"^it never stops sending: b'xxx'\.\.\.$"):
        Lines(Canned(endless=b"xxx")).discard()


def test_a_line_that_never_ends_is_not_dropped_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loopline.host.transport.lines._FLOOD", 1 << 60)
    monkeypatch.setattr("loopline.host.transport.lines._DISCARD_SECONDS", 0.05)
    with pytest.raises(DeviceFloodError, match=r"^it never stops sending: b'x'\.\.\.$"):
        Lines(Canned(endless=b"x")).discard()


def test_what_waits() -> None:
    lines = Lines(Canned(b"A\r\n", b"\n", b"B1+\n"))
    assert lines.read_line(60) == "A"
    assert lines.waiting() == b""
    assert lines.waiting() == b"B1+"
    assert lines.read_line(60) == "B1+"
