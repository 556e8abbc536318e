"""SearchClock: the time that a search has taken, and whether it is used up."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.frames.requests import CYCLE_BITS

__all__ = ["SearchClock"]


class SearchClock(wiring.Component):
    """Count clock cycles from ``start`` to ``stop``.

    Members
    -------
    start : In(1)
        Count from 0; ``late`` ends.
    stop : In(1)
        Keep the time until the next start.
    pause : In(1)
        Do not count in this cycle.
    limit : In(CYCLE_BITS)
        The time that the search may take; 0 for any.
    elapsed : Out(CYCLE_BITS)
        The time.
    late : Out(1)
        The limit has been reached.
    """

    def __init__(self) -> None:
        super().__init__(
            {
                "start": In(1),
                "stop": In(1),
                "pause": In(1),
                "limit": In(CYCLE_BITS),
                "elapsed": Out(CYCLE_BITS),
                "late": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        stopped = Signal()
        with m.If(~stopped & ~self.pause):
            m.d.sync += self.elapsed.eq(self.elapsed + 1)
        with m.If((self.elapsed == self.limit) & (self.limit != 0)):
            m.d.sync += self.late.eq(1)
        with m.If(self.stop):
            m.d.sync += stopped.eq(1)
        with m.If(self.start):
            m.d.sync += [self.elapsed.eq(0), self.late.eq(0), stopped.eq(0)]
        return m
