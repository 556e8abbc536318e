"""``python -m loopline.sim``: the player itself as a simulated board."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from loopline.game import MINI
from loopline.game.wire import END, Command, pack_frame
from loopline.hdl.config import SEED_BITS, GridConfig
from loopline.hdl.design import DesignConfig
from loopline.hdl.search.config import SearchConfig
from loopline.host.device import open_device
from loopline.sim.__main__ import main
from loopline.sim.board import board
from loopline.tools.cache import BuildError
from tests.sim.board.running import RunningBoard, client

SIM = [sys.executable, "-m", "loopline.sim"]


@pytest.fixture
def refuse(capfd):
    """Call the program with words that it refuses, and return the line that it says."""

    def call(*words, status=2):
        try:
            left = main(words)
        except SystemExit as error:
            left = error.code
        output, errors = capfd.readouterr()
        assert (left, output, errors.count("\n")) == (status, "", 1)
        return errors

    return call


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--grid", "7"], "argument --grid: '7' is not a power of two from 8 to 64"),
        (["--grid", "many"], "argument --grid: 'many' is not a power of two from 8 to 64"),
        (["--clock", "0"], "argument --clock: '0' is not a whole number from 1 to "),
        (["--baud", "2000000"], "2000000 baud needs a clock of at least 16000000 Hz, not 12000000"),
        (["--pace", "fast"], "argument --pace: invalid choice: 'fast'"),
        (["--variant", "chess"], "'chess' is not a variant: use standard, limited, deluxe, loop, "),
        (["--think-ms", "0"], "argument --think-ms: '0' is not a whole number from 1 to 900"),
        (["--think-ms", "901"], "argument --think-ms: '901' is not a whole number from 1 to 900"),
        (["--think-ms", "1.5"], "argument --think-ms: '1.5' is not a whole number from 1 to 900"),
        (["--speed"], "unrecognized arguments: --speed"),
        (["--link", "/nonexistent/folder/x"], "there is no folder /nonexistent/folder"),
        (["--link", "x" * 300], "xxx: File name too long"),
    ],
)
def test_wrong_use_is_told_in_one_line(refuse, words, told):
    message = refuse(*words)
    assert message.startswith("loopline sim: ")
    assert told in message


def test_a_file_in_the_links_place_is_refused_before_the_build(refuse, tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("kept")
    assert "exists and is not a symbolic link" in refuse("--link", str(precious))
    assert precious.read_text() == "kept"


def test_a_link_to_something_else_is_refused_and_kept(refuse, monkeypatch, tmp_path):
    monkeypatch.setattr("os.execv", lambda *_: None)
    for name, make in ("file", Path.touch), ("folder", Path.mkdir):
        target, link = tmp_path / name, tmp_path / f"{name}-link"
        make(target)
        link.symlink_to(target)
        assert f"is a link to {target}, which is no terminal" in refuse("--link", str(link))
        assert link.readlink() == target
    assert "--link .: exists and is not a symbolic link" in refuse("--link", "")


def test_a_failed_build_is_told_in_one_line(refuse, monkeypatch, tmp_path):
    monkeypatch.setenv("CXX", str(tmp_path / "no-compiler"))
    assert "does not run" in refuse(status=1)


def test_a_board_that_does_not_run_is_told_in_one_line(refuse, monkeypatch, tmp_path):
    """As on a file system from which no program is run."""
    program = tmp_path / "board"
    program.touch()
    monkeypatch.setattr(board, "build", lambda config: program)
    assert refuse(status=1) == f"loopline sim: {program} does not run: Permission denied\n"


def test_help_has_an_example():
    done = subprocess.run([*SIM, "--help"], capture_output=True, text=True, check=True)
    assert "examples:" in done.stdout
    options = "--link --pace --clock --baud --grid --variant --think-ms --seed --stats --log"
    for option in options.split():
        assert option in done.stdout


def test_the_options_are_those_of_the_design(refuse, monkeypatch):
    configs = []

    def build(config):
        configs.append(config)
        raise BuildError("that is all")

    monkeypatch.setattr(board, "build", build)
    refuse(status=1)
    options = "--clock 1000000 --baud 62500 --grid 16 --variant mini --think-ms 50 --pace free "
    options += "--ponder on --evaluator on"
    refuse(*options.split(), status=1)
    search = SearchConfig(grid=GridConfig(size=16, journal=512))
    chosen = DesignConfig(
        1_000_000, 62_500, search, evaluator=True, variant=MINI, think_ms=50, ponder=True
    )
    # The PC's clock limits a turn while the board runs, so that one board serves all limits.
    refuse("--think-ms", "50", status=1)
    assert configs == [DesignConfig(), chosen, DesignConfig()]


def test_each_board_has_another_seed_unless_it_is_fixed(monkeypatch):
    seeds, at = [], iter([10**15, 10**15 + 1000])

    def execute(_, argv):
        seeds.append(argv[argv.index("--seed") + 1])
        raise BuildError("that is all")

    monkeypatch.setattr(board, "build", lambda _: Path("board"))
    monkeypatch.setattr("os.execv", execute)
    monkeypatch.setattr("time.time_ns", lambda: next(at))
    for fixed, words in ("", ()), ("", ()), ("77", ()), ("77", ("--seed", "5")):
        monkeypatch.setenv("LOOPLINE_SEED", fixed)
        with pytest.raises(BuildError):
            main(words)
    first = 10**12 % (1 << SEED_BITS)
    assert seeds == [str(first), str(first + 1), "77", "5"]


@pytest.mark.xdist_group("host-board")
@pytest.mark.parametrize("pace", ["free", "real"])
def test_the_player_opens_and_tells_its_code(player, tmp_path, pace):
    link = tmp_path / "trax"
    words = ["--pace", pace, "--link", str(link), "--stats", "--log"]
    with RunningBoard([*SIM, *words]) as running:
        assert running.process.stdout.readline() == f"link: {link}\n"
        with client(link) as port:
            for _ in range(2):
                port.write(b"-T\n")
                assert port.read(3) == b"LL\n"
            port.write(b"-W\n")
            assert port.read(4) in (b"@0/\n", b"@0+\n")
        stats = running.stats()
    assert (stats["bytes_in"], stats["bytes_out"], stats["answers"]) == (9, 10, 3)
    assert stats["slowest_answer_ms"] < 1000
    assert list(tmp_path.iterdir()) == []


@pytest.mark.xdist_group("host-board")
def test_answers_to_frames_are_not_counted(player):
    """Bytes of a frame may be those that end a line."""
    frame = pack_frame(ord("\n"), Command.COUNT, b"A\nB\r")
    assert frame[2] == ord("\r")
    with RunningBoard([*SIM, "--stats", "--log"]) as running:
        with client(running.pty) as port:
            for _ in range(2):
                port.write(frame)
                answer = b""
                while answer.count(END) < 2:
                    answer += (byte := port.read(1))
                    assert byte, answer
                port.write(b"-T\n")
                assert port.read(3) == b"LL\n"
        stats = running.stats()
    assert stats["answers"] == 2
    assert sum(line.startswith("answer: ") for line in running.lines) == 2


@pytest.mark.xdist_group("host-board")
def test_the_board_tells_its_build(player, monkeypatch):
    commands = []
    monkeypatch.setattr("loopline.sim.__main__.build_number", lambda *_folders: 0xC0FFEE)
    monkeypatch.setattr("os.getppid", os.getpid)
    monkeypatch.setattr("os.execv", lambda program, command: commands.append(command))
    main([])
    with RunningBoard(commands[0]) as running, open_device(running.pty) as device:
        assert device.identity.commit == "00c0ffee"


@pytest.mark.xdist_group("host-board")
def test_signals_go_straight_to_the_board(player):
    with RunningBoard(SIM) as running:
        assert Path(running.pty).exists()
        assert running.end(signal.SIGINT) == 0
        assert running.errors == ""


@pytest.mark.xdist_group("host-board")
def test_a_board_that_is_built_starts_without_amaranth():
    script = (
        "import sys, loopline.sim.__main__ as sim; "
        "sim.board.build(sim.DesignConfig()); print('amaranth' in sys.modules)"
    )
    told = [
        subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout
        for _ in range(2)
    ]
    assert told[1] == b"False\n"
