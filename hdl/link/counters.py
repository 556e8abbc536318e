"""Counters: how often each of many things has happened, in one memory."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import enum, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

__all__ = ["COUNTER_BITS", "Counters"]

COUNTER_BITS = 32


class Counters(wiring.Component):
    """Count events, modulo 2**bits.

    An event is noted in a bit of its own and counted when its turn comes, lowest number first: the
    low half of its counter is read and written back, and the high half if the low one has come
    round: 2 cycles, or 3. So none is lost as long as two events of one kind are at least
    ``3 * kinds`` cycles apart, and the cycles in which ``hold`` or ``clear`` stops the work.

    Parameters
    ----------
    kinds : int
        How many counters, at least 2.
    bits : int
        Their width: even.

    Members
    -------
    events : In(kinds)
        One bit for each kind of event, high for a cycle each time.
    clear : In(1)
        Set all counters to zero, which takes two cycles for each kind; what happens then may be
        counted or not.
    hold : In(1)
        Let the counters stand still, to read them. They do from the third cycle on.
    index : In, half : In(1), word : Out(bits // 2)
        Read a counter's half, 0 the low and 1 the high one; latency one cycle, while ``settled``.
    settled : Out(1)
        The counters stand still.
    busy : Out(1)
        There is an event to be counted, or the counters are being cleared.
    """

    def __init__(self, kinds: int, bits: int = COUNTER_BITS):
        self._kinds = kinds
        self._word = bits // 2
        super().__init__(
            {
                "events": In(kinds),
                "clear": In(1),
                "hold": In(1),
                "index": In((kinds - 1).bit_length()),
                "half": In(1),
                "word": Out(self._word),
                "settled": Out(1),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()

        class State(enum.Enum, shape=2):
            CHOOSE = 0
            ADD = 1
            CLEAR = 2

        state = Signal(State)
        noted = Signal(self._kinds)
        counted = Signal(self._kinds)
        m.d.sync += noted.eq((noted & ~counted) | self.events)

        chosen = Signal.like(self.index)
        first = Signal.like(self.index)
        for number in reversed(range(self._kinds)):
            with m.If(noted[number]):
                m.d.comb += first.eq(number)

        m.submodules.words = words = Memory(shape=self._word, depth=2 << len(chosen), init=[])
        write, read = words.write_port(), words.read_port()
        half = Signal()
        more = Signal(self._word + 1)
        m.d.comb += [
            more.eq(read.data + 1),
            self.word.eq(read.data),
            self.settled.eq((state == State.CHOOSE) & self.hold),
            self.busy.eq((noted != 0) | (state != State.CHOOSE)),
            write.addr.eq(Cat(half, chosen)),
            write.data.eq(more),
        ]
        with m.Switch(state):
            with m.Case(State.CHOOSE):
                m.d.comb += read.addr.eq(Cat(0, first))
                m.d.sync += [chosen.eq(first), half.eq(0)]
                with m.If(self.clear):
                    m.d.sync += [chosen.eq(0), state.eq(State.CLEAR)]
                with m.Elif(self.hold):
                    m.d.comb += read.addr.eq(Cat(self.half, self.index))
                with m.Elif(noted != 0):
                    m.d.comb += counted.eq(1 << first)
                    m.d.sync += state.eq(State.ADD)
            with m.Case(State.ADD):
                m.d.comb += [write.en.eq(1), read.addr.eq(Cat(1, chosen))]
                m.d.sync += half.eq(1)
                with m.If(half | ~more[self._word]):
                    m.d.sync += state.eq(State.CHOOSE)
            with m.Case(State.CLEAR):
                m.d.comb += [write.en.eq(1), write.data.eq(0)]
                m.d.sync += Cat(half, chosen).eq(Cat(half, chosen) + 1)
                with m.If(half & (chosen == self._kinds - 1)):
                    m.d.sync += state.eq(State.CHOOSE)
            with m.Default():
                # No code of a state: as after power-on.
                m.d.sync += state.eq(State.CHOOSE)
        return m
