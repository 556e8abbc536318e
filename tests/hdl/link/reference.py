"""Reference models of what a link makes of received bytes: contest lines, frames and errors."""

from __future__ import annotations

import random
import re
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
from loopline.hdl.core.types import ShapeCode
from loopline.hdl.link import LinkOp

__all__ = [
    "FRAMING_ERROR",
    "PAUSE",
    "SYMBOLS",
    "Received",
    "as_tuple",
    "column_letters",
    "label_text",
    "random_input",
    "read_lines",
    "receive",
]

_TURN = re.compile(rb"(@|[A-Z]{1,2})(0|[1-9][0-9]{0,2})([+/\\])")
_ORDERS = {
    b"-W": LinkOp.NEW_WHITE,
    b"-B": LinkOp.NEW_RED,
    b"-T": LinkOp.STOP,
    b"-S": LinkOp.SET_UP,
    b"-G": LinkOp.GO,
}
SYMBOLS = {"+": ShapeCode.CROSS, "/": ShapeCode.SLASH, "\\": ShapeCode.BACKSLASH}


def column_letters(number: int) -> str:
    """Return the name of a column: ``@``, ``A`` to ``Z``, ``AA`` and so on."""
    if number == 0:
        return "@"
    high, low = divmod(number - 1, 26)
    return (chr(64 + high) if high else "") + chr(65 + low)


def label_text(column: int, row: int, symbol: str) -> str:
    """Return a turn in notation."""
    return f"{column_letters(column)}{row}{symbol}"


def as_tuple(command) -> tuple:
    """Return a command as (op,), or a turn as (op, column, row, symbol)."""
    if command.op != LinkOp.TURN:
        return (LinkOp(command.op),)
    turn = command.turn
    return (LinkOp.TURN, turn.column, turn.row, ShapeCode(turn.symbol))


def read_lines(text: bytes, limit: int) -> list:
    """Return the commands of a text as in :func:`as_tuple`, and ``"noise"`` for an invalid line.

    The last line counts only if it has a line end.
    """
    columns = {column_letters(number).encode(): number for number in range(limit + 2)}
    found: list = []
    for line in re.split(rb"[\r\n]", text)[:-1]:
        match = _TURN.fullmatch(line)
        if line in _ORDERS:
            found.append((_ORDERS[line],))
        elif match and match[1] in columns and int(match[2]) <= limit + 1:
            symbol = SYMBOLS[match[3].decode()]
            found.append((LinkOp.TURN, columns[match[1]], int(match[2]), symbol))
        elif line:
            found.append("noise")
    return found


FRAMING_ERROR = -1
"""Takes the place of a byte: a character without a stop bit."""

PAUSE = -2
"""Takes the place of a byte: a pause that is longer than a frame may have."""


class Received(NamedTuple):
    """A frame: sequence number and code as received, or 0; the payload, if the frame is valid; the
    error, or 0."""

    sequence: int
    code: int
    payload: bytes
    error: int


def _frame(inner: bytes, damaged: bool) -> Received:
    try:
        received = unescape(inner)
    except FrameError:
        received, damaged = _unescaped(inner), True
    sequence = received[0] & 0x7F if received else 0
    code = received[1] if len(received) > 1 else 0
    if damaged:
        return Received(sequence, code, b"", ErrorCode.FRAMING)
    try:
        return Received(*unpack_frame(inner), 0)
    except FrameError as error:
        return Received(sequence, code, b"", error.code)


def _unescaped(inner: bytes) -> bytes:
    """Return the bytes as the gateware reads them: an invalid escape sequence counts as 0."""
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


def receive(items: list[int]) -> tuple[list[str], list[Received]]:
    """Return the characters of lines, ``!`` where a line is broken, and the frames."""
    text: list[str] = []
    frames: list[Received] = []
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
            elif item == FRAMING_ERROR:
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
        elif item == FRAMING_ERROR:
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
    """Return frames and lines, valid, damaged, cut and mixed; the last ones are valid frames."""
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
            frame[choice.randrange(len(frame))] = FRAMING_ERROR
        elif kind == 4:
            frame = [*b"-W\nB2+\r\nnoise"[: choice.randrange(14)]]
            if frame:
                frame.insert(choice.randrange(1, len(frame) + 1), FRAMING_ERROR)
        elif kind == 5:
            frame = [END, *bytes(choice.randrange(256) for _ in range(choice.randrange(150))), END]
        elif kind == 6:
            frame = frame[1:]
        items += frame
    return [*items, END, PAUSE, *pack_frame(1, 1), *b"\n"]
