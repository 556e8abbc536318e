"""Bytes between one connection and one device."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Final

from loopline.host.errors import DeviceError
from loopline.host.transport.transport import Transport

__all__ = ["Bridge"]

_LONGEST_REASON: Final = 100


class Bridge:
    """A device, opened and served by two threads of its own.

    Parameters
    ----------
    connect : callable
        Opens the device; may take time.
    received : callable
        Takes bytes of the device, in a thread; no more are read until it returns.
    ended : callable
        Called once in a thread when the device is closed, with the reason in one line; with an
        empty text after :meth:`close`.
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
        self._is_closed = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def send(self, data: bytes) -> None:
        """Send bytes to the device, once it is open."""
        self._to_send.put(data)

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
            transport = self._connect()
            writer = threading.Thread(target=self._write, args=(transport,), daemon=True)
            writer.start()
            try:
                while not self._is_closed.is_set():
                    if data := transport.read():
                        self._received(data)
            finally:
                self.close()
                writer.join()
                transport.close()
        except DeviceError as error:
            reason = str(error)
        self._ended(" ".join(reason.split())[:_LONGEST_REASON])

    def _write(self, transport: Transport) -> None:
        while (data := self._to_send.get()) is not None:
            try:
                transport.write(data)
            except DeviceError:
                # The reader finds out, too, and says why.
                return
