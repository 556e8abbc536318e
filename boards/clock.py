"""The clock of an iCE40 board: a PLL, and a reset that lasts until everything is stable."""

from __future__ import annotations

from amaranth.build import Platform
from amaranth.hdl import (
    ClockDomain,
    ClockSignal,
    Const,
    Elaboratable,
    Instance,
    Module,
    ResetSignal,
    Signal,
)
from amaranth.lib import io
from amaranth.lib.cdc import FFSynchronizer

from .pll import PllSettings

__all__ = ["Ice40Clock"]

_SETTLE_SECONDS = 15e-6
"""Block RAMs of an iCE40 read as zero for the first 3 µs after configuration; with a margin."""


class Ice40Clock(Elaboratable):
    """Drives the ``sync`` domain of its parent from a clock pin through ``SB_PLL40_CORE``.

    The reset of ``sync`` holds from configuration until the PLL has been locked for 15 µs, and
    again whenever it loses its lock::

        pin ──► PLL ──┬──────────────────────► clk
                      └─ lock ──► settle ────► rst

    nextpnr knows the PLL and derives the constraint of ``sync`` from that of the pin.

    Parameters
    ----------
    resource : str
        The platform's clock resource that feeds the PLL.
    settings : PllSettings
        What the PLL makes of it.
    """

    def __init__(self, resource: str, settings: PllSettings):
        self.resource = resource
        self.settings = settings

    def elaborate(self, platform: Platform) -> Module:
        m = Module()
        settings = self.settings

        m.submodules.pin = pin = io.Buffer("i", platform.request(self.resource, dir="-"))
        clock = Signal()
        lock = Signal()
        m.submodules.pll = Instance(
            "SB_PLL40_CORE",
            p_FEEDBACK_PATH="SIMPLE",
            p_PLLOUT_SELECT="GENCLK",
            p_DIVR=Const(settings.divr, 4),
            p_DIVF=Const(settings.divf, 7),
            p_DIVQ=Const(settings.divq, 3),
            p_FILTER_RANGE=Const(settings.filter_range, 3),
            i_REFERENCECLK=pin.i,
            i_RESETB=Const(1),
            i_BYPASS=Const(0),
            o_PLLOUTGLOBAL=clock,
            o_LOCK=lock,
        )

        m.domains.settle = ClockDomain("settle", reset_less=True, local=True)
        m.d.comb += [ClockSignal("settle").eq(clock), ClockSignal("sync").eq(clock)]

        locked = Signal()
        m.submodules.lock_sync = FFSynchronizer(lock, locked, o_domain="settle")
        cycles = int(settings.output_hz * _SETTLE_SECONDS)
        timer = Signal(range(cycles + 1))
        stable = Signal()
        m.d.settle += [timer.eq(0), stable.eq(0)]
        with m.If(locked & (timer == cycles)):
            m.d.settle += [timer.eq(timer), stable.eq(1)]
        with m.Elif(locked):
            m.d.settle += timer.eq(timer + 1)
        m.d.comb += ResetSignal("sync").eq(~stable)
        return m
