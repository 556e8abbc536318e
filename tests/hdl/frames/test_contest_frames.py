"""A design for contests: its few framed commands, and its lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from loopline.game import Position
from loopline.game.wire import Command, ErrorCode, Feature, TurnStatus
from loopline.hdl.design import FrameSet
from tests.hdl.frames.expected import CONFIG, NO_LIMITS, error, new_game, turns_of
from tests.hdl.frames.pins_driver import Pins

# Compiled for these tests alone. In `make test` a design for contests plays on Icarus.
pytestmark = pytest.mark.slow

KNOWN = (Command.IDENTIFY, Command.NEW_GAME, Command.PLAY, Command.SEARCH, Command.STOP)

VALUES = {
    Command.TAKE_BACK: {"count": 1},
    Command.SET_BAUD: {"bit_cycles": 16},
    Command.COUNT: {"depth": 1},
}


@pytest.fixture(scope="module")
def pins() -> Iterator[Pins]:
    """The design; compiled for this module."""
    pins = Pins(replace(CONFIG, frames=FrameSet.CONTEST, evaluator=False))
    yield pins
    pins.close()


def test_it_identifies_itself_plays_and_searches(pins):
    identity = pins.do(Command.IDENTIFY)
    assert identity["features"] == Feature.CONTEST | Feature.SEARCH
    assert identity["history"] == 0
    turns = turns_of("@0/ B1+ A2/")
    assert new_game(pins, turns[:2])["turns"] == 2
    assert pins.do(Command.PLAY, turns=turns[2:])["status"] == TurnStatus.LEGAL
    sequence = pins.ask(Command.SEARCH, **{**NO_LIMITS, "nodes": 50})
    *_, (name, best) = pins.answers(sequence, Command.SEARCH)
    assert (name, best["nodes"]) == ("BEST", 50)
    position = Position()
    for turn in turns:
        position.play(turn)
    assert position.is_legal(best["variation"][0])
    assert pins.do(Command.STOP) == {"answer": "STOPPING", "searching": 0}


def test_other_commands_are_unknown_and_change_nothing(pins):
    new_game(pins, "@0/")
    for command in set(Command) - set(KNOWN):
        assert pins.do(command, **VALUES.get(command, {})) == error(ErrorCode.UNKNOWN, command)
    assert pins.do(Command.PLAY, turns=turns_of("B1+"))["turns"] == 2


def test_a_contest_by_lines(pins):
    pins.send(b"-T\n")
    assert pins.line() == CONFIG.code.encode()
    pins.send(b"-B\n")
    position = Position()
    for _ in range(3):
        turn = position.legal_turns()[0]
        position.play(turn)
        pins.send(f"{turn}\n".encode())
        if position.ending:
            break
        position.play(pins.line().decode())
