"""Frames and contest lines on the same pins, about one game."""

from __future__ import annotations

import pytest

from loopline.game import MINI, Position, parse_turn
from loopline.game.wire import END, Command, ErrorCode, TurnStatus, answer_code, pack_frame
from tests.hdl.frames.expected import (
    NO_LIMITS,
    PAUSE,
    check_list,
    error,
    identify,
    known_game,
    new_game,
    turns_of,
)

pytestmark = pytest.mark.xdist_group("framed link")  # Compiled once.

MIDDLE = "@0/ B1+ A2/"
"""A game whose list takes some time."""


@pytest.mark.parametrize("before", [b"", b"A0/\nA0+\nA0/\n"], ids=["alone", "behind turns"])
@pytest.mark.parametrize("wait", [10, 100, 1_000, 10_000])
@pytest.mark.parametrize(
    ("command", "values"),
    [
        (Command.SELF_TEST, {}),
        (Command.LIST, {}),
        (Command.POSITION, {}),
        (Command.COUNT, {"depth": 3}),
    ],
)
def test_what_is_dropped_by_a_session(pins, command, values, wait, before):
    """A list or dump may be complete before the session begins; a self-test or a long count may
    not, nor does the session wait for it behind turns, which are of the game that is dropped."""
    new_game(pins, MIDDLE)
    sequence = pins.ask(command, **values)
    pins.wait(wait)
    pins.send(before + b"-B\n@0/\n")
    last, names = None, []
    while last is None or len(names) < 2 or pins.received:
        if pins.peek(100_000) == END:
            frame = pins.frame()
            assert frame.sequence == sequence
            if not frame.code & 0x40:
                last = frame
                names.append("frame")
        else:
            assert parse_turn(pins.line().decode())
            names.append("line")
        if len(names) < 2 and pins.is_silent(30_000):
            break
    assert sorted(names) == ["frame", "line"]
    dropped = last.code == answer_code(0)
    assert not dropped or last.payload == bytes([ErrorCode.DROPPED, command])
    assert dropped or command in (Command.LIST, Command.POSITION)
    known_game(pins)


def test_lines_and_frames_see_one_game(pins):
    pins.send(b"-B\n@0/\n")
    own = parse_turn(pins.line().decode())
    position = Position()
    position.play("@0/")
    position.play(own)
    assert pins.do(Command.TAKE_BACK, count=1)["turns"] == 1
    position.undo()
    # A set-up now: turns of both sides come in, and -G has the board play.
    turn = position.legal_turns()[3]
    position.play(turn)
    assert pins.do(Command.PLAY, turns=[turn])["turns"] == 2
    pins.send(b"-G\n")
    position.play(pins.line().decode())
    check_list(pins, position)
    # A turn in a line is the opponent's again.
    reply = position.legal_turns()[0]
    pins.send(f"{reply}\n".encode())
    position.play(reply)
    if not position.ending:
        position.play(pins.line().decode())


@pytest.mark.parametrize("wait", [1, 700, 2_500])
@pytest.mark.parametrize(
    "command", [Command.LIST, Command.POSITION, Command.SEARCH, Command.TAKE_BACK, Command.PLAY]
)
def test_frames_see_the_game_while_the_player_ponders(pins, command, wait):
    """Not the turn that it expects, whatever it has done with it."""
    pins.send(b"-B\n@0/\n")
    position = Position()
    position.play("@0/")
    position.play(pins.line().decode())
    pins.wait(wait)
    assert not pins.status.thinking
    if command is Command.LIST:
        check_list(pins, position)
    elif command is Command.POSITION:
        *_, (_, total) = pins.answers(pins.ask(command), command)
        assert (total["turns"], total["tiles"]) == (2, position.tiles)
    elif command is Command.SEARCH:
        limits = {**NO_LIMITS, "depth": 1}
        *_, (_, found) = pins.answers(pins.ask(command, **limits), command)
        assert found["depth"] == 1
        assert position.is_legal(found["variation"][0])
    elif command is Command.TAKE_BACK:
        position.undo()
        assert pins.do(command, count=1)["turns"] == 1
    else:
        turn = position.legal_turns()[4]
        position.play(turn)
        assert pins.do(command, turns=[turn])["turns"] == 3
    check_list(pins, position)


def test_contest_games_are_of_the_variant_that_was_built_in(pins):
    new_game(pins, "@0+", MINI)
    grow = turns_of("A2+ A3+ A4+")
    assert pins.do(Command.PLAY, turns=grow)["status"] == TurnStatus.AREA
    pins.send(b"-S\n@0+\nA2+\nA3+\nA4+\n")
    assert pins.line() == b"LL"
    pins.wait(2_000)
    assert pins.do(Command.PLAY, turns=turns_of("A5+"))["turns"] == 5
    assert not pins.status.error


def test_busy_while_a_contest_turn_is_thought_about(pins):
    for command, values in (
        (Command.LIST, {}),
        (Command.COUNT, {"depth": 1}),
        (Command.PLAY, {"turns": turns_of("B1+")}),
        (Command.SET_BAUD, {"bit_cycles": 16}),
        (Command.SEARCH, NO_LIMITS),
    ):
        pins.send(b"-B\n@0/\n")
        assert pins.do(command, **values) == error(ErrorCode.BUSY, command)
        assert len(pins.line()) >= 3
    assert pins.do(Command.TAKE_BACK, count=1)["turns"] == 1
    # So is a turn that no label or no shape can be.
    pins.send(b"-B\n@0/\n" + pack_frame(4, Command.PLAY, b"\xc2\x01"))
    [(name, answer)] = pins.answers(4, Command.PLAY)
    assert (name, answer.get("error")) == ("ERROR", ErrorCode.BUSY)
    assert len(pins.line()) >= 3


@pytest.mark.parametrize("place", range(7))
def test_a_frame_in_the_middle_of_a_line(pins, place):
    """The line is noise, the frame is answered, and the next line is valid."""
    pins.send(b"-T\n")
    assert pins.line() == b"LL"
    pins.send(b"AB12+\n"[:place])
    identify(pins)
    assert pins.do(Command.STATISTICS)["lines_noise"] == (place != 0)
    pins.send(b"-W\n")
    assert pins.line() == b"@0/"


@pytest.mark.parametrize("length", range(1, 8))
def test_a_host_that_vanishes_in_the_middle_of_a_frame(pins, length):
    """After the pause the next host may use either protocol; after a line, no error is answered."""
    frame = pack_frame(3, Command.PLAY, b"\x40\x00")
    spoken = ""
    for following in ("line", "frame", "frame"):
        pins.send(frame[:length])
        pins.wait(PAUSE)
        if length > 1 and not (following == "frame" and spoken == "line"):
            assert pins.frame().payload[0] == ErrorCode.CUT
        assert pins.is_silent()
        spoken = following
        if following == "line":
            pins.send(b"-T\n")
            assert pins.line() == b"LL"
        else:
            identify(pins)
    pins.wait(100)
    assert pins.status.idle


def test_no_pause_is_needed_where_a_frame_has_not_begun(pins):
    pins.send(b"\xc0\xc0-T\n")
    assert pins.line() == b"LL"
    pins.send(pack_frame(1, Command.IDENTIFY)[:-1] + pack_frame(2, Command.IDENTIFY))
    assert [pins.frame().sequence, pins.frame().sequence] == [1, 2]


def test_answers_of_both_kinds_are_whole(pins):
    """Codes are requested at the full rate while frames are being sent."""
    for _ in range(5):
        pins.send(pack_frame(1, Command.IDENTIFY) + b"-T\n" + pack_frame(2, Command.STATISTICS))
    lines = frames = 0
    while not pins.is_silent():
        if pins.peek(9_000) == ord("L"):
            assert pins.line() == b"LL"
            lines += 1
        else:
            frames += pins.frame().code != answer_code(0)
    assert lines == 5
    assert frames >= 3
