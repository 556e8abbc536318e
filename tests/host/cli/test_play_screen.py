"""When ``play`` uses the whole screen of a terminal, and how it leaves it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time

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


def read_up_to(wanted, descriptor, process):
    """Return what a program shows until it has shown this; a program that has ended shows no more,
    though its terminal stays open."""
    shown, deadline = b"", time.monotonic() + TIMEOUT
    while wanted not in shown:
        ended = process.poll() is not None
        if select.select([descriptor], [], [], 0.1)[0]:
            shown += os.read(descriptor, 65536)
        else:
            assert not ended, shown
            assert time.monotonic() < deadline, shown
    return shown


@pytest.mark.parametrize(
    ("way", "status"), [(b"q", 0), (b"\x03", 0), (signal.SIGTERM, 143)], ids=["q", "ctrl-c", "term"]
)
def test_it_leaves_the_terminal_as_it_was(way, status):
    ours, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    before = termios.tcgetattr(terminal)
    with subprocess.Popen(
        [*COMMAND, *PLAY, "--colour", "red"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment(),
    ) as process:
        try:
            shown = read_up_to(b"Your turn", ours, process)
            assert ENTER in shown
            assert termios.tcgetattr(terminal) != before
            if isinstance(way, bytes):
                os.write(ours, way)
            else:
                process.send_signal(way)
            shown += read_up_to(b"The game: @0", ours, process)
            assert process.wait(TIMEOUT) == status
            assert termios.tcgetattr(terminal) == before
        finally:
            process.kill()
            os.close(ours)
            os.close(terminal)
    assert shown.index(ENTER) < shown.rindex(LEAVE) < shown.index(b"The game: @0")
