"""The engine for tournament managers, through its pipes."""

from __future__ import annotations

import os
import random
import re
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from loopline.game import VARIANTS, Colour, Position, Variant, format_old_turn
from tests.host.program import PATIENCE, Talk, loopline, position_after, talking

DOCS = Path(__file__).resolve().parents[3] / "docs"
TIMES = re.compile(r" time \d+| nps \d+")


def ask(talk: Talk, *lines: str, until: str) -> list[str]:
    """Say lines, and return what is answered up to the line that begins with ``until``."""
    talk.write("".join(f"{line}\n" for line in lines))
    answers = []
    while True:
        answer = talk.read_line()
        assert answer, f"it ended before {until!r}, after {answers}"
        answers.append(answer)
        if answer.startswith(until):
            return answers


def one(talk: Talk, *lines: str) -> str:
    """Say lines of which the last is answered by one line, and return that."""
    talk.write("".join(f"{line}\n" for line in lines))
    return talk.read_line()


@contextmanager
def engine(*words: str) -> Iterator[Talk]:
    """A running engine that has to end by itself when it is told to quit."""
    with talking("ugi", *words) as talk:
        yield talk
        if talk.process.poll() is None:
            talk.write("quit\n")
        assert talk.rest() == ("", "")
        assert talk.process.wait(PATIENCE) == 0


def play_whole_game(
    talk: Talk, variant: Variant, limit: int = 255, opponent: random.Random | None = None
) -> Position:
    """Play the engine against itself as a manager does, and return the last position.

    With an opponent the engine plays White, and chance decides Red's turns.
    """
    assert "ugiok" in ask(talk, "ugi", until="ugiok")
    assert one(talk, f"setoption name Variant value {variant}", "isready")[:4] in ("read", "info")
    position = Position(variant)
    turns: list[str] = []
    while position.turns < limit:
        answers = ask(talk, f"position startpos moves {' '.join(turns)}", "isready", until="ready")
        assert answers[-1] == "readyok"
        player = "true" if position.turns % 2 == 0 else "false"
        assert one(talk, "query p1turn") == f"response {player}"
        over = one(talk, "query gameover")
        assert over == f"response {'true' if position.ending else 'false'}"
        if position.ending:
            break
        if opponent and position.turns % 2:
            turn = str(opponent.choice(position.legal_turns()))
        else:
            word, turn = ask(talk, "go movetime 1000", until="bestmove")[-1].split()
            assert word == "bestmove"
        position.play(turn)
        turns.append(turn)
    result, draw = position.result, position.draw
    said = f"p{result.winner + 1}win" if result else "draw" if draw else "none"
    assert one(talk, f"position startpos moves {' '.join(turns)}", "query result") == (
        f"response {said}"
    )
    return position


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=str)
@pytest.mark.parametrize("device", ["reference:1", "random:2"])
def test_whole_game(device: str, variant: Variant) -> None:
    with engine("--device", device) as talk:
        position = play_whole_game(talk, variant, limit=60 if device == "random:2" else 24)
        assert position.turns > 2


@pytest.mark.xdist_group("host-board")
def test_whole_game_with_the_simulated_board() -> None:
    with engine("--device", "sim") as talk:
        answers = ask(talk, "isready", until="readyok")
        assert answers[0].startswith("info string Starting the simulated board")
        position = play_whole_game(talk, VARIANTS["standard"], opponent=random.Random(2))
        assert position.result
        assert position.result.winner is Colour.WHITE
        assert position.turns > 4
        # Out of the blue: set up with the extension of the contest link.
        turns = "@0/ A0\\ B1+"
        answers = ask(talk, f"position startpos moves {turns}", "go", until="bestmove")
        assert len(answers) == 1
        assert position_after(turns).is_legal(answers[0].removeprefix("bestmove "))


def test_the_session_in_the_documentation() -> None:
    text = (DOCS / "ugi.md").read_text(encoding="utf-8")
    [session] = re.findall(r"```text\n(> ugi\n.*?)```", text, re.DOTALL)
    steps = re.findall(r"^> (.*)\n((?:< .*\n)*)", session, re.MULTILINE)
    assert len(steps) > 10
    with engine("--device", "reference:1") as talk:
        for said, answers in steps:
            talk.write(f"{said}\n")
            for answer in answers.splitlines():
                assert TIMES.sub("", talk.read_line()) == TIMES.sub("", answer.removeprefix("< "))


class SlowPlayer:
    """The contest player of ``slow_player.py``, seen from outside."""

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
        """What it was told since it was asked last."""
        path = self._folder / "heard"
        lines = path.read_text().split()
        path.write_text("")
        return lines

    def wait_until_heard(self, line: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while line not in (self._folder / "heard").read_text().split():
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def is_gone(self) -> bool:
        """Whether its process has ended, now or within some seconds."""
        process = Path("/proc") / (self._folder / "pid").read_text()
        for _ in range(500):
            if not process.exists() or " Z " in (process / "stat").read_text():
                return True
            time.sleep(0.01)
        return False


def test_a_game_is_carried_on_and_other_positions_are_set_up(tmp_path: Path) -> None:
    slow = SlowPlayer(tmp_path, "LL")
    with engine("--device", slow.spec) as talk:
        assert one(talk, "isready") == "readyok"
        slow.heard()
        for moves, answer, heard in (
            ("", "@0/", ["-T", "-W"]),
            ("@0/ B1+", "A2/", ["B1+"]),
            # Another game, from the second turn and from the third.
            ("@0+", "B1+", ["-T", "-B", "@0+"]),
            ("@0/ B1+", "A2/", ["-T", "-S", "-S", "@0/", "B1+", "-G"]),
            # The same again.
            ("@0/ B1+", "A2/", ["-T", "-S", "@0/", "B1+", "-G"]),
            # In the old notation, another answer than it gave.
            ("A1C B1S A1S A0S".replace("A0S", "A2C"), None, []),
        ):
            if answer is None:
                assert one(talk, f"position startpos moves {moves}").startswith("info string turn")
                continue
            slow.answer(answer)
            assert one(talk, f"position startpos moves {moves}", "go") == f"bestmove {answer}"
            assert slow.heard() == heard
        talk.write("uginewgame\n")
        slow.answer("@0+")
        assert one(talk, "go") == "bestmove @0+"
        assert slow.heard() == ["-T", "-W"]


def test_a_plain_contest_player_plays_its_own_games_only(tmp_path: Path) -> None:
    slow = SlowPlayer(tmp_path)
    slow.answer("@0/")
    with engine("--device", slow.spec) as talk:
        assert one(talk, "go") == "bestmove @0/"
        slow.answer("A2/")
        assert one(talk, "position startpos moves @0/ B1+", "go") == "bestmove A2/"
        answers = ask(talk, "position startpos moves @0+ B1+", "go", until="bestmove")
        assert "cannot begin after an opening" in answers[0]
        assert answers[1:] == ["bestmove 0000"]


def test_an_illegal_answer_is_passed_on_and_named(tmp_path: Path) -> None:
    slow = SlowPlayer(tmp_path)
    slow.answer("C7/")
    with engine("--device", slow.spec) as talk:
        answers = ask(talk, "go", until="bestmove")
        assert answers[-1] == "bestmove C7/"
        assert answers[0].endswith("answers C7/, which is not legal here")


def test_heard_while_a_search_runs(tmp_path: Path) -> None:
    slow = SlowPlayer(tmp_path)
    with engine("--device", slow.spec) as talk:
        talk.write("go movetime 50 depth 3\nisready\n")
        ready, *notes = sorted((talk.read_line() for _ in range(3)), reverse=True)
        assert ready == "readyok"
        assert [note.split(": ")[1].split()[0] for note in notes] == ["movetime", "depth"]
        slow.wait_until_heard("-W")
        # A contest player cannot be told to stop; what needs no search waits for its answer.
        talk.write("stop\nquery p1turn\nisready\n")
        assert talk.read_line() == "readyok"
        slow.answer("@0/")
        assert talk.read_line() == "bestmove @0/"
        assert talk.read_line() == "response true"


@pytest.mark.parametrize("how", ["quit", "end", "kill"])
def test_leaves_no_process_behind(tmp_path: Path, how: str) -> None:
    slow = SlowPlayer(tmp_path)
    with talking("ugi", "--device", slow.spec) as talk:
        talk.write("go infinite\n")
        while not (tmp_path / "heard").exists():
            time.sleep(0.01)
        slow.wait_until_heard("-W")
        if how == "quit":
            talk.write("quit\n")
        elif how == "end":
            talk.end()
        else:
            os.kill(talk.process.pid, signal.SIGTERM)
        assert talk.process.wait(PATIENCE) == (143 if how == "kill" else 0)
        assert talk.rest() == ("", "")
    assert slow.is_gone()


def test_a_player_that_dies_ends_the_engine(tmp_path: Path) -> None:
    slow = SlowPlayer(tmp_path)
    with talking("ugi", "--device", slow.spec) as talk:
        talk.write("go\n")
        while not (tmp_path / "heard").exists():
            time.sleep(0.01)
        slow.wait_until_heard("-W")
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
        output, error = talk.rest()
        assert output == ""
        assert error.startswith("loopline ugi: ")
        assert error.count("\n") == 1
        assert talk.process.wait(PATIENCE) == 1


def test_the_end_of_the_input_waits_for_what_was_asked() -> None:
    done = loopline("ugi", "--device", "reference:1", stdin="position startpos moves @0/ B1+\ngo")
    assert (done.stderr, done.returncode) == ("", 0)
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["info", "info", "bestmove"]
    assert " depth 2 " in lines[1]


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
        ("setoption name Variant value chess", "info string setoption: 'chess' is no variant: "),
        ("setoption name Device value human", "info string setoption: a person is no engine: "),
        ("go depth", "info string go: depth takes a number from 0, not ''"),
        ("go movetime 0", "info string go: movetime takes a number from 1, not '0'"),
        ("go nodes -5", "info string go: nodes takes a number from 1, not '-5'"),
        (f"go nodes {'9' * 5000}", "info string go: nodes takes a number from 1, not '9999"),
        ("go mate 3", "info string go: 'mate' is unknown: use movetime, depth, nodes, "),
        ("go depth 9", "info string this search is 1 or 2 turns deep: depth 2"),
        ("go depth 0", "info string this search is 1 or 2 turns deep: depth 1"),
    ],
)
def test_what_makes_no_sense(line: str, answer: str) -> None:
    with engine("--device", "reference:1") as talk:
        before = "position startpos moves @0/ B1+"
        assert one(talk, before, line).startswith(answer)
        if line.startswith("go"):
            assert ask(talk, until="bestmove")
        # It has changed nothing.
        assert ask(talk, "go nodes 300", until="bestmove")[-1] in {
            f"bestmove {turn}" for turn in position_after("@0/ B1+").legal_turns()
        }


def test_limits_of_the_reference_player() -> None:
    with engine("--device", "reference:1") as talk:
        talk.write("position startpos moves @0/ B1+ A2/ @1/\n")
        for go in ("depth 1", "nodes 40", "movetime 1", "p1time 60000 p2time 1 p1inc 0 p2inc 0"):
            *infos, best = ask(talk, f"go {go}", until="bestmove")
            assert best.split()[1] == infos[-1].split(" pv ")[1].split()[0]
            if go == "depth 1":
                assert [" depth 1 " in info for info in infos] == [True]
            if go == "nodes 40":
                assert int(infos[-1].split(" nodes ")[1].split()[0]) <= 40


@pytest.mark.xdist_group("engine")
def test_limits_of_the_model() -> None:
    with engine("--device", "engine:nodes=2000") as talk:
        talk.write("position startpos moves @0/ B1+ A2/ @1/\n")
        for go, field, most in (
            ("nodes 500", "nodes", 500),
            ("depth 2", "depth", 2),
            ("movetime 1000 nodes 700", "nodes", 700),
            ("", "nodes", 2000),
        ):
            *infos, best = ask(talk, f"go {go}", until="bestmove")
            assert best.split()[1] == infos[-1].split(" pv ")[1].split()[0]
            assert all(info.startswith("info depth ") for info in infos)
            assert 0 < int(infos[-1].split(f" {field} ")[1].split()[0]) <= most


@pytest.mark.xdist_group("engine")
def test_stop_ends_a_search_of_the_model() -> None:
    with engine("--device", "engine") as talk:
        talk.write("position startpos moves @0/ B1+ A2/ @1/\ngo movetime 3600000\n")
        assert talk.read_line().startswith("info depth 1 ")
        *_, best = ask(talk, "stop", until="bestmove")
        assert best.startswith("bestmove ")


def test_variants_and_players_can_be_changed() -> None:
    with engine("--device", "reference:1") as talk:
        both = "position startpos moves @0+ B1+ C1+ D1+"
        talk.write(f"{both}\n")
        assert one(talk, "query gameover") == "response false"
        answer = one(talk, "setoption name variant value limited-3", both)
        assert answer.startswith("info string turn 4 cannot be made, the position stays as it was")
        assert "outside the area of 3 x 3" in answer
        # Since the option was set, it is the beginning of a game.
        assert one(talk, "query p1turn") == "response true"
        assert one(talk, "go")[:16] in ("info depth 1 sco",)
        ask(talk, until="bestmove")
        answers = ask(talk, "setoption name Device value random:4", "go depth 1", until="bestmove")
        assert answers[0] == (
            "info string random:4 decides by itself when to answer: depth means nothing"
        )
        assert one(talk, "go").startswith("bestmove @0")


@pytest.mark.parametrize(
    ("words", "status", "reason"),
    [
        (["--device", "human"], 2, "a person is no engine"),
        (["--variant", "chess"], 2, "'chess' is no variant"),
        (["--device", "greedy:x"], 2, "'greedy:x': a seed is a number"),
        (["--device", "/nowhere"], 1, "/nowhere"),
    ],
)
def test_errors_of_the_command_line(words: list[str], status: int, reason: str) -> None:
    done = loopline("ugi", *words, stdin="isready\n")
    assert (done.returncode, done.stdout) == (status, "")
    assert done.stderr.startswith("loopline ugi: ")
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1


def test_hostile_input() -> None:
    """Whatever comes, it is answered, and the session goes on."""
    long = "info string a line of more than 65536 bytes is ignored"
    with engine("--device", "reference:1") as talk:
        assert one(talk, "x" * 70_000) == long
        assert one(talk, "position startpos moves " + "@0/ " * 100_000) == long
        answer = one(talk, "position startpos moves " + "@0/ " * 16_000)
        assert answer.startswith("info string turn 2 cannot be made, ")
        talk.write(b"\x00\xff\xfe\x80 go\r\n")
        assert talk.read_line().startswith("info string unknown command '\\x00")
        talk.write(b"\n\r\n   \n\risready\r")
        assert talk.read_line() == "readyok"
        for size in (65_535, 65_536, 65_537):
            answer = one(talk, "y" * size)
            assert answer == long if size > 65_536 else answer.startswith("info string unknown")
        talk.write("is")
        talk.write("ready\n")
        assert talk.read_line() == "readyok"


def test_noise_without_a_line_in_it() -> None:
    noise = random.Random(3).randbytes(150_000).replace(b"\n", b"").replace(b"\r", b"")
    done = loopline("ugi", stdin=noise)
    long = "info string a line of more than 65536 bytes is ignored\n"
    assert (done.stdout, done.stderr, done.returncode) == (long, "", 0)
    done = loopline("ugi", stdin=random.Random(4).randbytes(150_000))
    assert (done.stderr, done.returncode) == ("", 0)
    assert len(done.stdout.splitlines()) > 500
    for line in done.stdout.splitlines():
        assert line.startswith("info string unknown command ")


def test_a_flood_of_lines() -> None:
    with engine() as talk:
        talk.write("isready\n" * 3000)
        for _ in range(3000):
            assert talk.read_line() == "readyok"


def test_a_manager_that_does_not_listen_any_more() -> None:
    with talking("ugi") as talk:
        assert one(talk, "isready") == "readyok"
        assert talk.process.stdout is not None
        talk.process.stdout.close()
        talk.write("isready\n")
        assert talk.process.wait(PATIENCE) == 141
        assert talk.process.stderr is not None
        assert talk.process.stderr.read() == b""


def test_a_huge_game_that_is_legal() -> None:
    """Tiles in a row, as long as a game of the contest can be."""
    turns, position = ["@0+"], Position(VARIANTS["loop"])
    position.play(turns[0])
    while position.turns < 255:
        turn = next(turn for turn in position.legal_turns() if turn.column > position.width)
        turns.append(str(turn))
        position.play(turn)
    assert position.ending is None
    with engine("--variant", "loop") as talk:
        talk.write(f"position startpos moves {' '.join(turns)}\n")
        assert one(talk, "query gameover") == "response false"
        best = ask(talk, "go movetime 100", until="bestmove")[-1].split()[1]
        assert position.is_legal(best)


def test_old_notation_is_understood() -> None:
    position, old = Position(), []
    for turn in "@0/ B1+ A0\\".split():
        old.append(
            format_old_turn(
                position, next(each for each in position.legal_turns() if str(each) == turn)
            )
        )
        position.play(turn)
    with engine("--device", "reference:5") as talk:
        new = ask(talk, "position startpos moves @0/ B1+ A0\\", "go depth 1", until="bestmove")
    with engine("--device", "reference:5") as talk:
        same = ask(talk, f"position startpos moves {' '.join(old)}", "go depth 1", until="best")
    assert new[-1] == same[-1]
