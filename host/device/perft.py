"""Perft on a device: the number of legal sequences of turns, by what the device says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from loopline.game import STANDARD, Turn, Variant
from loopline.game.wire import COUNT_DEPTH, Feature, TurnStatus
from loopline.host.device.device import Device
from loopline.host.errors import DeviceError

__all__ = ["RoomError", "device_perft"]

_CYCLES: Final = 4
"""The clock cycles that a device takes for a sequence, or less."""

_SECONDS: Final = 0.1
"""The time that it may take to answer, by its own clock: a board is asked again after 0.3 s."""

_GROWTH: Final = 8
"""How many legal turns more a position may have after a turn; few have more."""


class RoomError(DeviceError):
    """A turn does not fit into the device, so that its count would be too small."""


def device_perft(
    device: Device, depth: int, turns: Sequence[Turn | str] = (), variant: Variant = STANDARD
) -> int:
    """Begin a game on a device, and count the sequences of ``depth`` legal turns in it.

    A device with ``COUNT`` counts the last turns of all sequences by itself; of another one the
    last turns are listed. Finished games are not continued.

    Raises
    ------
    RoomError
        If a turn does not fit into the device.
    """
    state = device.new_game(variant, turns)
    if state.status is TurnStatus.BOUNDS:
        raise RoomError(f"{device.name} has no room for these turns")
    return 0 if state.over else _count(device, depth, _count_there(device, 1))


def _count(device: Device, depth: int, about: int) -> int:
    """Count in the device's position, which has ``about`` legal turns."""
    if depth == 1 or _is_short(device, depth, about):
        return _count_there(device, depth)
    total = 0
    for candidate in device.candidates():
        if candidate.status is TurnStatus.BOUNDS:
            raise _no_room(device)
        if candidate.legal and not candidate.completed:
            # Without a loop or line a game ends where no turn is left in its area.
            if not device.play(candidate.turn).over:
                total += _count(device, depth - 1, about + _GROWTH)
            device.take_back()
    return total


def _is_short(device: Device, depth: int, about: int) -> bool:
    """Return whether the device can count so many turns of each sequence at once, in short time."""
    cycles = _CYCLES * about**depth
    counts = Feature.COUNT in device.identity.features and depth <= COUNT_DEPTH
    return counts and cycles <= _SECONDS * device.identity.clock


def _count_there(device: Device, depth: int) -> int:
    """Have the device count; one without ``COUNT`` lists the turns, for a ``depth`` of 1."""
    if Feature.COUNT in device.identity.features:
        counted = device.count(depth)
        if counted.beyond:
            raise _no_room(device)
        return counted.sequences
    candidates = device.candidates()
    if any(candidate.status is TurnStatus.BOUNDS for candidate in candidates):
        raise _no_room(device)
    return sum(candidate.legal for candidate in candidates)


def _no_room(device: Device) -> RoomError:
    return RoomError(f"{device.name} has no room for all turns of this count")
