"""Frames that are answered with an error, which changes nothing."""

from __future__ import annotations

import pytest

from loopline.game import Position
from loopline.game.wire import Command, ErrorCode, answer_code, crc, pack_frame
from tests.hdl.frames.expected import (
    NO_LIMITS,
    PAUSE,
    error,
    game_answer,
    identify,
    new_game,
    turns_of,
)

pytestmark = pytest.mark.xdist_group("framed link")  # Compiled once.


def raw(data: bytes) -> bytes:
    """Return a frame of these bytes with a valid CRC."""
    return pack_frame(0, 0, b"")[:1] + data + crc(data).to_bytes(2, "big") + b"\xc0"


@pytest.mark.parametrize(
    ("line", "sequence", "code", "command"),
    [
        (pack_frame(5, 4, b"ab")[:-2] + b"\x00\xc0", 5, ErrorCode.DAMAGED, 4),
        (raw(b"\x85\x01\x01"), 5, ErrorCode.DAMAGED, 1),
        (b"\xc0\x85\xc0", 5, ErrorCode.DAMAGED, 0),
        (b"\xc0\x85\x01\xdb\x01\xc0", 5, ErrorCode.FRAMING, 1),
        (b"\xc0\x85\x01" + bytes(140) + b"\xc0", 5, ErrorCode.TOO_LONG, 1),
        (raw(b"\x85\x3f\x00"), 5, ErrorCode.UNKNOWN, 0x3F),
        (raw(b"\x85\x00\x00"), 5, ErrorCode.UNKNOWN, 0),
        (raw(b"\x85\x81\x00"), 5, ErrorCode.UNKNOWN, 0x81),
        (pack_frame(5, Command.IDENTIFY, b"\0"), 5, ErrorCode.LENGTH, Command.IDENTIFY),
        (pack_frame(5, Command.PLAY, b""), 5, ErrorCode.LENGTH, Command.PLAY),
        (pack_frame(5, Command.PLAY, bytes(3)), 5, ErrorCode.LENGTH, Command.PLAY),
        (pack_frame(5, Command.NEW_GAME, bytes(1)), 5, ErrorCode.LENGTH, Command.NEW_GAME),
        (pack_frame(5, Command.SEARCH, bytes(8)), 5, ErrorCode.LENGTH, Command.SEARCH),
        (pack_frame(5, Command.NEW_GAME, b"\0\x04"), 5, ErrorCode.FIELD, Command.NEW_GAME),
        (pack_frame(5, Command.TAKE_BACK, b"\1")[:-4], 5, ErrorCode.CUT, Command.TAKE_BACK),
    ],
)
def test_every_error_changes_nothing(pins, line, sequence, code, command):
    position = Position()
    position.play("@0/")
    new_game(pins, "@0/")
    pins.send(line)
    if code is ErrorCode.CUT:
        pins.wait(PAUSE)
    answer = pins.frame()
    assert answer == (sequence, answer_code(0), bytes([code, command]))
    assert pins.is_silent()
    played = position.play("B1+")
    assert pins.do(Command.PLAY, turns=turns_of("B1+")) == game_answer(position, 1, played)


def test_no_game_yet(pins):
    for command, values in (
        (Command.PLAY, {"turns": turns_of("@0/")}),
        (Command.TAKE_BACK, {"count": 1}),
        (Command.LIST, {}),
        (Command.SEARCH, NO_LIMITS),
    ):
        assert pins.do(command, **values) == error(ErrorCode.NO_GAME, command)


def test_a_character_without_a_stop_bit(pins):
    frame = pack_frame(7, Command.IDENTIFY)
    for place in range(1, len(frame) - 1):
        pins.send(frame[:place])
        pins.send_levels(frame[place] << 1)
        pins.send_levels(0x3FF)
        pins.send(frame[place + 1 :])
        assert pins.frame().payload[0] == ErrorCode.FRAMING
        identify(pins)
    counters = pins.do(Command.STATISTICS)
    assert counters["framing_errors"] == counters["frames_malformed"] == len(frame) - 2


def test_frames_that_come_too_fast(pins):
    """One frame is answered, one waits, and one error stands for those that are dropped."""
    pins.send(b"".join(pack_frame(number, Command.IDENTIFY) for number in range(1, 13)))
    answers = [pins.frame()]
    while not pins.is_silent():
        answers.append(pins.frame())
    lost = [answer for answer in answers if answer.code == answer_code(0)]
    assert lost
    assert all(answer.payload == bytes([ErrorCode.OVERRUN, 0]) for answer in lost)
    answered = [answer.sequence for answer in answers if answer not in lost]
    assert answered[:2] == [1, 2]
    counters = pins.do(Command.STATISTICS)
    assert counters["frames_lost"] == 12 - len(answered)
    assert counters["frames_received"] == len(answered) + 1
    assert counters["overruns"] == 0
