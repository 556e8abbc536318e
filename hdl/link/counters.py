"""Counts events of many kinds, in one memory."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import enum, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

__all__ = ["COUNTER_BITS", "Counters", "counters_port"]

COUNTER_BITS = 32


def counters_port(kinds: int) -> wiring.Signature:
    """Read access to :class:`Counters`, from the reader's side.

    ``hold`` : Out(1)
        Stop counting, in order to read a counter as a whole. Takes effect within three cycles.
    ``settled`` : In(1)
        The counters stand still.
    ``index`` : Out(range(kinds)), ``half`` : Out(1), ``word`` : In(COUNTER_BITS // 2)
        Read half a counter, 0 the low and 1 the high half; latency one cycle, while ``settled``.
    """
    return wiring.Signature(
        {
            "hold": Out(1),
            "settled": In(1),
            "index": Out((kinds - 1).bit_length()),
            "half": Out(1),
            "word": In(COUNTER_BITS // 2),
        }
    )


class State(enum.Enum, shape=2):
    """What is done with a counter."""

    CHOOSE = 0
    """Read the low half of the next counter to be incremented, or what a reader asks for."""
    ADD = 1
    """Write one half back; go on with the high half on overflow."""
    CLEAR = 2


class Counters(wiring.Component):
    """Count events, modulo 2**COUNTER_BITS.

    An event sets a flag of its kind. The flags are served lowest number first: the low half of the
    counter is read and written back, and on overflow the high half, too, in 2 or 3 cycles. No event
    is lost if two events of one kind are at least ``3 * kinds`` cycles apart, not counting cycles
    in which ``hold`` or ``clear`` stops the counting.

    Parameters
    ----------
    kinds : int
        Number of counters, at least 2.

    Members
    -------
    events : In(kinds)
        One bit for each kind of event, high for one cycle per event.
    clear : In(1)
        Set all counters to zero, which takes two cycles per kind. Events in these cycles may or may
        not be counted.
    read : In(counters_port)
        Read access.
    busy : Out(1)
        An event waits to be counted, or the counters are being cleared.
    """

    def __init__(self, kinds: int):
        self._kinds = kinds
        super().__init__(
            {
                "events": In(kinds),
                "clear": In(1),
                "read": In(counters_port(kinds)),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        word_bits = COUNTER_BITS // 2
        state = Signal(State)
        pending = Signal(self._kinds)
        served = Signal(self._kinds)
        m.d.sync += pending.eq((pending & ~served) | self.events)

        chosen = Signal.like(self.read.index)
        first = Signal.like(self.read.index)
        for number in reversed(range(self._kinds)):
            with m.If(pending[number]):
                m.d.comb += first.eq(number)

        m.submodules.words = words = Memory(shape=word_bits, depth=2 << len(chosen), init=[])
        w_port, r_port = words.write_port(), words.read_port()
        half = Signal()
        incremented = Signal(word_bits + 1)
        m.d.comb += [
            incremented.eq(r_port.data + 1),
            self.read.word.eq(r_port.data),
            self.read.settled.eq((state == State.CHOOSE) & self.read.hold),
            self.busy.eq((pending != 0) | (state != State.CHOOSE)),
            w_port.addr.eq(Cat(half, chosen)),
            w_port.data.eq(incremented),
        ]
        with m.Switch(state):
            with m.Case(State.CHOOSE):
                m.d.comb += r_port.addr.eq(Cat(0, first))
                m.d.sync += [chosen.eq(first), half.eq(0)]
                with m.If(self.clear):
                    m.d.sync += [chosen.eq(0), state.eq(State.CLEAR)]
                with m.Elif(self.read.hold):
                    m.d.comb += r_port.addr.eq(Cat(self.read.half, self.read.index))
                with m.Elif(pending != 0):
                    m.d.comb += served.eq(1 << first)
                    m.d.sync += state.eq(State.ADD)
            with m.Case(State.ADD):
                m.d.comb += [w_port.en.eq(1), r_port.addr.eq(Cat(1, chosen))]
                m.d.sync += half.eq(1)
                with m.If(half | ~incremented[word_bits]):
                    m.d.sync += state.eq(State.CHOOSE)
            with m.Case(State.CLEAR):
                m.d.comb += [w_port.en.eq(1), w_port.data.eq(0)]
                m.d.sync += Cat(half, chosen).eq(Cat(half, chosen) + 1)
                with m.If(half & (chosen == self._kinds - 1)):
                    m.d.sync += state.eq(State.CHOOSE)
            with m.Default():
                # An unused code, after an upset: recover as after power-on.
                m.d.sync += state.eq(State.CHOOSE)
        return m
