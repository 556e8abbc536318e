"""The simulated board as a program: started, found by its pseudo-terminal, ended without traces."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence

from loopline.host.errors import DeviceGoneError

__all__ = ["SimulatedBoard"]

_GREETING = "pty: "
_SECONDS_TO_END = 5.0


class SimulatedBoard:
    """One ``python -m loopline.sim`` in a process of its own.

    Parameters
    ----------
    arguments : sequence of str
        Further arguments for the program, such as ``--stats``.

    Raises
    ------
    DeviceGoneError
        If the program ends before it names its pseudo-terminal.

    Attributes
    ----------
    path : str
        The serial device file behind which the board sits.
    """

    def __init__(self, arguments: Sequence[str] = ()) -> None:
        # A session and so a process group of its own: the terminal's Ctrl-C is for us alone.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "loopline.sim", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            self.path = self._read_path()
        except BaseException:
            self.close()
            raise

    def _read_path(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.startswith(_GREETING):
            status = self._process.wait() if not line else None
            reason = f"it ended with status {status}" if not line else f"it said {line.strip()!r}"
            raise DeviceGoneError(f"the simulated board did not start: {reason}")
        return line.removeprefix(_GREETING).strip()

    def close(self) -> str:
        """End the program and return what else it printed. Closing twice does nothing more."""
        if self._process.stdout is None or self._process.stdout.closed:
            return ""
        self._signal(signal.SIGTERM)
        try:
            rest, _ = self._process.communicate(timeout=_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._signal(signal.SIGKILL)
            rest, _ = self._process.communicate()
        return rest

    def _signal(self, number: int) -> None:
        """Send a signal to the program and, while it is being built, to the tools it runs."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, number)

    def __enter__(self) -> SimulatedBoard:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
