"""Rate: the line's speed, changed on request and taken back if nobody follows."""

from __future__ import annotations

from amaranth.hdl import Const, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.link.uart import CYCLES_BITS

__all__ = ["RateControl"]


class RateControl(wiring.Component):
    """Change the rate when the line is at rest; go back to the one before if no frame proves
    that the host has followed.

    A rate that nobody has set, for a flip-flop has changed by itself, is at once replaced by that
    after power-on.

    It goes back in the tick in which the trial ends, whatever is being sent then: nobody has
    followed, so nobody hears it.

    Parameters
    ----------
    divisor : int
        Clock cycles per bit after power-on.
    trial : int
        Ticks in which a whole frame has to come.

    Members
    -------
    changes : In(stream.Signature(CYCLES_BITS))
        New clock cycles per bit: taken when the line is at rest.
    at_rest : In(1)
        Nothing is being sent: ``changes`` waits for that.
    proved : In(1)
        A frame has come, whole and undamaged.
    tick : In(1)
        The measure of time for ``trial``.
    cycles : Out(CYCLES_BITS, init=divisor)
        Clock cycles per bit.
    busy : Out(1)
        A new rate is on trial.
    """

    def __init__(self, divisor: int, trial: int):
        self._divisor = divisor
        self._trial = trial
        super().__init__(
            {
                "changes": In(stream.Signature(CYCLES_BITS)),
                "at_rest": In(1),
                "proved": In(1),
                "tick": In(1),
                "cycles": Out(CYCLES_BITS, init=divisor),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        # One bit that changes by itself would leave a rate at which nobody ever talks: each rate
        # has its parity with it.
        built = Const(self._divisor, CYCLES_BITS)
        odd = Signal(init=self._divisor.bit_count() & 1)
        before_odd = Signal(init=self._divisor.bit_count() & 1)
        before = Signal(CYCLES_BITS, init=self._divisor)
        left = Signal(range(self._trial + 1))
        m.d.comb += [
            self.busy.eq(left != 0),
            self.changes.ready.eq(self.at_rest),
        ]

        def take(cycles):
            return [self.cycles.eq(cycles), odd.eq(cycles.xor())]

        with m.If(self.cycles.xor() != odd):
            m.d.sync += [*take(built), left.eq(0)]
        with m.Elif(self.changes.valid & self.at_rest):
            m.d.sync += [*take(self.changes.payload), left.eq(self._trial)]
        with m.Elif(self.proved):
            m.d.sync += left.eq(0)
        with m.Elif(self.tick & self.busy):
            m.d.sync += left.eq(left - 1)
            with m.If(left == 1):
                m.d.sync += take(Mux(before.xor() == before_odd, before, built))
        with m.If(~self.busy):
            m.d.sync += [before.eq(self.cycles), before_odd.eq(odd)]
        return m
