"""SearchClock: the time that a search has taken, and whether it is used up."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.frames.requests import CYCLE_BITS

__all__ = ["HELD_BITS", "SearchClock"]

HELD_BITS = 8
"""Width of the number of cycles that are still to be counted after a ``hold``. To read the values
of an answer takes about 100 cycles."""


class SearchClock(wiring.Component):
    """Count clock cycles from ``start`` to ``stop``.

    Members
    -------
    start : In(1)
        Count from 0; ``late`` ends.
    stop : In(1)
        Keep the time until the next start.
    hold : In(1)
        ``elapsed`` stands still, so that it can be read as a whole. The cycles are counted
        afterwards, up to ``2^HELD_BITS - 1``.
    limit : In(CYCLE_BITS)
        The time that the search may take; 0 for any.
    expire : In(1)
        The time is used up now, whatever the limit is.
    elapsed : Out(CYCLE_BITS)
        The time.
    late : Out(1)
        The limit has been reached, or the time was used up, since the start.
    """

    def __init__(self) -> None:
        super().__init__(
            {
                "start": In(1),
                "stop": In(1),
                "hold": In(1),
                "limit": In(CYCLE_BITS),
                "expire": In(1),
                "elapsed": Out(CYCLE_BITS),
                "late": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        stopped = Signal()
        held = Signal(HELD_BITS)
        behind = held.any()
        with m.If(self.hold & ~stopped):
            m.d.sync += held.eq(held + ~held.all())
        with m.Elif(~stopped | behind):
            # Two cycles at a time until the clock has caught up.
            m.d.sync += [
                self.elapsed.eq(self.elapsed + 1 + (behind & ~stopped)),
                held.eq(held - behind),
            ]
        with m.If(self.expire | ((self.elapsed >= self.limit) & (self.limit != 0))):
            m.d.sync += self.late.eq(1)
        with m.If(self.stop):
            m.d.sync += stopped.eq(1)
        with m.If(self.start):
            m.d.sync += [self.elapsed.eq(0), self.late.eq(0), stopped.eq(0), held.eq(0)]
        return m
