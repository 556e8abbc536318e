"""Errors of the host programs, and how the command line reports them.

All of them carry one line of text. :exc:`UsageError` means exit status 2, the others 1.
"""

from __future__ import annotations

__all__ = [
    "ClusterError",
    "DeviceError",
    "DeviceFloodError",
    "DeviceGoneError",
    "DeviceSilentError",
    "DeviceTalkError",
    "RefusalError",
    "UsageError",
]


class UsageError(Exception):
    """The command line asks for something impossible."""


class RefusalError(Exception):
    """A request breaks the rules of Trax."""


class DeviceError(Exception):
    """A device cannot be used."""


class DeviceGoneError(DeviceError):
    """The device cannot be opened, or it vanished while in use."""


class DeviceSilentError(DeviceError):
    """The device did not send a whole line in time."""


class DeviceTalkError(DeviceError):
    """The device sent a line that does not answer the question."""


class DeviceFloodError(DeviceTalkError):
    """The device sends more than any answer can hold."""


class ClusterError(DeviceError):
    """The processes that share the work cannot be used."""
