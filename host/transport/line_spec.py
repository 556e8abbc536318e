"""Endpoints: devices and programs as the command line names them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from loopline.host.errors import UsageError
from loopline.host.transport.process_line import ProcessLine, split_command
from loopline.host.transport.serial_line import DEFAULT_BAUD, FASTEST_BAUD, SerialLine
from loopline.host.transport.simulated import (
    SimulatedLine,
    board_arguments,
    is_simulated,
    slowness,
)
from loopline.host.transport.tcp_line import TcpCall, TcpListener
from loopline.host.transport.transport import Transport
from loopline.tools.arguments import whole_number
from loopline.tools.extras import require

__all__ = [
    "LINE_HELP",
    "LINE_KINDS",
    "START_SECONDS",
    "Endpoint",
    "is_pseudo_terminal",
    "plan_endpoint",
    "split_port",
]

LINE_HELP = (
    "sim, PORT or PORT@BAUD (also port:PORT@BAUD), cmd:PROGRAM ARGUMENTS, "
    "tcp:HOST:PORT, tcp-listen:[HOST:]PORT"
)

LINE_KINDS = ("sim", "port", "cmd", "tcp", "tcp-listen")
"""The words with which a spec may begin. A spec with any other beginning is a port."""

START_SECONDS = 120.0
"""The usual seconds until a program answers ``-T``: it may have to be compiled first."""

_LISTEN_HOST = "127.0.0.1"


@dataclass(frozen=True)
class Endpoint:
    """A contest player's transport, and its usual timeouts.

    Attributes
    ----------
    transport : Transport
        The transport, not yet open.
    timeout : float
        The seconds that a turn may take without a clock.
    greeting_timeout : float
        The seconds that the answer to ``-T`` may take, once the player runs.
    ours : bool
        Whether the far end is known to be Loopline, which answers ``-T``.
    """

    transport: Transport
    timeout: float
    greeting_timeout: float
    ours: bool = False


def plan_endpoint(
    spec: str, sim_arguments: Sequence[str] = (), settle: float = 0.0
) -> Callable[[], Endpoint]:
    """Check a spec, and return a call that finds its endpoint; nothing is started before it.

    The call starts a program (``cmd:``) at once.

    Parameters
    ----------
    spec : str
        As in :data:`LINE_HELP`; ``sim`` also with :data:`.BOARD_OPTIONS`.
    sim_arguments : sequence of str
        Further arguments for a simulated board.
    settle : float
        The seconds that a program has to start.

    Raises
    ------
    UsageError
        If the spec is not valid. The call raises DeviceError if there is no such port or program.
    """
    if is_simulated(spec):
        require("the simulated board", "sim")
        words = (*board_arguments(spec), *sim_arguments)
        timeout = 120.0 * max(1.0, slowness(spec))
        return lambda: Endpoint(SimulatedLine(words), timeout, 120.0, ours=True)
    kind, colon, rest = spec.partition(":")
    match kind if colon else "":
        case "cmd":
            split_command(rest)
            return lambda: Endpoint(ProcessLine(rest, settle), 600.0, START_SECONDS)
        case "tcp":
            there = _split_address(spec, rest, None)
            return lambda: Endpoint(TcpCall(*there), 600.0, START_SECONDS)
        case "tcp-listen":
            here = _split_address(spec, rest, _LISTEN_HOST)
            return lambda: Endpoint(TcpListener(*here), 600.0, START_SECONDS)
        case _:
            port = split_port(rest if kind == "port" else spec)
            return lambda: _port(*port)


def _port(path: str, baud: int) -> Endpoint:
    # A program may need much longer than a board, which takes the contest's second and some time
    # for the PC.
    timeout = 120.0 if is_pseudo_terminal(path) else 3.0
    return Endpoint(SerialLine(path, baud), timeout, timeout)


def is_pseudo_terminal(path: str) -> bool:
    """Return whether a program, such as a simulated board, is behind this port."""
    return os.path.realpath(path).startswith("/dev/pts/")


def split_port(spec: str, expected: str = LINE_HELP) -> tuple[str, int]:
    """Split ``PORT`` or ``PORT@BAUD`` into the port and its rate.

    Raises UsageError, which says what is ``expected``, if it is neither.
    """
    port, at, rate = spec.rpartition("@")
    if not at:
        port, rate = spec, str(DEFAULT_BAUD)
    if port and "\0" not in port:
        with suppress(ValueError):
            baud = whole_number(1)(rate)
            if baud > FASTEST_BAUD:
                raise UsageError(f"{spec!r}: a port has a rate of 1 to {FASTEST_BAUD} baud")
            return port, baud
    raise UsageError(f"{spec!r} is not a device: use {expected}")


def _split_address(spec: str, text: str, default: str | None) -> tuple[str, int]:
    """Split ``HOST:PORT``, with brackets around an IPv6 address; UsageError if it is not valid."""
    host, colon, port = text.rpartition(":")
    if not colon and default is not None:
        host = default
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    if host:
        with suppress(ValueError):
            return host, whole_number(0, 65535)(port)
    shape = "tcp:HOST:PORT" if default is None else "tcp-listen:PORT or tcp-listen:HOST:PORT"
    raise UsageError(f"{spec!r} names no address: use {shape}, with a port up to 65535")
