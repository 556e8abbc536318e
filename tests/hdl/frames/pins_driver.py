"""Drives the whole design by its pins, compiled to native code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.fifo import SyncFIFOBuffered
from amaranth.lib.wiring import In, Out

from loopline.game.wire import ANSWERS, Command, Frame, command_frame, unpack_frame
from loopline.hdl.design import DesignConfig
from loopline.hdl.link import bit_cycles
from loopline.hdl.link.uart import UartReceiver
from loopline.hdl.top import Loopline
from loopline.sim.probe.probe import Probe

__all__ = ["FramesHost", "Pins", "PinsHarness"]

_FIFO = 1 << 14
_LONGEST = (1 << 24) - 1


class PinsHarness(wiring.Component):
    """A design with a driver of its ``rx`` and a receiver at its ``tx``.

    A command with ``send`` drives ten levels on ``rx``, the lowest bit first. Then the harness
    waits for ``wait`` cycles; with ``until``, only up to the next byte from ``tx``. The outcome is
    the next byte that was received, if there is one, and the design's status. A character without a
    stop bit takes the place of a byte, and is ``damaged``.
    """

    def __init__(self, config: DesignConfig):
        self.config = config
        self.divisor = bit_cycles(config.clock_hz, config.baud)
        command = data.StructLayout({"send": 1, "levels": 10, "wait": 24, "until": 1, "cycles": 16})
        outcome = data.StructLayout(
            {
                "got": 1,
                "byte": 8,
                "damaged": 1,
                "idle": 1,
                "thinking": 1,
                "over": 1,
                "error": 1,
                "errors": 8,
            }
        )
        super().__init__(
            {
                "commands": In(stream.Signature(command)),
                "outcomes": Out(stream.Signature(outcome)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.dut = dut = Loopline(self.config)
        m.submodules.receiver = receiver = UartReceiver(self.divisor)
        cycles = Signal(16, init=self.divisor)
        m.submodules.fifo = fifo = SyncFIFOBuffered(width=9, depth=_FIFO)
        m.d.comb += [
            receiver.rx.eq(dut.tx),
            receiver.cycles.eq(cycles),
            receiver.bytes.ready.eq(fifo.w_rdy),
            fifo.w_en.eq(receiver.bytes.valid | receiver.framing_error),
            fifo.w_data.eq(Cat(receiver.bytes.payload, receiver.framing_error)),
        ]

        class State(enum.Enum, shape=2):
            IDLE = 0
            SEND = 1
            WAIT = 2
            DONE = 3

        state = Signal(State)
        levels, left = Signal(10, init=1), Signal(range(11))
        timer, wait, until = Signal(16), Signal(24), Signal()
        outcome = self.outcomes.payload
        m.d.comb += [
            dut.rx.eq(levels[0] | (left == 0)),
            outcome.got.eq(fifo.r_rdy),
            Cat(outcome.byte, outcome.damaged).eq(fifo.r_data),
            outcome.idle.eq(dut.idle),
            outcome.thinking.eq(dut.thinking),
            outcome.over.eq(dut.over),
            outcome.error.eq(dut.error),
            outcome.errors.eq(dut.errors),
        ]
        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.comb += self.commands.ready.eq(1)
                m.d.sync += [
                    levels.eq(self.commands.payload.levels),
                    wait.eq(self.commands.payload.wait),
                    until.eq(self.commands.payload.until),
                    timer.eq(0),
                ]
                with m.If(self.commands.valid):
                    m.d.sync += cycles.eq(self.commands.payload.cycles)
                    m.d.sync += state.eq(State.WAIT)
                    with m.If(self.commands.payload.send):
                        m.d.sync += [left.eq(10), state.eq(State.SEND)]
            with m.Case(State.SEND):
                m.d.sync += timer.eq(timer + 1)
                with m.If(timer == cycles - 1):
                    m.d.sync += [timer.eq(0), levels.eq(levels >> 1), left.eq(left - 1)]
                    with m.If(left == 1):
                        m.d.sync += state.eq(State.WAIT)
            with m.Case(State.WAIT):
                m.d.sync += wait.eq(wait - 1)
                with m.If((wait == 0) | (until & fifo.r_rdy)):
                    m.d.sync += state.eq(State.DONE)
            with m.Case(State.DONE):
                m.d.comb += [self.outcomes.valid.eq(1), fifo.r_en.eq(self.outcomes.ready)]
                with m.If(self.outcomes.ready):
                    m.d.sync += state.eq(State.IDLE)
        return m


class FramesHost:
    """Send commands, and check that the answers belong to them.

    A subclass has ``send``, which takes bytes, and ``frame``, which returns the next frame.
    """

    sequence = 0

    def ask(self, command: Command, *, sequence: int | None = None, **values) -> int:
        """Send a command, and return its sequence number."""
        if sequence is None:
            sequence = self.sequence = (self.sequence + 1) % 128
        self.send(command_frame(sequence, command, **values))
        return sequence

    def answers(self, sequence: int, command: int) -> Iterator[tuple[str, dict]]:
        """Yield all answers to a command, each as its name and values."""
        while True:
            frame = self.frame()
            assert frame.sequence == sequence, frame
            assert frame.code in (0x80, 0x80 | command, 0xC0 | command, 0xE0 | command), frame
            yield ANSWERS[frame.code].name, ANSWERS[frame.code].unpack(frame.payload)
            if not frame.code & 0x40:
                return

    def do(self, command: Command, *, sequence: int | None = None, **values) -> dict:
        """Send a command, and return its only answer: the values, and as ``answer`` its name."""
        [(name, found)] = self.answers(self.ask(command, sequence=sequence, **values), command)
        return {"answer": name, **found}


class Pins(FramesHost):
    """A driver for the design as a host has it: bytes, lines and frames.

    Attributes
    ----------
    cycles : int
        Clock cycles per bit of this host.
    received : list of int or None
        Bytes from the design that no method has returned yet; ``None`` is a character without a
        stop bit, which only :meth:`discard` accepts.
    status : outcome
        The design's status at the end of the last command.
    largest : int
        The most columns and rows of a formation.
    """

    def __init__(self, config: DesignConfig):
        self.config = config
        self.largest = config.grid.limit
        self.probe = Probe(PinsHarness(config), limit=1 << 25)
        self.received: list[int | None] = []
        self.cycles = bit_cycles(config.clock_hz, config.baud)

    def restart(self) -> None:
        """Reset the design, and this host."""
        self.probe.reset()
        self.received.clear()
        self.sequence = 0
        self.cycles = bit_cycles(self.config.clock_hz, self.config.baud)

    def _do(self, **fields: int) -> bool:
        word = self.probe.call(self.probe.commands.pack(cycles=self.cycles, **fields))
        self.status = self.probe.outcomes.unpack(word)
        if self.status.got:
            self.received.append(None if self.status.damaged else self.status.byte)
        return bool(self.status.got)

    # Bytes.

    def send(self, octets: Iterable[int]) -> None:
        """Send bytes without a pause."""
        for octet in octets:
            self._do(send=1, levels=0x200 | octet << 1)

    def send_levels(self, levels: int) -> None:
        """Send ten levels, which need not be a byte."""
        self._do(send=1, levels=levels)

    def wait(self, cycles: int) -> None:
        """Wait for some cycles."""
        while cycles > 0:
            self._do(wait=min(cycles, _LONGEST))
            cycles -= _LONGEST

    def next_byte(self, cycles: int) -> int:
        """Return the next byte. Raises ``TimeoutError`` if none comes within ``cycles``."""
        if not self.received:
            self._do(wait=min(cycles, _LONGEST), until=1)
        if not self.received:
            raise TimeoutError(f"no byte within {cycles} cycles")
        octet = self.received.pop(0)
        assert octet is not None, "a character without a stop bit"
        return octet

    def peek(self, cycles: int) -> int:
        """Return the next byte without taking it."""
        octet = self.next_byte(cycles)
        self.received.insert(0, octet)
        return octet

    def is_silent(self, cycles: int = 3_000) -> bool:
        """Return whether no byte comes within ``cycles``."""
        return not self.received and not self._do(wait=cycles, until=1)

    def discard(self) -> None:
        """Discard bytes until the design is silent."""
        while not self.is_silent():
            self.received.clear()

    # Lines and frames.

    def line(self, cycles: int = 4_000_000) -> bytes:
        """Return the next line, without its LF."""
        found = bytearray()
        while (octet := self.next_byte(cycles)) != ord("\n"):
            assert octet < 0x80
            found.append(octet)
        return bytes(found)

    def frame(self, cycles: int = 4_000_000) -> Frame:
        """Return the next frame."""
        octet = self.next_byte(cycles)
        assert octet == 0xC0, f"{octet:#04x} where a frame should begin"
        found = bytearray()
        while (octet := self.next_byte(2_000)) != 0xC0:
            found.append(octet)
        return unpack_frame(bytes(found))

    def close(self) -> None:
        """Free the compiled design."""
        self.probe.close()
