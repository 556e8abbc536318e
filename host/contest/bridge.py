"""A contest player's standard input and output, carried to a serial line and back."""

from __future__ import annotations

import os
import queue
import select
import threading
from collections.abc import Callable
from contextlib import suppress

from loopline.game import STANDARD, Colour, Position, Variant
from loopline.host.contest.link import ContestDevice
from loopline.host.contest.pending_replies import PendingReplies, begins_anew
from loopline.host.errors import DeviceError, DeviceFloodError, DeviceSilentError
from loopline.host.transport.transport import READ_SECONDS

__all__ = ["Bridge"]

_CHUNK = 4096
_MOST_WAITING = 64
"""Pieces that wait: whoever sends faster than is carried on has to wait, too."""

_LONGEST_LINE = 4096
_GRACE = 0.2
"""Seconds for an answer that is not due by the rules to come after all."""

_PARTING = 1.0
"""Seconds for the source's reader to notice the end."""


class Bridge:
    """Bytes in both directions at once, until the source ends.

    Bytes go out as soon as they come, so a new game can interrupt a search; what comes back is
    handed on in whole lines, each ended by one line feed. A last line of the source that has no
    end gets one. After the source's end, answers that are due are waited for.

    Parameters
    ----------
    device : ContestDevice
        The player.
    sink : callable
        Takes every line from the device, its end included.
    variant : Variant
        What the device plays: it decides which turns end a game and are owed no answer.
    keep : callable or None
        Takes every game with at least one turn and the device's side in it, when the game is
        dropped or the source ends.
    """

    def __init__(
        self,
        device: ContestDevice,
        sink: Callable[[bytes], None],
        variant: Variant = STANDARD,
        keep: Callable[[Position, Colour], None] | None = None,
    ) -> None:
        self._device = device
        self._sink = sink
        self._keep = keep
        self._due = PendingReplies(variant)
        self._sent = b""
        self._received = b""
        # What happens, in order: bytes from the source (None: its end) and from the device, or
        # why there will be no more.
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
        # Nobody reads the source any more when this returns: its number may soon be another
        # file's. Only where somebody else has taken what it had to offer that thread still waits.
        typist = threading.Thread(target=self._read_source, args=(source,), daemon=True)
        typist.start()
        reader = threading.Thread(target=self._read_device)
        reader.start()
        try:
            while self._carry(None):
                pass
            if self._sent:
                self._send(b"\n")
            while self._carry(self._device.timeout if self._due else _GRACE):
                pass
        finally:
            self._done.set()
            reader.join()
            typist.join(_PARTING)
            self._keep_game()
        if self._due:
            raise DeviceSilentError(
                f"{self._device.name} owes an answer, but sent nothing for "
                f"{self._device.timeout:g} s"
            )

    def _carry(self, timeout: float | None) -> bool:
        """Handle what happens next; False if it is the source's end, or nothing in time."""
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
        # What is longer is no turn, whatever follows; and it goes out as it is all the same.
        self._sent = self._sent[:_LONGEST_LINE]
        for line in lines:
            text = line.decode("latin-1")
            if begins_anew(text):
                self._keep_game()
            self._due.told(text)
        self._device.transport.write(data)

    def _keep_game(self) -> None:
        """Hand the game that ends here to whoever wants it."""
        if self._keep and self._due.game and self._due.game[0].turns:
            self._keep(*self._due.game)

    def _hand_on(self, data: bytes) -> None:
        *lines, self._received = (self._received + data).replace(b"\r", b"\n").split(b"\n")
        for line in filter(None, lines):
            self._due.heard(line.decode("latin-1"))
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
            self._tell("source", data)
            if data is None:
                return

    def _read_device(self) -> None:
        try:
            while not self._done.is_set():
                if data := self._device.transport.read():
                    self._tell("device", data)
        except DeviceError as error:
            self._tell("device", error)

    def _tell(self, origin: str, what: bytes | DeviceError | None) -> None:
        """Report what source or device say as soon as there is room; never once all is done."""
        while not self._done.is_set():
            with suppress(queue.Full):
                self._events.put((origin, what), timeout=READ_SECONDS)
                return
