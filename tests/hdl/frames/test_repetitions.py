"""A repeated frame is answered again, and not obeyed again."""

from __future__ import annotations

import pytest

from loopline.game import Position
from loopline.game.wire import Command, ErrorCode
from tests.hdl.frames.expected import error, game_answer, identify, new_game, turns_of

pytestmark = pytest.mark.xdist_group("framed link")  # Compiled once.


def test_a_sequence_number_that_comes_again(pins):
    position = Position()
    answer = pins.do(Command.NEW_GAME, sequence=1, area=0, rules=1, turns=turns_of("@0/"))
    assert pins.do(Command.NEW_GAME, sequence=1, area=0, rules=1, turns=turns_of("@0/")) == answer
    position.play("@0/")
    played = position.play("B1+")
    expected = game_answer(position, 1, played)
    for _ in range(3):
        assert pins.do(Command.PLAY, sequence=2, turns=turns_of("B1+")) == expected
    # The same number for another command, and another number, are new.
    position.undo()
    assert pins.do(Command.TAKE_BACK, sequence=2, count=1) == game_answer(position, 1)
    position.undo()
    assert pins.do(Command.TAKE_BACK, sequence=3, count=1) == game_answer(position, 1)
    assert pins.do(Command.TAKE_BACK, sequence=3, count=1) == game_answer(position, 1)
    # Whatever is obeyed in between makes it new, and so does an identification.
    pins.do(Command.STATISTICS, sequence=4)
    assert pins.do(Command.TAKE_BACK, sequence=3, count=1) == error(
        ErrorCode.NOTHING, Command.TAKE_BACK
    )
    position.play("@0/")
    expected = pins.do(Command.PLAY, sequence=3, turns=turns_of("@0/"))
    identify(pins)
    position.play("B1+")
    assert pins.do(Command.PLAY, sequence=3, turns=turns_of("B1+"))["turns"] == 2
    counters = pins.do(Command.STATISTICS)
    assert counters["repeats"] == 4


def test_a_damaged_frame_in_between_does_not_make_it_new(pins):
    new_game(pins)
    first = pins.do(Command.PLAY, sequence=9, turns=turns_of("@0/"))
    pins.send(b"\xc0\xff\xff\xff\xc0")
    assert pins.frame().payload[0] == ErrorCode.DAMAGED
    assert pins.do(Command.PLAY, sequence=9, turns=turns_of("@0/")) == first
    assert first["turns"] == 1
