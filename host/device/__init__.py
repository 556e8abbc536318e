"""Devices that speak the framed link, behind one class: how every host program reaches one.

::

    open_device("engine") ─► Device ──► Session ──► Exchange ──► FrameReader ──► Transport
                             typed      the game,   retries,      SLIP, CRC      a serial port,
                             questions  set up      time-outs,                   a simulated
                             & answers  again       stopping                     board, a program

What is said is defined in :mod:`loopline.game.wire`; docs/devices.md shows how to use this.
"""

from loopline.host.device.answers import (
    BoardPosition,
    Candidate,
    Counters,
    GameState,
    Identity,
    SearchReport,
    SelfTest,
)
from loopline.host.device.device import Device
from loopline.host.device.errors import (
    AnswerError,
    CancelledError,
    ContestOnlyError,
    ProtocolVersionError,
    RefusedError,
    WrongDeviceError,
)
from loopline.host.device.opening import DEVICE_HELP, open_device

__all__ = [
    "DEVICE_HELP",
    "AnswerError",
    "BoardPosition",
    "CancelledError",
    "Candidate",
    "ContestOnlyError",
    "Counters",
    "Device",
    "GameState",
    "Identity",
    "ProtocolVersionError",
    "RefusedError",
    "SearchReport",
    "SelfTest",
    "WrongDeviceError",
    "open_device",
]
