"""The devices that a server offers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from loopline.host.device.endpoint import find_device_endpoint
from loopline.host.errors import UsageError
from loopline.host.transport.transport import Transport

__all__ = ["LOOPBACK", "BusyError", "Offered"]

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
"""The hosts that only programs of this machine reach, and that need no token."""


class BusyError(Exception):
    """A device has as many connections as it may have; the message is for the browser."""


class Offered:
    """The devices by name, and how many connections each has.

    A device that is a program is started for each connection; a port has one connection at a time.

    Parameters
    ----------
    specs : sequence of str
        As in :data:`~loopline.host.device.endpoint.DEVICE_HELP`; a device's name is its spec.
    most : int
        The most connections to all devices.

    Raises
    ------
    UsageError
        If a spec names no device, or two are the same.
    """

    def __init__(self, specs: Sequence[str], most: int) -> None:
        self.names = tuple(specs)
        if len(set(specs)) != len(specs):
            raise UsageError("a device is offered twice")
        self._endpoints = {spec: find_device_endpoint(spec) for spec in specs}
        self._most = most
        self._taken: Counter[str] = Counter()

    def __contains__(self, name: str) -> bool:
        """Whether there is a device of this name."""
        return name in self._endpoints

    def take(self, name: str) -> None:
        """Count a connection. Raises :exc:`BusyError` if it would be one too many."""
        # A port is found again after a disconnection, a program is started anew.
        is_port = self._endpoints[name].comes_back
        if is_port and self._taken[name]:
            raise BusyError("the board has another connection")
        if self._taken.total() >= self._most:
            raise BusyError("the server has too many connections")
        self._taken[name] += 1

    def release(self, name: str) -> None:
        """Count the end of a connection."""
        self._taken[name] -= 1

    def connect(self, name: str) -> Transport:
        """Open a device, which may take time. Raises a DeviceError if that fails."""
        return self._endpoints[name].connect()
