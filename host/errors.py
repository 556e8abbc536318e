"""What can go wrong between the PC and a device, and how the command line says it."""

from __future__ import annotations

__all__ = [
    "DeviceError",
    "DeviceFloodError",
    "DeviceGoneError",
    "DeviceSilentError",
    "DeviceTalkError",
    "RefusalError",
    "UsageError",
]


class UsageError(Exception):
    """The command line asks for something that cannot be: exit status 2. The text is one line."""


class DeviceError(Exception):
    """A device cannot be used: exit status 1. The text is one line."""


class DeviceGoneError(DeviceError):
    """The device cannot be opened, or it vanished while in use."""


class DeviceSilentError(DeviceError):
    """The device did not send a whole line in time."""


class DeviceTalkError(DeviceError):
    """The device sent a line that is no answer to what it was asked."""


class DeviceFloodError(DeviceTalkError):
    """The device sends more than any answer can hold."""


class RefusalError(Exception):
    """What was asked for breaks the rules of Trax: exit status 1. The text is one line."""
