"""Devices that play Trax behind a serial port: the contest's line protocol, seen from the PC.

::

    open_device("sim")  ──►  SimulatedBoard (a process)  ──►  its pseudo-terminal ─┐
    open_device("/dev/ttyUSB0@19200")  ────────────────────────────────────────────┤
                                                                                   ▼
                                     SerialLine: bytes and lines  ◄──  ContestDevice: -T, -W, -B,
                                                                       turns, time limits
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType

import serial

from loopline.game import NotationError, format_turn, parse_turn
from loopline.host.errors import (
    DeviceGoneError,
    DeviceSilentError,
    DeviceTalkError,
    UsageError,
)
from loopline.host.simulated import SimulatedBoard

__all__ = ["DEFAULT_BAUD", "ContestDevice", "SerialLine", "open_device", "split_spec"]

DEFAULT_BAUD = 115_200
"""The rate at which Loopline's boards are built, unless told otherwise."""

PATIENCE_PORT = 3.0
"""Seconds to wait for an answer from a real board: the contest's second, and some for the PC."""

PATIENCE_SIM = 60.0
"""Seconds to wait for the simulated board, whose own second may take longer on a busy PC."""

_LONGEST_LINE = 64

# What pyserial lets through when a port fails in use: TypeError is its closed file descriptor.
_PORT_ERRORS: tuple[type[Exception], ...] = (OSError, TypeError)
try:
    import termios
except ImportError:  # Windows
    pass
else:
    _PORT_ERRORS += (termios.error,)


def split_spec(spec: str) -> tuple[str, int]:
    """Split ``PORT`` or ``PORT@BAUD`` into the port and its rate; UsageError if it is neither."""
    port, at, rate = spec.rpartition("@")
    if not at:
        port, rate = spec, str(DEFAULT_BAUD)
    if not port or not rate.isdecimal() or int(rate) == 0:
        raise UsageError(f"{spec!r} is no device: use 'sim', PORT or PORT@BAUD")
    return port, int(rate)


def _reason(error: Exception) -> str:
    """Say in a few words why a port cannot be opened."""
    code = error.errno if isinstance(error, OSError) else None
    if code == errno.EWOULDBLOCK:
        return "another program is using it"
    if code is not None:
        return os.strerror(code)
    return "it is no serial port" if "ioctl" in str(error) else str(error)


class SerialLine:
    """A serial port as bytes out and bytes or whole lines in.

    Parameters
    ----------
    path : str
        The port's device file (or, on Windows, its name).
    baud : int
        Bits per second.

    Raises
    ------
    DeviceGoneError
        From here if the port cannot be opened, is in use or takes no such rate; from every
        method if the port vanishes.
    """

    def __init__(self, path: str, baud: int = DEFAULT_BAUD) -> None:
        self.path = path
        self._pending = bytearray()
        try:
            self._port = serial.Serial(path, baud, timeout=0.05, write_timeout=10, exclusive=True)
        except (OSError, ValueError, OverflowError) as error:
            raise DeviceGoneError(f"cannot open {path}: {_reason(error)}") from error

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn the errors of a port that fails in use into ours."""
        try:
            yield
        except serial.SerialTimeoutException as error:
            raise DeviceSilentError(f"{self.path} takes no bytes") from error
        except _PORT_ERRORS as error:
            raise DeviceGoneError(f"{self.path} has gone away") from error

    def write(self, data: bytes) -> None:
        """Send bytes as they are."""
        with self._errors():
            self._port.write(data)

    def read(self) -> bytes:
        """Return the bytes that have come, after at most a twentieth of a second; maybe none."""
        with self._errors():
            return self._port.read(1) + self._port.read(self._port.in_waiting)

    def read_line(self, timeout: float) -> str:
        """Return the next non-empty line, without its end.

        Raises
        ------
        DeviceSilentError
            If no whole line comes within ``timeout`` seconds; what came of it is dropped.
        DeviceTalkError
            If a line is no plain text, or too long to be one.
        """
        deadline = time.monotonic() + timeout
        while True:
            line, end, rest = bytes(self._pending).replace(b"\r", b"\n").partition(b"\n")
            if end:
                self._pending = bytearray(rest)
                if line:
                    return self._text(line)
                continue
            if len(self._pending) > _LONGEST_LINE:
                start = self._drop_pending()
                raise DeviceTalkError(f"{self.path} sends no lines, but {start[:16]!r}...")
            if time.monotonic() >= deadline:
                half = self._drop_pending()
                got = f"only {half!r}, without a line end," if half else "nothing"
                raise DeviceSilentError(f"{self.path} sent {got} within {timeout:g} s")
            self._pending += self.read()

    def _drop_pending(self) -> bytes:
        dropped = bytes(self._pending)
        self._pending.clear()
        return dropped

    def _text(self, line: bytes) -> str:
        if not all(0x20 <= byte < 0x7F for byte in line):
            raise DeviceTalkError(f"{self.path} sent {line[:16]!r}, which is no text: wrong rate?")
        return line.decode("ascii")

    def forget(self) -> None:
        """Drop everything that has come and was not read yet."""
        self._pending.clear()
        with self._errors():
            self._port.reset_input_buffer()

    def close(self) -> None:
        """Close the port. Closing twice does nothing more."""
        self._port.close()


class ContestDevice:
    """A device that plays one game at a time over the contest link. A context manager.

    Parameters
    ----------
    line : SerialLine
        The port, already open; closed with the device.
    patience : float
        Seconds to wait for an answer if the caller names no other limit.
    board : SimulatedBoard or None
        The simulated board behind the port, if it is one; ended with the device.

    Attributes
    ----------
    stats : str
        What the simulated board printed at its end; empty until :meth:`close`.
    """

    def __init__(
        self, line: SerialLine, patience: float, board: SimulatedBoard | None = None
    ) -> None:
        self.line = line
        self.patience = patience
        self.stats = ""
        self._board = board

    @property
    def name(self) -> str:
        """How to call the device in a message."""
        return "the simulated board" if self._board else self.line.path

    def identify(self) -> str:
        """Return the device's two-character code; whatever it was doing is dropped.

        Lines that were on their way before are skipped, so the link is in step afterwards.
        """
        self.line.forget()
        self.line.write(b"-T\n")
        deadline = time.monotonic() + self.patience
        while True:
            try:
                answer = self.line.read_line(max(0.0, deadline - time.monotonic()))
            except DeviceSilentError as error:
                raise DeviceSilentError(
                    f"{self.name} does not answer -T within {self.patience:g} s: "
                    "is it a Trax player, at this rate?"
                ) from error
            if len(answer) == 2:
                return answer
            try:
                parse_turn(answer)
            except NotationError as error:
                raise DeviceTalkError(
                    f"{self.name} answers -T with {answer!r} instead of a two-character code"
                ) from error

    def new_game(self, white: bool) -> None:
        """Start a game in which the device is White, and opens, or is Red, and waits."""
        self.identify()
        self.line.write(b"-W\n" if white else b"-B\n")

    def send_turn(self, text: str) -> None:
        """Tell the device its opponent's turn."""
        self.line.write(text.encode("ascii") + b"\n")

    def read_turn(self, timeout: float | None = None) -> str:
        """Return the device's turn in notation.

        Raises
        ------
        DeviceSilentError
            If it does not come in ``timeout`` seconds (None: the device's usual patience).
        DeviceTalkError
            If the answer is no turn.
        """
        answer = self.line.read_line(self.patience if timeout is None else timeout)
        try:
            return format_turn(parse_turn(answer))
        except NotationError as error:
            raise DeviceTalkError(f"{self.name} answers {answer!r} instead of a turn") from error

    def close(self) -> None:
        """Close the port and end the simulated board. Closing twice does nothing more."""
        self.line.close()
        if self._board:
            self.stats += self._board.close()

    def __enter__(self) -> ContestDevice:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def open_device(spec: str, sim_arguments: Sequence[str] = ()) -> ContestDevice:
    """Open a device and make sure that a player answers there.

    Parameters
    ----------
    spec : str
        ``sim`` for a simulated board of its own, or a serial port as ``PORT`` or ``PORT@BAUD``.
    sim_arguments : sequence of str
        Further arguments for the simulated board.

    Raises
    ------
    UsageError
        If ``spec`` is neither.
    DeviceError
        If there is no such device, or it does not answer as a player does.
    """
    if spec == "sim":
        board = SimulatedBoard(sim_arguments)
        try:
            device = ContestDevice(SerialLine(board.path), PATIENCE_SIM, board)
        except BaseException:
            board.close()
            raise
    else:
        device = ContestDevice(SerialLine(*split_spec(spec)), PATIENCE_PORT)
    try:
        device.identify()
    except BaseException:
        device.close()
        raise
    return device
