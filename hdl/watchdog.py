"""Watchdog: restarts a design that has come to a standstill."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

__all__ = ["LONGEST_CYCLES", "WATCHDOG_MS", "Watchdog", "watchdog_ticks"]

WATCHDOG_MS = 250
"""How long nothing has to happen: much longer than a byte at the slowest rate, 8 ms, and short
enough that a host which asks again has its answer within a second."""

LONGEST_CYCLES = 20_000
"""More clock cycles than any operation of the turn unit takes: to clear the largest grid takes
1,025, and no turn has more than 255 tiles."""


def watchdog_ticks(tick_cycles: int) -> int:
    """The watchdog's limit where a tick, a millisecond, has so many clock cycles."""
    return max(WATCHDOG_MS, -(-LONGEST_CYCLES // tick_cycles))


class Watchdog(wiring.Component):
    """Ask for a restart when there is work and nothing comes of it.

    No state that a design can reach by itself is without a way out. This is for those which it
    cannot: a flip-flop that has changed by itself, and two units wait for each other.

    The design is at rest, or something happens in it again and again: both are a sign of life. The
    restart comes after ``ticks`` ticks without one. If a flip-flop of this component changes by
    itself, a restart comes too early or too late by as many ticks as it can count; or the design
    is restarted for nothing.

    Parameters
    ----------
    ticks : int
        The longest time without a sign of life, at least 2: it may be up to one tick shorter.

    Members
    -------
    tick : In(1)
        The measure of time.
    at_rest : In(1)
        There is nothing to do.
    progress : In(1)
        Something has come of the work.
    restart : Out(1)
        High for one cycle, a flip-flop's output: everything but this component is to be reset.
    restarted : Out(1)
        High for the cycle after that.
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
