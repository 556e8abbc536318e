"""The link of the model device: frames in, commands out, and answers the other way.

All that a board's link does: damage, sequence numbers that come again, kept answers, counters.
"""

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
    Event,
    Frame,
    FrameReader,
    PayloadError,
    answer_code,
    pack_frame,
)
from loopline.host.device.answers import Counters

__all__ = ["ModelLink", "NotObeyedError", "Values"]

Values = dict[str, Any]

_COUNTED: Final = {
    ErrorCode.DAMAGED: "frames_damaged",
    ErrorCode.FRAMING: "frames_malformed",
    ErrorCode.TOO_LONG: "frames_malformed",
    ErrorCode.CUT: "frames_cut",
}


class NotObeyedError(Exception):
    """A command is not obeyed, for this reason."""

    def __init__(self, code: ErrorCode) -> None:
        super().__init__(code)
        self.code = code


class ModelLink:
    """A link between the bytes that come and those that go.

    Parameters
    ----------
    send : callable
        Takes the bytes that go out.
    obey : callable
        Takes each undamaged command: its sequence number, it, and the values of its payload.
        It answers, or raises :exc:`NotObeyedError`.
    report : callable
        Takes the sequence number of a search that is asked for again while it is under way.

    Attributes
    ----------
    searching : int or None
        The sequence number of the search that is under way.
    counts : dict
        The counters, by their names in the definition.
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
        self._reader = FrameReader()
        self.searching: int | None = None
        self.clear()

    def clear(self) -> None:
        """As after power-on."""
        self.forget()
        self.counts = dict.fromkeys(Counters.__slots__, 0)

    def forget(self) -> None:
        """Forget the last sequence number."""
        self._kept: tuple[int, int] | None = None
        self._kept_answer = b""

    @property
    def in_frame(self) -> bool:
        """Whether a frame has begun and not ended."""
        return self._reader.in_frame

    def receive(self, data: bytes) -> None:
        """Take bytes, and answer what ends in them."""
        self._count("bytes_received", len(data))
        for event in self._reader.feed(data):
            self._take(event)

    def pause(self) -> None:
        """Nothing has come for as long as ends a frame."""
        if self._reader.in_frame:
            self._take(self._reader.cut())

    def answer(self, sequence: int, command: Command, **values: Any) -> None:
        """Send the last answer to a command, and keep it if that is to be done."""
        code = answer_code(command)
        frame = pack_frame(sequence, code, ANSWERS[code].pack(**values))
        if CONTEXTS[command].stored:
            self._kept, self._kept_answer = (sequence, command), frame
        elif self.searching is None:
            self.forget()
        self._write(frame)

    def send(self, sequence: int, code: int, **values: Any) -> None:
        """Send what comes before a last answer."""
        self._write(pack_frame(sequence, code, ANSWERS[code].pack(**values)))

    def refuse(self, sequence: int, code: int, error: ErrorCode) -> None:
        """Say that a frame is not obeyed."""
        self.send(sequence, answer_code(0), error=error, command=code)

    def _take(self, event: Event) -> None:
        if isinstance(event, Frame):
            self._count("frames_received")
            try:
                self._take_command(event)
            except NotObeyedError as error:
                self.refuse(event.sequence, event.code, error.code)
        elif isinstance(event, Damage):
            self._count(_COUNTED[event.error.code])
            self.refuse(event.sequence, event.code, event.error.code)
        else:
            self._count("lines_noise")

    def _take_command(self, frame: Frame) -> None:
        sequence = frame.sequence
        if frame.code not in COMMANDS:
            raise NotObeyedError(ErrorCode.UNKNOWN)
        command = Command(frame.code)
        if (self.searching, Command.SEARCH) == (sequence, command):
            self._count("repeats")
            self._report(sequence)
            return
        if self._kept == (sequence, command):
            self._count("repeats")
            self._write(self._kept_answer)
            return
        if not COMMANDS[command].accepts(len(frame.payload)):
            raise NotObeyedError(ErrorCode.LENGTH)
        try:
            values = COMMANDS[command].unpack(frame.payload)
        except PayloadError:
            raise NotObeyedError(ErrorCode.FIELD) from None
        self._obey(sequence, command, values)

    def _write(self, frame: bytes) -> None:
        self._count("bytes_sent", len(frame))
        self._count("frames_sent")
        self._send_bytes(frame)

    def _count(self, name: str, number: int = 1) -> None:
        self.counts[name] = (self.counts[name] + number) % (1 << 32)
