import re
import time
from pathlib import Path

import pytest

from loopline.game import Position
from tests.host.positions import position_after, records_of
from tests.host.program import loopline, talking
from tests.host.puppet import puppet

pytestmark = pytest.mark.xdist_group("host-board")


NOISE = bytes(range(256)) * 8 + b"\n\n\r\n" + b"B" * 1000 + b"\n"


@pytest.mark.parametrize(
    ("sent", "printed", "turns"),
    [
        (b"-T\n-W\n", r"LL\n(\S+)\n", ""),
        (b"-T\n-B\n@0/", r"LL\n(\S+)\n", "@0/"),
        (b"-T\r-B\r@0/", r"LL\n(\S+)\n", "@0/"),
        (b"-T\r\n-B\r\n@0/", r"LL\n(\S+)\n", "@0/"),
        (b"-S\n@0/\nB1+\n-G\n", r"LL\n(\S+)\n", "@0/ B1+"),
        # The answer to the first -G is dropped if -T comes before it.
        (b"-S\n@0/\nB1+\n@0/\n-G\n-T\n-S\n-G\n", r"LL\n(?:.*\n)*LL\nLL\n(\S+)\n", ""),
        (NOISE + b"-T\n-W\n", r"(?:.*\n)*LL\n(\S+)\n", ""),
    ],
    ids=["opening", "line feed", "return", "both", "set-up", "two set-ups", "noise"],
)
def test_answers(sim_port: str, sent: bytes, printed: str, turns: str) -> None:
    """The last answer is a legal turn after these, and all lines look like this."""
    done = loopline("player", "--device", sim_port, stdin=sent)
    assert (done.stderr, done.returncode) == ("", 0)
    found = re.fullmatch(printed, done.stdout)
    assert found
    assert position_after(turns).is_legal(found[1])


def test_no_input_at_all(sim_port: str) -> None:
    done = loopline("player", "--device", sim_port)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_whole_game_line_by_line(sim_port: str) -> None:
    with talking("player", "--device", sim_port) as talk:
        talk.write("-B\n")
        position = Position()
        while not position.result:
            turn = position.legal_turns()[-1]
            position.play(turn)
            talk.write(f"{turn}\n")
            if not position.result:
                position.play(talk.read_line())
        talk.write("-T\n")
        assert talk.read_line() == "LL"
        talk.end()
        assert talk.rest() == ("", "")
        assert talk.process.wait() == 0


def test_games_are_saved(sim_port: str, tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    words = ("player", "--device", sim_port, "--save", str(file))
    with talking(*words) as talk:
        talk.write("-W\n")
        opening = talk.read_line()
        talk.write("-B\n@0/\n")
        answer = talk.read_line()
        assert len(records_of(file)) == 1
        talk.write("-B\n-S\n@0/\nB1+\n-T\n-S\n@0+\n-G\n")
        assert (talk.read_line(), talk.read_line(), talk.read_line()) == ("LL", "LL", "LL")
        last = talk.read_line()
        talk.end()
        assert talk.rest() == ("", "")
    games = records_of(file)
    # Neither the game without a turn, nor the set-up in which the device had no side.
    assert [" ".join(map(str, game.turns)) for game in games] == [
        opening,
        f"@0/ {answer}",
        f"@0+ {last}",
    ]
    assert [game.ending for game in games] == [None] * 3
    assert ["White" in game.tags for game in games] == [True, False, False]
    assert ["Red" in game.tags for game in games] == [False, True, True]


def test_own_board() -> None:
    done = loopline("player", "--device", "sim", stdin="-T\n")
    assert (done.stdout, done.returncode) == ("LL\n", 0)


def test_reader_that_goes_away_is_no_traceback(sim_port: str) -> None:
    with talking("player", "--device", sim_port) as talk:
        talk.write("-T\n")
        assert talk.read_line() == "LL"
        assert talk.process.stdout is not None
        assert talk.process.stderr is not None
        talk.process.stdout.close()
        talk.write("-T\n")
        assert talk.process.stderr.read() == b""
        assert talk.process.wait() == 141


# A device of the test's own, for what no board of ours does.


def test_new_game_passes_through_at_once_while_the_board_thinks() -> None:
    """Neither turn that is owed is waited for: none ever comes."""
    lines = [b"-B", b"@0/", b"-W", b"-B", b"@0/", b"-T"]
    with puppet(lambda line: b"XX\n" if line == b"-T" else b"") as held:
        done = loopline("player", "--device", held.path, stdin=b"\n".join(lines))
        assert (done.stdout, done.stderr, done.returncode) == ("XX\n", "", 0)
        assert held.heard == [b"-T", *lines]


def test_bytes_go_out_unchanged_and_at_once() -> None:
    with puppet(lambda line: b"XX\n" if line == b"-T" else b"") as held:
        with talking("player", "--device", held.path) as talk:
            sent = bytes(set(range(256)) - {10, 13})
            talk.write(sent + b"\nno line end")
            deadline = time.monotonic() + 30
            while held.heard != [b"-T", sent] and time.monotonic() < deadline:
                time.sleep(0.01)
            assert held.heard == [b"-T", sent]
            held.say(b"\r\n\r\nfrom the device\xff\r\n")
            assert talk.process.stdout is not None
            assert talk.process.stdout.readline() == b"from the device\xff\n"
            talk.end()
            assert talk.rest() == ("", "")
        assert held.heard == [b"-T", sent, b"no line end"]


def test_a_listener_says_where_it_is_to_be_called() -> None:
    done = loopline("player", "--device", "tcp-listen:0", "--timeout", "0.5", stdin="")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Waiting for a player to call tcp-listen:127.0.0.1:")


def test_answer_that_never_comes_is_an_error_at_the_end() -> None:
    with puppet(lambda line: b"XX\n" if line == b"-T" else b"") as held:
        done = loopline("player", "--device", held.path, "--timeout", "0.5", stdin="-W\n")
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == (
            f"loopline player: {held.path} owes an answer, but sent none within 0.5 s\n"
        )
