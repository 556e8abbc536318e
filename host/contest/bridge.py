"""Standard input and output as a contest player: carried to a device and back."""

from __future__ import annotations

import os
import queue
import select
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from loopline.game import STANDARD, Colour, Position, Variant
from loopline.host.contest.link import ContestDevice
from loopline.host.contest.pending_replies import PendingReplies, drops_game
from loopline.host.errors import DeviceError, DeviceFloodError, DeviceSilentError
from loopline.host.transport.transport import READ_SECONDS

__all__ = ["Bridge"]

_CHUNK = 4096
_MOST_WAITING = 64
"""The most pieces in the queue: a faster sender has to wait."""

_LONGEST_LINE = 4096
_GRACE = 0.2
"""The seconds to wait at the end for a reply that the rules do not ask for."""

_PARTING = 1.0
"""The seconds that the source's reader has to notice the end."""


class Bridge:
    """Carries bytes in both directions at once, until the source ends.

    Bytes go to the device as soon as they come, so that a new game can interrupt a search. The
    device's bytes are handed on in whole lines, each ended by one line feed. A last line of the
    source gets a line end if it has none. After the source's end the bridge waits for pending
    replies.

    Parameters
    ----------
    device : ContestDevice
        The player.
    sink : callable
        Takes each line from the device, with its end.
    variant : Variant
        The device's variant: it decides which turns end a game and get no reply.
    save : callable or None
        Takes each game with at least one turn, and the device's side in it, when the game is
        dropped or the source ends.
    """

    def __init__(
        self,
        device: ContestDevice,
        sink: Callable[[bytes], None],
        variant: Variant = STANDARD,
        save: Callable[[Position, Colour], None] | None = None,
    ) -> None:
        self._device = device
        self._sink = sink
        self._save = save
        self._pending = PendingReplies(variant)
        self._sent = b""
        self._received = b""
        # Events in order: bytes from the source (None: its end) and from the device, or the error
        # with which the device's bytes end.
        self._events: queue.Queue[tuple[str, bytes | DeviceError | None]]
        self._events = queue.Queue(_MOST_WAITING)
        self._done = threading.Event()

    def run(self, source: int) -> None:
        """Carry everything from a file descriptor to its end.

        Raises
        ------
        DeviceError
            If the device vanishes, takes no more bytes, or owes an answer at the end.
        """
        # The source's thread has ended when this method returns: the number of the descriptor may
        # soon be another file's. If another process takes the bytes that select has announced, the
        # thread waits in its read, and is left behind.
        source_reader = threading.Thread(target=self._read_source, args=(source,), daemon=True)
        source_reader.start()
        device_reader = threading.Thread(target=self._read_device)
        device_reader.start()
        try:
            while self._carry(None):
                pass
            if self._sent:
                self._send(b"\n")
            self._await_replies()
        finally:
            self._done.set()
            device_reader.join()
            source_reader.join(_PARTING)
            self._save_game()
        if self._pending:
            raise DeviceSilentError(
                f"{self._device.name} owes an answer, but sent none within "
                f"{self._device.timeout:g} s"
            )

    def _await_replies(self) -> None:
        """Hand on what the device still sends; only a reply that is due prolongs the wait."""
        due, ends = None, 0.0
        while True:
            pending = self._pending.code, self._pending.turn
            if pending != due:
                due = pending
                ends = time.monotonic() + (self._device.timeout if any(due) else _GRACE)
            left = ends - time.monotonic()
            if left <= 0 or not self._carry(left):
                return

    def _carry(self, timeout: float | None) -> bool:
        """Handle the next event; False at the source's end, or if no event comes in time."""
        try:
            origin, what = self._events.get(timeout=timeout)
        except queue.Empty:
            return False
        if isinstance(what, DeviceError):
            raise what
        if what is None:
            return False
        if origin == "source":
            self._send(what)
        else:
            self._hand_on(what)
        return True

    def _send(self, data: bytes) -> None:
        *lines, self._sent = (self._sent + data).replace(b"\r", b"\n").split(b"\n")
        # A longer line is no turn. Its bytes go out unchanged all the same.
        self._sent = self._sent[:_LONGEST_LINE]
        for line in lines:
            text = line.decode("latin-1")
            if drops_game(text):
                self._save_game()
            self._pending.sent(text)
        self._device.transport.write(data)

    def _save_game(self) -> None:
        """Save the game that ends here, if it has a turn."""
        if self._save and self._pending.game and self._pending.game[0].turns:
            self._save(*self._pending.game)

    def _hand_on(self, data: bytes) -> None:
        *lines, self._received = (self._received + data).replace(b"\r", b"\n").split(b"\n")
        for line in filter(None, lines):
            self._pending.received(line.decode("latin-1"))
            self._sink(line + b"\n")
        if len(self._received) > _LONGEST_LINE:
            said = self._received[:16]
            raise DeviceFloodError(f"{self._device.name} sends no lines, but {said!r}...")

    def _read_source(self, source: int) -> None:
        data: bytes | None
        while not self._done.is_set():
            try:
                if not select.select([source], [], [], READ_SECONDS)[0]:
                    continue
                data = os.read(source, _CHUNK) or None
            except OSError:
                data = None  # a terminal that hangs up: the end, too
            self._put("source", data)
            if data is None:
                return

    def _read_device(self) -> None:
        try:
            while not self._done.is_set():
                if data := self._device.transport.read():
                    self._put("device", data)
        except DeviceError as error:
            self._put("device", error)

    def _put(self, origin: str, what: bytes | DeviceError | None) -> None:
        """Put an event into the queue as soon as there is room, unless the bridge is done."""
        while not self._done.is_set():
            with suppress(queue.Full):
                self._events.put((origin, what), timeout=READ_SECONDS)
                return
