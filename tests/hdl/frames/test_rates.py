"""SET_BAUD: a new rate is on trial for a second; the old one is restored if no frame comes."""

from __future__ import annotations

import pytest

from loopline.game.wire import Command, ErrorCode
from tests.hdl.frames.expected import CONFIG, PAUSE, SLOWEST, error, known_game, new_game

pytestmark = pytest.mark.xdist_group("framed link")  # Compiled once.


def test_another_rate(pins):
    """A rate begins after its answer. Without a frame, it lasts for a second."""
    second = CONFIG.clock_hz
    assert pins.do(Command.SET_BAUD, bit_cycles=7) == error(ErrorCode.FIELD, Command.SET_BAUD)
    assert pins.do(Command.SET_BAUD, bit_cycles=21) == {"answer": "BAUD", "bit_cycles": 21}
    pins.wait(100)
    pins.cycles = 21
    assert pins.do(Command.IDENTIFY)["bit_cycles"] == 21
    pins.wait(2 * second)
    known_game(pins)
    pins.do(Command.RESET)
    assert pins.do(Command.IDENTIFY)["bit_cycles"] == 21
    assert pins.do(Command.SET_BAUD, bit_cycles=64) == {"answer": "BAUD", "bit_cycles": 64}
    pins.wait(100)
    assert not pins.status.idle
    pins.send(b"-T\n")
    pins.wait(second + PAUSE)
    # The answer at the other rate is noise to this host.
    pins.discard()
    assert pins.do(Command.IDENTIFY)["bit_cycles"] == 21
    pins.send(b"-T\n")
    assert pins.line() == b"LL"


def test_the_slowest_rate(pins):
    new_game(pins)
    for cycles in (SLOWEST + 1, 56_367, 0xFFFF):
        assert pins.do(Command.SET_BAUD, bit_cycles=cycles) == error(
            ErrorCode.FIELD, Command.SET_BAUD
        )
    assert pins.do(Command.SET_BAUD, bit_cycles=SLOWEST)["bit_cycles"] == SLOWEST
    pins.wait(100)
    pins.cycles = SLOWEST
    known_game(pins)


def test_a_rate_is_given_up_in_time_whatever_is_being_sent(pins):
    """The trial ends in time although lines are answered all the time at the slowest rate."""
    assert pins.do(Command.SET_BAUD, bit_cycles=SLOWEST)["answer"] == "BAUD"
    pins.wait(100)
    pins.cycles = SLOWEST
    for _ in range(CONFIG.clock_hz // (30 * SLOWEST) + 1):
        pins.send(b"-T\n")
    pins.cycles = 8
    pins.wait(PAUSE)
    # Answers at the other rate are noise to this host.
    pins.discard()
    assert pins.do(Command.IDENTIFY)["bit_cycles"] == 8
    known_game(pins)
