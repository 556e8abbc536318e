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
"""The usual timeout of a read."""

WRITE_SECONDS = 5.0
"""After so long without taking a byte, the far end counts as hanging."""

CHUNK = 4096
"""The most bytes that one read returns."""


class Transport(Protocol):
    """Carries bytes to and from one far end. No method hangs, whatever the far end does.

    Attributes
    ----------
    path : str
        The name of the far end in messages.
    """

    path: str

    def open(self, seconds: float) -> None:
        """Wait until the far end is there. A second call does nothing.

        Raises
        ------
        DeviceSilentError
            If it is not there after so many seconds.
        DeviceGoneError
            If it cannot be reached.
        """

    def read(self, wait: float = READ_SECONDS) -> bytes:
        """Return received bytes, at most a few kilobytes, or nothing.

        Returns as soon as there is a byte, and after at most ``wait`` seconds; 0: at once. A serial
        port waits a twentieth of a second, however long ``wait`` is.

        Raises
        ------
        DeviceGoneError
            If the far end has gone and all that it had sent has been read.
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
        """Return a clause that helps to explain a failure of the far end, or nothing."""

    def close(self) -> None:
        """End the line, and a program that was started for it. Never raises; may be repeated."""


@contextmanager
def remarking(transport: Transport) -> Iterator[None]:
    """Add the transport's remark to a DeviceError that leaves the context."""
    try:
        yield
    except DeviceError as error:
        remark = transport.remark()
        if not remark:
            raise
        raise type(error)(f"{error}; {remark}") from error


def can_read(descriptor: int, seconds: float) -> bool:
    """Wait at most so many seconds for bytes or the end of the input; return whether there are."""
    return _ready(descriptor, select.POLLIN, seconds)


def _ready(descriptor: int, event: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(descriptor, event)
    return bool(poll.poll(max(0.0, seconds) * 1000))


def write_all(descriptor: int, data: bytes, path: str) -> None:
    """Write all bytes to a non-blocking descriptor, as :meth:`Transport.write` does.

    ``path`` names the far end in errors. Raises an :exc:`OSError` if it has gone.
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
