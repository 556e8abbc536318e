"""The clock of a board: a PLL, and a reset that lasts until everything is stable."""

from __future__ import annotations

from amaranth.build import Platform
from amaranth.hdl import ClockDomain, ClockSignal, Elaboratable, Module, ResetSignal, Signal
from amaranth.lib import io, wiring
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
    button : bool
        Whether a button resets, too.

    Members
    -------
    lock : In(1)
        High while the PLL is locked; not synchronous to anything.
    pressed : In(1)
        High while the button is pressed, the same as a PLL that is not locked; not synchronous to
        anything. It counts only once it was low: a button that is pressed from the start on, or
        whose level is not known, does not hold the reset. Only with ``button``.
    reset : Out(1)
        High from the start until ``lock`` has been high for ``cycles`` cycles, to which
        synchronising it adds up to four; and again within three cycles of its going low.
    """

    def __init__(self, cycles: int, *, button: bool = False):
        if cycles < 1:
            raise ValueError(f"a reset must settle for at least one cycle, not {cycles!r}")
        self.cycles = cycles
        self.button = button
        pressed = {"pressed": In(1)} if button else {}
        super().__init__({"lock": In(1), **pressed, "reset": Out(1, init=1)})

    def elaborate(self, platform: Platform | None) -> Module:
        m = Module()
        locked = Signal()
        timer = Signal(range(self.cycles + 1))
        m.submodules.lock_sync = FFSynchronizer(self.lock, locked, o_domain="settle")
        held = ~locked
        if self.button:
            pressed, armed = Signal(init=1), Signal()
            m.submodules.button_sync = FFSynchronizer(
                self.pressed, pressed, init=1, o_domain="settle"
            )
            with m.If(~pressed):
                m.d.settle += armed.eq(1)
            held |= pressed & armed
        with m.If(held):
            m.d.settle += [timer.eq(0), self.reset.eq(1)]
        with m.Elif(timer == self.cycles):
            m.d.settle += self.reset.eq(0)
        with m.Else():
            m.d.settle += timer.eq(timer + 1)
        return m


class BoardClock(Elaboratable):
    """Drives the ``sync`` domain of its parent from a clock pin through a PLL.

    The reset of ``sync`` holds from configuration until the PLL has been locked for 15 µs, and
    again whenever it loses its lock or the button is pressed::

        pin ──► PLL ──┬──────────────────────► clk
                      └─ lock ──► settle ────► rst
        button ──────────────────►

    Parameters
    ----------
    resource : str
        The platform's clock resource that feeds the PLL.
    pll : Pll
        What the PLL makes of it.
    button : str or None
        The resource of the button that resets; None if there is none.
    """

    def __init__(self, resource: str, pll: Pll, button: str | None = None):
        self.resource = resource
        self.pll = pll
        self.button = button

    def elaborate(self, platform: Platform) -> Module:
        m = Module()
        clock = Signal()
        cycles = int(self.pll.output_hz * _SETTLE_SECONDS)
        settle = SettledReset(cycles, button=self.button is not None)
        if self.button is not None:
            m.submodules.button_pin = pin = io.Buffer("i", platform.request(self.button, dir="-"))
            m.d.comb += settle.pressed.eq(pin.i)
        self.pll.connect(m, platform.request(self.resource, dir="-"), clock, settle.lock)
        m.submodules.settle = settle
        m.domains.settle = ClockDomain("settle", reset_less=True, local=True)
        m.d.comb += [
            ClockSignal("settle").eq(clock),
            ClockSignal("sync").eq(clock),
            ResetSignal("sync").eq(settle.reset),
        ]
        return m
