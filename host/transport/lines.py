"""Lines of text out of received bytes, with errors that tell what is wrong with them."""

from __future__ import annotations

import time

from loopline.host.errors import DeviceFloodError, DeviceSilentError, DeviceTalkError
from loopline.host.transport.transport import READ_SECONDS, Transport

__all__ = ["LONGEST_LINE", "Lines"]

LONGEST_LINE = 64
"""The most bytes without a line end that can still become a line."""

_FLOOD = 1 << 16
_DISCARD_SECONDS = 5.0
"""How long a line may be dropped that does not end."""

_LINE_ENDS = b"\r\n"


class Lines:
    """The lines from a transport. CR, LF and CR LF end a line; empty lines are skipped.

    Parameters
    ----------
    transport : Transport
        The source, open.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._pending = bytearray()

    def read_line(self, seconds: float, since: float | None = None) -> str:
        """Return the next line that is not empty, without its end.

        Parameters
        ----------
        seconds : float
            The timeout.
        since : float or None
            The start of the timeout, by ``time.monotonic``; None: now.

        Raises
        ------
        DeviceSilentError
            If no whole line comes in time; a part of a line is dropped.
        DeviceTalkError
            If the line is not printable ASCII.
        DeviceFloodError
            If the line is too long, or only line ends come.
        DeviceGoneError
            If the far end has gone.
        """
        deadline = (time.monotonic() if since is None else since) + seconds
        blank = 0
        while (line := self._next()) is None:
            if len(self._pending) > LONGEST_LINE:
                raise DeviceFloodError(f"{self._path} sends no lines, but {self._drop()[:16]!r}...")
            left = deadline - time.monotonic()
            data = self._transport.read(min(left, READ_SECONDS)) if left > 0 else b""
            if time.monotonic() > deadline:
                half = self._drop()
                got = f"only {half!r}, without a line end," if half else "nothing"
                raise DeviceSilentError(f"{self._path} sent {got} within {seconds:g} s")
            self._pending += data
            blank += len(data) - len(data.lstrip(_LINE_ENDS))
            if blank > _FLOOD:
                raise DeviceFloodError(f"{self._path} sends nothing but line ends")
        return self._text(line)

    def _next(self) -> bytes | None:
        """Take the next whole line out of the buffer; None if there is none."""
        self._pending = self._pending.lstrip(_LINE_ENDS)
        line, end, rest = self._pending.replace(b"\r", b"\n").partition(b"\n")
        if not end:
            return None
        self._pending = rest
        return bytes(line)

    def waiting(self) -> bytes:
        """Return received bytes that were not read yet, without line ends around; do not wait.

        Raises DeviceGoneError if the far end has gone.
        """
        self._pending += self._transport.read(0)
        return bytes(self._pending.strip(_LINE_ENDS))

    def discard(self) -> None:
        """Drop received bytes that were not read yet, and the rest of a line that has begun.

        Raises
        ------
        DeviceFloodError
            If the far end never stops sending, or goes on with a line for five seconds.
        DeviceGoneError
            If the far end has gone.
        """
        data = self._drop()
        dropped, deadline = len(data), time.monotonic() + _DISCARD_SECONDS
        while data := self._transport.read(0 if data[-1:] in _LINE_ENDS else READ_SECONDS):
            dropped += len(data)
            if dropped > _FLOOD or time.monotonic() > deadline:
                raise DeviceFloodError(f"{self._path} never stops sending: {data[:16]!r}...")

    @property
    def _path(self) -> str:
        return self._transport.path

    def _drop(self) -> bytes:
        dropped = bytes(self._pending)
        self._pending.clear()
        return dropped

    def _text(self, line: bytes) -> str:
        if not all(0x20 <= byte < 0x7F for byte in line):
            raise DeviceTalkError(f"{self._path} sent {line[:16]!r}, which is no text")
        return line.decode("ascii")
