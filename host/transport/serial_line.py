"""A serial port as a transport, with errors that say what is wrong with it."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

import serial

from loopline.host.errors import DeviceGoneError, DeviceSilentError
from loopline.host.transport.transport import CHUNK, READ_SECONDS, WRITE_SECONDS

__all__ = ["DEFAULT_BAUD", "SerialLine"]

DEFAULT_BAUD = 115_200
"""The rate at which Loopline's boards are built, unless told otherwise."""

_PIECE = 64
"""How many bytes have to go out before the port counts as hanging: few, for the slowest rates."""

# What pyserial lets through when a port fails in use: TypeError is its closed file descriptor.
_PORT_ERRORS: tuple[type[Exception], ...] = (OSError, TypeError)
try:
    import termios
except ImportError:  # Windows
    pass
else:
    _PORT_ERRORS += (termios.error,)


def _reason(error: Exception) -> str:
    """Say in a few words why a port cannot be opened."""
    code = error.errno if isinstance(error, OSError) else None
    if code == errno.EWOULDBLOCK:
        return "another program is using it"
    if code is not None:
        return os.strerror(code)
    return "it is no serial port" if "ioctl" in str(error) else str(error)


class SerialLine:
    """A serial port as a :class:`Transport`.

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
        self._gone = False
        try:
            self._port = serial.Serial(
                path,
                baud,
                timeout=READ_SECONDS,
                write_timeout=WRITE_SECONDS,
                exclusive=True,
            )
        except (OSError, ValueError, OverflowError) as error:
            raise DeviceGoneError(f"cannot open {path}: {_reason(error)}") from error

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn the errors of a port that fails in use into ours."""
        try:
            yield
        except serial.SerialTimeoutException as error:
            raise DeviceSilentError(
                f"{self.path} takes no bytes: it has read nothing for {WRITE_SECONDS:g} s"
            ) from error
        except _PORT_ERRORS as error:
            self._gone = True
            raise DeviceGoneError(f"{self.path} has gone away") from error

    @property
    def baud(self) -> int:
        """Bits per second."""
        return int(self._port.baudrate)

    def set_baud(self, baud: int) -> None:
        """Go on at another rate, once all that was written is out.

        Raises DeviceGoneError if the port has no such rate, or has gone.
        """
        with self._errors():
            self._port.flush()
        before = self._port.baudrate
        try:
            self._port.baudrate = baud
        except (OSError, ValueError, OverflowError) as error:
            self._port.baudrate = before
            raise DeviceGoneError(f"{self.path} has no rate of {baud} baud") from error

    def open(self, seconds: float) -> None:
        """Do nothing: a port that could be opened is there."""

    def read(self, wait: float = READ_SECONDS) -> bytes:
        """Return the bytes that have come, after at most a twentieth of a second; maybe none."""
        with self._errors():
            first = self._port.read(1) if wait > 0 else b""
            return first + self._port.read(min(self._port.in_waiting, CHUNK))

    def write(self, data: bytes) -> None:
        """Send bytes as they are."""
        for start in range(0, len(data), _PIECE):
            with self._errors():
                self._port.write(data[start : start + _PIECE])

    def remark(self) -> str:
        """Return the rate, which may be the wrong one, unless the port has gone altogether."""
        return "" if self._gone else f"its rate here is {self.baud} baud"

    def close(self) -> None:
        """Close the port. Closing twice does nothing more."""
        self._port.close()
