"""What a device is called, how it is opened, and how it is found again after a disconnection."""

from __future__ import annotations

import os
import re
import shlex
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, runtime_checkable

from loopline.host.device.exchange import Timeouts
from loopline.host.errors import DeviceError, DeviceGoneError, UsageError
from loopline.host.transport.engine import engine_argv, is_engine
from loopline.host.transport.line_spec import (
    LINE_KINDS,
    is_pseudo_terminal,
    plan_endpoint,
    split_port,
)
from loopline.host.transport.process_line import ProcessLine
from loopline.host.transport.serial_line import SerialLine
from loopline.host.transport.simulated import is_simulated
from loopline.host.transport.transport import Transport

__all__ = [
    "DEVICE_HELP",
    "DeviceEndpoint",
    "HasRate",
    "find_device_endpoint",
    "is_no_kind",
    "is_path",
    "split_devices",
    "stable_names",
]

DEVICE_HELP: Final = (
    "sim[:NAME=VALUE,...], engine[:NAME=VALUE,...], PORT or PORT@BAUD (also port:PORT@BAUD)"
)
"""The names of devices."""

_BY_ID: Final = Path("/dev/serial/by-id")
_SETTING: Final = re.compile(r"[a-z_]+=")
_WORDS: Final = re.compile(r"[a-z,-]+")
"""The form of a kind's name, or of several; other specs are ports."""

_LOOK_SECONDS: Final = 0.1
_OPEN_SECONDS: Final = 120.0

_BOARD: Final = Timeouts(0.3, 3.0)
_PROGRAM: Final = Timeouts(5.0, 120.0)
"""Programs may be slow on a busy machine."""

_GREETING_OF_BOARD: Final = Timeouts(0.2, 1.5)
_GREETING_OF_UNKNOWN: Final = Timeouts(1.0, 10.0)


@runtime_checkable
class HasRate(Protocol):
    """A transport with a rate that can be changed."""

    @property
    def baud(self) -> int:
        """Bits per second."""

    def set_baud(self, baud: int) -> None:
        """Go on at another rate."""


@dataclass(frozen=True)
class DeviceEndpoint:
    """How to open a device.

    Parameters
    ----------
    connect : callable
        Opens the device; may be called again after a disconnection if ``comes_back``.
    timeouts : Timeouts
        The seconds to wait for answers.
    greeting : Timeouts
        The seconds to wait for the first answer: there may be another kind of device.
    comes_back : bool
        Whether the device may come back after a disconnection.
    """

    connect: Callable[[], Transport]
    timeouts: Timeouts
    greeting: Timeouts
    comes_back: bool = False

    def connect_again(
        self, seconds: float, gone: DeviceGoneError, closed: threading.Event
    ) -> Transport:
        """Wait until the device is back, for at most ``seconds``, and open it.

        Raises :exc:`DeviceGoneError` with the text of ``gone`` and the reason if it does not come,
        and ``gone`` itself once ``closed`` is set.
        """
        deadline = time.monotonic() + seconds
        while True:
            try:
                return self.connect()
            except DeviceError as error:
                if time.monotonic() >= deadline:
                    raise DeviceGoneError(
                        f"{gone}; it did not come back within {seconds:g} s: {error}"
                    ) from error
            if closed.wait(_LOOK_SECONDS):
                raise gone


def is_path(name: str) -> bool:
    """Return whether there is a file of this name; a command may be longer than a name can be."""
    try:
        return Path(name).exists()
    except OSError:
        return False


def is_no_kind(spec: str) -> bool:
    """Return whether a spec begins with a word that names no kind of line, and is no path."""
    kind = spec.partition(":")[0]
    return bool(_WORDS.fullmatch(kind)) and kind not in LINE_KINDS and not is_path(spec)


def split_devices(spec: str) -> list[str]:
    """Return the devices that are separated by commas.

    Commas also separate the settings of a device, ``engine:NAME=VALUE,...``, and stand in commands.
    Raises :exc:`UsageError` if a device is there twice, of which there can be only one.
    """
    if is_path(spec):
        return [spec]
    names: list[str] = []
    for part in spec.split(","):
        if names and (_SETTING.match(part) or names[-1].startswith("cmd:")):
            names[-1] += f",{part}"
        else:
            names.append(part)
    for name in names:
        if names.count(name) > 1 and name.partition(":")[0] not in ("sim", "engine", "cmd"):
            raise UsageError(f"{spec!r} names {name!r} twice")
    return names


def find_device_endpoint(spec: str, sim_arguments: Sequence[str] = ()) -> DeviceEndpoint:
    """Return the endpoint that a spec names; nothing is started or opened yet.

    Parameters
    ----------
    spec : str
        As in :data:`DEVICE_HELP`. ``cmd:`` and ``tcp:`` of
        :data:`~loopline.host.transport.line_spec.LINE_HELP` work too, if the far end speaks
        frames.
    sim_arguments : sequence of str
        Further arguments for a simulated board.

    Raises
    ------
    UsageError
        If the spec is none of these, or sets what the engine does not have.
    """
    if is_engine(spec):
        argv = engine_argv(spec)
        return DeviceEndpoint(lambda: _start_program(argv, spec), _PROGRAM, _PROGRAM)
    kind = spec.partition(":")[0] if ":" in spec else ""
    if is_simulated(spec) or kind in ("cmd", "tcp"):
        plan = plan_endpoint(spec, sim_arguments)

        def start() -> Transport:
            transport = plan().transport
            try:
                transport.open(_OPEN_SECONDS)
            except BaseException:
                transport.close()
                raise
            return transport

        if is_simulated(spec):
            return DeviceEndpoint(start, _PROGRAM, _PROGRAM)
        return DeviceEndpoint(start, _PROGRAM, _GREETING_OF_UNKNOWN)
    if kind == "tcp-listen":
        raise UsageError(f"{spec!r} is no device: a player that calls has no limits and no frames")
    if is_no_kind(spec):
        raise UsageError(f"{spec!r} is not a device: use {DEVICE_HELP}")
    path, baud = split_port(spec.removeprefix("port:"), DEVICE_HELP)
    names = stable_names(path)
    timeouts = (
        (_PROGRAM, _GREETING_OF_UNKNOWN)
        if is_pseudo_terminal(path)
        else (_BOARD, _GREETING_OF_BOARD)
    )
    return DeviceEndpoint(lambda: _open_port(names, baud), *timeouts, comes_back=True)


def _start_program(argv: Sequence[str], name: str) -> Transport:
    line = ProcessLine(shlex.join(argv), shown=True)
    line.path = name
    return line


def _open_port(names: Sequence[str], baud: int) -> Transport:
    """Open the port under the first of its names that exists."""
    given = names[-1]
    line = SerialLine(next(filter(is_path, names), given), baud)
    line.path = given
    return line


def stable_names(path: str) -> list[str]:
    """Return the names under which a port may come back: of its hardware first, then ``path``.

    A port that is pulled out and plugged in again may get another number, ``/dev/ttyUSB1``; the
    links of the system in ``/dev/serial/by-id`` identify the device.
    """
    try:
        real = os.path.realpath(path)
        links = [str(link) for link in sorted(_BY_ID.iterdir()) if os.path.realpath(link) == real]
    except OSError:
        links = []
    return [link for link in links if link != path] + [path]
