"""Run the tools of the flow, and end them when the program is interrupted."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from loopline.tools.cache import BuildError, tool_environment
from loopline.tools.wasm import prepare_tool

__all__ = ["Ended", "Programs", "cut_short", "run_script", "run_side_by_side"]

_GLANCE_SECONDS = 0.05
"""Seconds between two looks at a process: a signal just before a wait does not end it."""

_ENDS = {".json": "\n}\n", ".v": "\nendmodule\n"}
"""The ends of Yosys's netlists and Verilog, by the suffix of the file."""


class Programs:
    """Run programs from the wheels next to the interpreter, from any number of threads.

    The end of a ``with`` block ends all that still run.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[str]] = set()
        self._closed = False

    def __enter__(self) -> Programs:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        """End all that still run, and start no more. A second call does nothing."""
        with self._lock:
            self._closed = True
            for process in self._running:
                process.kill()

    def run(self, name: str, arguments: Sequence[str], folder: Path, timeout: float) -> None:
        """Run a program in ``folder``, the only one that it sees, for at most ``timeout`` seconds.
        A program that is ended may leave temporary files there.

        A tool of YoWASP's is compiled before its first run (:func:`.prepare_tool`). Neither
        ``timeout`` nor :meth:`close` cuts this half a minute short.

        Raises :class:`BuildError` with the first error that it prints when it fails.
        """
        prepare_tool(name)
        command = [str(Path(sys.executable).parent / name), *arguments]
        with self._lock:
            if self._closed:
                raise BuildError(f"{name} was not started: interrupted")
            try:
                process = subprocess.Popen(
                    command,
                    cwd=folder,
                    env={**tool_environment(), "TMPDIR": str(folder.absolute())},
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                    errors="replace",
                )
            except OSError as error:
                raise BuildError(f"{name} does not run: {error.strerror}") from None
            self._running.add(process)
        try:
            printed, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise BuildError(f"{name} was not done after {timeout:g} seconds") from None
        finally:
            with self._lock:
                self._running.discard(process)
        if process.returncode:
            raise BuildError(f"{name}: {_reason(printed) or f'status {process.returncode}'}")


def run_script(
    script: str,
    folder: Path,
    environment: Mapping[str, str],
    log: Path,
    started: Callable[[str], None] = lambda program: None,
    watch: Callable[[], None] = lambda: None,
) -> int:
    """Run a shell script in ``folder`` and return its status.

    ``log`` gets its commands, each behind ``+``, and what it prints. ``started`` is called with the
    name of each command when it begins, and ``watch`` at least every two seconds. A signal or an
    exception, of these too, ends the wait and all that the script has started, and removes its
    temporary files.
    """
    watched = time.monotonic()
    with (
        TemporaryDirectory(prefix="loopline-", ignore_cleanup_errors=True) as temporary,
        log.open("w") as printed,
        log.open(errors="replace") as lines,
        subprocess.Popen(
            ["sh", "-x", script],
            cwd=folder,
            env={**environment, "TMPDIR": temporary},
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
            # A session and so a process group of its own: a shell that is ended leaves its tools.
            start_new_session=True,
        ) as shell,
    ):
        try:
            running, rest = True, ""
            while running:
                running = shell.poll() is None
                # The end of what is read may be a part of a line: it waits for the rest of it.
                *whole, rest = (rest + lines.read()).split("\n")
                for line in whole:
                    if command := re.match(r"\+ (\S+)", line):
                        started(command[1])
                if time.monotonic() >= watched:
                    watch()
                    watched = time.monotonic() + 1
                time.sleep(_GLANCE_SECONDS if running else 0)
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(shell.pid, signal.SIGKILL)
            raise
    return shell.returncode


def cut_short(path: Path) -> str | None:
    """Return what is wrong if Yosys has not written a file to its end; None if it has.

    Where the disk is full, Yosys leaves the beginning of the file, and its exit status is 0.
    """
    if path.read_text().endswith(_ENDS[path.suffix]):
        return None
    return f"Yosys has not written all of {path.name}: is the disk full?"


class Ended(NamedTuple):
    """A program that has ended: its place among all, its status, and what it has printed."""

    place: int
    status: int
    output: str
    errors: str


class _Printing:
    """A program that runs, and prints to files in ``folder``."""

    def __init__(self, place: int, command: Sequence[str], folder: Path) -> None:
        self.place = place
        self._output, self._errors = folder / f"{place}.out", folder / f"{place}.err"
        with self._output.open("wb") as output, self._errors.open("wb") as errors:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors
            )

    def ended(self) -> Ended:
        printed = (file.read_text(errors="replace") for file in (self._output, self._errors))
        return Ended(self.place, self.process.returncode, *printed)


def run_side_by_side(commands: Iterable[Sequence[str]], jobs: int) -> Iterator[Ended]:
    """Run programs, ``jobs`` at a time; yield what becomes of each as soon as it ends.

    When the generator is closed, or an exception or signal ends its wait, those that run get a
    SIGTERM, and are waited for: they end what they run themselves.
    """
    waiting = enumerate(commands)
    running: list[_Printing] = []
    with TemporaryDirectory() as folder:
        try:
            while True:
                for place, command in islice(waiting, jobs - len(running)):
                    running.append(_Printing(place, command, Path(folder)))
                if not running:
                    return
                time.sleep(_GLANCE_SECONDS)
                for one in [each for each in running if each.process.poll() is not None]:
                    running.remove(one)
                    yield one.ended()
        finally:
            for one in running:
                one.process.terminate()
            for one in running:
                one.process.wait()


def _reason(printed: str) -> str:
    """Return the first error that a program has printed, else its last line."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    errors = (line for line in lines if line.startswith(("ERROR", "wasm trap")))
    return next(errors, lines[-1] if lines else "").removeprefix("ERROR: ")
