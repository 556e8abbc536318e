"""What each command of the framed link does, through the pins of the whole design."""

from __future__ import annotations

import random

import pytest

from loopline.game import (
    DELUXE,
    LIMITED,
    LOOP,
    MINI,
    STANDARD,
    IllegalTurnError,
    Position,
    Turn,
    parse_turn,
)
from loopline.game.wire import MAGIC, PROTOCOL, Command, ErrorCode, Feature, TurnStatus, pack_frame
from loopline.game.wire import TestPart as Part
from loopline.hdl.frames.answers import FEATURES
from loopline.hdl.frames.requests import HISTORY
from loopline.hdl.frames.selftest import KNOWN_GAME
from tests.hdl.core.unit.games import CROWDED, random_turns
from tests.hdl.frames.expected import (
    CONFIG,
    NO_LIMITS,
    check_list,
    check_position,
    error,
    game_answer,
    identify,
    known_game,
    new_game,
    refusal,
    turns_of,
)

pytestmark = pytest.mark.xdist_group("framed link")  # Compiled once.


def test_identity(pins):
    assert pins.do(Command.IDENTIFY) == {
        "answer": "IDENTITY",
        "magic": MAGIC,
        "protocol": PROTOCOL,
        "name": CONFIG.name,
        "build": 0x12345678,
        "grid": 16,
        "lanes": 1,
        "clock": 200_000,
        "bit_cycles": 8,
        "baud": 25_000,
        "area": 0,
        "rules": 1,
        "code": "LL",
        "depth": 2,
        "features": FEATURES,
        "history": HISTORY,
    }
    assert FEATURES & (Feature.CONTEST | Feature.LIST | Feature.SEARCH)


@pytest.mark.parametrize("variant", [STANDARD, LIMITED, DELUXE, LOOP, MINI], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_games_turn_by_turn_and_back(pins, variant, seed):
    """Every turn has the outcome that the rules say; so have lists and dumps; and turns are taken
    back, several at a time."""
    choice = random.Random(seed)
    position = Position(variant)
    assert new_game(pins, variant=variant) == game_answer(position, 0)
    for turn in random_turns(seed + 10, most=14, limit=CONFIG.grid.limit, variant=variant):
        wrong = Turn(choice.randrange(7), choice.randrange(7), turn.shape)
        for tried in (wrong, turn):
            before = position.turns
            try:
                played = position.play(tried)
            except IllegalTurnError as caught:
                status = refusal(caught, tried, position)
                expected = game_answer(position, 0, status=status)
            else:
                expected = game_answer(position, 1, played)
            assert pins.do(Command.PLAY, turns=[tried]) == expected
            if tried is wrong and position.turns > before:
                position.undo()
                assert pins.do(Command.TAKE_BACK, count=1) == game_answer(position, 1)
        if position.turns % 4 == 0 and not position.ending:
            check_list(pins, position)
            check_position(pins, position)
    check_position(pins, position)
    while position.turns:
        count = min(position.turns, choice.randint(1, 4))
        for _ in range(count):
            position.undo()
        assert pins.do(Command.TAKE_BACK, count=count) == game_answer(position, count)
        check_position(pins, position)
    check_list(pins, position)


def test_an_illegal_candidate_is_listed_with_its_reason(pins):
    new_game(pins, CROWDED)
    *items, _ = pins.answers(pins.ask(Command.LIST), Command.LIST)
    status = {item["turn"]: item["status"] for _, item in items}
    assert status[parse_turn("B3\\")] == TurnStatus.FORCED


def test_many_turns_in_a_frame_up_to_the_first_refused(pins):
    position, turns = Position(), turns_of("@0/ B1+ A2/")
    for turn in turns:
        played = position.play(turn)
    assert new_game(pins, turns) == game_answer(position, 3, played)
    assert new_game(pins, [*turns, parse_turn("Z9/"), *turns]) == game_answer(
        position, 3, played, TurnStatus.OUTSIDE
    )
    more = position.legal_turns()[0]
    played = position.play(more)
    answer = pins.do(Command.PLAY, turns=[more, more._replace(column=9, row=9)])
    assert answer == game_answer(position, 1, played, TurnStatus.OUTSIDE)


def test_what_no_label_and_no_shape_can_be(pins):
    new_game(pins, "@0/")
    empty = {"tiles": 0, "completed": 0, "made": 0}
    for octets, status in (
        (b"\xc2\x01", TurnStatus.MISMATCH),
        (b"\xff\xff", TurnStatus.OUTSIDE),
        (b"\x3f\x01", TurnStatus.OUTSIDE),
        (b"\x01\x80", TurnStatus.OUTSIDE),
    ):
        pins.send(pack_frame(3, Command.PLAY, octets))
        [(_, answer)] = pins.answers(3, Command.PLAY)
        assert {name: answer[name] for name in empty} == empty
        assert answer["status"] == status
        identify(pins)


def test_a_game_that_outgrows_the_board(pins):
    """A formation may be as high as the grid allows; the next tile is out of bounds."""
    position = Position(LOOP)
    turns = [parse_turn("@0+")]
    position.play(turns[0])
    while position.height < CONFIG.grid.limit:
        turns.append(Turn(1, position.height + 1, turns[0].shape))
        position.play(turns[-1])
    answer = new_game(pins, turns, LOOP)
    assert (answer["made"], answer["status"]) == (len(turns), TurnStatus.LEGAL)
    beyond = Turn(1, position.height + 1, turns[0].shape)
    answer = pins.do(Command.PLAY, turns=[beyond])
    assert (answer["made"], answer["status"]) == (0, TurnStatus.BOUNDS)


ENDS = "@0+ B1+ A2\\ @1/ A0+ @1\\ B0+ C1\\"
"""A game whose last turn has forced plays and completes a loop of each colour."""


def test_a_game_that_has_ended(pins):
    position = Position()
    for turn in turns_of(ENDS):
        played = position.play(turn)
    assert len(played.loops) == 2
    made = [step.turn for step in position.history]
    assert new_game(pins, made) == game_answer(position, len(made), played)
    assert pins.do(Command.PLAY, turns=turns_of("A0/")) == game_answer(
        position, 0, status=TurnStatus.OVER
    )
    assert pins.status.over
    for command, values in ((Command.LIST, {}), (Command.SEARCH, NO_LIMITS)):
        assert pins.do(command, **values) == error(ErrorCode.GAME_OVER, command)
    position.undo()
    assert pins.do(Command.TAKE_BACK, count=1) == game_answer(position, 1)
    assert not pins.status.over


def test_how_far_turns_can_be_taken_back(pins):
    position = Position()
    made = turns_of("@0/ B1+ A2/")
    for turn in made:
        position.play(turn)
    new_game(pins, made)
    assert pins.do(Command.TAKE_BACK, count=4) == error(ErrorCode.NOTHING, Command.TAKE_BACK)
    assert pins.do(Command.TAKE_BACK, count=0) == error(ErrorCode.FIELD, Command.TAKE_BACK)
    for _ in made:
        position.undo()
    assert pins.do(Command.TAKE_BACK, count=3) == game_answer(position, 3)
    assert pins.do(Command.TAKE_BACK, count=1) == error(ErrorCode.NOTHING, Command.TAKE_BACK)


def test_self_test(pins):
    """All parts pass, the game is gone, and the board is as good as before."""
    new_game(pins, "@0+", MINI)
    parts = Part.CLEARED | Part.TURNS | Part.UNMAKE
    assert pins.do(Command.SELF_TEST, sequence=5) == {
        "answer": "TESTED",
        "parts": parts,
        "failed": 0,
    }
    assert pins.do(Command.SELF_TEST, sequence=5)["parts"] == parts
    assert pins.do(Command.LIST) == error(ErrorCode.NO_GAME, Command.LIST)
    known_game(pins)


def test_the_known_game_of_the_self_test(pins):
    assert KNOWN_GAME == ENDS
