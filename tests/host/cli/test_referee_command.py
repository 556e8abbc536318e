import json
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from loopline.game import Colour, Ending
from loopline.host.contest import link
from loopline.tools.signals import handled
from tests.host.contestant import contestant
from tests.host.leftovers import is_running
from tests.host.positions import position_after, records_of
from tests.host.program import loopline, on_terminal, talking

CONTESTANT = Path(__file__).parents[1] / "contestant.py"


def referee(*words: str) -> subprocess.CompletedProcess[str]:
    return loopline("referee", "--settle", "0", "--clock", "60", *words)


def test_boards_turns_and_result() -> None:
    players = ("--white", "random:1", "--red", "random:2")
    done = referee(*players)
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.count("White random:1  ") == 16  # the empty board is drawn, too
    turn = r"^Turn 12: red plays F4/, which forces E4\\\. \[\d+\.\d{3} s\]$"
    assert re.search(turn, done.stdout, re.M)
    times = r"\d+\.\d\d s, the longest \d+\.\d{3} s"
    assert re.search(rf"^Red   random:2  7 turns, {times}$", done.stdout, re.M)
    result = "White wins by a loop after 15 turns.\nResult: 1-0\n"
    assert done.stdout.endswith(result)
    assert "\x1b" not in done.stdout
    done = referee(*players, "--no-board")
    assert len(done.stdout.splitlines()) == 17
    assert re.match(r"Turn 1: white plays @0\+ \(now at A1\)\. \[\d+\.\d{3} s\]\n", done.stdout)
    assert referee(*players, "--quiet").stdout == result


def test_json() -> None:
    done = referee("--white", contestant(), "--red", "random:2", "--json", "-T", "--limit", "3")
    said = json.loads(done.stdout)
    assert done.returncode == 0
    assert said["white"]["player"].endswith("contestant.py (XY)")
    assert said["white"]["code"] == "XY"
    assert said["red"] == {"player": "random:2", "code": None}
    assert (said["limit"], said["variant"], said["clock"]) == (3, "standard", "60 s")
    assert said["turns"][0]["turn"] == "@0+"
    assert (said["result"], said["winner"], said["termination"]) == ("1/2-1/2", None, "turn limit")


def test_fault_is_explained_and_no_failure_of_ours() -> None:
    done = referee("--white", contestant("illegal"), "--red", "random:3", "--quiet")
    assert done.returncode == 0
    assert done.stdout == (
        "Red wins after 2 turns, as the opponent made an illegal turn.\n"
        "White loses at turn 3: Z99+: Z99 is not adjacent to any tile; "
        "18 turns would be legal, such as @1+.\n"
        "Result: 0-1\n"
    )


def test_records_are_added_to_the_file(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    red = contestant("dies-thinking")
    for players in ("random:1", "random:2"), ("random:3", red):
        white, red = players
        assert referee("--white", white, "--red", red, "--save", str(path)).returncode == 0
    first, second = records_of(path)
    assert first.tags["White"] == "random:1"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", first.tags["Date"])
    assert first.tags["Clock"] == "60 s"
    assert all(re.fullmatch(r"0\.\d{3} s", first.comments[turn][0]) for turn in range(1, 16))
    assert second.ending == Ending(Colour.WHITE, "fault")
    assert "has ended with status 3" in second.comments[3][-1]
    done = loopline("replay", str(path))
    assert done.returncode == 0


def test_a_record_that_cannot_be_saved_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    red = f"cmd:sh -c 'read line; mkdir {path}; exit 3'"
    done = referee("--white", "random:1", "--red", red, "--save", str(path), "--json")
    assert (done.returncode, done.stdout) == (2, "")
    first, *rest = done.stderr.splitlines()
    assert first == "The record that is not saved:"
    assert any(re.match(r"(1\. )?@0[/+]", line) for line in rest)
    assert rest[-1] == f"loopline referee: cannot write {path}: Is a directory"


def test_variant_and_opening() -> None:
    done = referee(
        *("--white", "random:1", "--red", "random:2", "--json"),
        *("--variant", "limited-4", "--opening", "@0/ B1S"),
    )
    said = json.loads(done.stdout)
    assert said["variant"] == "limited-4"
    assert said["opening"] == ["@0/", "B1+"]
    assert said["turns"][0]["number"] == 3


def test_programs_over_every_way_at_once() -> None:
    """A program that listens on a port of its own, as White, and one that calls, as Red."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def serve() -> None:
            far, _ = server.accept()
            with far:
                program = [sys.executable, str(CONTESTANT)]
                subprocess.run(program, stdin=far, stdout=far, check=True, timeout=120)

        thread = threading.Thread(target=serve)
        thread.start()
        with talking(
            *("referee", "--white", f"tcp:127.0.0.1:{port}", "--red", "tcp-listen:0"),
            *("--clock", "60", "--quiet", "-T"),
        ) as talk:
            assert talk.process.stderr is not None
            waiting = talk.process.stderr.readline().decode()
            called = re.fullmatch(
                r"Waiting for a player to call tcp-listen:127.0.0.1:(\d+) ...\n", waiting
            )
            assert called
            with socket.create_connection(("127.0.0.1", int(called[1])), 60) as far:
                program = [sys.executable, str(CONTESTANT)]
                with subprocess.Popen(program, stdin=far, stdout=far):
                    far.close()
                    output, errors = talk.rest()
        thread.join()
    assert (errors, talk.process.returncode) == ("", 0)
    assert "Result: " in output


# Players that cannot play.


def test_both_players_are_not_there() -> None:
    done = referee("--white", "cmd:/no/player", "--red", "/no/port")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "loopline referee: white: cannot run /no/player: No such file or directory; "
        "red: cannot open /no/port: No such file or directory\n"
    )


@pytest.mark.parametrize(
    ("words", "status", "error"),
    [
        (["random", "tcp-listen:0", "--wait", "0.2"], 1, "red: no player has called tcp-listen:"),
        (
            [contestant("dies-first"), "random", "-T"],
            1,
            "ended with status 3; its standard error ends with 'contestant: out of ideas'",
        ),
        (
            [contestant(), "random", "--opening", "@0/ B1+", "--quiet"],
            2,
            "cannot begin after an opening: it does not answer -S",
        ),
    ],
)
def test_a_player_that_cannot_play(
    words: list[str], status: int, error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "_PROBE_SECONDS", 0.3)
    white, red, *more = words
    done = referee("--white", white, "--red", red, *more)
    assert (done.returncode, done.stdout) == (status, "")
    assert error in done.stderr


# Interrupted.


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
    ids=["int", "term", "hup"],
)
def test_interrupt_keeps_the_game_and_ends_the_players(
    tmp_path: Path, number: int, status: int
) -> None:
    path = tmp_path / "game.txt"
    words = ("--white", "random:1", "--red", contestant("hangs"), "--save", str(path))
    with (
        handled(signal.SIGHUP, signal.SIG_DFL),  # even where these tests run under nohup
        talking("referee", "--no-board", "--clock", "600", *words) as talk,
    ):
        talk.read_until("Turn 3: ")
        children = Path(f"/proc/{talk.process.pid}/task/{talk.process.pid}/children")
        [player] = children.read_text(encoding="ascii").split()
        talk.read_line()
        talk.wait_until_it_waits()
        talk.process.send_signal(number)
        talk.rest()
        assert talk.process.wait(60) == status
    assert not is_running(int(player))
    [record] = records_of(path)
    assert (record.ending, len(record.turns)) == (None, 3)


# People.


def test_two_people() -> None:
    done = loopline(
        *("referee", "--white", "human", "--red", "human", "--clock", "none"),
        stdin="@0/\nB1\\\nA2\\\n",
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.endswith("Red wins by a loop after 3 turns.\nResult: 0-1\n")


def test_person_who_leaves(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    done = loopline(
        *("referee", "--white", "human", "--red", "random:1", "--save", str(path)),
        stdin="@0/\nquit\n",
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.endswith("The game ends here.\n")
    [record] = records_of(path)
    assert (record.ending, len(record.turns)) == (None, 2)


def test_person_who_resigns() -> None:
    done = loopline("referee", "--white", "human", "--red", "random", stdin="resign\n")
    assert done.stdout.endswith("Red wins by resignation after 0 turns.\nResult: 0-1\n") or (
        "White resigns at turn 1." in done.stdout
    )


# On a terminal.


def test_boards_are_drawn_over_each_other() -> None:
    shown = on_terminal("referee", "--white", "random:1", "--red", "random:2", LINES="40")
    first, *others = shown.split("\x1b[J")
    height = first.count("\n")
    assert first.endswith(f"\x1b[{height}F")
    assert len(others) == 15
    for other in others[:-1]:
        assert other.endswith(f"\x1b[{other.count(chr(10))}F")
    assert others[-1].endswith("Result: 1-0\r\n")


def test_boards_are_drawn_below_each_other_on_a_dumb_terminal() -> None:
    assert "\x1b" not in on_terminal(
        "referee", "--white", "random:1", "--red", "random:2", TERM="dumb"
    )


@pytest.mark.xdist_group("host-board")
def test_board_at_a_port_against_a_program(sim_port: str) -> None:
    done = referee("--white", sim_port, "--red", contestant(), "--json", "--limit", "4")
    said = json.loads(done.stdout)
    assert said["white"] == {"player": sim_port, "code": None}
    assert position_after(" ".join(turn["turn"] for turn in said["turns"])).turns == 4
