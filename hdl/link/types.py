"""What the link's streams carry, and the bundles of ports between its components."""

from __future__ import annotations

from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game.wire import MAX_PAYLOAD
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import ShapeCode

__all__ = [
    "INDEX_BITS",
    "LinkOp",
    "answer_layout",
    "answer_port",
    "frame_bytes_port",
    "frame_layout",
    "frame_port",
    "frame_text_port",
    "is_session",
    "line_chars_port",
    "link_command_layout",
    "turn_label_layout",
]

INDEX_BITS = (MAX_PAYLOAD - 1).bit_length()
"""Width of an index into a payload."""


class LinkOp(enum.Enum, shape=3):
    """What a contest line asks for. ``-S`` and ``-G`` are Loopline's own additions."""

    NEW_WHITE = 0
    """``-W``: end the game and begin a new one, which the player opens as White."""
    NEW_RED = 1
    """``-B``: end the game and begin a new one, in which the player is second, as Red."""
    STOP = 2
    """``-T``: end the game. The link answers with the player's code."""
    SET_UP = 3
    """``-S``: end the game and begin a set-up: the turns that follow are not answered. The link
    answers ``-S`` with the player's code."""
    TURN = 4
    """A turn: the opponent's, or one of a set-up."""
    GO = 5
    """``-G``: the player takes the side to move, and plays on from here."""


def turn_label_layout(grid: GridConfig) -> data.StructLayout:
    """A turn as notation names it: labels count from the formation's top left, 0 is outside."""
    return data.StructLayout(
        {"column": grid.label_bits, "row": grid.label_bits, "symbol": ShapeCode}
    )


def link_command_layout(grid: GridConfig) -> data.StructLayout:
    """A contest line that was understood; ``turn`` is valid for ``TURN`` only."""
    return data.StructLayout({"op": LinkOp, "turn": turn_label_layout(grid)})


def is_session(command: data.View):
    """Return whether a command is a session command: one that ends the present game."""
    return (command.op != LinkOp.TURN) & (command.op != LinkOp.GO)


def frame_layout() -> data.StructLayout:
    """A received frame. ``error`` is 0, or the :class:`~loopline.game.wire.ErrorCode` to answer.

    If ``error`` is not 0, the other fields hold what was received in their places, or 0.
    """
    return data.StructLayout({"sequence": 7, "code": 8, "length": 8, "error": 4})


def answer_layout() -> data.StructLayout:
    """The header of an answer frame, and what to do with the payload that was written.

    ``store``
        Store this answer for a repetition, in place of the one stored before.
    ``repeat``
        Send the stored answer with this ``sequence``. ``code`` and ``store`` are ignored, and the
        payload that was written must be empty.
    """
    return data.StructLayout({"sequence": 7, "code": 8, "store": 1, "repeat": 1})


def line_chars_port() -> wiring.Signature:
    """Characters of contest lines, from the demultiplexer to the line reader.

    ``chars`` : Out(stream of 8 bits, always ready)
        The characters.
    ``broken`` : Out(1)
        A character was lost here, or an END byte cut the line off: the line is noise. Between two
        lines this has no effect.
    """
    return wiring.Signature(
        {"chars": Out(stream.Signature(8, always_ready=True)), "broken": Out(1)}
    )


def frame_bytes_port() -> wiring.Signature:
    """Bytes of frames without SLIP, from the demultiplexer to the frame reader.

    ``data`` : Out(stream of 8 bits, always ready)
        The bytes between two END bytes, escape sequences resolved.
    ``bad`` : Out(1)
        In place of a byte: an invalid escape sequence, or a character without a stop bit. It may
        begin a frame, and may come together with ``end``.
    ``end`` : Out(1)
        The frame is at its end.
    ``cut`` : Out(1)
        The frame has stopped in its middle for too long.
    """
    return wiring.Signature(
        {
            "data": Out(stream.Signature(8, always_ready=True)),
            "bad": Out(1),
            "end": Out(1),
            "cut": Out(1),
        }
    )


def frame_port() -> wiring.Signature:
    """Received frames with access to their payloads, from the link to the commander.

    ``headers`` : Out(stream of frame_layout)
        Frames in the order in which they ended. The payload of the frame on offer can be read until
        the frame is taken.
    ``index`` : In(INDEX_BITS), ``byte`` : Out(8)
        Read a byte of that payload; latency one cycle.
    """
    return wiring.Signature(
        {
            "headers": Out(stream.Signature(frame_layout())),
            "index": In(INDEX_BITS),
            "byte": Out(8),
        }
    )


def answer_port() -> wiring.Signature:
    """Answers, from the commander to the frame writer: first the payload, then the header.

    ``payload`` : Out(stream of 8 bits)
        The next byte of the payload; bytes beyond the longest payload are dropped.
    ``clear`` : Out(1)
        Discard the bytes since the last answer. Must be low while a header is offered.
    ``headers`` : Out(stream of answer_layout)
        The payload is complete. The header is taken when the frame has been sent.
    """
    return wiring.Signature(
        {
            "payload": Out(stream.Signature(8)),
            "clear": Out(1),
            "headers": Out(stream.Signature(answer_layout())),
        }
    )


def frame_text_port() -> wiring.Signature:
    """Bytes of frames in SLIP, from the frame writer to the serial line.

    ``text`` : Out(stream of 8 bits)
        The bytes, both END bytes included.
    ``last`` : Out(1)
        The byte on offer is the last of its frame.
    """
    return wiring.Signature({"text": Out(stream.Signature(8)), "last": Out(1)})
