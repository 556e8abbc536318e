"""Run the tools of the flow, and end them when the program is interrupted."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from loopline.tools.cache import tool_environment

__all__ = ["Programs", "ToolError", "run_script"]

_GLANCE_SECONDS = 0.05
"""Seconds between two looks at a process: a signal just before a wait does not end it."""


class ToolError(Exception):
    """A tool failed; the message is one line that says which and why."""


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

        Raises :class:`ToolError` with the first error that it prints when it fails.
        """
        command = [str(Path(sys.executable).parent / name), *arguments]
        with self._lock:
            if self._closed:
                raise ToolError(f"{name} was not started: interrupted")
            try:
                process = subprocess.Popen(
                    command,
                    cwd=folder,
                    env=tool_environment(),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                    errors="replace",
                )
            except OSError as error:
                raise ToolError(f"{name} does not run: {error.strerror}") from None
            self._running.add(process)
        try:
            printed, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise ToolError(f"{name} was not done after {timeout:g} seconds") from None
        finally:
            with self._lock:
                self._running.discard(process)
        if process.returncode:
            raise ToolError(f"{name}: {_reason(printed) or f'status {process.returncode}'}")


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
    exception, of these too, ends the wait and all that the script has started.
    """
    watched = time.monotonic()
    with (
        log.open("w") as printed,
        log.open(errors="replace") as lines,
        subprocess.Popen(
            ["sh", "-x", script],
            cwd=folder,
            env=environment,
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


def _reason(printed: str) -> str:
    """Return the first error that a program has printed, else its last line."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    errors = (line for line in lines if line.startswith(("ERROR", "wasm trap")))
    return next(errors, lines[-1] if lines else "").removeprefix("ERROR: ")
