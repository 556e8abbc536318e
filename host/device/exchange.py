"""Commands and their answers over a line that may lose some: sequence numbers and retries.

A command that changes something is repeated with its sequence number, so that a device that has
obeyed it repeats the answer. Other commands are repeated with a new number: a late answer to the
first try cannot be taken for an answer to the second.
"""

from __future__ import annotations

import math
import random
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from loopline.game.wire import (
    CONTEXTS,
    MAGIC,
    POSITION_SPACE,
    PROTOCOL,
    SEQUENCES,
    Command,
    Damage,
    ErrorCode,
    Event,
    Frame,
    FrameReader,
    Noise,
    answer_code,
    item_code,
    pack_frame,
)
from loopline.host.device.answers import Answer, Refusal, decode
from loopline.host.device.errors import AnswerError, ProtocolVersionError, RefusedError
from loopline.host.errors import DeviceError, DeviceFloodError, DeviceSilentError, DeviceTalkError
from loopline.host.transport.transport import READ_SECONDS, Transport

__all__ = ["SECONDS_TO_STOP", "Exchange", "Timeouts", "reply_to"]

_AFTER_DAMAGE: Final = 0.05
"""Seconds before a command is repeated after damage, in which the rest of the damage passes."""

SECONDS_TO_STOP: Final = 10.0
"""Seconds in which a device has ended a search that it was told to stop."""

_MOST_ITEMS: Final = 0xFFFF
"""The most parts of an answer: its end counts them in two bytes."""


_LINK_ERRORS: Final = frozenset(
    {
        ErrorCode.DAMAGED,
        ErrorCode.FRAMING,
        ErrorCode.TOO_LONG,
        ErrorCode.CUT,
        ErrorCode.OVERRUN,
    }
)
"""The refusals of frames that were damaged or lost on the line: they are sent again."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """The seconds to wait for a device.

    Parameters
    ----------
    retry : float
        Seconds without any answer after which a command is sent again; twice as long each time.
    limit : float
        Seconds without any answer after which the device counts as silent.
    """

    retry: float
    limit: float


@dataclass(slots=True)
class _Asked:
    """The command under way."""

    command: Command
    payload: bytes
    sequence: int
    items: list[Answer]
    ends: float = math.inf
    """When a search must have ended, by :func:`time.monotonic`; set when it is told to stop."""


class Exchange:
    """Commands on a line, one at a time, each up to its last answer.

    Parameters
    ----------
    transport : Transport
        The line to the device, open.
    timeouts : Timeouts
        The seconds to wait.

    Attributes
    ----------
    noise : bytes
        The last line outside of frames, for a message.
    retries : int
        The number of repetitions.
    """

    def __init__(self, transport: Transport, timeouts: Timeouts) -> None:
        self.noise = b""
        self.retries = 0
        self._transport = transport
        self._timeouts = timeouts
        self._reader = FrameReader()
        self._events: deque[Event] = deque()
        # A random start: the program before has hardly ended with the number before this one.
        self._sequence = random.randrange(SEQUENCES)

    def ask(
        self,
        command: Command,
        payload: bytes = b"",
        *,
        on_item: Callable[[list[Answer]], None] | None = None,
        stopping: Callable[[], bool] | None = None,
        deadline: float | None = None,
        timeouts: Timeouts | None = None,
    ) -> tuple[list[Answer], Answer]:
        """Send a command. Return the answers before the last one, and the last one.

        Parameters
        ----------
        command : Command
            The command.
        payload : bytes
            Its packed payload.
        on_item : callable or None
            Takes all answers so far after each one but the last. After a repetition they start
            again from the beginning.
        stopping : callable or None
            For a search: called from time to time; once it returns True, the search is stopped.
        deadline : float or None
            For a search: the :func:`time.monotonic` at which it is stopped.
        timeouts : Timeouts or None
            The seconds to wait, if not those of the exchange.

        Raises
        ------
        RefusedError
            If the device refuses the command.
        ProtocolVersionError
            If the device speaks another version of the link.
        DeviceSilentError
            If the device does not answer in time, or goes on with a search after ``STOP``.
        AnswerError
            If an answer does not have the form of its message.
        DeviceTalkError
            If frames are damaged again and again.
        DeviceFloodError
            If an answer has no end.
        DeviceGoneError
            If the connection is lost.
        """
        timeouts = timeouts or self._timeouts
        asked = _Asked(command, payload, -1, [])
        try:
            return self._await(asked, timeouts, on_item, stopping, deadline)
        except DeviceError:
            raise
        except BaseException:
            # A search that was told to stop is not waited for again: perhaps it does not end.
            if command is Command.SEARCH and asked.sequence >= 0 and asked.ends == math.inf:
                self._end_search(asked, timeouts)
            raise

    def _await(
        self,
        asked: _Asked,
        timeouts: Timeouts,
        on_item: Callable[[list[Answer]], None] | None,
        stopping: Callable[[], bool] | None,
        deadline: float | None = None,
    ) -> tuple[list[Answer], Answer]:
        """Send a command, and repeat it if necessary, until its last answer comes."""
        self._send(asked)
        wait = timeouts.retry
        heard = time.monotonic()
        again, stop_again = heard + wait, 0.0
        searches, asked_again = True, False
        trouble = ""
        while True:
            now = time.monotonic()
            overdue = deadline is not None and now >= deadline
            if now >= stop_again and (overdue or (stopping and stopping())):
                stop_again = now + timeouts.retry
                if searches:
                    self._send_stop()
                    asked.ends = min(asked.ends, now + SECONDS_TO_STOP)
                    searches = asked_again = False
                else:
                    # Its answer may be lost: a stop would discard it, where it is stored. To a
                    # search that comes again a device says that it goes on with it.
                    again, asked_again = now, True
            if now - heard >= timeouts.limit:
                raise self._silence(timeouts, trouble)
            if now >= again:
                self.retries += 1
                self._send(asked)
                wait = min(2 * wait, timeouts.limit)
                again = now + wait
            until = min(again, heard + timeouts.limit)
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
                    if asked_again and not searches:
                        searches, stop_again = True, heard
                    if heard >= asked.ends:
                        raise DeviceSilentError(
                            f"{self._name} does not end its search within {SECONDS_TO_STOP:g} s"
                        )
                    again = heard + wait
                    if on_item:
                        on_item(asked.items)

    def _end_search(self, asked: _Asked, timeouts: Timeouts) -> None:
        """End the search on the device, after an exception such as Ctrl-C here."""
        timeouts = Timeouts(timeouts.retry, min(timeouts.limit, SECONDS_TO_STOP))
        with suppress(DeviceError):
            self._await(asked, timeouts, None, lambda: True)

    def forget(self) -> None:
        """Drop what was received so far, and synchronise with the next frame."""
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
        """Send ``STOP``. Its answer is ignored; the search's own answer follows."""
        self._transport.write(pack_frame(self._next(), Command.STOP))

    def _event(self, seconds: float) -> Event | None:
        """Return the next event, or None if none comes within the time."""
        if not self._events:
            data = self._transport.read(max(0.0, min(seconds, READ_SECONDS)))
            self._events.extend(self._reader.feed(data))
        event = self._events.popleft() if self._events else None
        if isinstance(event, Noise):
            self.noise = event.text
        return event

    def _collect(self, asked: _Asked, answer: Answer) -> None:
        # A search may report without an end; only the last report is needed.
        if asked.command is Command.SEARCH:
            asked.items.clear()
        if len(asked.items) >= _MOST_ITEMS:
            raise DeviceFloodError(f"{self._name} answers {asked.command.name} without an end")
        asked.items.append(answer)

    def _silence(self, timeouts: Timeouts, trouble: str) -> DeviceTalkError | DeviceSilentError:
        if trouble:
            return DeviceTalkError(
                f"{self._name} cannot be understood: {trouble}; is its rate another?"
            )
        return DeviceSilentError(f"{self._name} does not answer within {timeouts.limit:g} s")


def reply_to(name: str, command: Command, sequence: int, frame: Frame) -> Answer | None:
    """Return the answer in a frame to the command under way.

    None for an answer to another command. A :class:`Refusal` for the report of a damaged frame, of
    whatever sequence number: that may have been damaged, too.

    Raises
    ------
    RefusedError
        If the command is refused.
    ProtocolVersionError
        For an identity of another version than this program's.
    AnswerError
        If the sequence number is right, and the frame is not an answer.
    """
    wanted = {answer_code(0), answer_code(command), item_code(command)}
    if command is Command.POSITION:
        wanted.add(POSITION_SPACE)
    if frame.code not in wanted:
        return None
    if frame.code == answer_code(Command.IDENTIFY):
        _check_version(name, frame.payload)
    try:
        answer = decode(frame.code, frame.payload)
    except AnswerError as error:
        if frame.sequence != sequence:
            return None
        raise AnswerError(f"{name} sent {error}") from None
    if isinstance(answer, Refusal) and answer.error in _LINK_ERRORS:
        return answer
    if frame.sequence != sequence:
        return None
    if isinstance(answer, Refusal):
        if answer.command != command:
            return None
        raise RefusedError(name, command, answer.error)
    return answer


def _check_version(name: str, payload: bytes) -> None:
    """Check the version; the first two fields of an identity are the same in all versions."""
    magic, version = MAGIC.encode(), payload[len(MAGIC) : len(MAGIC) + 1]
    if payload.startswith(magic) and version and version[0] != PROTOCOL:
        raise ProtocolVersionError(name, version[0], PROTOCOL)
