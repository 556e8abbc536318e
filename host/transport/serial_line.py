"""A serial port as a transport, with errors that tell what is wrong with it."""

from __future__ import annotations

import errno
import os
import termios
from collections.abc import Iterator
from contextlib import contextmanager

import serial

from loopline.host.errors import DeviceGoneError, DeviceSilentError
from loopline.host.transport.transport import CHUNK, READ_SECONDS, WRITE_SECONDS

__all__ = ["DEFAULT_BAUD", "FASTEST_BAUD", "SerialLine"]

DEFAULT_BAUD = 115_200
"""The usual rate of Loopline's boards."""

FASTEST_BAUD = (1 << 31) - 1
"""pyserial hands a rate to the system as a signed number of 32 bits."""

_PIECE = 64
"""The bytes of one write, which has a timeout: few, for the slowest rates."""

# The exceptions from pyserial when a port fails in use; TypeError: its descriptor is closed.
_PORT_ERRORS = (OSError, TypeError, termios.error)
_SETTING_ERRORS = (*_PORT_ERRORS, ValueError, OverflowError)


def _reason(error: Exception) -> str:
    """Return in a few words why a port cannot be opened."""
    # What configures a port has errors of its own, with the same numbers.
    code = error.errno if isinstance(error, OSError) else next(iter(error.args), None)
    if code == errno.EWOULDBLOCK:
        return "another program is using it"
    if isinstance(code, int):
        return os.strerror(code)
    return "it is no serial port" if "ioctl" in str(error) else str(error)


class SerialLine:
    """A serial port as a :class:`Transport`.

    Parameters
    ----------
    path : str
        The port's device file.
    baud : int
        Bits per second.

    Raises
    ------
    DeviceGoneError
        From the constructor if the port cannot be opened, is in use or does not take the rate;
        from every method if the port vanishes.
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
        except _SETTING_ERRORS as error:
            raise DeviceGoneError(f"cannot open {path}: {_reason(error)}") from error

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Translate the errors of a port that fails in use."""
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
        """Change the rate, after all written bytes are out.

        Raises DeviceGoneError if the port does not have the rate, or has gone.
        """
        with self._errors():
            self._port.flush()
        before = self._port.baudrate
        try:
            self._port.baudrate = baud
        except _SETTING_ERRORS as error:
            with self._errors():
                self._port.baudrate = before
            raise DeviceGoneError(f"{self.path} has no rate of {baud} baud") from error

    def open(self, seconds: float) -> None:
        """Do nothing: the constructor has opened the port."""

    def read(self, wait: float = READ_SECONDS) -> bytes:
        """Return received bytes, if any, after at most a twentieth of a second."""
        with self._errors():
            first = self._port.read(1) if wait > 0 else b""
            return first + self._port.read(min(self._port.in_waiting, CHUNK))

    def write(self, data: bytes) -> None:
        """Send bytes as they are."""
        for start in range(0, len(data), _PIECE):
            with self._errors():
                self._port.write(data[start : start + _PIECE])

    def remark(self) -> str:
        """Return the rate, which may be wrong; nothing if the port has gone."""
        return "" if self._gone else f"its rate here is {self.baud} baud"

    def close(self) -> None:
        """Close the port. Closing twice does nothing more."""
        self._port.close()
