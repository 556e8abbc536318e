"""The command line as a program of its own, the way a person or a referee starts it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from loopline.game import Position

COMMAND = [sys.executable, "-m", "loopline.host"]
PATIENCE = 120


def environment(**changes: str) -> dict[str, str]:
    """The environment of every program here: 80 columns, warnings are errors, no colours."""
    return {
        **os.environ,
        "COLUMNS": "80",
        "PYTHONWARNINGS": "error",
        "PYTHONUTF8": "1",
        "TERM": "xterm",
        "NO_COLOR": "1",
        **changes,
    }


def loopline(*words: str, stdin: str | bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run ``loopline`` with these words to its end."""
    done = subprocess.run(
        [*COMMAND, *words],
        input=stdin if isinstance(stdin, bytes) else stdin.encode(),
        capture_output=True,
        timeout=PATIENCE,
        env=environment(),
        check=False,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


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
        """Return the output up to and with one of these texts; all of it if none comes."""
        assert self.process.stdout is not None
        text = b""
        endings = tuple(end.encode() for end in wanted)
        while not text.endswith(endings) and (byte := self.process.stdout.read(1)):
            text += byte
        return text.decode()

    def read_line(self) -> str:
        return self.read_until("\n").rstrip("\n")

    def wait_until_it_waits(self) -> None:
        """Return when the program sleeps, after its prompt for us to type: not a moment before.

        A signal that comes between a prompt and the read of the answer is noticed after that read.
        """
        status = Path(f"/proc/{self.process.pid}/stat")
        deadline = time.monotonic() + PATIENCE
        while status.read_text(encoding="utf-8").rpartition(") ")[2][0] != "S":
            assert time.monotonic() < deadline, "the program does not wait for input"
            time.sleep(0.01)

    def rest(self) -> tuple[str, str]:
        """Return what is left of both outputs when the program has ended."""
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        output = self.process.stdout.read().decode(), self.process.stderr.read().decode()
        self.process.wait(PATIENCE)
        return output


@contextmanager
def talking(*words: str) -> Iterator[Talk]:
    """Start ``loopline`` and talk to it; it is killed if it does not end by itself."""
    with subprocess.Popen(
        [*COMMAND, *words],
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


def position_after(text: str) -> Position:
    """The position after some turns in notation."""
    position = Position()
    for turn in text.split():
        position.play(turn)
    return position
