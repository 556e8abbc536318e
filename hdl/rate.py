"""The serial line's rate in clock cycles."""

from __future__ import annotations

__all__ = ["CYCLES_BITS", "MAX_RATE_ERROR", "MIN_CYCLES", "bit_cycles"]

CYCLES_BITS = 16
"""Width of a number of clock cycles per bit."""

MIN_CYCLES = 8
"""The fewest clock cycles per bit: the receiver takes samples between two edges."""

MAX_RATE_ERROR = 0.02
"""The largest accepted deviation of the rate from the nominal one."""


def bit_cycles(clock_hz: int, baud: int) -> int:
    """Return the clock cycles per bit: the nearest integer.

    Raises
    ------
    ValueError
        The clock has fewer than eight cycles per bit, or more than the link counts, or no integer
        comes within 2 % of the rate.
    """
    if clock_hz <= 0 or baud <= 0:
        raise ValueError(f"clock and baud rate must be positive, not {clock_hz!r} and {baud!r}")
    cycles = (2 * clock_hz + baud) // (2 * baud)
    if cycles < MIN_CYCLES:
        raise ValueError(
            f"{baud} baud needs a clock of at least {MIN_CYCLES * baud} Hz, "
            f"not {clock_hz} Hz: {MIN_CYCLES} cycles per bit"
        )
    if cycles >> CYCLES_BITS:
        slowest = clock_hz // ((1 << CYCLES_BITS) - 1) + 1
        raise ValueError(
            f"{baud} baud takes {cycles} cycles of a clock of {clock_hz} Hz per bit, and at most "
            f"{(1 << CYCLES_BITS) - 1} are counted: from {slowest} baud on"
        )
    error = clock_hz / (cycles * baud) - 1
    if abs(error) > MAX_RATE_ERROR:
        raise ValueError(
            f"a clock of {clock_hz} Hz makes {clock_hz / cycles:.0f} baud of {baud}: "
            f"{error:+.1%}, and at most {MAX_RATE_ERROR:.0%} is accepted"
        )
    return cycles
