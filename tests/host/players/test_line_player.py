"""A contest player's lines, one by one."""

import os
import time
from collections.abc import Callable
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopline.game import (
    MINI,
    Colour,
    Ending,
    Position,
    Turn,
    format_record,
    parse_turn,
    read_records,
)
from loopline.host.clock import UNTIMED, Clock
from loopline.host.contest.link import ContestDevice
from loopline.host.errors import DeviceSilentError, DeviceTalkError
from loopline.host.players.base import Player, UnfitError
from loopline.host.players.line_player import LinePlayer
from loopline.host.players.software import RandomPlayer
from loopline.host.players.spec import PlayerOpener
from loopline.host.referee.referee import TURN_LIMIT, play_game
from loopline.host.transport import serial_line
from loopline.host.transport.serial_line import SerialLine
from tests.host.canned import Canned
from tests.host.program import TIMEOUT, talking
from tests.host.puppet import Puppet, puppet, vanishing_port
from tests.host.scripted import Scripted

OPENING = tuple(parse_turn(turn) for turn in "@0/ B1+ A2/".split())


def player_at(held: Puppet, *, code: bool = False) -> LinePlayer:
    return LinePlayer(ContestDevice(SerialLine(held.path), 60, 0.3), code=code)


def answering(answers: dict[bytes, bytes]) -> Callable[[bytes], bytes]:
    return lambda line: answers.get(line, b"")


def await_said(player: LinePlayer, text: bytes) -> None:
    """Return when the device has said this, and the player has not read it yet."""
    deadline = time.monotonic() + TIMEOUT
    while text not in player.device._lines.waiting():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def play(white: Player, red: Player, opening: str = "", limit: int = TURN_LIMIT) -> str:
    turns = [parse_turn(turn) for turn in opening.split()]
    game = play_game(white, red, opening=turns, limit=limit)
    return f"{game.explanation}: {' '.join(str(played.turn) for played in game.position.history)}"


def test_as_white() -> None:
    answers = {b"-W": b"@0/\n", b"B1\\": b"A2\\\r\n"}
    with puppet(answering(answers)) as held, closing(player_at(held)) as player:
        assert play(player, Scripted("B1\\")).startswith("red wins by a loop after 3 turns")
        assert held.heard == [b"-W", b"B1\\"]


def test_as_red_and_told_the_last_turn() -> None:
    with (
        puppet(answering({b"@0/": b"B1\\\n"})) as held,
        closing(player_at(held)) as player,
    ):
        play(Scripted("@0/ A2\\"), player)
        for _ in range(100):
            if len(held.heard) == 3:
                break
            player.device.transport.read()
        assert held.heard == [b"-B", b"@0/", b"A2\\"]


def test_code_is_asked_before_each_game() -> None:
    answers = {b"-T": b"XY\n", b"-W": b"@0/\n"}
    with puppet(answering(answers)) as held, closing(player_at(held, code=True)) as player:
        assert (player.code, player.name) == ("XY", f"{held.path} (XY)")
        play(player, Scripted(""), limit=1)
        play(player, Scripted(""), limit=1)
        assert held.heard == [b"-T", b"-T", b"-W", b"-T", b"-W"]


def test_what_it_said_between_the_games_is_dropped() -> None:
    with puppet(answering({b"-W": b"@0/\n"})) as held, closing(player_at(held)) as player:
        held.say(b"hello\nB1+\n")
        await_said(player, b"B1+")
        assert play(player, Scripted(""), limit=1).endswith(": @0/")


# Openings.


def test_opening_with_the_player_to_move() -> None:
    answers = {b"-S": b"XY\n", b"-G": b"A3+\n"}
    with puppet(answering(answers)) as held, closing(player_at(held)) as player:
        assert play(Scripted(""), player, "@0/ B1+ A2/", limit=4).endswith("@0/ B1+ A2/ A3+")
        assert held.heard == [b"-S", b"-S", b"@0/", b"B1+", b"A2/", b"-G"]


def test_opening_with_the_opponent_to_move() -> None:
    answers = {b"-S": b"XY\n", b"-G": b"A4+\n"}
    with puppet(answering(answers)) as held, closing(player_at(held)) as player:
        assert play(player, Scripted("A3+"), "@0/ B1+ A2/", limit=5).endswith("A2/ A3+ A4+")
        assert held.heard == [b"-S", b"-S", b"@0/", b"B1+", b"A2/", b"A3+", b"-G"]
        held.heard.clear()
        # That it knows how to is asked once.
        play(player, Scripted("A3+"), "@0/ B1+ A2/", limit=5)
        assert held.heard == [b"-S", b"@0/", b"B1+", b"A2/", b"A3+", b"-G"]


def test_opening_of_one_turn_is_a_plain_game_for_red() -> None:
    with puppet(answering({b"@0/": b"B1+\n"})) as held, closing(player_at(held)) as player:
        assert play(Scripted(""), player, "@0/", limit=2).endswith(": @0/ B1+")
        assert held.heard == [b"-B", b"@0/"]


@pytest.mark.parametrize("answer", [b"", b"?\n"])
def test_player_that_knows_no_openings(answer: bytes) -> None:
    with puppet(lambda line: answer) as held, closing(player_at(held)) as player:
        for _ in range(2):
            with pytest.raises(UnfitError) as caught:
                player.start(Colour.WHITE, opening=OPENING)
            assert str(caught.value) == (
                f"{held.path} cannot begin after an opening: it does not answer -S "
                "as Loopline's boards do"
            )
        assert held.heard == [b"-S"]


def test_other_variant_than_it_plays() -> None:
    with (
        puppet() as held,
        closing(player_at(held)) as player,
        pytest.raises(UnfitError, match=r" plays standard, not mini$"),
    ):
        player.start(Colour.WHITE, MINI)


def test_turn_out_of_turn() -> None:
    with puppet() as held, closing(player_at(held)) as player:
        player.start(Colour.RED)
        held.say(b"B1+\n")
        await_said(player, b"B1+")
        with pytest.raises(DeviceTalkError, match=r"sent b'B1\+' when it was not its turn"):
            player.hear(parse_turn("@0/"))


def test_silence_is_told_with_the_time_of_the_clock() -> None:
    """What is left of it when the player begins to be waited for is of no use to a reader."""
    with puppet() as held, closing(player_at(held)) as player:
        player.start(Colour.RED)
        position = Position()
        position.play(parse_turn("@0/"))
        player.hear(parse_turn("@0/"))
        time.sleep(0.02)
        with pytest.raises(DeviceSilentError, match=r" sent nothing within 0\.1 s; "):
            player.choose(position, 0.1)


# Whatever comes: a start of proper turns, then junk of every kind.
PIECES = st.one_of(
    st.binary(max_size=80),
    st.sampled_from(
        [b"@0+\n", b"@0/\r\n", b"B1+", b"\n", b"B1/\n", b"\n\r", b"-T\n", b"", b"A" * 99]
    ),
)


@given(st.lists(PIECES, max_size=6), st.sampled_from(list(Colour)), st.integers(0, 99))
def test_any_bytes_end_in_a_result(pieces: list[bytes], colour: Colour, seed: int) -> None:
    far = Canned(*pieces)
    player = LinePlayer(ContestDevice(far, 60), code=False)
    # The bytes come after the start of the game, which would discard them.
    player.device.discard = lambda: None  # type: ignore[method-assign]
    players = (
        (player, RandomPlayer(seed)) if colour is Colour.WHITE else (RandomPlayer(seed), player)
    )
    game = play_game(*players, clock=Clock(0.01), limit=5)
    assert "\n" not in game.explanation
    assert game.record().ending == game.ending
    text = format_record(game.record())
    assert [record.ending for record in read_records(text.splitlines())] == [game.ending]


class Vanishing(Scripted):
    """A player while whose first turn the far end of its opponent's port is closed."""

    def __init__(self, turns: str, ends: tuple[int, ...]) -> None:
        super().__init__(turns)
        self._ends = ends

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        for end in self._ends:
            os.close(end)
        return super().choose(position, seconds)


def test_port_that_vanishes() -> None:
    master, slave, path = vanishing_port()
    with closing(LinePlayer(ContestDevice(SerialLine(path), 60), code=False)) as player:
        game = play_game(Vanishing("@0/", (slave, master)), player)
    assert game.ending == Ending(Colour.WHITE, "fault")
    assert game.explanation == f"red loses at turn 2: {path} has gone away"


def test_port_that_takes_no_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial_line, "WRITE_SECONDS", 0.2)
    master, slave, path = vanishing_port()
    device = ContestDevice(SerialLine(path), 60)
    try:
        with pytest.raises(DeviceSilentError, match=r"takes no bytes: it has read nothing for 0.2"):
            device.send("x" * 1_000_000)
    finally:
        device.close()
        os.close(slave)
        os.close(master)


# The simulated board.


@pytest.mark.xdist_group("host-board")
@pytest.mark.parametrize("colour", list(Colour))
def test_board_plays_to_the_end(sim_port: str, colour: Colour) -> None:
    for opening in "", "@0/ B1+ A2/", "@0/ B1+":
        with (
            closing(PlayerOpener().open(sim_port)) as board,
            closing(PlayerOpener().open("random:7")) as other,
        ):
            players = (board, other) if colour is Colour.WHITE else (other, board)
            turns = [parse_turn(turn) for turn in opening.split()]
            game = play_game(*players, opening=turns)
        assert game.ending.on_the_board or game.ending.reason == "turn limit"
        assert board.name == f"{sim_port} (LL)"


@pytest.mark.xdist_group("mini board")
@pytest.mark.slow
def test_board_of_a_variant() -> None:
    white, red = PlayerOpener(variant=MINI).open_both("sim", "random:1")
    with closing(white), closing(red):
        assert white.name == "the simulated board (LL)"
        # How long that takes here is up to whatever else this machine does.
        game = play_game(white, red, variant=MINI, clock=UNTIMED)
    assert game.ending.on_the_board
    assert game.position.variant == MINI


@pytest.mark.xdist_group("mini board")
@pytest.mark.slow
def test_board_of_a_variant_by_the_command_line() -> None:
    with talking("player", "--device", "sim", "--variant", "mini") as talk:
        talk.write("-W\n")
        position = Position(MINI)
        while not position.ending:
            position.play(talk.read_line())
            if not position.ending:
                turn = position.legal_turns()[0]
                position.play(turn)
                talk.write(f"{turn}\n")
        talk.end()
        output, errors = talk.rest()
        assert talk.process.wait() == 0
    assert output == ""
    assert errors.splitlines() in ([], ["building the simulated board (once) ..."])
    assert max(position.width, position.height) <= 3
