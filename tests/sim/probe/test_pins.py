# amaranth: UnusedElaboratable=no
"""A design behind its pins: what is sent and heard, and which of its states are seen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from loopline.sim.native import to_rtlil
from loopline.sim.probe.pins import Act, FuzzBoard
from tests.sim.dummies import LineEcho

pytestmark = pytest.mark.xdist_group("line echo")  # Compiled once.

BIT = 8 * 16


@pytest.fixture(scope="module")
def design() -> str:
    return to_rtlil(LineEcho(divisor=8, pause=100))


@pytest.fixture
def board(design: str) -> Iterator[FuzzBoard]:
    with FuzzBoard(design) as board:
        yield board


def say(board: FuzzBoard, text: bytes, time: int = BIT) -> None:
    board.act([Act.byte(octet, time) for octet in text])


def test_what_is_sent_and_heard(board):
    say(board, b"one\ntwo\n")
    assert not board.idle
    board.act([Act.listen(10_000)])
    assert board.take() == b"one\n"
    board.act([Act.listen(10_000)])
    assert (board.take(), board.take()) == (b"two\n", b"")
    assert board.framing_errors == 0


def test_time_is_exact(board):
    board.act([Act.rest(123)])
    assert board.cycles == 123
    # Ten bits of 8 and a sixteenth cycles.
    say(board, b"ABCDEFGH", BIT + 1)
    assert board.cycles == 123 + 8 * 81
    board.act([Act.listen(77)])
    assert board.cycles == 123 + 8 * 81 + 77


def test_at_another_rate_nothing_is_understood(board):
    say(board, b"one\n", BIT * 3)
    board.act([Act.rest(5_000)])
    assert board.take() != b"one\n"


def test_after_power_on_nothing_is_known_but_what_was_seen(board):
    say(board, b"one\n")
    seen, found = board.seen(), board.found
    board.restart()
    assert (board.cycles, board.take()) == (0, b"")
    board.act([Act.listen(1_000)])
    assert board.take() == b""
    assert board.found == found == sum(board.seen())
    assert all(now >= before for now, before in zip(board.seen(), seen, strict=True))


def test_states_are_counted(board):
    assert all(register.bits == 1 for register in board.controls)
    board.act([Act.rest(50)])
    (rx,) = [n for n, register in enumerate(board.controls) if register.name.startswith("rx")]
    assert board.coverage().states[rx] == [False, True]
    board.act([Act.level(False, 2), Act.rest(2)])
    assert board.coverage().states[rx] == [True, True]
    assert board.coverage().steps[rx] == 3  # From itself at the beginning, and both ways.


def test_a_register_by_its_name(board):
    assert board.read("lines_out") == 0
    say(board, b"abc\nd\n")
    board.act([Act.rest(2_000)])
    assert (board.take(), board.read("lines_out")) == (b"abc\nd\n", 2)


def test_no_such_register(design):
    with pytest.raises(ValueError, match=r"^the design has no register 'rate'$"):
        FuzzBoard(design, rate="rate")
