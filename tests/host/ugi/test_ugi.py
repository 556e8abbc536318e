"""The Universal Game Interface: commands in this process, interruptions through pipes."""

from __future__ import annotations

import os
import random
import re
import shlex
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from loopline.game import (
    STANDARD,
    VARIANTS,
    Colour,
    GameRecord,
    Position,
    Variant,
    format_old_turn,
    parse_turn,
)
from loopline.host.contest import link
from loopline.host.ugi import reader
from loopline.host.ugi.player import UgiPlayer
from loopline.host.ugi.reader import Line
from loopline.host.ugi.ugi import GameFollower, Ugi
from loopline.tools.extras import MissingExtraError
from tests.host.framed_puppet import searching_puppet
from tests.host.leftovers import ends
from tests.host.positions import position_after, records_of
from tests.host.program import TIMEOUT, loopline, talking

DOCS = Path(__file__).resolve().parents[3] / "docs"
TIMES = re.compile(r" time \d+| nps \d+")


class Session:
    """A manager's session with the interface in this process."""

    def __init__(self, player: UgiPlayer) -> None:
        self.said: list[str] = []
        self._ugi = Ugi(player, self.said.append)

    def ask(self, *lines: str) -> list[str]:
        """Send lines; return the replies."""
        self.said.clear()
        for line in lines:
            self._ugi.obey(Line(line, threading.Event()))
        return list(self.said)

    def one(self, *lines: str) -> str:
        """Send lines that get one reply; return it."""
        [reply] = self.ask(*lines)
        return reply


@contextmanager
def session(device: str, variant: Variant = VARIANTS["standard"]) -> Iterator[Session]:
    """A session with a player, closed at the end."""
    said: list[str] = []
    with UgiPlayer(device, variant, lambda line: said.append(line)) as player:
        talk = Session(player)
        said = talk.said
        yield talk


def play_whole_game(
    talk: Session, variant: Variant, limit: int = 255, opponent: random.Random | None = None
) -> Position:
    """Play the engine against itself as a manager does, and return the last position.

    With an opponent the engine plays White, and chance decides Red's turns.
    """
    assert talk.ask("ugi")[-1] == "ugiok"
    assert talk.one(f"setoption name Variant value {variant}", "isready") == "readyok"
    position = Position(variant)
    turns: list[str] = []
    while position.turns < limit:
        assert talk.one(f"position startpos moves {' '.join(turns)}", "isready") == "readyok"
        player = "true" if position.turns % 2 == 0 else "false"
        assert talk.one("query p1turn") == f"response {player}"
        over = talk.one("query gameover")
        assert over == f"response {'true' if position.ending else 'false'}"
        if position.ending:
            break
        if opponent and position.turns % 2:
            turn = str(opponent.choice(position.legal_turns()))
        else:
            word, turn = talk.ask("go nodes 50")[-1].split()
            assert word == "bestmove"
        position.play(turn)
        turns.append(turn)
    result, draw = position.result, position.draw
    said = f"p{result.winner + 1}win" if result else "draw" if draw else "none"
    assert talk.one(f"position startpos moves {' '.join(turns)}", "query result") == (
        f"response {said}"
    )
    return position


@pytest.mark.xdist_group("engine")
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=str)
@pytest.mark.parametrize("device", ["engine:nodes=300", "random:2"])
def test_whole_game(device: str, variant: Variant) -> None:
    with session(device) as talk:
        position = play_whole_game(talk, variant, limit=60 if device == "random:2" else 24)
        assert position.turns > 2


@pytest.mark.xdist_group("host-board")
def test_whole_game_with_the_simulated_board() -> None:
    with session("sim") as talk:
        assert talk.ask("isready")[0].startswith("info string Starting the simulated board")
        position = play_whole_game(talk, VARIANTS["standard"], opponent=random.Random(2))
        assert position.result
        assert position.result.winner is Colour.WHITE
        assert position.turns > 4
        # A position of no game so far: set up with the extension of the contest link.
        turns = "@0/ A0\\ B1+"
        best = talk.ask(f"position startpos moves {turns}", "go nodes 50")[-1]
        assert position_after(turns).is_legal(best.removeprefix("bestmove "))


@pytest.mark.slow  # It takes the board's 0.8 s, by the board's clock.
@pytest.mark.xdist_group("host-board")
def test_the_simulated_board_without_a_limit() -> None:
    turns = "@0/ A0\\ B1+"
    with session("sim") as talk:
        best = talk.ask(f"position startpos moves {turns}", "go")[-1]
        assert position_after(turns).is_legal(best.removeprefix("bestmove "))


@pytest.mark.xdist_group("host-board")
def test_the_simulated_board_says_what_the_engine_says() -> None:
    games = ("@0/", "@0/ B1+ A2/", "@0+ B1+ C1+ A2/ @1/", "@0/ A0\\ B1+")
    said = {}
    for device in ("engine", "sim"):
        with session(device) as talk:
            talk.ask("isready")
            for turns in games:
                for limit in ("nodes 700", "depth 2"):
                    # The last report of the search, and its turn.
                    lines = talk.ask(f"position startpos moves {turns}", f"go {limit}")[-2:]
                    said[device, turns, limit] = [TIMES.sub("", line) for line in lines]
    for turns in games:
        for limit in ("nodes 700", "depth 2"):
            assert said["sim", turns, limit] == said["engine", turns, limit]


@pytest.mark.xdist_group("engine")
def test_the_session_in_the_documentation() -> None:
    text = (DOCS / "ugi.md").read_text(encoding="utf-8")
    [document] = re.findall(r"```text\n(> ugi\n.*?)> quit\n```", text, re.DOTALL)
    steps = re.findall(r"^> (.*)\n((?:< .*\n)*)", document, re.MULTILINE)
    assert len(steps) > 10
    with session("engine:nodes=2000") as talk:
        for said, replies in steps:
            expected = [line.removeprefix("< ") for line in replies.splitlines()]
            assert [TIMES.sub("", line) for line in talk.ask(said)] == [
                TIMES.sub("", line) for line in expected
            ]


class SlowPlayer:
    """The contest player of ``slow_player.py``, from outside."""

    def __init__(self, folder: Path, code: str = "XX") -> None:
        self._folder = folder
        program = Path(__file__).parents[1] / "slow_player.py"
        self.spec = f"cmd:{shlex.join([sys.executable, str(program), str(folder), code])}"

    def answer(self, turn: str) -> None:
        """Let it make this turn."""
        draft = self._folder / "draft"
        draft.write_text(turn)
        draft.rename(self._folder / "answer")

    def heard(self) -> list[str]:
        """The lines sent to it since the last call."""
        path = self._folder / "heard"
        lines = path.read_text().split()
        path.write_text("")
        return lines

    def wait_until_heard(self, line: str) -> None:
        deadline = time.monotonic() + TIMEOUT
        path = self._folder / "heard"
        while not path.exists() or line not in path.read_text().split():
            assert time.monotonic() < deadline
            time.sleep(0.01)

    @property
    def pid(self) -> int:
        return int((self._folder / "pid").read_text())


def test_a_game_is_carried_on_and_other_positions_are_set_up(tmp_path: Path) -> None:
    slow = SlowPlayer(tmp_path, "LL")
    with session(slow.spec) as talk:
        assert talk.one("isready") == "readyok"
        slow.heard()
        for moves, answer, heard in (
            ("", "@0/", ["-T", "-W"]),
            ("@0/ B1+", "A2/", ["B1+"]),
            # Another game, from the second turn and from the third.
            ("@0+", "B1+", ["-T", "-B", "@0+"]),
            ("@0/ B1+", "A2/", ["-T", "-S", "-S", "@0/", "B1+", "-G"]),
            # The same again.
            ("@0/ B1+", "A2/", ["-T", "-S", "@0/", "B1+", "-G"]),
        ):
            slow.answer(answer)
            assert talk.one(f"position startpos moves {moves}", "go") == f"bestmove {answer}"
            assert slow.heard() == heard
        # In the old notation, with another answer than the player gave.
        old = "A1C B1S A1S A2C"
        assert talk.one(f"position startpos moves {old}").startswith("info string turn")
        assert talk.ask("uginewgame") == []
        slow.answer("@0+")
        assert talk.one("go") == "bestmove @0+"
        assert slow.heard() == ["-T", "-W"]


def test_a_plain_contest_player_plays_its_own_games_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "_PROBE_SECONDS", 0.2)
    slow = SlowPlayer(tmp_path)
    slow.answer("@0/")
    with session(slow.spec) as talk:
        assert talk.one("go") == "bestmove @0/"
        slow.answer("A2/")
        assert talk.one("position startpos moves @0/ B1+", "go") == "bestmove A2/"
        answers = talk.ask("position startpos moves @0+ B1+", "go")
        assert "cannot begin after an opening" in answers[0]
        assert answers[1:] == ["bestmove 0000"]


def test_an_illegal_answer_is_passed_on_and_named(tmp_path: Path) -> None:
    slow = SlowPlayer(tmp_path)
    slow.answer("C7/")
    with session(slow.spec) as talk:
        note, best = talk.ask("go")
        assert best == "bestmove C7/"
        assert note.endswith("answers C7/, which is not legal here")


def test_lines_while_a_search_runs(tmp_path: Path) -> None:
    slow = SlowPlayer(tmp_path)
    with talking("ugi", "--device", slow.spec) as talk:
        talk.write("go movetime 50 depth 3\nisready\n")
        ready, *notes = sorted((talk.read_line() for _ in range(3)), reverse=True)
        assert ready == "readyok"
        assert [note.split(": ")[1].split()[0] for note in notes] == ["movetime", "depth"]
        slow.wait_until_heard("-W")
        # A contest player cannot be stopped; what needs no search waits for its answer.
        talk.write("stop\nquery p1turn\nisready\n")
        assert talk.read_line() == "readyok"
        slow.answer("@0/")
        assert talk.read_line() == "bestmove @0/"
        assert talk.read_line() == "response true"
        talk.write("quit\n")
        assert talk.rest() == ("", "")
        assert talk.process.wait(TIMEOUT) == 0


@pytest.mark.parametrize("last", ["quit\n", ""])
def test_the_end_cuts_a_search_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    monkeypatch.setattr(reader, "_SECONDS_AFTER_QUIT", 1.0)
    monkeypatch.setattr(reader, "_SECONDS_AFTER_END", 2.0)
    slow = SlowPlayer(tmp_path)
    begun = time.monotonic()
    done = loopline("ugi", "--device", slow.spec, stdin=f"go infinite\n{last}")
    assert time.monotonic() - begun > (1.0 if last else 2.0)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert ends(slow.pid)


def test_quit_ends_the_program_though_a_device_searches_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reader, "_SECONDS_AFTER_QUIT", 0.5)
    begun = time.monotonic()
    with searching_puppet("@0/", ends=False) as held:
        done = loopline("ugi", "--device", held.path, stdin="go infinite\nquit\n")
    assert time.monotonic() - begun < 5.0
    assert (done.returncode, done.stderr) == (0, "")
    assert "bestmove" not in done.stdout


def test_quit_waits_for_a_player_that_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "_SECONDS_AFTER_QUIT", 0.3)
    program = tmp_path / "program.py"
    program.write_text(
        "import sys, time\n"
        "time.sleep(1)\n"
        "for line in sys.stdin: print({'-T': 'XX', '-W': '@0/'}[line.strip()], flush=True)\n"
    )
    spec = f"cmd:{shlex.join([sys.executable, str(program)])}"
    done = loopline("ugi", "--device", spec, stdin="isready\ngo\nquery p1turn\nquit\n")
    assert done.stdout == "readyok\nbestmove @0/\nresponse true\n"


def test_sigterm_leaves_no_process_behind(tmp_path: Path) -> None:
    slow = SlowPlayer(tmp_path)
    with talking("ugi", "--device", slow.spec) as talk:
        talk.write("go infinite\n")
        slow.wait_until_heard("-W")
        os.kill(talk.process.pid, signal.SIGTERM)
        assert talk.process.wait(TIMEOUT) == 143
        assert talk.rest() == ("", "")
    assert ends(slow.pid)


def test_a_player_that_dies_ends_the_program(tmp_path: Path) -> None:
    slow = SlowPlayer(tmp_path)
    with talking("ugi", "--device", slow.spec) as talk:
        talk.write("go\n")
        slow.wait_until_heard("-W")
        os.kill(slow.pid, signal.SIGKILL)
        output, error = talk.rest()
        assert output == ""
        assert error.startswith("loopline ugi: ")
        assert error.count("\n") == 1
        assert talk.process.wait(TIMEOUT) == 1


def test_the_end_of_the_input_waits_for_what_was_asked() -> None:
    done = loopline("ugi", "--device", "random:1", stdin="position startpos moves @0/ B1+\ngo")
    assert (done.stderr, done.returncode) == ("", 0)
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["bestmove"]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("xyzzy", "info string unknown command 'xyzzy': expected ugi, isready, setoption, "),
        ("position", "info string expected position startpos [moves TURN ...]"),
        ("position fen 8/8 w", "info string expected position startpos [moves TURN ...]"),
        ("position startpos @0/", "info string expected position startpos [moves TURN ...]"),
        (
            "position startpos moves @0/ B9+",
            "info string turn 2 cannot be made, the position stays as it was: B9+: B9 is not",
        ),
        ("position startpos moves e2e4", "info string turn 1 cannot be made, "),
        ("query", "info string unknown query '': expected gameover, p1turn or result"),
        ("query fen", "info string unknown query 'fen': "),
        ("setoption Variant loop", "info string expected setoption name NAME value VALUE"),
        ("setoption name Hash value 16", "info string unknown option 'Hash': expected Device or"),
        ("setoption name Variant value chess", "info string setoption: 'chess' is not a variant: "),
        ("setoption name Device value human", "info string setoption: a person is no engine: "),
        ("go depth", "info string go: depth takes a number from 0, not ''"),
        ("go movetime 0", "info string go: movetime takes a number from 1, not '0'"),
        ("go nodes -5", "info string go: nodes takes a number from 1, not '-5'"),
        (f"go nodes {'9' * 5000}", "info string go: nodes takes a number from 1, not '9999"),
        ("go mate 3", "info string go: 'mate' is unknown: use movetime, depth, nodes, "),
    ],
)
def test_what_makes_no_sense(line: str, answer: str) -> None:
    with session("random:1") as talk:
        replies = talk.ask("position startpos moves @0/ B1+", line)
        assert replies[0].startswith(answer)
        assert len(replies) == 1 or replies[-1].startswith("bestmove ")
        # The position has not changed.
        best = talk.ask("go nodes 300")[-1].removeprefix("bestmove ")
        assert position_after("@0/ B1+").is_legal(best)


@pytest.mark.xdist_group("engine")
def test_limits_of_the_engine() -> None:
    with session("engine:nodes=2000") as talk:
        talk.ask("position startpos moves @0/ B1+ A2/ @1/")
        for go, field, most in (
            ("nodes 500", "nodes", 500),
            ("depth 2", "depth", 2),
            ("movetime 1000 nodes 700", "nodes", 700),
            ("", "nodes", 2000),
        ):
            *infos, best = talk.ask(f"go {go}")
            assert best.split()[1] == infos[-1].split(" pv ")[1].split()[0]
            assert all(info.startswith("info depth ") for info in infos)
            assert 0 < int(infos[-1].split(f" {field} ")[1].split()[0]) <= most


@pytest.mark.xdist_group("engine")
def test_stop_ends_a_search_of_the_engine() -> None:
    with talking("ugi", "--device", "engine") as talk:
        talk.write("position startpos moves @0/ B1+ A2/ @1/\ngo movetime 3600000\n")
        assert talk.read_line().startswith("info depth 1 ")
        # Not together with ``quit``, which ends a search as well.
        talk.write("stop\n")
        assert talk.read_until("bestmove ").endswith("bestmove ")
        talk.write("quit\n")
        turn, error = talk.rest()
        assert position_after("@0/ B1+ A2/ @1/").is_legal(turn.strip())
        assert (error, talk.process.wait(TIMEOUT)) == ("", 0)


@pytest.mark.xdist_group("engine")
def test_variants_and_players_can_be_changed() -> None:
    with session("engine:nodes=300") as talk:
        both = "position startpos moves @0+ B1+ C1+ D1+"
        assert talk.one(both, "query gameover") == "response false"
        answer = talk.one("setoption name variant value limited-3", both)
        assert answer.startswith("info string turn 4 cannot be made, the position stays as it was")
        assert "outside the area of 3 x 3" in answer
        # The option has begun a new game.
        assert talk.one("query p1turn") == "response true"
        assert talk.ask("go")[0].startswith("info depth 0 score cp 0 ")
        answers = talk.ask("setoption name Device value random:4", "go depth 1")
        assert answers[0] == (
            "info string random:4 decides by itself when to answer: depth means nothing"
        )
        assert talk.one("go").startswith("bestmove @0")


def test_a_port_that_is_not_there() -> None:
    done = loopline("ugi", "--device", "/nowhere", stdin="isready\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("loopline ugi: cannot open /nowhere")
    assert done.stderr.count("\n") == 1


LONG = "info string a line of more than 65536 bytes is ignored"
UNKNOWN = "info string unknown command '"


def test_hostile_input() -> None:
    """Each line is answered, and the session goes on."""
    cases = [
        ("x" * 70_000, LONG),
        ("position startpos moves " + "@0/ " * 100_000, LONG),
        ("position startpos moves " + "@0/ " * 16_000, "info string turn 2 cannot be made, "),
        ("\x00\xff\xfe\x80 go\r", f"{UNKNOWN}\\x00"),
        ("\n\r\n   \n\risready\r", "readyok"),
        *(("y" * size, LONG if size > 65_536 else UNKNOWN) for size in (65_535, 65_536, 65_537)),
        ("isready", "readyok"),
    ]
    text = "\n".join(line for line, _ in cases).encode("latin-1")
    done = loopline("ugi", "--device", "random:1", stdin=text)
    assert (done.stderr, done.returncode) == ("", 0)
    # Long lines are answered by the thread that reads them, before the others.
    for quick in (True, False):
        replies = [line for line in done.stdout.splitlines() if (line == LONG) is quick]
        expected = [answer for _, answer in cases if (answer == LONG) is quick]
        assert len(replies) == len(expected)
        for reply, answer in zip(replies, expected, strict=True):
            assert reply.startswith(answer)


def test_noise_without_a_line_in_it() -> None:
    noise = random.Random(3).randbytes(150_000).replace(b"\n", b"").replace(b"\r", b"")
    done = loopline("ugi", "--device", "random", stdin=noise)
    assert (done.stdout, done.stderr, done.returncode) == (f"{LONG}\n", "", 0)
    done = loopline("ugi", "--device", "random", stdin=random.Random(4).randbytes(150_000))
    assert (done.stderr, done.returncode) == ("", 0)
    assert len(done.stdout.splitlines()) > 500
    for line in done.stdout.splitlines():
        assert line.startswith(UNKNOWN[:-1])


def test_a_line_in_two_pieces_and_a_flood_of_lines() -> None:
    with talking("ugi", "--device", "random") as talk:
        talk.write("is")
        talk.write("ready\n" + "isready\n" * 3000 + "quit\n")
        assert talk.rest() == ("readyok\n" * 3001, "")
        assert talk.process.wait(TIMEOUT) == 0


def test_a_manager_that_does_not_listen_any_more() -> None:
    with talking("ugi", "--device", "random") as talk:
        talk.write("isready\n")
        assert talk.read_line() == "readyok"
        assert talk.process.stdout is not None
        talk.process.stdout.close()
        talk.write("isready\n")
        assert talk.process.wait(TIMEOUT) == 141
        assert talk.process.stderr is not None
        assert talk.process.stderr.read() == b""


def test_a_huge_game_that_is_legal() -> None:
    """Tiles in a row, as long as a game of the contest can be."""
    turns, position = ["@0+"], Position(VARIANTS["loop"])
    position.play(turns[0])
    while position.turns < 255:
        # The space to the right of the row.
        turn = next(turn for turn in position.legal_turns() if turn.column > position.width)
        turns.append(str(turn))
        position.play(turn)
    assert position.ending is None
    with session("greedy", VARIANTS["loop"]) as talk:
        over = talk.one(f"position startpos moves {' '.join(turns)}", "query gameover")
        assert over == "response false"
        best = talk.ask("go movetime 100")[-1].split()[1]
        assert position.is_legal(best)


def test_old_notation_is_understood() -> None:
    position, new, old = Position(), "@0/ B1+ A0\\".split(), []
    for text in new:
        turn = next(each for each in position.legal_turns() if str(each) == text)
        old.append(format_old_turn(position, turn))
        position.play(turn)
    best = []
    for turns in new, old:
        with session("greedy:5") as talk:
            best.append(talk.ask(f"position startpos moves {' '.join(turns)}", "go depth 1")[-1])
    assert best[0] == best[1]


def turns_of(record: GameRecord) -> list[str]:
    return [str(turn) for turn in record.turns]


def test_games_are_saved_when_the_next_begins_and_at_the_end(tmp_path: Path):
    file = tmp_path / "games.txt"
    said = "\n".join(
        [
            "position startpos moves @0/",
            "go depth 1",
            "uginewgame",
            "position startpos moves @0+ B1+ C1+",
            "position startpos moves @0/ B1+ @1/",
            "go depth 1",
            "quit",
        ]
    )
    done = loopline("ugi", "--device", "greedy:1", "--save", str(file), stdin=f"{said}\n")
    assert done.returncode == 0, done.stderr
    first, second, third = records_of(file)
    best = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("bestmove")]
    assert turns_of(first) == ["@0/", best[0]]
    assert first.tags["Red"] == "greedy:1"
    assert "White" not in first.tags
    assert turns_of(second) == ["@0+", "B1+", "C1+"]
    assert turns_of(third) == ["@0/", "B1+", "@1/", best[1]]


def test_a_game_goes_on_from_its_last_position_or_back():
    saved: list[GameRecord] = []
    game = GameFollower(saved.append)
    game.follow(position_after("@0/"))
    game.play(position_after("@0/"), parse_turn("B1+"), "a player")
    game.follow(position_after("@0/ B1+ A2/"))
    game.follow(position_after("@0/"))
    assert not saved
    game.end()
    assert [turns_of(record) for record in saved] == [["@0/"]]
    assert saved[0].tags["Red"] == "a player"


def test_a_game_that_has_ended_is_saved_though_no_command_begins_the_next():
    """As by a manager that sends no uginewgame: an empty board precedes every position."""
    for following in ("", "@0/"):
        saved: list[GameRecord] = []
        game = GameFollower(saved.append)
        game.play(position_after("@0/ A0\\ B1+"), parse_turn("@1/"), "a player")
        game.follow(position_after("@0/ A0\\ B1+ @1/"))
        assert not saved
        game.follow(position_after(following))
        assert [turns_of(record) for record in saved] == [["@0/", "A0\\", "B1+", "@1/"]]
        assert saved[0].ending is not None
        assert saved[0].tags["Red"] == "a player"


def test_a_game_without_turns_is_none():
    saved: list[GameRecord] = []
    game = GameFollower(saved.append)
    game.follow(position_after(""))
    game.end()
    game.end()
    assert not saved


def test_a_turn_that_is_not_legal_is_left_out():
    saved: list[GameRecord] = []
    game = GameFollower(saved.append)
    game.play(position_after("@0/"), parse_turn("H8+"), "a player")
    game.end()
    assert turns_of(saved[0]) == ["@0/"]


def test_an_option_that_needs_what_is_not_installed_is_ignored():
    class Player:
        device, variant = "engine", STANDARD

        def change(self, device, variant):
            raise MissingExtraError(f"{device} needs: pip install 'loopline[sim]'")

    said: list[str] = []
    ugi = Ugi(Player(), said.append)
    ugi.obey(Line("setoption name Device value sim", threading.Event()))
    assert said == ["info string setoption: sim needs: pip install 'loopline[sim]'"]
