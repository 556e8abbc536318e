"""Errors of devices that speak frames, beyond those of any line.

Their arguments are those of their classes: as other exceptions they pass from process to process.
"""

from __future__ import annotations

from loopline.game.wire import Command, ErrorCode
from loopline.host.errors import DeviceError, DeviceTalkError

__all__ = [
    "AnswerError",
    "CancelledError",
    "ContestOnlyError",
    "ProtocolVersionError",
    "RefusedError",
    "WrongDeviceError",
]


class WrongDeviceError(DeviceError):
    """The far end is not the device that is wanted."""


class ContestOnlyError(WrongDeviceError):
    """The far end is a contest player that knows no frames.

    Parameters
    ----------
    name : str
        The device.
    code : str
        Its answer to ``-T``.
    """

    def __init__(self, name: str, code: str) -> None:
        super().__init__(name, code)
        self.name = name
        self.code = code

    def __str__(self) -> str:
        return (
            f"{self.name} plays contests, it answers -T with {self.code!r}, but knows no frames: "
            "build its bitstream again if it is a Loopline"
        )


class ProtocolVersionError(WrongDeviceError):
    """A device speaks an older or newer version of the framed link than this program.

    Parameters
    ----------
    name : str
        The device.
    theirs, ours : int
        The versions.
    """

    def __init__(self, name: str, theirs: int, ours: int) -> None:
        super().__init__(name, theirs, ours)
        self.name = name
        self.theirs = theirs
        self.ours = ours

    def __str__(self) -> str:
        older = self.theirs < self.ours
        advice = "build its bitstream again" if older else "update Loopline on this PC"
        return (
            f"{self.name} speaks version {self.theirs} of the framed link and this program version "
            f"{self.ours}: {advice}"
        )


class AnswerError(DeviceTalkError):
    """An undamaged frame is not an answer, or not the expected one."""


class CancelledError(DeviceError):
    """The caller cancelled the rest of an answer. The device can be used further."""


class RefusedError(DeviceError):
    """A device refuses a command; nothing has changed there.

    Parameters
    ----------
    name : str
        The device.
    command : Command
        The refused command.
    code : ErrorCode
        The reason.
    """

    def __init__(self, name: str, command: Command, code: ErrorCode) -> None:
        super().__init__(name, command, code)
        self.name = name
        self.command = command
        self.code = code

    def __str__(self) -> str:
        return f"{self.name} refuses {self.command.name}: {_REASONS[self.code]}"


_REASONS = {
    ErrorCode.DAMAGED: "the frame came damaged",
    ErrorCode.FRAMING: "the frame came damaged",
    ErrorCode.TOO_LONG: "the frame came with bytes too many",
    ErrorCode.CUT: "the frame did not come whole",
    ErrorCode.UNKNOWN: "it does not know this command",
    ErrorCode.LENGTH: "the command has another length there",
    ErrorCode.FIELD: "a value is not accepted",
    ErrorCode.BUSY: "it is busy with a search, or with a turn of a contest",
    ErrorCode.NO_GAME: "there is no game",
    ErrorCode.GAME_OVER: "the game has ended",
    ErrorCode.NOTHING: "fewer turns than that can be taken back",
    ErrorCode.DROPPED: "another command, or a contest's line, has ended the game meanwhile",
    ErrorCode.OVERRUN: "frames come too fast",
}
