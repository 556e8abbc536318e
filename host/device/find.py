"""Find devices: ask at every serial port, whatever its name."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from serial.tools import list_ports

from loopline.host.device.answers import Identity
from loopline.host.device.endpoint import is_path
from loopline.host.device.errors import ContestOnlyError, ProtocolVersionError, WrongDeviceError
from loopline.host.device.exchange import Exchange, Timeouts
from loopline.host.device.session import greet
from loopline.host.errors import DeviceError, DeviceGoneError
from loopline.host.transport.serial_line import DEFAULT_BAUD, SerialLine

__all__ = ["Found", "find_devices", "ports"]


@dataclass(frozen=True, slots=True)
class Found:
    """The result of asking at a port.

    Attributes
    ----------
    port : str
        Its name.
    baud : int
        The rate that was answered, or the last one that was tried.
    kind : str
        ``loopline``; ``version``: a Loopline of another version of the link; ``contest``: a player
        that knows contest lines only; ``other``: another device that answers; ``silent``: no
        answer; ``unusable``: the port cannot be opened.
    text : str
        A description.
    identity : Identity or None
        Of a Loopline.
    """

    port: str
    baud: int
    kind: str
    text: str
    identity: Identity | None = None

    @property
    def plays(self) -> bool:
        """Whether a Trax player is there that can be used."""
        return self.kind in ("loopline", "contest")


def ports() -> list[str]:
    """The names of all serial ports of this machine."""
    return sorted(port.device for port in list_ports.comports())


def find_devices(
    names: Sequence[str], bauds: Sequence[int] = (DEFAULT_BAUD,), seconds: float = 1.5
) -> list[Found]:
    """Ask at each of these ports for its identity, first by a frame, then by a contest line.

    All ports are asked at the same time: it takes about ``seconds`` for either question and each
    rate, for any number of ports.

    Parameters
    ----------
    names : sequence of str
        The ports.
    bauds : sequence of int
        The rates to try, up to the first that is answered.
    seconds : float
        The longest time for an answer.
    """
    found: dict[int, Found] = {}

    def ask(place: int, name: str) -> None:
        found[place] = _ask_at(name, bauds, seconds)

    # Unlike a pool's, such threads do not keep an interrupted program waiting for the answers.
    asking = [threading.Thread(target=ask, args=each, daemon=True) for each in enumerate(names)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    return [found[place] for place in range(len(names))]


def _ask_at(name: str, bauds: Sequence[int], seconds: float) -> Found:
    found = Found(name, DEFAULT_BAUD, "silent", "nothing answers")
    for baud in bauds:
        asked = _ask(name, baud, seconds)
        # An answer that makes no sense at one rate may do so at another; a better one is kept.
        if asked.kind not in ("silent", "other") or found.kind == "silent":
            found = asked
        if asked.kind not in ("silent", "other"):
            break
    return found


def _ask(name: str, baud: int, seconds: float) -> Found:
    try:
        line = SerialLine(name, baud)
    except DeviceGoneError as error:
        text = str(error).removeprefix(f"cannot open {name}: ")
        return Found(name, baud, "unusable", text + _advice(name))
    timeouts = Timeouts(seconds / 4, seconds)
    try:
        identity = greet(Exchange(line, timeouts), line, timeouts)
    except ContestOnlyError as error:
        return Found(name, baud, "contest", f"plays contests as {error.code}, knows no frames")
    except ProtocolVersionError as error:
        return Found(name, baud, "version", str(error).removeprefix(f"{name} "))
    except WrongDeviceError as error:
        return Found(name, baud, "other", str(error).removeprefix(f"{name} "))
    except DeviceGoneError:
        return Found(name, baud, "unusable", "it has gone away")
    except DeviceError:
        return Found(name, baud, "silent", "nothing answers")
    finally:
        line.close()
    return Found(name, baud, "loopline", _describe(identity), identity)


def _describe(identity: Identity) -> str:
    commit = f" {identity.commit}" if identity.commit else ""
    return (
        f"{identity.name}{commit}, {identity.largest} x {identity.largest}, "
        f"{identity.clock / 1e6:g} MHz, {identity.variant or 'its own variant'}"
    )


def _advice(name: str) -> str:
    if is_path(name) and not os.access(name, os.R_OK | os.W_OK):
        return " (on most systems members of the group dialout or uucp may use it)"
    return ""
