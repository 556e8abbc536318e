"""The definition of the framed link, the protocol between Loopline's host and a board.

The gateware, the host and the tables of ``docs/link.md`` all read it from here. From the serial
line inwards::

    bytes ─► reader ─► framing ─► sequence number, code, payload ─► messages ─► values
             frames    SLIP, CRC                                    of fields

- ``codes``: the numbers in frames and their meaning;
- ``fields``: a payload as a sequence of fields;
- ``messages``: all commands and answers, made of fields;
- ``framing``: one frame as bytes;
- ``reader``: frames, damaged frames and contest lines in a stream of bytes;
- ``rules``: variants, completed tracks and sockets as fields carry them;
- ``tables``: the definition as Markdown, by ``python -m loopline.game.wire.tables``.

>>> from loopline.game import parse_turn
>>> frame = command_frame(5, Command.PLAY, turns=[parse_turn("B1+")])
>>> frame.hex(" ")
'c0 85 04 02 02 01 c2 59 c0'
"""

from loopline.game.wire.codes import (
    BAUD_TRIAL_MS,
    COUNT_DEPTH,
    LEAST_BIT_CYCLES,
    MAGIC,
    MAX_PAYLOAD,
    PROGRESS_MS,
    PROTOCOL,
    SLOWEST_BAUD,
    WIN_BOUND,
    WIN_SCORE,
    Command,
    Completed,
    ErrorCode,
    Feature,
    GameFlag,
    RuleFlag,
    TestPart,
    TurnStatus,
    Verdict,
    answer_code,
    item_code,
    most_bit_cycles,
)
from loopline.game.wire.fields import NO_TURN, Field, FieldKind, Message, PayloadError, Value
from loopline.game.wire.framing import (
    END,
    ESC,
    ESC_END,
    ESC_ESC,
    FIRST_BIT,
    FRAME_PAUSE_MS,
    MAX_FRAME,
    SEQUENCES,
    Frame,
    FrameError,
    crc,
    escape,
    pack_frame,
    unescape,
    unpack_frame,
)
from loopline.game.wire.messages import (
    ANSWERS,
    COMMANDS,
    CONTEXTS,
    ERROR,
    POSITION_SPACE,
    Context,
    command_frame,
)
from loopline.game.wire.reader import Damage, Event, FrameReader, Noise
from loopline.game.wire.rules import area_and_flags, completed_by, sides_of

__all__ = [
    "ANSWERS",
    "BAUD_TRIAL_MS",
    "COMMANDS",
    "CONTEXTS",
    "COUNT_DEPTH",
    "END",
    "ERROR",
    "ESC",
    "ESC_END",
    "ESC_ESC",
    "FIRST_BIT",
    "FRAME_PAUSE_MS",
    "LEAST_BIT_CYCLES",
    "MAGIC",
    "MAX_FRAME",
    "MAX_PAYLOAD",
    "NO_TURN",
    "POSITION_SPACE",
    "PROGRESS_MS",
    "PROTOCOL",
    "SEQUENCES",
    "SLOWEST_BAUD",
    "WIN_BOUND",
    "WIN_SCORE",
    "Command",
    "Completed",
    "Context",
    "Damage",
    "ErrorCode",
    "Event",
    "Feature",
    "Field",
    "FieldKind",
    "Frame",
    "FrameError",
    "FrameReader",
    "GameFlag",
    "Message",
    "Noise",
    "PayloadError",
    "RuleFlag",
    "TestPart",
    "TurnStatus",
    "Value",
    "Verdict",
    "answer_code",
    "area_and_flags",
    "command_frame",
    "completed_by",
    "crc",
    "escape",
    "item_code",
    "most_bit_cycles",
    "pack_frame",
    "sides_of",
    "unescape",
    "unpack_frame",
]
