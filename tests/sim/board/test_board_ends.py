"""How the simulated board ends, and what it leaves behind: nothing."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

import pytest

from loopline.sim.board import board
from tests.sim.board.running import RunningBoard, client


def echoes(path):
    with client(path) as port:
        port.write(b"here\n")
        return port.read(5) == b"here\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize("pace", ["free", "real"])
def test_signals_end_it_and_nothing_is_left(echo_command, tmp_path, number, pace):
    link = tmp_path / "trax"
    command = echo_command(pace=pace, link=str(link), stats=True)
    with RunningBoard(command, cwd=tmp_path) as running:
        assert running.process.stdout.readline() == f"link: {link}\n"
        assert link.is_symlink()
        assert str(link.readlink()) == running.pty
        assert echoes(link)
        assert running.end(number) == 0
    assert json.loads(running.lines[-1])["answers"] == 1
    assert list(tmp_path.iterdir()) == []


def test_a_signal_ends_it_while_it_is_busy(echo_command, tmp_path):
    command = echo_command(pace="real", link=str(tmp_path / "trax"))
    with RunningBoard(command) as running, client(running.pty) as port:
        port.write(b"x" * 3000)
        time.sleep(0.05)
        assert running.end() == 0
    assert list(tmp_path.iterdir()) == []


PARENT = """
import subprocess, sys, time
board = subprocess.Popen(sys.argv[1:] + ["--parent", str(__import__("os").getpid())])
time.sleep(60)
"""

LAUNCHER = "import subprocess, sys; subprocess.Popen(sys.argv[1:])"
"""A shell that starts a board in the background, and ends."""


@pytest.mark.parametrize("pace", ["free", "real"])
def test_it_ends_with_its_parent(echo_command, tmp_path, pace):
    link = tmp_path / "trax"
    command = echo_command(pace=pace, link=str(link))
    with RunningBoard([sys.executable, "-c", PARENT, *command]) as running:
        assert echoes(running.pty)
        running.process.kill()
        # The board has the same standard output: it is closed when both have ended.
        running.process.communicate(timeout=5)
    assert not link.is_symlink()


def test_it_outlives_the_shell_that_started_it(echo_command, tmp_path):
    """As long as no signal comes; under ``nohup`` the end of the terminal is none."""
    link = tmp_path / "trax"
    ignored = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        launcher = RunningBoard([sys.executable, "-c", LAUNCHER, *echo_command(link=str(link))])
    finally:
        signal.signal(signal.SIGHUP, ignored)
    with launcher:
        assert launcher.process.wait(5) == 0
        said = [launcher.process.stdout.readline().rstrip() for _ in range(5)]
        assert said[:4] == [
            f"link: {link}",
            "rate: 115200 baud, 8N1",
            f"play: loopline play --device {link}@115200",
            f"type: python -m serial.tools.miniterm -e {link} 115200",
        ]
        found = re.fullmatch(r"end:  Ctrl-C, or kill (\d+)", said[4])
        os.kill(int(found[1]), signal.SIGHUP)
        time.sleep(0.1)
        assert echoes(link)
        os.kill(int(found[1]), signal.SIGTERM)
        # The board has the same standard output: it is closed when the board has ended.
        launcher.process.communicate(timeout=5)
    assert not link.is_symlink()


def test_it_does_not_start_for_a_parent_that_is_gone(echo_command, tmp_path):
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    command = echo_command(link=str(tmp_path / "trax"), parent=gone.pid)
    assert subprocess.run(command, capture_output=True, timeout=5).returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_it_outlives_the_thread_that_started_it(echo_command):
    started = []
    thread = threading.Thread(target=lambda: started.append(RunningBoard(echo_command())))
    thread.start()
    thread.join()
    with started[0] as running:
        time.sleep(0.2)
        assert echoes(running.pty)
        assert running.end() == 0


def test_a_file_in_the_links_place_is_refused_and_kept(echo_command, tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("kept")
    done = subprocess.run(echo_command(link=str(precious)), capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == (
        f"simulated board: --link {precious}: exists and is not a symbolic link\n"
    )
    assert precious.read_text() == "kept"
    assert list(tmp_path.iterdir()) == [precious]


def test_a_link_that_cannot_be_made_is_refused(echo_command, tmp_path):
    command = echo_command(link=str(tmp_path / "missing" / "trax"))
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "No such file or directory" in done.stderr


def test_a_stale_link_is_replaced_and_another_boards_is_not_removed(echo_command, tmp_path):
    link = tmp_path / "trax"
    link.symlink_to("/nonexistent/pty")
    with RunningBoard(echo_command(link=str(link))) as first:
        assert str(link.readlink()) == first.pty
        with RunningBoard(echo_command(link=str(link))) as second:
            assert first.end() == 0
            assert str(link.readlink()) == second.pty
            assert second.end() == 0
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_pace_is_refused(echo_command):
    with pytest.raises(ValueError, match=r"^pace must be wall, free or real, not 'fast'$"):
        echo_command(pace="fast")
    assert board.PACES == ("wall", "free", "real")
