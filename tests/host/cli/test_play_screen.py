"""When ``play`` uses the whole screen of a terminal, and how it leaves it."""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import struct
import subprocess
import termios

import pytest

from tests.host.program import COMMAND, TIMEOUT, environment, on_terminal

PLAY = ("play", "--device", "random:1")
PROMPT = ("Your turn (white): ", "quit\n")
ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"


@pytest.mark.parametrize(
    ("words", "variables"), [(["--plain"], {}), ([], {"TERM": "dumb"})], ids=["plain", "dumb"]
)
def test_the_line_interface_if_it_is_wanted(words, variables):
    shown = on_terminal(*PLAY, *words, answer=PROMPT, **variables)
    assert shown.startswith("You play white against random:1. Type help for help.")


def test_a_terminal_that_is_too_small_has_the_line_interface():
    shown = on_terminal(*PLAY, answer=PROMPT)  # it has no size
    assert shown.startswith("You type turns here; keys and mouse need 80 x 24.\r\nYou play white")


def test_without_the_extra_it_has_the_line_interface(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['textual'] = None\n")
    shown = on_terminal(*PLAY, answer=PROMPT, PYTHONPATH=str(tmp_path))
    said = "You type turns here; pip install 'loopline[screen]' for keys and mouse.\r\n"
    assert shown.startswith(said)


@pytest.mark.parametrize(
    ("way", "status"), [(b"q", 0), (b"\x03", 0), (signal.SIGTERM, 143)], ids=["q", "ctrl-c", "term"]
)
def test_it_leaves_the_terminal_as_it_was(way, status):
    ours, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    before = termios.tcgetattr(terminal)
    shown = b""
    with subprocess.Popen(
        [*COMMAND, *PLAY, "--colour", "red"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment(),
    ) as process:
        try:
            while b"Your turn" not in shown:
                shown += os.read(ours, 65536)
            assert ENTER in shown
            assert termios.tcgetattr(terminal) != before
            if isinstance(way, bytes):
                os.write(ours, way)
            else:
                process.send_signal(way)
            while b"The game: " not in shown:
                shown += os.read(ours, 65536)
            assert process.wait(TIMEOUT) == status
            assert termios.tcgetattr(terminal) == before
        finally:
            process.kill()
            os.close(ours)
            os.close(terminal)
    assert shown.index(ENTER) < shown.rindex(LEAVE) < shown.index(b"The game: @0")
