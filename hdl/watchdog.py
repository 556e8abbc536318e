"""Watchdog: restarts a design that stands still although it has work to do."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

__all__ = ["LONGEST_CYCLES", "WATCHDOG_MS", "Watchdog", "watchdog_ticks"]

WATCHDOG_MS = 250
"""The time without a sign of life before a restart. It is much longer than a byte at the slowest
rate, 8 ms, and so short that a host which repeats its command has the answer within a second."""

LONGEST_CYCLES = 20_000
"""More clock cycles than any command of the turn unit takes: ``CLEAR`` of the largest grid takes
1,025, and no turn has more than 255 tiles."""


def watchdog_ticks(tick_cycles: int) -> int:
    """Return the watchdog's limit, in ticks of a millisecond that have so many clock cycles."""
    return max(WATCHDOG_MS, -(-LONGEST_CYCLES // tick_cycles))


class Watchdog(wiring.Component):
    """Restart the design when it has work but makes no progress.

    Every state that the design reaches in normal operation has a way out. After an upset (a
    flip-flop changes by itself) two components may wait for each other for ever: the watchdog ends
    this.

    There are two signs of life: the design is at rest, or it makes progress. The restart comes
    after ``ticks`` ticks without one. An upset in the watchdog itself makes a restart come earlier
    or later by at most ``ticks`` ticks, or causes one without need.

    Parameters
    ----------
    ticks : int
        The longest time without a sign of life, at least 2. As the first tick comes at any moment,
        the time may be up to one tick shorter.

    Members
    -------
    tick : In(1)
        A pulse for each unit of time.
    at_rest : In(1)
        The design has no work.
    progress : In(1)
        A step of the work is done.
    restart : Out(1)
        High for one cycle, the output of a flip-flop: reset everything but this component.
    restarted : Out(1)
        High for the cycle after that.

    Raises
    ------
    ValueError
        For fewer than 2 ticks.
    """

    def __init__(self, ticks: int):
        if ticks < 2:
            raise ValueError(f"a watchdog needs at least 2 ticks, not {ticks!r}")
        self._ticks = ticks
        super().__init__(
            {
                "tick": In(1),
                "at_rest": In(1),
                "progress": In(1),
                "restart": Out(1),
                "restarted": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        waited = Signal(range(self._ticks))
        expires = self.tick & (waited >= self._ticks - 1)
        m.d.sync += [self.restart.eq(0), self.restarted.eq(self.restart)]
        with m.If(self.at_rest | self.progress | self.restart):
            m.d.sync += waited.eq(0)
        with m.Elif(expires):
            m.d.sync += [waited.eq(0), self.restart.eq(1)]
        with m.Elif(self.tick):
            m.d.sync += waited.eq(waited + 1)
        return m
