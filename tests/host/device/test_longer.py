"""What is longer than a frame, fuller than a buffer, or later than the first timeout.

The engine is in this process, behind a line that a test spoils frame by frame; nothing waits by
the clock.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import NoReturn

import pytest

from loopline.engine.device.device import Device as Engine
from loopline.engine.options import Limits
from loopline.game import LOOP, Position
from loopline.game.wire import (
    ANSWERS,
    COMMANDS,
    Command,
    Frame,
    FrameReader,
    answer_code,
    command_frame,
    item_code,
    pack_frame,
)
from loopline.host.device import AnswerError, Device, exchange
from loopline.host.device.endpoint import DeviceEndpoint
from loopline.host.device.exchange import Timeouts
from loopline.host.device.session import Session
from loopline.host.errors import DeviceSilentError
from tests.host.device.games import random_game, turns_of

TIMEOUTS = Timeouts(1.0, 20.0)
TURNS = 150
"""More than two frames hold."""

Spoil = Callable[[Frame], Frame | bytes | None]
"""What becomes of a frame on its way; bytes: they arrive in its place; None: it is lost."""


class _NoInput(Exception):
    """The engine has nothing to do."""


def no_searcher() -> NoReturn:
    """Stand for the loading of the engine's search, which no command here needs."""
    raise AssertionError("a search has begun")


def arriving(spoil: Spoil, frame: Frame) -> bytes:
    """Return the bytes that arrive of a frame."""
    passed = spoil(frame)
    return pack_frame(*passed) if isinstance(passed, Frame) else passed or b""


def damaged(frame: Frame) -> bytes:
    """Return a frame with a wrong bit before its end."""
    data = bytearray(pack_frame(*frame))
    data[-2] ^= 1
    return bytes(data)


class Line:
    """A transport to an engine, of which each frame passes ``down`` or ``up``.

    Attributes
    ----------
    down, up : callable
        What becomes of a frame on its way to the engine, or from it.
    delay : float
        Seconds by the clock of the exchange before each read has the next frame.
    sent : list of int
        The codes of the frames that the host has sent.
    clock : SimpleNamespace
        The clock of the exchange: ``now`` in seconds.
    """

    path = "the line"

    def __init__(self, clock: SimpleNamespace) -> None:
        self.down: Spoil = lambda frame: frame
        self.up: Spoil = lambda frame: frame
        self.delay = 0.0
        self.sent: list[int] = []
        self.clock = clock
        self._readers = FrameReader(), FrameReader()
        self.power()

    def power(self) -> None:
        """Switch the engine off and on again."""
        self._input: list[bytes] = []
        self._output: list[bytes] = []
        self._rest = b""
        self._engine = Engine(no_searcher, Limits(), self._receive, self._send)

    def open(self, seconds: float) -> None:
        pass

    def close(self) -> None:
        pass

    def remark(self) -> str:
        return ""

    def write(self, data: bytes) -> None:
        for frame in self._readers[0].feed(data):
            assert isinstance(frame, Frame)
            self.sent.append(frame.code)
            if data := arriving(self.down, frame):
                self.tell(data)

    def tell(self, data: bytes) -> None:
        """Give bytes to the engine, and let it work until it waits for more."""
        self._input.append(data)
        with pytest.raises(_NoInput):
            self._engine.run()

    def read(self, wait: float = 0.05) -> bytes:
        """Return half a frame, as a port may have it, and then the rest."""
        data, self._rest = self._rest, b""
        if not data and self._output:
            frame = self._output.pop(0)
            data, self._rest = frame[: len(frame) // 2], frame[len(frame) // 2 :]
        self.clock.now += self.delay if self._rest else 0.0 if data else max(wait, 0.001)
        return data

    def answer(self, frame: Frame) -> None:
        """Answer in place of the engine."""
        self._output.append(pack_frame(*frame))

    def _receive(self, seconds: float | None) -> bytes:
        if self._input:
            return self._input.pop(0)
        raise _NoInput

    def _send(self, data: bytes) -> None:
        for frame in self._readers[1].feed(data):
            assert isinstance(frame, Frame)
            if data := arriving(self.up, frame):
                self._output.append(data)


@pytest.fixture(scope="module")
def game() -> Position:
    return random_game(LOOP, TURNS, 9)


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> Line:
    clock = SimpleNamespace(now=0.0)
    clock.monotonic = lambda: clock.now
    monkeypatch.setattr(exchange, "time", clock)
    # The first number is not random: the other host of a test has another one. A command of the
    # same number would be a repetition.
    monkeypatch.setattr(exchange, "random", SimpleNamespace(randrange=lambda _count: 0))
    return Line(clock)


@pytest.fixture
def device(line: Line) -> Device:
    return Device(Session(DeviceEndpoint(lambda: line, TIMEOUTS, TIMEOUTS)))


def check(device: Device, turns: list[str]) -> None:
    """Compare the device's position with the rules."""
    position = Position(LOOP)
    for turn in turns:
        position.play(turn)
    found = device.position()
    assert (found.turns, len(found.tiles)) == (len(turns), position.tiles)
    assert [str(turn) for turn in device.turns] == turns
    assert set(device.legal_turns()) == set(position.legal_turns())


def test_a_long_game_is_set_up_again_whole(line: Line, device: Device, game: Position) -> None:
    turns = turns_of(game)
    assert device.new_game(LOOP, turns[:-70]).turns == TURNS - 70
    assert device.play(*turns[-70:]).made == 70
    for count, ask in (
        (TURNS, lambda: check(device, turns)),
        (TURNS - 20, lambda: device.take_back(20)),
        (TURNS, lambda: device.play(*turns[-20:])),
    ):
        line.power()
        ask()
        check(device, turns[:count])
    assert device.mended == 3
    line.power()
    line.down = lambda frame: shortened(frame) if frame.code == Command.PLAY else frame
    with pytest.raises(AnswerError, match=rf"accepts {TURNS - 2} of the {TURNS} turns of its own"):
        device.position()


def shortened(frame: Frame) -> Frame:
    """A PLAY without its last turn."""
    turns = COMMANDS[Command.PLAY].unpack(frame.payload)["turns"]
    assert isinstance(turns, list)
    return frame._replace(payload=COMMANDS[Command.PLAY].pack(turns=turns[:-1]))


def test_the_game_of_another_host_leaves_no_trace(
    line: Line, device: Device, game: Position
) -> None:
    device.new_game(LOOP, turns_of(game)[:9])
    others = [played.turn for played in game.history[:40]]
    another_game = command_frame(0, Command.NEW_GAME, area=0, rules=0, turns=others)
    line.tell(another_game)
    check(device, turns_of(game)[:9])
    line.tell(another_game)
    assert device.play(*turns_of(game)[9:11]).turns == 11
    check(device, turns_of(game)[:11])
    assert device.mended == 2


@pytest.mark.parametrize("command", [Command.LIST, Command.POSITION])
def test_a_list_of_which_each_time_another_part_is_lost(
    line: Line, device: Device, game: Position, command: Command
) -> None:
    turns = turns_of(game)[:30]
    device.new_game(LOOP, turns)
    tries, parts = [0], [0]

    def lose(frame: Frame) -> Frame | None:
        if frame.code == answer_code(command):
            tries[0], parts[0] = tries[0] + 1, 0
        elif frame.code & 0x5F == 0x40 | command:
            parts[0] += 1
            # One of the first, which of a position are rows, and one of the last.
            if parts[0] % 40 == 1 + tries[0] % 5:
                return None
        return frame

    line.up = lose
    check(device, turns)
    assert tries == [2]


def test_parts_of_a_repeated_list_count_once(line: Line, device: Device, game: Position) -> None:
    device.new_game(LOOP, turns_of(game)[:9])
    ends = []

    def lose_the_end(frame: Frame) -> Frame | None:
        ends.append(frame) if frame.code == answer_code(Command.LIST) else None
        return None if ends == [frame] else frame

    line.up = lose_the_end
    numbers: list[int] = []
    found = device.candidates(report=numbers.append)
    assert numbers == [*range(1, len(found) + 1)] * 2


def test_an_answer_may_take_longer_than_the_limit(
    line: Line, device: Device, game: Position
) -> None:
    device.new_game(LOOP, turns_of(game)[:9])
    line.delay = 0.9 * TIMEOUTS.retry
    line.sent.clear()
    assert len(device.candidates()) * line.delay > TIMEOUTS.limit
    assert line.sent == [Command.LIST]


def test_a_command_is_sent_again_and_again(line: Line, device: Device) -> None:
    line.sent.clear()
    line.down = lambda frame: frame if len(line.sent) > 4 else None
    assert device.identify().name == "Engine"
    assert len(line.sent) == 5
    line.down = lambda frame: None
    with pytest.raises(DeviceSilentError):
        device.identify()


@pytest.mark.parametrize("way", ["down", "up"])
def test_after_damage_a_command_is_sent_again_soon(line: Line, device: Device, way: str) -> None:
    """Once the rest of the damage has passed, and before an answer counts as lost."""
    device.new_game(turns=["@0/"])
    spoilt: list[Frame] = []

    def damage_once(frame: Frame) -> Frame | bytes:
        spoilt.append(frame)
        return damaged(frame) if len(spoilt) == 1 else frame

    setattr(line, way, damage_once)
    line.sent.clear()
    begun = line.clock.now
    assert device.play("B1+").turns == 2
    assert line.sent == [Command.PLAY] * 2
    assert 0.05 <= line.clock.now - begun < 0.2 < TIMEOUTS.retry


class Searcher:
    """Obeys SEARCH and STOP in place of the engine, and loses its first stop or its first answer.

    Attributes
    ----------
    begun : int
        How many searches were begun: the number of nodes that it tells.
    """

    STOP, ANSWER = "stop", "answer"

    def __init__(self, line: Line, lost: str = STOP) -> None:
        self.begun = 0
        self._line = line
        self._lost = lost
        self._asked: Frame | None = None
        """The search under way, or whose answer is stored."""
        self._searches = False
        line.down = self._obey

    def _obey(self, frame: Frame) -> Frame | None:
        if frame.code == Command.STOP:
            if not self._searches:
                self._asked = None
            elif self._lost == self.STOP:
                self._lost = ""
            else:
                self._searches = False
                self._answer()
        elif frame.code == Command.SEARCH:
            if frame != self._asked:
                self._asked, self._searches = frame, True
                self.begun += 1
            else:
                self._answer()
        else:
            return frame
        return None

    def _answer(self) -> None:
        """Tell that the search goes on, or send the answer, which is stored."""
        assert self._asked is not None
        if self._lost == self.ANSWER and not self._searches:
            self._lost = ""
            return
        code = (item_code if self._searches else answer_code)(Command.SEARCH)
        found = {"verdict": 0, "score": 0, "depth": 0, "nodes": self.begun, "cycles": 0}
        payload = ANSWERS[code].pack(**found, variation=[])
        self._line.answer(Frame(self._asked.sequence, code, payload))


def test_a_search_is_stopped_again_if_the_first_stop_is_lost(line: Line, device: Device) -> None:
    searcher = Searcher(line)
    device.new_game(turns=["@0/"])
    line.sent.clear()
    assert device.search(stopped=lambda: True).nodes == 1
    # The second one comes once the device has said that it still searches.
    assert line.sent == [Command.SEARCH, Command.STOP, Command.SEARCH, Command.STOP]
    assert searcher.begun == 1


def test_a_lost_answer_to_a_search_that_was_stopped_is_not_searched_for_again(
    line: Line, device: Device
) -> None:
    """A second stop would discard the answer that the device has stored."""
    searcher = Searcher(line, lost=Searcher.ANSWER)
    device.new_game(turns=["@0/"])
    line.sent.clear()
    assert device.search(stopped=lambda: True).nodes == 1
    assert line.sent == [Command.SEARCH, Command.STOP, Command.SEARCH]
    assert searcher.begun == 1
