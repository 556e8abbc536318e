"""Frame stack: the nodes above the present one."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Shape, ShapeLike, Signal, Value
from amaranth.lib import enum, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

__all__ = ["FrameStack"]


class _State(enum.Enum, shape=2):
    """What the stack does in a cycle."""

    IDLE = 0
    """``top`` is valid."""
    STORE = 1
    """Write ``top``."""
    FETCH = 2
    """Read the frame below the one that was taken."""


class FrameStack(wiring.Component):
    """Keeps frames, of which the last one that was stored is the first one that is taken.

    ``top`` is a register with the last frame, which memory has, too. A frame that is stored comes
    from there, and one that is taken has been there, so that neither is waited for unless one
    directly follows another. The register is turned by one word per cycle::

        frame ──► top ──► lowest word ──► memory ──► highest word of top

    Parameters
    ----------
    layout : ShapeLike
        A frame.
    depth : int
        The most frames.
    word_bits : int
        Width of the memory.

    Members
    -------
    push : In(1), frame : In(layout)
        Store a frame. Only when not ``busy``, and not in the cycle after a ``pop``.
    pop : In(1), top : Out(layout)
        Take a frame. It is on ``top`` in the next cycle in which the stack is not ``busy``, and in
        that cycle alone. Not twice before that cycle; also while ``busy``.
    busy : Out(1)
        For one cycle per word after ``push``; after a frame was taken, for one more than that.
    """

    def __init__(self, layout: ShapeLike, depth: int, *, word_bits: int = 16):
        self._layout = layout
        self._depth = depth
        self._word_bits = word_bits
        super().__init__(
            {
                "push": In(1),
                "frame": In(layout),
                "pop": In(1),
                "top": Out(layout),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        bits = Shape.cast(self._layout).width
        word_bits = min(self._word_bits, bits)
        words = -(-bits // word_bits)
        # A frame has a power of two of rows: its number and the word's are the address.
        number_bits, count_bits = ceil_log2(self._depth), ceil_log2(words)
        memory = Memory(shape=word_bits, depth=1 << (number_bits + count_bits), init=[])
        m.submodules.memory = memory
        write, read = memory.write_port(), memory.read_port()

        state = Signal(_State)
        top = Signal(words * word_bits, reset_less=True)
        # The number of the frame in ``top``; all ones for none, as frames are numbered modulo
        # their most.
        number = Signal(number_bits, init=-1)
        # The next word to be written or read. ``arrives``: a word was read one cycle ago.
        count = Signal(range(words + 1))
        arrives = Signal()
        # A frame is to be taken.
        owed = Signal()

        lowest = top[:word_bits]
        load = Signal()
        shift = Signal()
        into = Signal(word_bits)
        address = Cat(count[:count_bits], number)
        m.d.comb += [
            Value.cast(self.top).eq(top),
            self.busy.eq(state != _State.IDLE),
            write.addr.eq(address),
            write.data.eq(lowest),
            read.addr.eq(address),
            read.en.eq(1),
            into.eq(read.data),
        ]
        with m.If(load | shift):
            m.d.sync += top.eq(Mux(load, Value.cast(self.frame), Cat(top[word_bits:], into)))
        with m.If(self.pop):
            m.d.sync += owed.eq(1)
        with m.Switch(state):
            with m.Case(_State.IDLE):
                m.d.sync += [count.eq(0), arrives.eq(0)]
                m.d.comb += load.eq(self.push)
                with m.If(self.push):
                    m.d.sync += [number.eq(number + 1), state.eq(_State.STORE)]
                with m.Elif(owed):
                    m.d.sync += [number.eq(number - 1), owed.eq(0), state.eq(_State.FETCH)]
            with m.Case(_State.STORE):
                m.d.comb += [write.en.eq(1), shift.eq(1), into.eq(lowest)]
                m.d.sync += count.eq(count + 1)
                with m.If(count == words - 1):
                    m.d.sync += state.eq(_State.IDLE)
            with m.Case(_State.FETCH):
                m.d.comb += shift.eq(arrives)
                m.d.sync += [count.eq(count + 1), arrives.eq(1)]
                with m.If(count == words):
                    m.d.sync += state.eq(_State.IDLE)
            with m.Default():
                # Not the code of a state: go on as after power-on.
                m.d.sync += state.eq(_State.IDLE)
        return m
