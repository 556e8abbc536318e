"""The framed link's end: sequence numbers, answers that are kept, damage, counters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from loopline.game.wire import (
    ANSWERS,
    COMMANDS,
    CONTEXTS,
    Command,
    Damage,
    ErrorCode,
    Frame,
    PayloadError,
    answer_code,
    pack_frame,
)

__all__ = ["Link", "RefusedCommandError", "Values"]

Values = dict[str, Any]
"""A payload's values by the names of their fields."""

_DAMAGE_COUNTERS: Final = {
    ErrorCode.DAMAGED: "frames_damaged",
    ErrorCode.FRAMING: "frames_malformed",
    ErrorCode.TOO_LONG: "frames_malformed",
    ErrorCode.CUT: "frames_cut",
}


class RefusedCommandError(Exception):
    """A command is not obeyed; ``code`` is the reason."""

    def __init__(self, code: ErrorCode) -> None:
        super().__init__(code)
        self.code = code


class Link:
    """Turn frames into commands, and answers into frames.

    Parameters
    ----------
    send : callable
        Takes the bytes to send.
    obey : callable
        Takes each new, undamaged command: its sequence number, its code, the values of its payload.
        It calls :meth:`forget` unless a ``SEARCH`` is under way, and sends the answer; or it raises
        :exc:`RefusedCommandError`.
    report : callable
        Takes the sequence number of a ``SEARCH`` that is sent again while it is under way.

    Attributes
    ----------
    searching : int or None
        The sequence number of the search that is under way.
    counts : dict
        The counters by the names of their fields.
    answers_damage : bool
        Whether damaged frames are answered: not while the other end speaks contest lines.
    """

    def __init__(
        self,
        send: Callable[[bytes], None],
        obey: Callable[[int, Command, Values], None],
        report: Callable[[int], None],
    ) -> None:
        self._send_bytes = send
        self._obey = obey
        self._report = report
        self.searching: int | None = None
        self.answers_damage = True
        self.clear()

    def clear(self) -> None:
        """Forget the last command, and set the counters to zero."""
        self.forget()
        fields = ANSWERS[answer_code(Command.STATISTICS)].fields
        self.counts = dict.fromkeys((field.name for field in fields), 0)

    def forget(self) -> None:
        """Forget the last command, as another one is obeyed: its number may be used again."""
        self._kept: tuple[int, int] | None = None
        self._kept_answer = b""

    def take(self, event: Frame | Damage) -> None:
        """Obey a frame, or answer a damaged one."""
        if isinstance(event, Damage):
            self.count(_DAMAGE_COUNTERS[event.error.code])
            if self.answers_damage:
                self.refuse(event.sequence, event.code, event.error.code)
            return
        self.count("frames_received")
        self.answers_damage = True
        try:
            self._take_command(event)
        except RefusedCommandError as error:
            self.refuse(event.sequence, event.code, error.code)

    def answer(self, sequence: int, command: Command, **values: Any) -> None:
        """Send the last answer to a command, and keep it if its context says so."""
        code = answer_code(command)
        frame = pack_frame(sequence, code, ANSWERS[code].pack(**values))
        if CONTEXTS[command].stored:
            self._kept, self._kept_answer = (sequence, command), frame
        self._write(frame)

    def send(self, sequence: int, code: int, **values: Any) -> None:
        """Send an answer that is not kept."""
        self._write(pack_frame(sequence, code, ANSWERS[code].pack(**values)))

    def refuse(self, sequence: int, code: int, error: ErrorCode) -> None:
        """Answer that a frame is not obeyed."""
        self.send(sequence, answer_code(0), error=error, command=code)

    def send_line(self, line: str) -> None:
        """Send a line of the contest protocol."""
        data = line.encode("ascii") + b"\n"
        self.count("bytes_sent", len(data))
        self._send_bytes(data)

    def count(self, name: str, number: int = 1) -> None:
        """Add to a counter."""
        self.counts[name] = (self.counts[name] + number) % (1 << 32)

    def _take_command(self, frame: Frame) -> None:
        sequence = frame.sequence
        if frame.code not in COMMANDS:
            raise RefusedCommandError(ErrorCode.UNKNOWN)
        command = Command(frame.code)
        if (self.searching, Command.SEARCH) == (sequence, command):
            self.count("repeats")
            self._report(sequence)
            return
        if self._kept == (sequence, command):
            self.count("repeats")
            self._write(self._kept_answer)
            return
        if not COMMANDS[command].accepts(len(frame.payload)):
            raise RefusedCommandError(ErrorCode.LENGTH)
        try:
            values = COMMANDS[command].unpack(frame.payload)
        except PayloadError:
            raise RefusedCommandError(ErrorCode.FIELD) from None
        self._obey(sequence, command, values)

    def _write(self, frame: bytes) -> None:
        self.count("bytes_sent", len(frame))
        self.count("frames_sent")
        self._send_bytes(frame)
