"""Who is there? What answers, and if not as a device of ours should, what it is instead."""

from __future__ import annotations

from loopline.game.wire import MAGIC, Command
from loopline.host.contest.link import ContestDevice
from loopline.host.device.answers import Identity
from loopline.host.device.errors import AnswerError, ContestOnlyError, WrongDeviceError
from loopline.host.device.exchange import Exchange
from loopline.host.device.timeouts import Patience
from loopline.host.errors import DeviceFloodError, DeviceSilentError, DeviceTalkError
from loopline.host.transport.transport import Transport

__all__ = ["greet"]


def greet(exchange: Exchange, transport: Transport, patience: Patience) -> Identity:
    """Return who is at the far end. What it was doing goes on.

    Raises
    ------
    WrongDeviceError
        If it is something else, with what it is; a plain contest player's game is dropped.
    ProtocolVersionError
        If it speaks another version.
    DeviceSilentError
        If nothing answers.
    """
    path = transport.path
    try:
        exchange.forget()
        _, identity = exchange.ask(Command.IDENTIFY, patience=patience)
    except DeviceFloodError as error:
        raise WrongDeviceError(f"{error}; it is no Trax device, or its rate is another") from error
    except AnswerError as error:
        raise WrongDeviceError(f"{error}; it is no Loopline") from error
    except DeviceTalkError as error:
        raise WrongDeviceError(str(error)) from error
    except DeviceSilentError as error:
        _try_contest(transport, patience.limit)
        said = exchange.noise[:16]
        if said:
            raise WrongDeviceError(
                f"{path} sends {said!r} and no frames: it is no Loopline, or its rate is another"
            ) from error
        raise DeviceSilentError(f"{error}: is it a Loopline, at this rate?") from error
    assert isinstance(identity, Identity)
    if identity.magic != MAGIC:
        raise WrongDeviceError(f"{path} calls itself {identity.magic!r}: it is no Loopline")
    return identity


def _try_contest(transport: Transport, seconds: float) -> None:
    """Do nothing where nobody answers as the contest's players do; else raise what is there."""
    try:
        # Ends what a player has taken our frames for: the beginning of a line.
        transport.write(b"\n")
        code = ContestDevice(transport, seconds).identify()
    except DeviceTalkError as error:
        raise WrongDeviceError(f"{error}: it is no Loopline, or its rate is another") from error
    except DeviceSilentError:
        return
    raise ContestOnlyError(transport.path, code)
