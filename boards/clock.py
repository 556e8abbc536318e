"""The clock of a board: a PLL, and a reset that lasts until everything is stable."""

from __future__ import annotations

from amaranth.build import Platform
from amaranth.hdl import ClockDomain, ClockSignal, Elaboratable, Module, ResetSignal, Signal
from amaranth.lib import wiring
from amaranth.lib.cdc import FFSynchronizer
from amaranth.lib.wiring import In, Out

from loopline.boards.families import Pll

__all__ = ["BoardClock", "SettledReset"]

_SETTLE_SECONDS = 15e-6
"""Block RAMs of an iCE40 read as zero for the first 3 µs after configuration; with a margin. The
other families have the same reset."""


class SettledReset(wiring.Component):
    """A reset that holds until a PLL has been locked for some time without a break.

    It works in domain ``settle``, which has the PLL's clock and no reset.

    Parameters
    ----------
    cycles : int
        How many cycles in a row the PLL has to be locked.

    Members
    -------
    lock : In(1)
        High while the PLL is locked; not synchronous to anything.
    reset : Out(1)
        High from the start until ``lock`` has been high for ``cycles`` cycles, to which
        synchronising it adds up to four; and again within three cycles of its going low.
    """

    def __init__(self, cycles: int):
        if cycles < 1:
            raise ValueError(f"a reset must settle for at least one cycle, not {cycles!r}")
        self.cycles = cycles
        super().__init__({"lock": In(1), "reset": Out(1, init=1)})

    def elaborate(self, platform: Platform | None) -> Module:
        m = Module()
        locked = Signal()
        timer = Signal(range(self.cycles + 1))
        m.submodules.lock_sync = FFSynchronizer(self.lock, locked, o_domain="settle")
        with m.If(~locked):
            m.d.settle += [timer.eq(0), self.reset.eq(1)]
        with m.Elif(timer == self.cycles):
            m.d.settle += self.reset.eq(0)
        with m.Else():
            m.d.settle += timer.eq(timer + 1)
        return m


class BoardClock(Elaboratable):
    """Drives the ``sync`` domain of its parent from a clock pin through a PLL.

    The reset of ``sync`` holds from configuration until the PLL has been locked for 15 µs, and
    again whenever it loses its lock::

        pin ──► PLL ──┬──────────────────────► clk
                      └─ lock ──► settle ────► rst

    Parameters
    ----------
    resource : str
        The platform's clock resource that feeds the PLL.
    pll : Pll
        What the PLL makes of it.
    """

    def __init__(self, resource: str, pll: Pll):
        self.resource = resource
        self.pll = pll

    def elaborate(self, platform: Platform) -> Module:
        m = Module()
        clock = Signal()
        settle = SettledReset(int(self.pll.output_hz * _SETTLE_SECONDS))
        self.pll.connect(m, platform.request(self.resource, dir="-"), clock, settle.lock)
        m.submodules.settle = settle
        m.domains.settle = ClockDomain("settle", reset_less=True, local=True)
        m.d.comb += [
            ClockSignal("settle").eq(clock),
            ClockSignal("sync").eq(clock),
            ResetSignal("sync").eq(settle.reset),
        ]
        return m
