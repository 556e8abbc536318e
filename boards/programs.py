"""Runs the tools of the flow, and ends them when nobody waits for them any more."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

__all__ = ["Programs", "ToolError"]


class ToolError(Exception):
    """A tool failed; the message is one line that says which one and why."""


class Programs:
    """Programs from the wheels next to the interpreter, run from any number of threads.

    At the end of a ``with`` block all that still run are ended, and no more are started.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[str]] = set()
        self._closed = False

    def __enter__(self) -> Programs:
        return self

    def __exit__(self, *_exception: object) -> None:
        with self._lock:
            self._closed = True
            for process in self._running:
                process.kill()

    def run(self, name: str, arguments: Sequence[str], folder: Path, patience: float) -> None:
        """Run a program in ``folder``, the only one that it sees, for at most ``patience`` seconds.

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
            printed, _ = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise ToolError(f"{name} was not done after {patience:g} seconds") from None
        finally:
            with self._lock:
                self._running.discard(process)
        if process.returncode:
            raise ToolError(f"{name}: {_reason(printed) or f'status {process.returncode}'}")


def _reason(printed: str) -> str:
    """The first error among what a program has printed, else the last line."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    errors = (line for line in lines if line.startswith(("ERROR", "wasm trap")))
    return next(errors, lines[-1] if lines else "").removeprefix("ERROR: ")
