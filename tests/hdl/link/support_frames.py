"""A model of what a link makes of received characters: lines, frames, and errors."""

from __future__ import annotations

import random
from typing import NamedTuple

from loopline.game.wire import (
    COMMANDS,
    END,
    ErrorCode,
    FrameError,
    pack_frame,
    unescape,
    unpack_frame,
)

__all__ = ["DAMAGED", "PAUSE", "Heard", "hear", "random_input"]

DAMAGED = -1
"""In place of a byte: a character without a stop bit."""

PAUSE = -2
"""Nothing, for longer than a frame may stop."""


class Heard(NamedTuple):
    """A frame, or what was one: sequence number and code as received, or 0, the payload if it is
    whole, and the error or 0."""

    sequence: int
    code: int
    payload: bytes
    error: int


def _frame(inner: bytes, damaged: bool) -> Heard:
    try:
        received = unescape(inner)
    except FrameError:
        received, damaged = _unescaped(inner), True
    sequence = received[0] & 0x7F if received else 0
    code = received[1] if len(received) > 1 else 0
    if damaged:
        return Heard(sequence, code, b"", ErrorCode.FRAMING)
    try:
        return Heard(*unpack_frame(inner), 0)
    except FrameError as error:
        return Heard(sequence, code, b"", error.code)


def _unescaped(inner: bytes) -> bytes:
    """As the gateware reads on after an escape sequence that there is not: as if it were 0."""
    out, escaped = bytearray(), False
    for byte in inner:
        if escaped:
            out += {0xDC: b"\xc0", 0xDD: b"\xdb"}.get(byte, b"\0")
            escaped = False
        elif byte == 0xDB:
            escaped = True
        else:
            out.append(byte)
    return bytes(out)


def hear(items: list[int]) -> tuple[list[str], list[Heard]]:
    """The lines' characters, a broken line's end as ``!``, and the frames of what was received."""
    text: list[str] = []
    frames: list[Heard] = []
    inner, damaged, state = bytearray(), False, "line"

    def begin() -> None:
        nonlocal damaged
        inner.clear()
        damaged = False

    for item in items:
        if state == "line":
            if item == END:
                text.append("!\n")
                state = "begin"
                begin()
            elif item == DAMAGED:
                text.append("!")
            elif item != PAUSE:
                text.append(chr(item))
        elif item == PAUSE:
            if state == "frame":
                cut = _frame(bytes(inner), True)
                frames.append(cut._replace(error=ErrorCode.CUT))
                state = "line"
        elif item == END:
            if state == "frame":
                frames.append(_frame(bytes(inner), damaged))
            state = "begin"
            begin()
        elif item == DAMAGED:
            state, damaged = "frame", True
            inner.append(0)
        elif state == "begin" and item < 0x80:
            text.append(chr(item))
            state = "line"
        else:
            state = "frame"
            inner.append(item)
    return text, frames


def random_input(choice: random.Random, length: int) -> list[int]:
    """Frames and lines, whole, damaged, cut and mixed, that end with whole frames."""
    items: list[int] = []
    for _ in range(length):
        size = (
            choice.choice([0, 1, 2, 5, 127, 128]) if choice.random() < 0.3 else choice.randrange(9)
        )
        payload = bytes(choice.choice(b"\x00\xc0\xdb\xdc\xdd\x41") for _ in range(size))
        frame: list[int] = [*pack_frame(choice.randrange(128), choice.choice([*COMMANDS]), payload)]
        kind = choice.randrange(10)
        if kind == 0:
            frame[choice.randrange(len(frame))] = choice.randrange(256)
        elif kind == 1:
            del frame[choice.randrange(len(frame)) :]
            frame += [PAUSE] if choice.random() < 0.7 else []
        elif kind == 2:
            frame.insert(choice.randrange(1, len(frame)), choice.randrange(256))
        elif kind == 3:
            frame[choice.randrange(len(frame))] = DAMAGED
        elif kind == 4:
            frame = [*b"-W\nB2+\r\nnoise"[: choice.randrange(14)]]
        elif kind == 5:
            frame = [END, *bytes(choice.randrange(256) for _ in range(choice.randrange(150))), END]
        elif kind == 6:
            frame = frame[1:]
        items += frame
    return [*items, END, PAUSE, *pack_frame(1, 1), *b"\n"]
