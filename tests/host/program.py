"""The command line: called in this process, or started as a person or a referee starts it."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from unittest.mock import patch

from loopline.host.cli.main import main

COMMAND = [sys.executable, "-m", "loopline.host"]
TIMEOUT = 120
OVER = "The game is over (undo, rematch or quit): "
"""The prompt of ``play`` after the end of a game."""
_COMPILING = "engine: compiling the search, once, for about ten seconds ...\n"
"""Left out of what a program says: which test is the first one depends on the cache."""

_SETTINGS = {"COLUMNS": "80", "TERM": "xterm", "NO_COLOR": "1"}


def environment(**changes: str) -> dict[str, str]:
    """The environment of every program here: 80 columns, warnings are errors, no colours."""
    own = {"PYTHONWARNINGS": "error", "PYTHONUTF8": "1"}
    return {**os.environ, **_SETTINGS, **own, **changes}


def started(*argv: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run ``loopline`` with these arguments, as a program of its own, without input, to its end."""
    return subprocess.run(
        [*COMMAND, *argv],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=TIMEOUT,
        env=environment(**variables),
        check=False,
    )


def loopline(*argv: str, stdin: str | bytes = b"") -> subprocess.CompletedProcess[str]:
    """Call the command line in this process, with standard streams of its own."""
    data = stdin if isinstance(stdin, bytes) else stdin.encode(errors="surrogateescape")
    with (
        patch.dict(os.environ, _SETTINGS),
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryFile() as errors,
    ):
        with _streams(data, output.fileno(), errors.fileno()):
            try:
                status = main(argv)
            except SystemExit as left:
                status = left.code if isinstance(left.code, int) else 0
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read().decode())
    return subprocess.CompletedProcess(argv, status, texts[0], texts[1].replace(_COMPILING, ""))


@contextmanager
def _streams(data: bytes, *outputs: int) -> Iterator[None]:
    """Let this process, and what it starts, read these bytes and write to these files."""
    before = [os.dup(number) for number in range(3)]
    reading, writing = os.pipe()

    def write() -> None:
        with suppress(BrokenPipeError), os.fdopen(writing, "wb") as pipe:
            pipe.write(data)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number, descriptor in enumerate((reading, *outputs)):
            os.dup2(descriptor, number)
        os.close(reading)
        with (
            os.fdopen(0, encoding="utf-8", closefd=False) as stdin,
            os.fdopen(1, "w", encoding="utf-8", closefd=False) as stdout,
            os.fdopen(2, "w", encoding="utf-8", closefd=False) as stderr,
            patch.multiple(sys, stdin=stdin, stdout=stdout, stderr=stderr),
        ):
            yield
    finally:
        for number, descriptor in enumerate(before):
            os.dup2(descriptor, number)
            os.close(descriptor)
        writer.join()


class Talk:
    """A running ``loopline`` with its pipes: write to it, read up to what is expected."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def write(self, data: str | bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data if isinstance(data, bytes) else data.encode())
        self.process.stdin.flush()

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def read_until(self, *wanted: str) -> str:
        """Return the output up to and with one of these texts; all of it if none comes, and the
        program has ended."""
        assert self.process.stdout is not None
        text = b""
        endings = tuple(end.encode() for end in wanted)
        deadline = time.monotonic() + TIMEOUT
        while not text.endswith(endings):
            left = max(0.0, deadline - time.monotonic())
            assert select.select([self.process.stdout], [], [], left)[0], text
            if not (byte := self.process.stdout.read(1)):
                break
            text += byte
        return text.decode()

    def read_line(self) -> str:
        return self.read_until("\n").rstrip("\n")

    def wait_until_it_waits(self) -> None:
        """Return when the program sleeps, after its prompt for us to type: not a moment before.

        A signal that comes between a prompt and the read of the answer is noticed after that read.
        """
        status = Path(f"/proc/{self.process.pid}/stat")
        deadline = time.monotonic() + TIMEOUT
        while status.read_text(encoding="utf-8").rpartition(") ")[2][0] != "S":
            assert time.monotonic() < deadline, "the program does not wait for input"
            time.sleep(0.01)

    def rest(self) -> tuple[str, str]:
        """Return what is left of both outputs when the program has ended."""
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        output, errors = self.process.stdout.read(), self.process.stderr.read()
        self.process.wait(TIMEOUT)
        return output.decode(), errors.decode().replace(_COMPILING, "")


@contextmanager
def talking(*argv: str) -> Iterator[Talk]:
    """Start ``loopline`` and talk to it; it is killed if it does not end by itself."""
    with subprocess.Popen(
        [*COMMAND, *argv],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        env=environment(),
    ) as process:
        try:
            yield Talk(process)
        finally:
            if process.poll() is None:
                process.kill()


def on_terminal(*argv: str, answer: tuple[str, str] | None = None, **variables: str) -> str:
    """Run ``loopline`` on a terminal of 80 columns; return what it shows there.

    ``answer`` is what it has to show before something is typed, and what is typed then. An empty
    variable is not set.
    """
    ours, terminal = pty.openpty()
    shown, prompt = b"", answer and answer[0].encode()
    names = {name: value for name, value in environment(**variables).items() if value}
    with subprocess.Popen(
        [*COMMAND, *argv], stdin=terminal, stdout=terminal, stderr=terminal, env=names
    ) as process:
        os.close(terminal)
        try:
            while True:
                try:
                    shown += os.read(ours, 65536)
                except OSError:  # the far end is closed
                    break
                if answer and prompt in shown:
                    os.write(ours, answer[1].encode())
                    prompt = b"(answered)"
            assert process.wait(TIMEOUT) == 0
        finally:
            process.kill()
            os.close(ours)
    return shown.decode()
