"""The counters, and RESET, which restores the state after power-on."""

from __future__ import annotations

import pytest

from loopline.game.wire import Command, ErrorCode, pack_frame
from tests.hdl.frames.expected import error

pytestmark = pytest.mark.xdist_group("framed link")  # Compiled once.


def test_what_is_sent_and_received_is_counted(pins):
    sent = received = 0
    text = pack_frame(1, Command.IDENTIFY)
    pins.send(text)
    sent += len(text)
    received += len(pins.frame().payload) + 7
    pins.send(b"-T\nnoise\nA1+\n")
    sent += 13
    assert pins.line() == b"LL"
    received += 3
    pins.wait(500)
    text = pack_frame(2, Command.STATISTICS)
    pins.send(text)
    counters = dict(next(pins.answers(2, Command.STATISTICS))[1])
    # Nothing of the identity needs an escape; the answer that says it is not out yet.
    assert counters.pop("bytes_sent") == received
    assert counters.pop("bytes_received") == sent + len(text)
    expected = {"frames_received": 2, "frames_sent": 1, "lines_received": 2, "lines_noise": 1}
    expected["lines_refused"] = 1
    assert {name: value for name, value in counters.items() if value} == expected
    assert pins.do(Command.RESET) == {"answer": "RESET"}
    assert pins.do(Command.STATISTICS)["lines_noise"] == 0
    assert pins.status.errors == 0
    assert not pins.status.error


def test_after_a_reset_all_is_as_after_power_on(pins):
    pins.send(b"-W\n")
    first = pins.line()
    pins.send(b"-B\n@0/\n")
    reply = pins.line()
    pins.do(Command.RESET)
    assert pins.do(Command.LIST) == error(ErrorCode.NO_GAME, Command.LIST)
    pins.send(b"-W\n")
    assert pins.line() == first
    pins.send(b"-B\n@0/\n")
    assert pins.line() == reply
