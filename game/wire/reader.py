"""Divide the bytes that come on a line into frames, damaged frames and contest lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from loopline.game.wire.codes import ErrorCode
from loopline.game.wire.framing import (
    END,
    ESC,
    FIRST_BIT,
    MAX_FRAME,
    Frame,
    FrameError,
    escape,
    unpack_frame,
)

__all__ = ["Damage", "Event", "FrameReader", "Noise"]

_MOST_ESCAPED: Final = 2 * MAX_FRAME
_LONGEST_LINE: Final = 64
_LINE_ENDS: Final = b"\r\n"
_HEAD: Final = 4
_ESCAPED: Final = {escape(bytes([byte])): bytes([byte]) for byte in (END, ESC)}


class Damage(NamedTuple):
    """A damaged frame.

    Attributes
    ----------
    error : FrameError
        What is wrong with it.
    sequence, code : int
        Sequence number and code as they were received; 0 where they were not.
    """

    error: FrameError
    sequence: int
    code: int


class Noise(NamedTuple):
    """A line outside of frames, without its end; cut off after 64 bytes."""

    text: bytes


Event = Frame | Damage | Noise


class FrameReader:
    """Divide incoming bytes into frames, damaged frames and lines, as ``docs/link.md`` says.

    The first byte after an END decides: a byte with its top bit set begins a frame, which lasts to
    the next END; any other byte begins a line. The reader stores one frame and one line at most,
    whatever it is fed.
    """

    def __init__(self) -> None:
        """Begin outside of a frame: the bytes before the first END belong to lines."""
        self._frame = bytearray()
        self._line = bytearray()
        self._is_after_end = False
        self._in_frame = False

    @property
    def in_frame(self) -> bool:
        """Whether a frame has begun and not ended."""
        return self._in_frame

    def feed(self, data: bytes) -> Iterator[Event]:
        """Take bytes and yield each event that ends in them. The iterator must be exhausted."""
        pieces = data.split(bytes([END]))
        for number, piece in enumerate(pieces):
            if number:
                yield from self._end()
            if piece:
                yield from self._take(piece)

    def cut(self) -> Damage:
        """Drop the frame that has begun, because nothing more of it came in time."""
        error = FrameError(ErrorCode.CUT, "a frame stops in its middle")
        damage = self._damage(error)
        self._frame.clear()
        self._in_frame = self._is_after_end = False
        return damage

    def _take(self, piece: bytes) -> Iterator[Event]:
        if self._is_after_end:
            self._in_frame = bool(piece[0] & FIRST_BIT)
            self._is_after_end = False
        if self._in_frame:
            self._frame += piece[: _MOST_ESCAPED + 1 - len(self._frame)]
            return
        for byte in piece:
            if byte in _LINE_ENDS:
                yield from self._end_line()
            elif len(self._line) < _LONGEST_LINE:
                self._line.append(byte)

    def _end_line(self) -> Iterator[Event]:
        if self._line:
            yield Noise(bytes(self._line))
            self._line.clear()

    def _end(self) -> Iterator[Event]:
        """Handle an END."""
        yield from self._end_line()
        if self._in_frame:
            try:
                if len(self._frame) > _MOST_ESCAPED:
                    raise FrameError(ErrorCode.TOO_LONG, f"a frame has more than {MAX_FRAME} bytes")
                yield unpack_frame(bytes(self._frame))
            except FrameError as error:
                yield self._damage(error)
        self._frame.clear()
        self._in_frame = False
        self._is_after_end = True

    def _damage(self, error: FrameError) -> Damage:
        """Describe the damaged frame by what may be its sequence number and its code."""
        head = bytes(self._frame[:_HEAD])
        for escaped, byte in _ESCAPED.items():
            head = head.replace(escaped, byte)
        first, code = head[:2].ljust(2, b"\0")
        return Damage(error, first & ~FIRST_BIT, code)
