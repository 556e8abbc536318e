"""The rates of a device's serial line: whole clock cycles for a bit."""

from __future__ import annotations

from typing import Final

from loopline.game.wire import LEAST_BIT_CYCLES, SLOWEST_BAUD
from loopline.host.errors import UsageError

__all__ = ["bit_cycles"]

_MOST: Final = 0xFFFF
"""What a command can say."""

_WORST: Final = 0.02
"""The part by which two rates may differ; at a twentieth the last bit of a byte is missed."""


def bit_cycles(name: str, clock: int, baud: int) -> tuple[int, float]:
    """The cycles of a bit at a rate, and the rate that they make.

    ``name`` is for the error's text. Raises :exc:`UsageError` if a clock of so many Hz has no rate
    that is near enough.
    """
    least, most = max(clock // _MOST + 1, SLOWEST_BAUD), clock // LEAST_BIT_CYCLES
    cycles = round(clock / baud) if baud >= least else 0
    if cycles < LEAST_BIT_CYCLES:
        raise UsageError(f"{name} has rates from {least} to {most} baud, not {baud}")
    rate = clock / cycles
    if abs(rate - baud) > _WORST * baud:
        raise UsageError(f"{name} has no rate near {baud} baud: the next is {rate:.0f}")
    return cycles, rate
