"""Lines and frames are understood after noise of any kind."""

from __future__ import annotations

import random

import pytest

from loopline.game.wire import Command, ErrorCode, answer_code, pack_frame
from tests.hdl.frames.expected import (
    CONFIG,
    PAUSE,
    SLOWEST,
    identify,
    known_game,
    new_game,
    turns_of,
)

pytestmark = pytest.mark.xdist_group("framed link")  # Compiled once.

NOISES = {
    "all bytes": bytes(range(256)) * 8 + b"\n\n\r\n" + b"B" * 1000,
    "no command's code": b"\xc0\xff-T",
    "an answer's code": b"\xc0\x80\x81",
    "too long a payload": b"\xc0\x80\x04\x81",
    "beyond its length": b"\xc0\x85\x01\x00" + bytes(3),
    "an escape that there is not": b"\xc0\x85\xdb\x01",
    "too long": b"\xc0\x85\x04\x80" + b"\x01" * 131,
    "lines that are none": b"\xc0\xff\xff\n@\n\xff\r+",
    "a line that is broken": b"\xc0\xff\xff\n-W\xc0\xc0\xff\xff",
    "a frame that was damaged": pack_frame(1, 1)[:-2] + b"\x55\xc0",
    "bytes of a frame": b"\xff" + pack_frame(1, 1)[1:-1],
}


@pytest.mark.parametrize("before", ["power-on", "line"])
@pytest.mark.parametrize("name", NOISES)
def test_a_line_after_noise_that_looks_like_frames(pins, name, before):
    """Such noise ends with its line, too. After a line, no frame is sent."""
    noise = NOISES[name]
    if before == "line":
        pins.send(b"-T\n")
        assert pins.line() == b"LL"
    pins.send(noise)
    pins.send(b"\n-T\n-W\n")
    heard = bytearray()
    while not heard.endswith((b"@0/\n", b"@0+\n")):
        heard.append(pins.next_byte(PAUSE))
    frames, _, _ = heard.rpartition(b"LL\n@0")
    assert not frames if before == "line" else frames.count(b"\xc0") % 2 == 0
    counters = pins.do(Command.STATISTICS)
    assert counters["lines_received"] == 2 + (before == "line")


@pytest.mark.parametrize("seed", range(20))
def test_lines_after_any_noise_and_a_pause(pins, seed):
    """Bytes that are no valid frame change nothing, and are not answered."""
    choice = random.Random(seed)
    pins.send(b"-T\n")
    assert pins.line() == b"LL"
    for _ in range(20):
        pins.send(choice.randbytes(choice.randrange(40)).replace(b"-", b"\xc0"))
    pins.send_levels(0x3FF)
    pins.wait(PAUSE)
    pins.send(b"\n-W\n")
    assert pins.line() in (b"@0/", b"@0+")


def test_lines_in_a_damaged_frame_are_none_to_a_host_of_frames(pins):
    """The content of a damaged frame changes nothing, even if it looks like lines."""
    game = new_game(pins, "@0/ B1+")
    frame = bytearray(pack_frame(1, Command.SEARCH, b"\n-W\n-T\n\0"))
    for place, value in ((2, 0x3F), (2, 0x81), (3, 0xFF), (3, 1), (4, 0xDB)):
        damaged = frame.copy()
        damaged[place] = value
        pins.send(damaged)
        assert pins.frame().code == answer_code(0)
        assert pins.is_silent()
    pins.send(frame[:-1] + b"\n-T\n" + bytes(200) + b"\xc0")
    assert pins.frame().payload == bytes([ErrorCode.TOO_LONG, Command.SEARCH])
    assert pins.do(Command.PLAY, turns=turns_of("Z9/"))["turns"] == game["turns"]


def noise(choice: random.Random, length: int) -> bytes:
    """Return random bytes, many of which have a meaning for the link."""
    return bytes(choice.choice(b"\xc0\xdb\xdc\xdd\x80\x81\x04\x02-WBT@0/\n") for _ in range(length))


@pytest.mark.parametrize("seed", range(6))
def test_anything_at_all_and_then_a_known_game(pins, seed):
    choice = random.Random(seed)
    for _ in range(6):
        on_trial = False
        for _ in range(40):
            kind = choice.randrange(5)
            if kind == 0:
                pins.send(noise(choice, choice.randrange(30)))
            elif kind == 1:
                payload = noise(choice, choice.randrange(12))
                code = choice.randrange(16)
                if code == Command.SET_BAUD:
                    payload = choice.randrange(2 * SLOWEST).to_bytes(2, "big")
                    on_trial = True
                pins.send(pack_frame(choice.randrange(128), code, payload))
            elif kind == 2:
                pins.send_levels(choice.randrange(1 << 10))
            elif kind == 3:
                pins.send(choice.choice([b"-W\n", b"-B\n@0/\n", b"-S\n", b"-T\n", b"-G\n"]))
            else:
                pins.wait(choice.randrange(2_000))
        pins.send_levels(0x3FF)
        # The board restores the rate that this host uses, and drops an incomplete frame.
        pins.wait((CONFIG.clock_hz if on_trial else 0) + 2 * PAUSE)
        pins.send(b"\xc0")
        # A search may go on for as long as its limits say.
        pins.send(pack_frame(0, Command.STOP))
        pins.wait(20_000)
        pins.discard()
        identify(pins)
        known_game(pins)
