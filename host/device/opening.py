"""Opening a device by its name on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from loopline.game import Variant
from loopline.game.wire import Command, Feature
from loopline.host.device.device import Device
from loopline.host.device.endpoint import DEVICE_HELP, find_device_way
from loopline.host.device.errors import RefusedError, WrongDeviceError
from loopline.host.device.session import Session
from loopline.host.device.timeouts import Patience

__all__ = ["DEVICE_HELP", "open_device"]


def open_device(
    spec: str,
    *,
    built_for: Variant | None = None,
    patience: Patience | None = None,
    back_within: float = 10.0,
    sim_arguments: Sequence[str] = (),
) -> Device:
    """Open a device and make sure who is there. A search that it is busy with is ended.

    Parameters
    ----------
    spec : str
        As in :data:`DEVICE_HELP`.
    built_for : Variant or None
        The variant that its contest games have to be of, if that matters. A game that is begun by
        frames may be of any.
    patience : Patience or None
        How long to wait for answers; None: as usual for this kind of device.
    back_within : float
        Seconds that a serial device may take to come back after it was pulled out.
    sim_arguments : sequence of str
        Further arguments for a simulated board.

    Raises
    ------
    UsageError
        If ``spec`` names no device.
    WrongDeviceError
        If something else is there, of another version or for another variant; its text says what.
    DeviceSilentError
        If nothing answers.
    DeviceGoneError
        If the port is not there, in use, or not for this user; or a program does not start.
    """
    session = Session(find_device_way(spec, sim_arguments), patience, back_within)
    try:
        identity = session.identity
        if built_for is not None and identity.variant != built_for:
            theirs = identity.variant or "a variant without a name"
            raise WrongDeviceError(f"{session.name} is built for {theirs}, not {built_for}")
        if Feature.SEARCH in identity.features:
            with suppress(RefusedError):
                session.obey(Command.STOP)
    except BaseException:
        session.close()
        raise
    return Device(session)
