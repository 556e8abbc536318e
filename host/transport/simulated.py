"""The simulated board as a program, reached through its pseudo-terminal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress

from loopline.host.errors import DeviceGoneError, DeviceSilentError, UsageError
from loopline.host.transport.serial_line import SerialLine
from loopline.host.transport.transport import READ_SECONDS, can_read
from loopline.tools.arguments import setting

__all__ = [
    "BOARD_OPTIONS",
    "BUILD_SECONDS",
    "LONGEST_THINKING_MS",
    "SLOW_SECONDS",
    "SimulatedLine",
    "board_arguments",
    "is_simulated",
    "slowness",
    "thinking_arguments",
]

BOARD_OPTIONS = ("lanes", "grid", "clock", "evaluator", "ponder")
"""The options of ``loopline sim`` that a spec may set; the program says what their values are."""

BUILD_SECONDS = 600.0
"""How long a board may take to start: the first start builds it."""

LONGEST_THINKING_MS = 800
"""A board's usual time for a turn, which suits the contest's second."""

SLOW_SECONDS = 32.0
"""With so much time per turn, a simulated board thinks as long as a real one by its own clock; with
several lanes or a faster clock it takes more, see :func:`slowness`.

While it searches, its clock is about twenty times slower than the PC's: docs/simulation.md has its
speed, and ``seconds`` and ``wall_seconds`` of ``loopline sim --stats`` tell it.
"""

_PROGRAM = (sys.executable, "-m", "loopline.sim", "--with-parent", "--pace", "free")
_USUAL = {"lanes": 1, "clock": 12_000_000}
_GREETING = "pty: "
_SECONDS_TO_END = 5.0


def is_simulated(spec: str) -> bool:
    """Return whether a spec names a simulated board: ``sim`` or ``sim:...``."""
    return spec.partition(":")[0] == "sim"


def board_arguments(spec: str) -> tuple[str, ...]:
    """Return a simulated board's arguments for its spec, such as ``sim:lanes=2,ponder=on``.

    Raises :exc:`UsageError` if the spec sets another option than :data:`BOARD_OPTIONS`.
    """
    _, colon, rest = spec.partition(":")
    option = setting(BOARD_OPTIONS, str)
    try:
        settings = [option(each) for each in rest.split(",")] if colon else []
    except ValueError as error:
        raise UsageError(f"{spec!r}: {error}") from error
    return tuple(word for name, value in settings for word in (f"--{name}", value))


def slowness(spec: str) -> float:
    """Return how many times as long as ``sim`` the board of a spec takes for a turn, about.

    Each lane takes the PC as long as the first, and a faster clock has more cycles. What is no
    number counts for nothing here: the program says what is wrong.
    """
    words = board_arguments(spec)
    settings = dict(zip(words[::2], words[1::2], strict=True))
    factor = 1.0
    for name, usual in _USUAL.items():
        with suppress(ValueError, OverflowError):
            factor *= int(settings.get(f"--{name}", usual)) / usual
    return factor


def thinking_arguments(spec: str, seconds: float | None) -> tuple[str, ...]:
    """Return the arguments of a spec's board for so many seconds per turn by the PC's clock."""
    if seconds is None or seconds >= SLOW_SECONDS * slowness(spec):
        return ()
    milliseconds = min(LONGEST_THINKING_MS, int(seconds * LONGEST_THINKING_MS))
    return ("--pace", "wall", "--think-ms", str(max(1, milliseconds)))


class SimulatedLine:
    """One ``python -m loopline.sim`` as a :class:`Transport`.

    Parameters
    ----------
    arguments : sequence of str
        Further arguments for the program, such as ``--stats``.

    Attributes
    ----------
    stats : str
        The program's output at its end; empty until :meth:`close`.
    """

    path = "the simulated board"

    def __init__(self, arguments: Sequence[str] = ()) -> None:
        self.stats = ""
        self._arguments = arguments
        self._process: subprocess.Popen[str] | None = None
        self._line: SerialLine | None = None

    def start(self, seconds: float = BUILD_SECONDS) -> str:
        """Start the program, and wait for the board; return its serial device file.

        Raises
        ------
        DeviceSilentError
            If the board is not there after so many seconds.
        DeviceGoneError
            If the program cannot be started, or ends before.
        """
        # A session of its own: the terminal's Ctrl-C reaches this process alone.
        try:
            self._process = subprocess.Popen(
                [*_PROGRAM, *self._arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        except OSError as error:
            raise DeviceGoneError(f"{self.path} did not start: {error.strerror}") from error
        assert self._process.stdout is not None
        # The program writes its greeting in one piece.
        if not can_read(self._process.stdout.fileno(), seconds):
            raise DeviceSilentError(f"{self.path} is not there after {seconds:g} s")
        line = self._process.stdout.readline()
        if not line.startswith(_GREETING):
            status = self._process.wait() if not line else None
            reason = f"it ended with status {status}" if not line else f"it said {line!r}"
            raise DeviceGoneError(f"{self.path} did not start: {reason}")
        return line.removeprefix(_GREETING).strip()

    def open(self, seconds: float = BUILD_SECONDS) -> None:
        """Start the board and wait until it runs, at least for as long as a build takes.

        It does not start before: of two boards, the second uses the build of the first.
        """
        if self._line is None:
            self._line = SerialLine(self.start(max(seconds, BUILD_SECONDS)))

    def read(self, wait: float = READ_SECONDS) -> bytes:
        """Return what the board has sent."""
        return self._port.read(wait)

    def write(self, data: bytes) -> None:
        """Send bytes to the board."""
        self._port.write(data)

    @property
    def baud(self) -> int:
        """Bits per second."""
        return self._port.baud

    def set_baud(self, baud: int) -> None:
        """Change the rate."""
        self._port.set_baud(baud)

    def remark(self) -> str:
        """Return nothing: the program reports its own errors."""
        return ""

    def end(self) -> None:
        """Ask the program to end, also from another thread: who uses the line finds it gone."""
        if process := self._process:
            with suppress(ProcessLookupError):
                self._signal(process, signal.SIGTERM)

    def close(self) -> None:
        """Close the line and end the program. A second call does nothing."""
        if self._line:
            self._line.close()
        process, self._process = self._process, None
        if process is None:
            return
        self._signal(process, signal.SIGTERM)
        try:
            output, _ = process.communicate(timeout=_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._signal(process, signal.SIGKILL)
            output, _ = process.communicate()
        self.stats += output

    def _signal(self, process: subprocess.Popen[str], number: int) -> None:
        """Send a signal to the program and to the tools that it runs to build the board."""
        if process.poll() is None:
            os.killpg(process.pid, number)

    @property
    def _port(self) -> SerialLine:
        if self._line is None:
            raise DeviceGoneError(f"{self.path} is not started")
        return self._line
