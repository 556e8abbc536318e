"""A Dask scheduler and its workers, each a process of its own, as on a real cluster."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

TIMEOUT = 120
_LOCAL = ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")


class Cluster:
    """A scheduler's address, and its workers in the order in which they were started."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self.address = ""

    def start_scheduler(self) -> None:
        """Start the scheduler, and wait for it."""
        file = self._folder / "scheduler.json"
        self._start("scheduler", "--port", "0", "--scheduler-file", str(file))
        deadline = time.monotonic() + TIMEOUT
        while not self.address:
            assert self._processes[0].poll() is None, "the scheduler does not start"
            assert time.monotonic() < deadline, "the scheduler does not answer"
            time.sleep(0.05)
            # The file is not there, and then not whole, for a moment.
            with suppress(FileNotFoundError, ValueError):
                self.address = json.loads(file.read_text(encoding="utf-8"))["address"]

    def add_worker(self) -> None:
        """Start a worker that does one task at a time, and nothing to start it again."""
        self._start("worker", self.address, "--nthreads", "1", "--no-nanny")

    def kill_worker(self, number: int) -> None:
        """Kill a worker, without a warning."""
        os.kill(self._processes[1 + number].pid, signal.SIGKILL)

    def _start(self, *argv: str) -> None:
        with (self._folder / f"{argv[0]}{len(self._processes)}.log").open("wb") as log:
            self._processes.append(
                subprocess.Popen(
                    [sys.executable, "-m", "dask", *argv, *_LOCAL],
                    cwd=self._folder,
                    stdout=log,
                    stderr=log,
                )
            )

    def end(self) -> None:
        """Kill what is left."""
        for process in reversed(self._processes):
            process.kill()
            process.wait()


@contextmanager
def cluster(folder: Path, workers: int = 0) -> Iterator[Cluster]:
    """Start a scheduler with some workers, whose files are in this folder."""
    started = Cluster(folder)
    try:
        started.start_scheduler()
        for _ in range(workers):
            started.add_worker()
        yield started
    finally:
        started.end()
