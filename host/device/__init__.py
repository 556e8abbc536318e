"""Devices that speak the framed link, behind one class.

::

    open_device("engine") ─► Device ──► Session ──► Exchange ──► FrameReader ──► Transport
                             typed      the game,   retries,      SLIP, CRC      a serial port,
                             questions  set up      time-outs,                   a simulated
                             & answers  again       stopping                     board, a program

- ``device``: :class:`Device` and :func:`open_device`; ``games``: games, lists and positions there;
- ``session``: greets a device, and sets its game up again after a reset or a disconnection;
- ``exchange``: one command at a time, with retries; ``answers``, ``layout``: typed answers;
- ``endpoint``: what a device is called, and how it is opened; ``find``: asks at all serial ports;
- ``limits``: limits of searches, as settings of a device's name; ``errors``: its errors;
- ``perft``: sequences of legal turns, counted there;
- ``group``: several devices that search together; ``shares``: what each of them searches;
- ``compare``, ``test_vectors``: a device against the rules, for ``selftest`` and ``replay``.

:mod:`loopline.game.wire` defines the link; docs/devices.md shows how to use this package.
"""

from loopline.host.device.answers import (
    BoardPosition,
    Candidate,
    Counted,
    Counters,
    GameState,
    Identity,
    SearchReport,
    SelfTest,
)
from loopline.host.device.device import DEVICE_HELP, Device, open_device
from loopline.host.device.errors import (
    AnswerError,
    CancelledError,
    ContestOnlyError,
    ProtocolVersionError,
    RefusedError,
    WrongDeviceError,
)
from loopline.host.device.exchange import Timeouts

__all__ = [
    "DEVICE_HELP",
    "AnswerError",
    "BoardPosition",
    "CancelledError",
    "Candidate",
    "ContestOnlyError",
    "Counted",
    "Counters",
    "Device",
    "GameState",
    "Identity",
    "ProtocolVersionError",
    "RefusedError",
    "SearchReport",
    "SelfTest",
    "Timeouts",
    "WrongDeviceError",
    "open_device",
]
