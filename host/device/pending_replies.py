"""Which frames answer a command that is under way, and what they say."""

from __future__ import annotations

from typing import Final

from loopline.game.wire import (
    MAGIC,
    POSITION_SPACE,
    PROTOCOL,
    Command,
    ErrorCode,
    Frame,
    answer_code,
    item_code,
)
from loopline.host.device.answers import Answer, Refusal, decode
from loopline.host.device.errors import AnswerError, ProtocolVersionError, RefusedError

__all__ = ["reply_to"]

_LINK_ERRORS: Final = frozenset(
    {
        ErrorCode.DAMAGED,
        ErrorCode.FRAMING,
        ErrorCode.TOO_LONG,
        ErrorCode.CUT,
        ErrorCode.OVERRUN,
    }
)
"""What a device says of frames that have suffered on their way: they are sent again."""


def reply_to(name: str, command: Command, sequence: int, frame: Frame) -> Answer | None:
    """What a frame says on the command that is under way.

    None for a frame that answers another; a refusal only for one that says that a command was
    damaged on its way, whatever its number: that was damaged, too.

    Raises
    ------
    RefusedError
        If the command is not obeyed.
    ProtocolVersionError
        For an identity of another version than this program's.
    AnswerError
        If the frame's number is right, and it is no answer.
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
    """Of an identity of any version the first two fields are the same."""
    magic, version = MAGIC.encode(), payload[len(MAGIC) : len(MAGIC) + 1]
    if payload.startswith(magic) and version and version[0] != PROTOCOL:
        raise ProtocolVersionError(name, version[0], PROTOCOL)
