"""One table of commands and answers, on gateware, engine and host."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import pytest

from loopline.game import LOOP, Position, Turn, parse_turn
from loopline.game.wire import COMMANDS, COUNT_DEPTH, Command, ErrorCode, TurnStatus, pack_frame
from loopline.hdl.frames.selftest import KNOWN_GAME
from loopline.host.device import open_device
from tests.framed.cases import BOTH, CASES, COUNT_CASES, RANDOM_CASES, Case, Link, run
from tests.framed.links import EngineLink, HostLink
from tests.hdl.frames.expected import compiled_design, error, identify, new_game, turns_of
from tests.hdl.frames.pins_driver import Pins

GATEWARE = pytest.param("gateware", marks=pytest.mark.xdist_group("framed link"))
SIMULATED = pytest.param("host, simulated board", marks=pytest.mark.xdist_group("host-board"))


@pytest.fixture(scope="module")
def opened(request: pytest.FixtureRequest) -> Iterator[Pins | EngineLink | HostLink]:
    """The gateware at its pins, the engine, or one of them behind the host's class."""
    if request.param == "gateware":
        yield compiled_design()
    elif request.param == "engine":
        engine = EngineLink()
        yield engine
        engine.close()
    else:
        simulated = request.param == "host, simulated board"
        port = request.getfixturevalue("sim_port") if simulated else "engine"
        with open_device(port) as device:
            yield HostLink(device)


@pytest.fixture
def link(opened: Pins | EngineLink | HostLink) -> Pins | EngineLink | HostLink:
    """A device as after power-on."""
    opened.restart()
    return opened


@pytest.mark.parametrize("opened", [GATEWARE, "engine", "host", SIMULATED], indirect=True)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_commands_are_answered_by_the_rules(link: Link, case: Case) -> None:
    run(case, link)


@pytest.mark.parametrize("opened", [GATEWARE, "engine", "host"], indirect=True)
@pytest.mark.parametrize("case", COUNT_CASES + RANDOM_CASES, ids=lambda case: case.name)
def test_games_turn_by_turn_and_back(link: Link, case: Case) -> None:
    run(case, link)


@pytest.mark.parametrize("opened", [GATEWARE, "engine", "host"], indirect=True)
def test_a_formation_as_large_as_the_device(link: Link) -> None:
    position = Position(LOOP)
    turns = [parse_turn("@0+")]
    position.play(turns[0])
    while position.height < link.largest:
        turns.append(Turn(1, position.height + 1, turns[0].shape))
        position.play(turns[-1])
    answer = new_game(link, turns, LOOP)
    assert (answer["made"], answer["status"]) == (len(turns), TurnStatus.LEGAL)
    beyond = Turn(1, position.height + 1, turns[0].shape)
    answer = link.do(Command.PLAY, turns=[beyond])
    assert (answer["made"], answer["status"]) == (0, TurnStatus.BOUNDS)
    for depth in (1, 2):
        assert link.do(Command.COUNT, depth=depth)["beyond"] == 1
    # What is wrong with the tile itself comes first, then the area of the game.
    apart = Turn(2, position.height + 1, turns[0].shape)
    assert link.do(Command.PLAY, turns=[apart])["status"] == TurnStatus.MISMATCH
    new_game(link, turns, replace(LOOP, size=link.largest))
    assert link.do(Command.PLAY, turns=[beyond])["status"] == TurnStatus.AREA
    assert link.do(Command.PLAY, turns=[apart])["status"] == TurnStatus.MISMATCH


@pytest.mark.parametrize("opened", [GATEWARE, "engine"], indirect=True)
def test_what_no_label_and_no_shape_can_be(link: Pins | EngineLink) -> None:
    """The gateware takes such a turn for one that is refused, the engine for a wrong field."""
    new_game(link, "@0/")
    for octets, status in (
        (b"\xc2\x01", TurnStatus.MISMATCH),
        (b"\xff\xff", TurnStatus.OUTSIDE),
        (b"\x3f\x01", TurnStatus.OUTSIDE),
        (b"\x01\x80", TurnStatus.OUTSIDE),
    ):
        link.send(pack_frame(3, Command.PLAY, octets))
        [(name, answer)] = link.answers(3, Command.PLAY)
        if name == "GAME":
            assert (answer["made"], answer["tiles"], answer["completed"]) == (0, 0, 0)
            assert answer["status"] == status
        else:
            assert isinstance(link, EngineLink)
            assert answer["error"] == ErrorCode.FIELD
        identify(link)


@pytest.mark.parametrize("opened", [GATEWARE, "engine"], indirect=True)
def test_an_answer_is_stored_until_another_command_comes(link: Pins | EngineLink) -> None:
    new_game(link, "@0/")
    answer = link.do(Command.PLAY, sequence=5, turns=turns_of("B1+"))
    assert answer["turns"] == 2
    assert link.do(Command.PLAY, sequence=5, turns=turns_of("B1+")) == answer
    link.send(pack_frame(6, 0x7F))
    assert [name for name, _ in link.answers(6, 0x7F)] == ["ERROR"]
    assert link.do(Command.PLAY, sequence=5, turns=turns_of("B1+")) == answer
    # The answer to this one is not stored; the number before is new all the same.
    assert link.do(Command.STATISTICS, sequence=6)["repeats"] == 2
    assert link.do(Command.PLAY, sequence=5, turns=turns_of("C1+"))["turns"] == 3
    # A command that is refused makes it new, too.
    new_game(link, "@0/ A0\\ B1+")
    assert link.do(Command.PLAY, sequence=5, turns=turns_of("@1/"))["status"] == TurnStatus.LEGAL
    assert link.do(Command.LIST, sequence=6) == error(ErrorCode.GAME_OVER, Command.LIST)
    assert link.do(Command.PLAY, sequence=5, turns=turns_of("@1/"))["status"] == TurnStatus.OVER


@pytest.mark.parametrize("opened", [GATEWARE, "engine"], indirect=True)
def test_every_command_is_known(link: Pins | EngineLink) -> None:
    """The shortest payload of each, with 0 in all bytes but the last: a search of one cycle."""
    for sequence, (command, message) in enumerate(COMMANDS.items()):
        new_game(link, "@0/ B1+")
        length = next(filter(message.accepts, itertools.count()))
        link.send(pack_frame(sequence, command, bytes(length)[1:] + b"\x01"[:length]))
        *_, (_, answer) = link.answers(sequence, command)
        assert answer.get("error") != ErrorCode.UNKNOWN, command


@pytest.mark.parametrize("opened", [GATEWARE, "engine"], indirect=True)
def test_to_take_back_no_turn_is_no_command(link: Pins | EngineLink) -> None:
    new_game(link, "@0/ B1+")
    assert link.do(Command.TAKE_BACK, count=0) == error(ErrorCode.FIELD, Command.TAKE_BACK)


@pytest.mark.parametrize("opened", [GATEWARE, "engine"], indirect=True)
@pytest.mark.parametrize("depth", [0, COUNT_DEPTH + 1, 0xFF])
def test_a_board_counts_no_longer_sequences(link: Pins | EngineLink, depth: int) -> None:
    new_game(link, "@0/ B1+")
    assert link.do(Command.COUNT, depth=depth) == error(ErrorCode.FIELD, Command.COUNT)


def test_the_known_game_of_the_self_test() -> None:
    assert KNOWN_GAME == BOTH
