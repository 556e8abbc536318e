"""Devices that play Trax behind a serial port: the contest's line protocol, seen from the PC.

::

    open_device("sim")  ──►  SimulatedBoard (a process)  ──►  its pseudo-terminal ─┐
    open_device("/dev/ttyUSB0@19200")  ────────────────────────────────────────────┤
                                                                                   ▼
                                     SerialLine: bytes and lines  ◄──  ContestDevice: -T, -W, -B,
                                                                       turns, time limits
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from loopline.game import NotationError, format_turn, parse_turn
from loopline.host.errors import DeviceSilentError, DeviceTalkError, UsageError
from loopline.host.serial_line import DEFAULT_BAUD, SerialLine
from loopline.host.simulated import SimulatedBoard

__all__ = ["ContestDevice", "open_device", "split_spec"]

PATIENCE_PORT = 3.0
"""Seconds to wait for an answer from a real board: the contest's second, and some for the PC."""

PATIENCE_SIM = 120.0
"""Seconds to wait for a simulated board, whose own second may take much longer on a busy PC."""


def split_spec(spec: str) -> tuple[str, int]:
    """Split ``PORT`` or ``PORT@BAUD`` into the port and its rate; UsageError if it is neither."""
    port, at, rate = spec.rpartition("@")
    if not at:
        port, rate = spec, str(DEFAULT_BAUD)
    if not port or not rate.isdecimal() or int(rate) == 0:
        raise UsageError(f"{spec!r} is no device: use 'sim', PORT or PORT@BAUD")
    return port, int(rate)


class ContestDevice:
    """A device that plays one game at a time over the contest link. A context manager.

    Parameters
    ----------
    line : SerialLine
        The port, already open; closed with the device.
    patience : float
        Seconds to wait for an answer if the caller names no other limit.
    board : SimulatedBoard or None
        The simulated board behind the port, if it is one; ended with the device.

    Attributes
    ----------
    stats : str
        What the simulated board printed at its end; empty until :meth:`close`.
    """

    def __init__(
        self, line: SerialLine, patience: float, board: SimulatedBoard | None = None
    ) -> None:
        self.line = line
        self.patience = patience
        self.stats = ""
        self._board = board

    @property
    def name(self) -> str:
        """How to call the device in a message."""
        return "the simulated board" if self._board else self.line.path

    def identify(self) -> str:
        """Return the device's two-character code; whatever it was doing is dropped.

        Lines that were on their way before are skipped, so the link is in step afterwards.
        """
        self.line.forget()
        self.line.write(b"-T\n")
        deadline = time.monotonic() + self.patience
        while True:
            try:
                answer = self.line.read_line(max(0.0, deadline - time.monotonic()))
            except DeviceSilentError as error:
                raise DeviceSilentError(
                    f"{self.name} does not answer -T within {self.patience:g} s: "
                    "is it a Trax player, at this rate?"
                ) from error
            if len(answer) == 2:
                return answer
            try:
                parse_turn(answer)
            except NotationError as error:
                raise DeviceTalkError(
                    f"{self.name} answers -T with {answer!r} instead of a two-character code"
                ) from error

    def new_game(self, white: bool) -> None:
        """Start a game in which the device is White, and opens, or is Red, and waits."""
        self.identify()
        self.line.write(b"-W\n" if white else b"-B\n")

    def send_turn(self, text: str) -> None:
        """Tell the device its opponent's turn."""
        self.line.write(text.encode("ascii") + b"\n")

    def read_turn(self, timeout: float | None = None) -> str:
        """Return the device's turn in notation.

        Raises
        ------
        DeviceSilentError
            If it does not come in ``timeout`` seconds (None: the device's usual patience).
        DeviceTalkError
            If the answer is no turn.
        """
        answer = self.line.read_line(self.patience if timeout is None else timeout)
        try:
            return format_turn(parse_turn(answer))
        except NotationError as error:
            raise DeviceTalkError(f"{self.name} answers {answer!r} instead of a turn") from error

    def close(self) -> None:
        """Close the port and end the simulated board. Closing twice does nothing more."""
        self.line.close()
        if self._board:
            self.stats += self._board.close()

    def __enter__(self) -> ContestDevice:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _is_simulated(path: str) -> bool:
    """Whether a port is a pseudo-terminal: then there is a program behind it, and no board."""
    return Path(path).resolve().is_relative_to("/dev/pts")


def open_device(
    spec: str, sim_arguments: Sequence[str] = (), patience: float | None = None
) -> ContestDevice:
    """Open a device and make sure that a player answers there.

    Parameters
    ----------
    spec : str
        ``sim`` for a simulated board of its own, or a serial port as ``PORT`` or ``PORT@BAUD``.
    sim_arguments : sequence of str
        Further arguments for the simulated board.
    patience : float or None
        Seconds to wait for an answer; None: as usual for this kind of device.

    Raises
    ------
    UsageError
        If ``spec`` is neither.
    DeviceError
        If there is no such device, or it does not answer as a player does.
    """
    if spec == "sim":
        board = SimulatedBoard(sim_arguments)
        try:
            device = ContestDevice(SerialLine(board.path), patience or PATIENCE_SIM, board)
        except BaseException:
            board.close()
            raise
    else:
        path, baud = split_spec(spec)
        usual = PATIENCE_SIM if _is_simulated(path) else PATIENCE_PORT
        device = ContestDevice(SerialLine(path, baud), patience or usual)
    try:
        device.identify()
    except BaseException:
        device.close()
        raise
    return device
