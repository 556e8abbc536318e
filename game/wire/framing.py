"""A frame as bytes: SLIP (RFC 1055) around a header, a payload and a CRC.

::

    END  0x80 | sequence  code  length  payload ...  CRC high  CRC low  END
         └──────────────── covered by the CRC ────┘
         └───────── escaped: END as ESC ESC_END, ESC as ESC ESC_ESC ─┘

The first byte of a frame has its top bit set, which no character of a contest line has. So the
first byte after an END tells what follows: another END (an empty frame, which is ignored), a frame,
or a contest line.
"""

from __future__ import annotations

import binascii
from typing import Final, NamedTuple

from loopline.game.wire.codes import MAX_PAYLOAD, ErrorCode

__all__ = [
    "END",
    "ESC",
    "ESC_END",
    "ESC_ESC",
    "FIRST_BIT",
    "FRAME_PAUSE_MS",
    "MAX_FRAME",
    "SEQUENCES",
    "Frame",
    "FrameError",
    "crc",
    "escape",
    "pack_frame",
    "unescape",
    "unpack_frame",
]

END: Final = 0xC0
ESC: Final = 0xDB
ESC_END: Final = 0xDC
ESC_ESC: Final = 0xDD

FIRST_BIT: Final = 0x80
"""The top bit of a frame's first byte, always set; the other seven bits are the sequence number."""

SEQUENCES: Final = 128
"""The number of sequence numbers."""

FRAME_PAUSE_MS: Final = 100
"""The longest pause within a frame, in milliseconds by the board's clock. A frame that pauses for
longer is dropped."""

_HEADER: Final = 3
_CRC: Final = 2

MAX_FRAME: Final = _HEADER + MAX_PAYLOAD + _CRC
"""The most bytes of a frame before SLIP."""


class FrameError(Exception):
    """Bytes are not a valid frame; ``code`` is the error that a board answers."""

    def __init__(self, code: ErrorCode, text: str) -> None:
        """Set the code and the message."""
        super().__init__(code, text)
        self.code = code
        self.text = text

    def __str__(self) -> str:
        """Return the message."""
        return self.text


class Frame(NamedTuple):
    """The content of a frame: sequence number (0 to 127), code and payload."""

    sequence: int
    code: int
    payload: bytes


def crc(data: bytes) -> int:
    """Return the CRC-16/IBM-3740 (polynomial 0x1021, initial value 0xFFFF) of ``data``.

    For ``123456789`` it is 0x29B1. For data followed by their CRC, high byte first, it is 0.
    """
    return binascii.crc_hqx(data, 0xFFFF)


def escape(data: bytes) -> bytes:
    """Return the data in the form in which they stand between two END bytes."""
    return data.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc")


def unescape(data: bytes) -> bytes:
    """Reverse :func:`escape`.

    Raises :exc:`FrameError` if an ESC is not followed by ESC_END or ESC_ESC, or if the data contain
    an END.
    """
    out = bytearray()
    escaped = False
    for byte in data:
        if escaped and byte in (ESC_END, ESC_ESC):
            out.append(END if byte == ESC_END else ESC)
        elif escaped or byte == END:
            raise FrameError(ErrorCode.FRAMING, f"byte {byte:#04x} in the wrong place of a frame")
        elif byte != ESC:
            out.append(byte)
        escaped = byte == ESC and not escaped
    if escaped:
        raise FrameError(ErrorCode.FRAMING, "a frame ends within an escape sequence")
    return bytes(out)


def pack_frame(sequence: int, code: int, payload: bytes = b"") -> bytes:
    """Return a frame as it is sent, both END bytes included.

    Raises :exc:`ValueError` for a sequence number, code or payload that a frame cannot carry.
    """
    if not 0 <= sequence < SEQUENCES:
        raise ValueError(f"a sequence number is 0 to {SEQUENCES - 1}, not {sequence}")
    if not 0 <= code <= 0xFF:
        raise ValueError(f"a code is 0 to 255, not {code}")
    if len(payload) > MAX_PAYLOAD:
        raise ValueError(f"a payload has at most {MAX_PAYLOAD} bytes, not {len(payload)}")
    data = bytes([FIRST_BIT | sequence, code, len(payload)]) + payload
    return b"\xc0" + escape(data + crc(data).to_bytes(_CRC, "big")) + b"\xc0"


def unpack_frame(escaped: bytes) -> Frame:
    """Return the frame that stands between two END bytes: the inverse of :func:`pack_frame`.

    Raises :exc:`FrameError` with the error code that a board would answer.
    """
    data = unescape(escaped)
    if len(data) > MAX_FRAME:
        raise FrameError(
            ErrorCode.TOO_LONG, f"a frame of {len(data)} bytes; at most {MAX_FRAME} are accepted"
        )
    if len(data) < _HEADER + _CRC or crc(data):
        raise FrameError(ErrorCode.DAMAGED, f"a frame of {len(data)} bytes with a wrong CRC")
    payload = data[_HEADER:-_CRC]
    if data[2] != len(payload) or not data[0] & FIRST_BIT:
        raise FrameError(
            ErrorCode.DAMAGED, f"a frame says {data[2]} bytes of payload and has {len(payload)}"
        )
    return Frame(data[0] & ~FIRST_BIT, data[1], payload)
