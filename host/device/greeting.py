"""Who is there? What answers, and if not as a device of ours should, what it is instead."""

from __future__ import annotations

from loopline.game.wire import MAGIC, Command
from loopline.host.device.answers import Identity
from loopline.host.device.errors import AnswerError, ContestOnlyError, WrongDeviceError
from loopline.host.device.exchange import Exchange, Patience
from loopline.host.errors import DeviceError, DeviceFloodError, DeviceSilentError, DeviceTalkError
from loopline.host.link import ContestDevice
from loopline.host.transport import Transport

__all__ = ["contest_code", "greet"]


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
    except (DeviceSilentError, DeviceTalkError) as error:
        code = contest_code(transport, patience.limit)
        if code is not None:
            raise ContestOnlyError(path, code) from error
        if isinstance(error, DeviceTalkError):
            raise WrongDeviceError(str(error)) from error
        if exchange.noise:
            said = exchange.noise[:16]
            raise WrongDeviceError(
                f"{path} sends {said!r} and no frames: it is no Loopline, or its rate is another"
            ) from error
        raise DeviceSilentError(f"{error}: is it a Loopline, at this rate?") from error
    assert isinstance(identity, Identity)
    if identity.magic != MAGIC:
        raise WrongDeviceError(f"{path} calls itself {identity.magic!r}: it is no Loopline")
    return identity


def contest_code(transport: Transport, seconds: float) -> str | None:
    """The code of a player that speaks the contest's protocol; None if there is none."""
    try:
        # Ends what a player has taken our frames for: the beginning of a line.
        transport.write(b"\n")
        return ContestDevice(transport, seconds).identify()
    except DeviceError:
        return None
