"""A serial port as bytes out and whole lines in, with errors that say what is wrong with it."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

import serial

from loopline.host.errors import DeviceGoneError, DeviceSilentError, DeviceTalkError

__all__ = ["DEFAULT_BAUD", "SerialLine"]

DEFAULT_BAUD = 115_200
"""The rate at which Loopline's boards are built, unless told otherwise."""

_READ_SECONDS = 0.05
_WRITE_SECONDS = 60.0
_LONGEST_LINE = 64

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
            self._port = serial.Serial(
                path,
                baud,
                timeout=_READ_SECONDS,
                write_timeout=_WRITE_SECONDS,
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
