"""UART: sends and receives bytes: eight data bits, no parity, one stop bit.

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

from loopline.hdl.rate import CYCLES_BITS, MIN_CYCLES

__all__ = [
    "Uart",
    "UartReceiver",
    "UartTransmitter",
]


def _check_divisor(divisor: int) -> int:
    most = (1 << CYCLES_BITS) - 1
    if not isinstance(divisor, int) or not MIN_CYCLES <= divisor <= most:
        raise ValueError(
            f"divisor must be an integer from {MIN_CYCLES} to {most} cycles per bit, "
            f"not {divisor!r}"
        )
    return divisor


def _cycles(divisor: int) -> In:
    """Return the input that sets the rate; without a driver it is the constant ``divisor``."""
    return In(CYCLES_BITS, init=divisor)


class UartTransmitter(wiring.Component):
    """Send bytes.

    A byte takes ten bit times. Consecutive bytes follow without a gap. The start bit begins in the
    cycle after the transfer.

    Parameters
    ----------
    divisor : int
        Clock cycles per bit, at least 8.

    Members
    -------
    bytes : In(stream.Signature(8))
        Bytes to send. ``ready`` from the last cycle of a stop bit on.
    tx : Out(1, init=1)
        The pin, a flip-flop's output.
    cycles : In(16, init=divisor)
        Clock cycles per bit, if they are not always ``divisor``. A change in the middle of a byte
        applies from the next bit on.
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

        # The highest 1 is the stop bit. When it has reached the pin, the byte is complete.
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


class State(enum.Enum, shape=3):
    """What the receiver waits for."""

    IDLE = 0
    """A falling edge."""
    START = 1
    DATA = 2
    STOP = 3
    LOW = 4
    """A high level, after a byte without a stop bit."""


class UartReceiver(wiring.Component):
    """Receive bytes.

    Each bit is the majority of three samples around its middle, a sixteenth of a bit apart. A start
    bit that is not low there is a glitch and is ignored. A byte is offered when its stop bit has
    been sampled, well before its end: the sender may be 2 % faster or slower than the receiver, and
    3 % from 16 cycles per bit on. A byte without a stop bit, or a break, is dropped; the receiver
    then waits for a high level before it accepts the next start bit.

    Parameters
    ----------
    divisor : int
        Clock cycles per bit, at least 8.

    Members
    -------
    rx : In(1, init=1)
        The synchronised pin.
    cycles : In(16, init=divisor)
        Clock cycles per bit, if they are not always ``divisor``. A change in the middle of a byte
        applies at once; this byte may be lost or wrong.
    bytes : Out(stream.Signature(8))
        Received bytes.
    framing_error : Out(1)
        Pulses for one cycle when a byte without a stop bit is dropped.
    overrun : Out(1)
        Pulses for one cycle when a byte is dropped because the one before has not been taken.
    """

    def __init__(self, divisor: int):
        self._divisor = _check_divisor(divisor)
        super().__init__(
            {
                "rx": In(1, init=1),
                "cycles": _cycles(self._divisor),
                "bytes": Out(stream.Signature(8)),
                "framing_error": Out(1),
                "overrun": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()

        # The cycles of the three samples are kept in registers, which shortens the path: the rate
        # changes rarely. The start bit is seen half a cycle late on average, so the middle is
        # taken a cycle early.
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
        decide = Signal()
        m.d.sync += timer.eq(timer + 1)
        with m.If(timer >= (self.cycles - 1)[: len(self.cycles)]):
            m.d.sync += timer.eq(0)
        with m.If(timer == first_sample):
            m.d.sync += first.eq(self.rx)
        with m.If(timer == second_sample):
            m.d.sync += second.eq(self.rx)
        m.d.comb += [
            decide.eq(timer == third_sample),
            bit.eq((first & second) | (first & self.rx) | (second & self.rx)),
        ]

        m.d.sync += [self.framing_error.eq(0), self.overrun.eq(0)]
        with m.If(self.bytes.ready):
            m.d.sync += self.bytes.valid.eq(0)

        # A marker bit goes ahead of the data: it is shifted out by the last data bit.
        shift = Signal(8)
        state = Signal(State)
        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.sync += [timer.eq(1), shift.eq(0x80)]
                with m.If(~self.rx):
                    m.d.sync += state.eq(State.START)
            with m.Case(State.START), m.If(decide):
                m.d.sync += state.eq(Mux(bit, State.IDLE, State.DATA))
            with m.Case(State.DATA), m.If(decide):
                m.d.sync += shift.eq(Cat(shift[1:], bit))
                with m.If(shift[0]):
                    m.d.sync += state.eq(State.STOP)
            with m.Case(State.STOP), m.If(decide):
                m.d.sync += state.eq(State.IDLE)
                with m.If(~bit):
                    m.d.sync += self.framing_error.eq(1)
                    m.d.sync += state.eq(State.LOW)
                with m.Elif(self.bytes.valid & ~self.bytes.ready):
                    m.d.sync += self.overrun.eq(1)
                with m.Else():
                    m.d.sync += [self.bytes.payload.eq(shift), self.bytes.valid.eq(1)]
            with m.Case(State.LOW), m.If(self.rx):
                m.d.sync += state.eq(State.IDLE)
            with m.Default():
                # An unused code, after an upset: recover as after power-on.
                m.d.sync += state.eq(State.IDLE)

        return m


class Uart(wiring.Component):
    """Receiver and transmitter at one rate, with a synchroniser for the pin.

    Parameters
    ----------
    divisor : int
        Clock cycles per bit, at least 8; see :func:`bit_cycles`.

    Members
    -------
    rx : In(1, init=1)
        The pin, asynchronous; two flip-flops synchronise it.
    tx : Out(1, init=1)
        The pin.
    received : Out(stream.Signature(8))
        Bytes from ``rx``. A byte is lost if the one before has not been taken when it is complete.
    sending : In(stream.Signature(8))
        Bytes to ``tx``.
    cycles : In(16, init=divisor)
        Clock cycles per bit, if they are not always ``divisor``.
    framing_error, overrun : Out(1)
        As in :class:`UartReceiver`.
    busy : Out(1)
        As in :class:`UartTransmitter`.
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
                "framing_error": Out(1),
                "overrun": Out(1),
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
            self.framing_error.eq(receiver.framing_error),
            self.overrun.eq(receiver.overrun),
            self.busy.eq(transmitter.busy),
        ]
        return m
