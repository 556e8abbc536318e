"""A player of this process behind contest lines: it thinks in a thread of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from loopline.game import STANDARD, Colour, Position, Turn, Variant, parse_turn
from loopline.game.wire import Verdict
from loopline.host.device import SearchReport
from loopline.host.errors import DeviceTalkError, UsageError
from loopline.host.players.device_player import DevicePlayer
from loopline.host.players.player_line import PlayerLine
from loopline.host.players.software import RandomPlayer
from tests.host.positions import position_after


class Thinker(DevicePlayer):
    """Thinks until it is stopped, or at once returns a turn that it was given."""

    def __init__(self, turn: str | None = None) -> None:
        self.turn = None if turn is None else parse_turn(turn)
        self.stopped, self.began = threading.Event(), threading.Event()
        self.allowed: list[float | None] = []
        self.closed = False
        self.report = lambda _found: None

    @property
    def name(self) -> str:
        return "thinker"

    def start(self, colour: Colour, variant: Variant = STANDARD, opening: object = ()) -> None:
        pass

    def hear(self, turn: Turn) -> None:
        pass

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        self.allowed.append(seconds)
        if self.turn:
            return self.turn
        self.stopped.clear()  # as a device does
        self.began.set()
        assert self.stopped.wait(60)
        return position.legal_turns()[0]

    def stop(self) -> None:
        self.stopped.set()

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def thinker() -> Iterator[tuple[Thinker, PlayerLine]]:
    player = Thinker()
    line = PlayerLine(player, seconds=5.0)
    yield player, line
    line.close()
    assert player.closed
    assert not line._thread.is_alive()


def read(line: PlayerLine) -> bytes:
    deadline = time.monotonic() + 60
    while not (answer := line.read()):
        assert time.monotonic() < deadline
    return answer


def test_another_session_ends_a_search(thinker: tuple[Thinker, PlayerLine]) -> None:
    player, line = thinker
    line.write(b"-W\n")
    assert player.began.wait(60)
    assert player.allowed == [5.0]
    line.write(b"-B\n-T")
    line.write(b"\r\n")
    assert read(line) == b"LL\n"
    assert line.read(0.1) == b""


def test_a_search_that_a_stop_came_too_early_for_is_ended_when_it_reports() -> None:
    player = Thinker()
    line = PlayerLine(player)
    line.write(b"-W\n")
    assert player.began.wait(60)
    line._session += 1  # as if the stop had come before the search
    player.report(SearchReport(Verdict.UNKNOWN, 0, 0, 0, 0, ()))
    assert player.stopped.wait(60)
    line.close()


def test_each_code_is_told_and_no_turn_of_a_game_that_is_gone() -> None:
    player = Thinker()
    line = PlayerLine(player)
    line.write(b"-W\n-T\n-S\n@0/\n-G\n")
    assert [read(line), read(line)] == [b"LL\n", b"LL\n"]
    while not (turn := line.read()):
        player.stop()  # the search of the last session, once it has begun
    assert turn == f"{position_after('@0/').legal_turns()[0]}\n".encode()
    line.close()


def test_a_player_that_chooses_at_once_answers_every_line() -> None:
    line = PlayerLine(RandomPlayer(1))
    line.write(b"-W\n-T\n-B\n@0/\n")
    first, code, second = read(line), read(line), read(line)
    assert first in (b"@0/\n", b"@0+\n")
    assert code == b"LL\n"
    assert position_after("@0/").is_legal(second.decode().strip())
    line.close()


def test_an_illegal_turn_is_the_players_failure() -> None:
    line = PlayerLine(Thinker("C7+"))
    line.write(b"-W\n")
    with pytest.raises(DeviceTalkError, match="^thinker has made an illegal turn: C7"):
        read(line)
    line.close()


def test_a_player_that_cannot_play_says_so() -> None:
    class Unfit(Thinker):
        def start(self, *_: object, **__: object) -> None:
            raise UsageError("it plays no such game")

    line = PlayerLine(Unfit())
    line.write(b"-B\n")
    with pytest.raises(DeviceTalkError, match="^it plays no such game$"):
        read(line)
    line.close()
