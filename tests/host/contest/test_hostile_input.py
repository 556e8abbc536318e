"""Input that means harm: nothing but the documented errors, bounded memory, bounded time."""

import io
import os
import resource
import subprocess
import sys
import threading
import time
from contextlib import nullcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopline.game import (
    STANDARD,
    NotationError,
    Position,
    RecordError,
    parse_turn,
    read_game,
    read_records,
    split_games,
)
from loopline.game.old_notation import parse_old_turn, read_turn
from loopline.game.records.record_lines import LONGEST_GAME
from loopline.host.contest.bridge import Bridge
from loopline.host.contest.link import ContestDevice
from loopline.host.errors import DeviceError, DeviceFloodError, DeviceSilentError
from loopline.host.records.record_file import bounded_lines
from loopline.host.transport.lines import Lines
from loopline.host.ugi.player import UgiPlayer
from loopline.host.ugi.reader import Line
from loopline.host.ugi.ugi import Ugi
from tests.host.canned import Canned
from tests.host.program import COMMAND, TIMEOUT, environment

SIZE = 1 << 28
"""Bytes of a line, and of all the memory that the program has which reads it."""

CHUNK = 1 << 16

WORDS = st.sampled_from(
    "@0+ @0/ @1+ B1+ A0/ 1. 2. 1.@0+ 1-0 0-1 1/2-1/2 * RESIGN TIME DRAW ( ) # 1A C1S A1L "
    '[White "x"] [Variant "mini"] [Result "1-0"] [Date "2016"] [ [X "\\ \n \n\n \x00 é 九'.split(
        " "
    )
)
TEXTS = st.text(max_size=80) | st.lists(WORDS, max_size=25).map(" ".join)
UGI_LINES = st.builds(
    "{} {}".format,
    st.sampled_from("ugi isready setoption uginewgame position query go x".split()),
    st.lists(
        st.sampled_from(
            "startpos moves @0+ @1+ 9A+ name Variant value mini loop Device random greedy:1 "
            "depth nodes 1 0 -1 movetime gameover p1turn result infinite".split()
        )
        | st.text(st.characters(exclude_characters="\r\n"), max_size=8),
        max_size=8,
    ).map(" ".join),
)


@given(TEXTS)
def test_any_text_is_records_or_an_error_with_its_place(text: str) -> None:
    lines = list(bounded_lines(io.StringIO(text)))
    for game in split_games(lines):
        error = read_game(game).error
        if error:
            assert 1 <= error.line <= len(lines)
            assert error.column >= 1
            assert "\n" not in str(error)
    games = read_records(lines)
    while True:
        try:
            if next(games, None) is None:
                break
        except RecordError:
            pass


@given(st.lists(st.binary(max_size=200), max_size=6))
def test_any_bytes_are_lines_or_device_errors(pieces: list[bytes]) -> None:
    lines = Lines(Canned(*pieces))
    device = ContestDevice(Canned(*pieces), timeout=0.001)
    for read in (lambda: lines.read_line(0.001), device.read_turn, device.identify):
        try:
            found = str(read())
        except DeviceError as error:
            found = str(error)
        assert "\n" not in found


@given(st.lists(UGI_LINES, max_size=4))
def test_any_line_of_a_manager_is_answered_or_ignored(texts: list[str]) -> None:
    said: list[str] = []
    player = UgiPlayer("random:1", STANDARD, said.append)
    ugi = Ugi(player, said.append)
    for text in texts:
        # A spec of a device may name any file; only those that are no device are tried.
        if text.startswith("setoption") and "Device" in text:
            continue
        ugi.obey(Line(text, threading.Event()))
    player.close()
    assert all("\n" not in line for line in said)


def test_a_line_is_cut_where_no_game_goes_on() -> None:
    text = "@0/\n" + "x" * (3 * LONGEST_GAME) + "\n@0+\n"
    lines = list(bounded_lines(io.StringIO(text)))
    assert [len(line) for line in lines] == [4, LONGEST_GAME + 1, 4]
    errors = [str(read_game(game).error) for game in split_games(lines)]
    assert errors == ["None", "line 2, column 1: a game has at most 262,144 characters", "None"]


@pytest.mark.parametrize("line", ["# and so on\n", "@1+ @1+\n", "\n", "( B1+ )\n", "2. @1+\n"])
def test_only_the_beginning_of_a_long_game_is_kept(line: str) -> None:
    number = 3 * LONGEST_GAME // len(line)
    text = ['[White "x"]\n', "1. @0+\n", *[line] * number]
    (game,) = split_games(text)
    assert sum(len(line) for _, line in game.lines) <= LONGEST_GAME
    assert bool(game.beyond) is (line != "\n")
    if game.beyond:
        error = read_game(game).error
        assert error is not None
        assert error.line == game.beyond


MILLION = 1_000_000


@pytest.mark.parametrize("text", ["A" * MILLION + "1+", "1" * MILLION + "A+", "@" + "9" * MILLION])
def test_a_million_columns(text: str) -> None:
    """A turn there is none in either notation, and the message is short."""
    for read in (parse_turn, parse_old_turn, lambda text: read_turn(Position(), text)):
        with pytest.raises(NotationError) as caught:
            read(text)
        assert len(str(caught.value)) < 200
    (game,) = split_games(bounded_lines(io.StringIO(text)))
    error = read_game(game).error
    assert error is not None
    assert len(str(error)) < 200


HOSTILE = {
    "one line": "@1+ ",
    "one word": "A",
    "one tag": '\\\\"',
    "zero bytes": "\\0",
}
"""Texts that are repeated without a line end."""


@pytest.mark.parametrize("word", HOSTILE.values(), ids=HOSTILE)
def test_a_line_that_is_larger_than_the_memory(word: str) -> None:
    """A quarter of a gigabyte is read to its end by a program that may not have as much."""
    program = (
        "import sys\n"
        "sys.stdout.write('[White \"')\n"
        f"for _ in range({SIZE // CHUNK}): sys.stdout.write('{word}' * ({CHUNK} // len('{word}')))"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as writer:
        reader = subprocess.run(
            [*COMMAND, "replay", "-"],
            stdin=writer.stdout,
            capture_output=True,
            env=environment(),
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (SIZE, SIZE)),
            timeout=TIMEOUT,
            check=False,
        )
    assert (reader.returncode, reader.stderr) == (1, b"")
    assert b"line 1, column 1: a game has at most 262,144 characters" in reader.stdout


def test_a_device_that_sends_no_line() -> None:
    endless = Canned(b"", endless=b"B" * 4096)
    reading, writing = os.pipe()
    try:
        with pytest.raises(DeviceFloodError, match=r"^it sends no lines, but b'BBBB"):
            Bridge(ContestDevice(endless, 0.1), lambda _: None).run(reading)
        # Who still read would take what is meant for the next file of this number.
        readers = [one for one in threading.enumerate() if "_read_source" in one.name]
        assert not readers
    finally:
        os.close(writing)
        os.close(reading)


@pytest.mark.parametrize(("said", "owes"), [(b"", False), (b"-W\n", True)])
def test_a_device_that_talks_on_after_the_end(said: bytes, owes: bool) -> None:
    """What is no reply keeps nobody waiting."""
    begun = time.monotonic()

    def sink(_line: bytes) -> None:
        assert time.monotonic() < begun + 5, "the bridge does not end"

    reading, writing = os.pipe()
    os.write(writing, said)
    os.close(writing)
    bridge = Bridge(ContestDevice(Canned(endless=b"info\n"), 0.1), sink)
    try:
        with pytest.raises(DeviceSilentError) if owes else nullcontext():
            bridge.run(reading)
    finally:
        os.close(reading)
