"""A simulated board in a process of its own, and a client of its pseudo-terminal, for tests."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

__all__ = ["RunningBoard", "client"]


class RunningBoard:
    """Starts a command, waits until the board tells its pseudo-terminal, ends it on exit.

    Members
    -------
    process : subprocess.Popen
    pty : str
        Path of the pseudo-terminal.
    lines : list[str]
        After :meth:`end`, what it printed since.
    """

    def __init__(self, command: list[str], **options: Any) -> None:
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
        )
        assert self.process.stdout is not None
        self.lines: list[str] = []
        label, _, self.pty = self.process.stdout.readline().strip().partition(" ")
        if label != "pty:":
            raise AssertionError(f"no board: {self.process.communicate()}")

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal, wait for the end, return the exit status."""
        self.process.send_signal(number)
        output, self.errors = self.process.communicate(timeout=10)
        self.lines = output.splitlines()
        return self.process.returncode

    def stats(self) -> dict[str, Any]:
        """End the board and return what ``--stats`` made it print."""
        assert self.end() == 0
        return json.loads(self.lines[-1])

    def __enter__(self) -> RunningBoard:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


class Client:
    """A program on the pseudo-terminal that knows nothing of serial ports: it reads and writes."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def write(self, data: bytes) -> None:
        """Write all of it."""
        while data:
            data = data[os.write(self.descriptor, data) :]

    def read(self, count: int, timeout: float = 10.0) -> bytes:
        """Read so many bytes, or fewer if the time runs out."""
        data, end = b"", time.monotonic() + timeout
        while len(data) < count:
            left = max(0.0, end - time.monotonic())
            if not select.select([self.descriptor], [], [], left)[0]:
                break
            data += os.read(self.descriptor, count - len(data))
        return data


@contextmanager
def client(path: str | Path) -> Iterator[Client]:
    """Open a pseudo-terminal, and close it again."""
    descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY)
    try:
        yield Client(descriptor)
    finally:
        os.close(descriptor)
