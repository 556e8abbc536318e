"""Changes the serial line's rate, and restores the old one if the host does not follow."""

from __future__ import annotations

from amaranth.hdl import Const, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.rate import CYCLES_BITS

__all__ = ["RateControl"]


class RateControl(wiring.Component):
    """Change the rate while nothing is being sent, and put it on trial.

    A whole frame at the new rate shows that the host has followed, and ends the trial. If none
    comes in time, the rate before is restored, even if a byte is being sent in that tick: the host
    does not listen at this rate.

    Each rate is stored with its parity. A rate with a wrong parity, after an upset of a flip-flop,
    is replaced by the power-on rate in the next cycle.

    Parameters
    ----------
    divisor : int
        Clock cycles per bit after power-on.
    trial : int
        Ticks within which a whole frame has to come.

    Members
    -------
    changes : In(stream.Signature(CYCLES_BITS))
        New clock cycles per bit; taken when ``at_rest``.
    at_rest : In(1)
        Nothing is being sent.
    confirmed : In(1)
        A whole and undamaged frame has come.
    tick : In(1)
        The unit of time for ``trial``.
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
                "confirmed": In(1),
                "tick": In(1),
                "cycles": Out(CYCLES_BITS, init=divisor),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        power_on = Const(self._divisor, CYCLES_BITS)
        odd = Signal(init=self._divisor.bit_count() & 1)
        before_odd = Signal(init=self._divisor.bit_count() & 1)
        before = Signal(CYCLES_BITS, init=self._divisor)
        left = Signal(range(self._trial + 1))
        m.d.comb += [
            self.busy.eq(left != 0),
            self.changes.ready.eq(self.at_rest),
        ]

        def set_rate(cycles):
            return [self.cycles.eq(cycles), odd.eq(cycles.xor())]

        with m.If(self.cycles.xor() != odd):
            m.d.sync += [*set_rate(power_on), left.eq(0)]
        with m.Elif(self.changes.valid & self.at_rest):
            m.d.sync += [*set_rate(self.changes.payload), left.eq(self._trial)]
        with m.Elif(self.confirmed):
            m.d.sync += left.eq(0)
        with m.Elif(self.tick & self.busy):
            m.d.sync += left.eq(left - 1)
            with m.If(left == 1):
                m.d.sync += set_rate(Mux(before.xor() == before_odd, before, power_on))
        with m.If(~self.busy):
            m.d.sync += [before.eq(self.cycles), before_odd.eq(odd)]
        return m
