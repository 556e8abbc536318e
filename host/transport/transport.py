"""Bytes to and from the far end of a line, whatever carries them.

::

    SerialLine      a serial port                         ─┐
    SimulatedLine   a simulated board of our own           ├─►  Lines  ─►  ContestDevice
    ProcessLine     a program's standard input and output  │
    TcpLine         a TCP connection, either way round    ─┘
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from loopline.host.errors import DeviceError, DeviceSilentError

__all__ = [
    "CHUNK",
    "READ_SECONDS",
    "WRITE_SECONDS",
    "Transport",
    "can_read",
    "remarking",
    "write_all",
]

READ_SECONDS = 0.05
"""How long a read waits for bytes unless told otherwise."""

WRITE_SECONDS = 5.0
"""How long the far end may take no bytes until it counts as hanging."""

CHUNK = 4096
"""The most bytes that one read returns."""


class Transport(Protocol):
    """A way to and from one far end. No method hangs, whatever the far end does.

    Attributes
    ----------
    path : str
        How to call the far end in a message.
    """

    path: str

    def open(self, seconds: float) -> None:
        """Wait until the far end is there; calling it again does nothing more.

        Raises
        ------
        DeviceSilentError
            If it is not there after so many seconds.
        DeviceGoneError
            If it cannot be reached.
        """

    def read(self, wait: float = READ_SECONDS) -> bytes:
        """Return what has come, at most a few kilobytes, or nothing.

        Returns as soon as there is anything, and after at most ``wait`` seconds, or for a serial
        port a twentieth of a second if that is longer; 0: at once.

        Raises
        ------
        DeviceGoneError
            If the far end has gone and everything that it had sent has been read.
        """

    def write(self, data: bytes) -> None:
        """Send bytes as they are.

        Raises
        ------
        DeviceSilentError
            If the far end takes no bytes for :data:`WRITE_SECONDS`.
        DeviceGoneError
            If it has gone.
        """

    def remark(self) -> str:
        """Return what else is known of a far end that has failed, as a clause; else nothing."""

    def close(self) -> None:
        """End the line and what is ours behind it. Never raises; twice does nothing more."""


@contextmanager
def remarking(transport: Transport) -> Iterator[None]:
    """Add to the error of a device what else its transport knows of the far end."""
    try:
        yield
    except DeviceError as error:
        remark = transport.remark()
        if not remark:
            raise
        raise type(error)(f"{error}; {remark}") from error


def can_read(descriptor: int, seconds: float) -> bool:
    """Wait until there is something to read, or the end, for at most so many seconds."""
    return _ready(descriptor, select.POLLIN, seconds)


def _ready(descriptor: int, event: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(descriptor, event)
    return bool(poll.poll(max(0.0, seconds) * 1000))


def write_all(descriptor: int, data: bytes, path: str) -> None:
    """Write everything to a descriptor that does not block, as :meth:`Transport.write` does.

    ``path`` is for the error's text. Raises an :exc:`OSError` if the far end has gone.
    """
    while data:
        deadline = time.monotonic() + WRITE_SECONDS
        try:
            data = data[os.write(descriptor, data) :]
        except BlockingIOError:
            if not _ready(descriptor, select.POLLOUT, deadline - time.monotonic()):
                raise DeviceSilentError(
                    f"{path} takes no bytes: it has read nothing for {WRITE_SECONDS:g} s"
                ) from None
