"""Commands and their answers over a line that may lose some: sequence numbers and retries.

A command that changes something is sent again with its number, so that a device which has obeyed
it repeats the answer. One that only asks gets a new number: the rest of a late answer to the first
try cannot be mixed up with the answer to the second.
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from loopline.game.wire import (
    CONTEXTS,
    SEQUENCES,
    Command,
    Damage,
    Event,
    Frame,
    FrameReader,
    Noise,
    answer_code,
    pack_frame,
)
from loopline.host.device.answers import Answer, Refusal
from loopline.host.device.pending_replies import reply_to
from loopline.host.device.timeouts import Patience
from loopline.host.errors import DeviceError, DeviceFloodError, DeviceSilentError, DeviceTalkError
from loopline.host.transport.transport import READ_SECONDS, Transport

__all__ = ["Exchange"]

_AFTER_DAMAGE: Final = 0.05
"""Seconds to wait before that, in which the rest of the trouble goes by."""

_SECONDS_TO_STOP: Final = 10.0

_MOST_ITEMS: Final = 0xFFFF
"""No answer has more parts: its end counts them in two bytes."""


@dataclass(slots=True)
class _Asked:
    """A command that is under way."""

    command: Command
    payload: bytes
    sequence: int
    items: list[Answer]


class Exchange:
    """One command at a time, each up to its last answer.

    Parameters
    ----------
    transport : Transport
        The way to the device, open.
    patience : Patience
        How long to wait.

    Attributes
    ----------
    noise : bytes
        The last line that was no frame, for a message.
    retries : int
        How often a command had to be sent again.
    """

    def __init__(self, transport: Transport, patience: Patience) -> None:
        self.noise = b""
        self.retries = 0
        self._transport = transport
        self._patience = patience
        self._reader = FrameReader()
        self._events: deque[Event] = deque()
        # Whoever has used the device before has hardly ended with the number before.
        self._sequence = random.randrange(SEQUENCES)

    def ask(
        self,
        command: Command,
        payload: bytes = b"",
        *,
        on_item: Callable[[list[Answer]], None] | None = None,
        stopping: Callable[[], bool] | None = None,
        deadline: float | None = None,
        patience: Patience | None = None,
    ) -> tuple[list[Answer], Answer]:
        """Send a command and return what was answered before the last answer, and this.

        Parameters
        ----------
        command : Command
            What is asked for.
        payload : bytes
            As its message packs it.
        on_item : callable or None
            Is given all answers so far whenever one has come that is not the last. They may start
            again from the beginning.
        stopping : callable or None
            For a search: asked every now and then whether it is to be stopped.
        deadline : float or None
            For a search: the :func:`time.monotonic` at which it is to be stopped.
        patience : Patience or None
            If it is another than usual.

        Raises
        ------
        RefusedError
            If the device does not obey.
        ProtocolVersionError
            If it is of another version than this program.
        DeviceSilentError
            If there is no answer.
        AnswerError
            If the answer does not have the form that it should have.
        DeviceTalkError
            If frames are damaged again and again.
        DeviceFloodError
            If the answer has no end.
        DeviceGoneError
            If the far end has gone.
        """
        patience = patience or self._patience
        asked = _Asked(command, payload, -1, [])
        try:
            return self._await(asked, patience, on_item, stopping, deadline)
        except DeviceError:
            raise
        except BaseException:
            if command is Command.SEARCH and asked.sequence >= 0:
                self._end_search(asked, patience)
            raise

    def _await(
        self,
        asked: _Asked,
        patience: Patience,
        on_item: Callable[[list[Answer]], None] | None,
        stopping: Callable[[], bool] | None,
        deadline: float | None = None,
    ) -> tuple[list[Answer], Answer]:
        """Send a command, again if need be, until its last answer has come."""
        self._send(asked)
        wait = patience.retry
        heard = time.monotonic()
        again, stop_again = heard + wait, 0.0
        trouble = ""
        while True:
            now = time.monotonic()
            overdue = deadline is not None and now >= deadline
            if now >= stop_again and (overdue or (stopping and stopping())):
                self._send_stop()
                stop_again = now + patience.retry
            if now - heard >= patience.limit:
                raise self._silence(patience, trouble)
            if now >= again:
                self.retries += 1
                self._send(asked)
                wait = min(2 * wait, patience.limit)
                again = now + wait
            until = min(again, heard + patience.limit)
            if deadline is not None and not overdue:
                until = min(until, deadline)
            event = self._event(until - now)
            if isinstance(event, Damage):
                trouble = "its frames come damaged"
                again = min(again, time.monotonic() + _AFTER_DAMAGE)
            elif isinstance(event, Frame):
                answer = reply_to(self._name, asked.command, asked.sequence, event)
                if isinstance(answer, Refusal):
                    trouble = f"it says that frames come {answer.error.name}"
                    again = min(again, time.monotonic() + _AFTER_DAMAGE)
                elif answer is not None:
                    if event.code == answer_code(asked.command):
                        return asked.items, answer
                    self._collect(asked, answer)
                    heard = time.monotonic()
                    again = heard + wait
                    if on_item:
                        on_item(asked.items)

    def _end_search(self, asked: _Asked, patience: Patience) -> None:
        """The caller has gone from a search, by Ctrl-C for one: have the device end it, too."""
        patience = Patience(patience.retry, min(patience.limit, _SECONDS_TO_STOP))
        with suppress(DeviceError):
            self._await(asked, patience, None, lambda: True)

    def forget(self) -> None:
        """Drop what has come and was not read; begin anew in the middle of whatever comes."""
        self._reader = FrameReader()
        self._events.clear()
        dropped = 0
        while data := self._transport.read(0):
            dropped += len(data)
            if dropped > 1 << 16:
                raise DeviceFloodError(f"{self._name} never stops sending: {data[:16]!r}...")

    @property
    def _name(self) -> str:
        return self._transport.path

    def _next(self) -> int:
        self._sequence = (self._sequence + 1) % SEQUENCES
        return self._sequence

    def _send(self, asked: _Asked) -> None:
        if asked.sequence < 0 or not CONTEXTS[asked.command].stored:
            asked.sequence = self._next()
            asked.items.clear()
        self._transport.write(pack_frame(asked.sequence, asked.command, asked.payload))

    def _send_stop(self) -> None:
        """Ask for the end of the search; its answer needs no attention, that of the search does."""
        self._transport.write(pack_frame(self._next(), Command.STOP))

    def _event(self, seconds: float) -> Event | None:
        """The next thing that comes, if it comes soon."""
        if not self._events:
            data = self._transport.read(max(0.0, min(seconds, READ_SECONDS)))
            self._events.extend(self._reader.feed(data))
        event = self._events.popleft() if self._events else None
        if isinstance(event, Noise):
            self.noise = event.text
        return event

    def _collect(self, asked: _Asked, answer: Answer) -> None:
        # A search may report for as long as it likes; the last report says it all.
        if asked.command is Command.SEARCH:
            asked.items.clear()
        if len(asked.items) >= _MOST_ITEMS:
            raise DeviceFloodError(f"{self._name} answers {asked.command.name} without an end")
        asked.items.append(answer)

    def _silence(self, patience: Patience, trouble: str) -> DeviceTalkError | DeviceSilentError:
        if trouble:
            return DeviceTalkError(
                f"{self._name} cannot be understood: {trouble}; is its rate another?"
            )
        return DeviceSilentError(f"{self._name} does not answer within {patience.limit:g} s")
