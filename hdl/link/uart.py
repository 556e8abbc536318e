"""UART: bytes to and from a pair of pins, eight data bits, no parity, one stop bit.

::

          ┌──────────────────── Uart ───────────────────┐
    rx ──►│ synchroniser ─► UartReceiver ─► received    │──► bytes
    tx ◄──│ ◄────────────── UartTransmitter ◄─ sending  │◄── bytes
          └─────────────────────────────────────────────┘
"""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import enum, stream, wiring
from amaranth.lib.cdc import FFSynchronizer
from amaranth.lib.wiring import In, Out, connect, flipped

__all__ = [
    "CYCLES_BITS",
    "MAX_RATE_ERROR",
    "Uart",
    "UartReceiver",
    "UartTransmitter",
    "bit_cycles",
]

CYCLES_BITS = 16
"""Width of a number of clock cycles per bit that can be changed."""

MAX_RATE_ERROR = 0.02
"""How far the rate that the clock can make may be from the one asked for."""

_MIN_CYCLES = 8


def bit_cycles(clock_hz: int, baud: int) -> int:
    """Clock cycles per bit: the nearest integer.

    Raises
    ------
    ValueError
        The clock has fewer than eight cycles per bit, or no integer comes within 2 % of the rate.
    """
    if clock_hz <= 0 or baud <= 0:
        raise ValueError(f"clock and baud rate must be positive, not {clock_hz!r} and {baud!r}")
    cycles = (2 * clock_hz + baud) // (2 * baud)
    if cycles < _MIN_CYCLES:
        raise ValueError(
            f"{baud} baud needs a clock of at least {_MIN_CYCLES * baud} Hz, "
            f"not {clock_hz} Hz: {_MIN_CYCLES} cycles per bit"
        )
    error = clock_hz / (cycles * baud) - 1
    if abs(error) > MAX_RATE_ERROR:
        raise ValueError(
            f"a clock of {clock_hz} Hz makes {clock_hz / cycles:.0f} baud of {baud}: "
            f"{error:+.1%}, and at most {MAX_RATE_ERROR:.0%} is accepted"
        )
    return cycles


def _check_divisor(divisor: int) -> int:
    if not isinstance(divisor, int) or divisor < _MIN_CYCLES:
        raise ValueError(
            f"divisor must be an integer of at least {_MIN_CYCLES} cycles per bit, not {divisor!r}"
        )
    return divisor


def _cycles(divisor: int) -> In:
    """The input by which the rate can be changed; one that nothing drives is a constant."""
    return In(max(CYCLES_BITS, divisor.bit_length()), init=divisor)


class UartTransmitter(wiring.Component):
    """Send bytes.

    A byte takes ten bit times, and there is no gap between one and the next. The start bit begins
    in the cycle after the transfer.

    Parameters
    ----------
    divisor : int
        Clock cycles per bit, at least 8.

    Members
    -------
    bytes : In(stream.Signature(8))
        What to send. ``ready`` from the last cycle of a stop bit on.
    tx : Out(1, init=1)
        The pin, a flip-flop's output.
    cycles : In(16, init=divisor)
        Clock cycles per bit, where they are not always ``divisor``. Of a byte that is being sent
        when they change, the present bit keeps its length.
    busy : Out(1)
        High from the cycle in which a byte is offered to the last but one of its stop bit.
    """

    def __init__(self, divisor: int):
        self._divisor = _check_divisor(divisor)
        super().__init__(
            {
                "bytes": In(stream.Signature(8)),
                "tx": Out(1, init=1),
                "cycles": _cycles(self._divisor),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()

        # The highest one is the stop bit: once it is at the pin, nothing is left to shift.
        frame = Signal(10, init=1)
        timer = Signal.like(self.cycles, init=0)
        m.d.comb += self.tx.eq(frame[0])
        m.d.comb += self.bytes.ready.eq((timer == 0) & (frame[1:] == 0))
        m.d.comb += self.busy.eq(self.bytes.valid | ~self.bytes.ready)

        with m.If(timer != 0):
            m.d.sync += timer.eq(timer - 1)
        with m.Elif(~self.bytes.ready):
            m.d.sync += [frame.eq(frame >> 1), timer.eq(self.cycles - 1)]
        with m.Elif(self.bytes.valid):
            m.d.sync += frame.eq(Cat(Const(0, 1), self.bytes.payload, Const(1, 1)))
            m.d.sync += timer.eq(self.cycles - 1)

        return m


class UartReceiver(wiring.Component):
    """Receive bytes.

    Each bit is the majority of three samples around its middle, a sixteenth of a bit apart. A start
    bit that is not low there was a glitch and is forgotten. A byte is given out when its stop bit
    has been judged, well before its end, so that a sender may be faster or slower than the receiver
    by 2 %, and by 3 % from 16 cycles per bit on. A byte without a stop bit, a break among them, is
    dropped, and the next start bit is looked for when the line is high again.

    Parameters
    ----------
    divisor : int
        Clock cycles per bit, at least 8.

    Members
    -------
    rx : In(1, init=1)
        The line, in step with the clock.
    cycles : In(16, init=divisor)
        Clock cycles per bit, where they are not always ``divisor``. A byte that is being received
        when they change may be lost or wrong; its bits have the new length from then on.
    bytes : Out(stream.Signature(8))
        What was received.
    damaged : Out(1)
        Pulses for one cycle when a byte was dropped because it had no stop bit.
    overflow : Out(1)
        Pulses for one cycle when a byte was dropped because the one before was not taken yet.
    """

    def __init__(self, divisor: int):
        self._divisor = _check_divisor(divisor)
        super().__init__(
            {
                "rx": In(1, init=1),
                "cycles": _cycles(self._divisor),
                "bytes": Out(stream.Signature(8)),
                "damaged": Out(1),
                "overflow": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()

        # When to sample, in registers since the rate changes rarely. The start bit is seen half a
        # cycle late on average, hence the middle a cycle early.
        width = len(self.cycles)
        middle, apart = (self._divisor - 1) >> 1, max(1, self._divisor >> 4)
        first_sample = Signal(width, init=middle - apart)
        second_sample = Signal(width, init=middle)
        third_sample = Signal(width, init=middle + apart)
        middle, apart = (self.cycles - 1) >> 1, Mux(self.cycles < 32, 1, self.cycles >> 4)
        m.d.sync += [
            first_sample.eq(middle - apart),
            second_sample.eq(middle),
            third_sample.eq(middle + apart),
        ]
        timer = Signal.like(self.cycles, init=0)
        first = Signal()
        second = Signal()
        bit = Signal()
        judge = Signal()
        m.d.sync += timer.eq(timer + 1)
        with m.If(timer >= (self.cycles - 1)[: len(self.cycles)]):
            m.d.sync += timer.eq(0)
        with m.If(timer == first_sample):
            m.d.sync += first.eq(self.rx)
        with m.If(timer == second_sample):
            m.d.sync += second.eq(self.rx)
        m.d.comb += [
            judge.eq(timer == third_sample),
            bit.eq((first & second) | (first & self.rx) | (second & self.rx)),
        ]

        m.d.sync += [self.damaged.eq(0), self.overflow.eq(0)]
        with m.If(self.bytes.ready):
            m.d.sync += self.bytes.valid.eq(0)

        # A one goes ahead of the data: it falls out with the last bit.
        shift = Signal(8)

        class State(enum.Enum, shape=3):
            IDLE = 0
            START = 1
            DATA = 2
            STOP = 3
            LOW = 4

        state = Signal(State)
        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.sync += [timer.eq(1), shift.eq(0x80)]
                with m.If(~self.rx):
                    m.d.sync += state.eq(State.START)
            with m.Case(State.START), m.If(judge):
                m.d.sync += state.eq(Mux(bit, State.IDLE, State.DATA))
            with m.Case(State.DATA), m.If(judge):
                m.d.sync += shift.eq(Cat(shift[1:], bit))
                with m.If(shift[0]):
                    m.d.sync += state.eq(State.STOP)
            with m.Case(State.STOP), m.If(judge):
                m.d.sync += state.eq(State.IDLE)
                with m.If(~bit):
                    m.d.sync += self.damaged.eq(1)
                    m.d.sync += state.eq(State.LOW)
                with m.Elif(self.bytes.valid & ~self.bytes.ready):
                    m.d.sync += self.overflow.eq(1)
                with m.Else():
                    m.d.sync += [self.bytes.payload.eq(shift), self.bytes.valid.eq(1)]
            with m.Case(State.LOW), m.If(self.rx):
                m.d.sync += state.eq(State.IDLE)
            with m.Default():
                # No code of a state: as after power-on.
                m.d.sync += state.eq(State.IDLE)

        return m


class Uart(wiring.Component):
    """Both directions at one rate, behind pins that know nothing of the clock.

    Parameters
    ----------
    divisor : int
        Clock cycles per bit, at least 8; see :func:`bit_cycles`.

    Members
    -------
    rx : In(1, init=1)
        The pin; two flip-flops bring it into step with the clock.
    tx : Out(1, init=1)
        The pin.
    received : Out(stream.Signature(8))
        Bytes from ``rx``, lost when they are not taken within a byte's time.
    sending : In(stream.Signature(8))
        Bytes to ``tx``.
    cycles : In(16, init=divisor)
        Clock cycles per bit, where they are not always ``divisor``: as of the two parts.
    damaged, overflow : Out(1)
        As of :class:`UartReceiver`.
    busy : Out(1)
        As of :class:`UartTransmitter`.
    """

    def __init__(self, divisor: int):
        self._divisor = _check_divisor(divisor)
        super().__init__(
            {
                "rx": In(1, init=1),
                "tx": Out(1, init=1),
                "cycles": _cycles(self._divisor),
                "received": Out(stream.Signature(8)),
                "sending": In(stream.Signature(8)),
                "damaged": Out(1),
                "overflow": Out(1),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.receiver = receiver = UartReceiver(self._divisor)
        m.submodules.transmitter = transmitter = UartTransmitter(self._divisor)
        m.submodules.synchroniser = FFSynchronizer(self.rx, receiver.rx, init=1)

        connect(m, receiver.bytes, flipped(self.received))
        connect(m, flipped(self.sending), transmitter.bytes)
        m.d.comb += [
            transmitter.cycles.eq(self.cycles),
            receiver.cycles.eq(self.cycles),
            self.tx.eq(transmitter.tx),
            self.damaged.eq(receiver.damaged),
            self.overflow.eq(receiver.overflow),
            self.busy.eq(transmitter.busy),
        ]
        return m
