"""Bytes between one connection and one device."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Final

from loopline.host.errors import DeviceError
from loopline.host.transport.transport import Transport

__all__ = ["Bridge"]

_LONGEST_REASON: Final = 120
"""The most bytes of a reason: the frame that closes a WebSocket has room for 123."""


class Bridge:
    """A device, opened and served by two threads of its own.

    Parameters
    ----------
    connect : callable
        Opens the device; may take time.
    received : callable
        Takes bytes of the device, in a thread; no more are read until it returns.
    ended : callable
        Called once in a thread when the device is closed, with the reason in one line of at most
        120 bytes of UTF-8; with an empty text after :meth:`close`.
    """

    def __init__(
        self,
        connect: Callable[[], Transport],
        received: Callable[[bytes], None],
        ended: Callable[[str], None],
    ) -> None:
        self._connect = connect
        self._received = received
        self._ended = ended
        self._to_send: SimpleQueue[bytes | None] = SimpleQueue()
        self._given = self._written = 0
        self._is_closed = threading.Event()
        self._is_opening = True
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def send(self, data: bytes) -> None:
        """Send bytes to the device, once it is open."""
        self._given += len(data)
        self._to_send.put(data)

    @property
    def waiting(self) -> int:
        """Return how many bytes the device has not taken yet."""
        return self._given - self._written

    def take_over(self, received: Callable[[bytes], None], ended: Callable[[str], None]) -> bool:
        """Serve another connection, if the device was closed before it was open.

        Returns whether it does. Then the functions take the place of those given before, and bytes
        that were to be sent are dropped.
        """
        with self._lock:
            if not (self._is_opening and self._is_closed.is_set()):
                return False
            self._received, self._ended = received, ended
            self._to_send = SimpleQueue()
            self._given = 0
            self._is_closed.clear()
            return True

    def close(self) -> None:
        """Close the device soon; returns at once."""
        self._is_closed.set()
        self._to_send.put(None)

    def join(self, seconds: float) -> None:
        """Wait until the device is closed, but no longer than so many seconds."""
        self._thread.join(seconds)

    def _run(self) -> None:
        reason = ""
        try:
            self._serve(self._connect())
        except DeviceError as error:
            reason = str(error)
        except OSError as error:
            reason = f"the device cannot be used: {error.strerror or error}"
        finally:
            self._end_opening()
            self._ended(_shortened(" ".join(reason.split())))

    def _end_opening(self) -> None:
        """Let no other connection take over from now on."""
        with self._lock:
            self._is_opening = False

    def _serve(self, transport: Transport) -> None:
        self._end_opening()
        try:
            writer = threading.Thread(target=self._write, args=(transport,), daemon=True)
            writer.start()
            try:
                while not self._is_closed.is_set():
                    if data := transport.read():
                        self._received(data)
            finally:
                self.close()
                writer.join()
        finally:
            transport.close()

    def _write(self, transport: Transport) -> None:
        while (data := self._to_send.get()) is not None:
            try:
                transport.write(data)
            except DeviceError:
                # The reader finds out, too, and says why.
                return
            self._written += len(data)


def _shortened(reason: str) -> str:
    """Leave out the middle of a long reason: its end says why."""
    data = reason.encode("utf-8", "replace")
    if len(data) > _LONGEST_REASON:
        half = (_LONGEST_REASON - len("…".encode())) // 2
        return f"{data[:half].decode(errors='ignore')}…{data[-half:].decode(errors='ignore')}"
    return data.decode()
