"""A design's pins in a cocotb bench: clock, serial line and status, by edges and times only."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.queue import Queue
from cocotb.triggers import FallingEdge, Timer, with_timeout

from loopline.sim.benches.settings import BAUD, CLOCK_HZ

__all__ = ["Pins", "power_on"]

_SECOND = 10**12  # in picoseconds, the simulation's precision


class Pins:
    """Send and receive bytes on ``rx`` and ``tx`` of a design, 8N1, at the true bit timing.

    A character without a stop bit is no byte; where it comes, :meth:`receive` fails.

    Members
    -------
    dut : cocotb handle
    clock, baud : int
    """

    def __init__(self, dut: Any, clock: int, baud: int) -> None:
        self.dut = dut
        self.clock = clock
        self.baud = baud
        self._bit = round(_SECOND / baud)
        self._bytes: Queue[int | None] = Queue()

    async def send(self, data: bytes, *, gap: float = 0) -> None:
        """Send bytes; ``gap`` is the pause after each character, in bits."""
        for byte in data:
            for level in (0, *(byte >> bit & 1 for bit in range(8)), 1):
                self.dut.rx.value = level
                await Timer(self._bit, "ps")
            if gap:
                await Timer(round(gap * self._bit), "ps")

    async def receive(self, seconds: float = 1.0) -> int:
        """Return the design's next byte. Raises ``TimeoutError`` if none comes in this time."""
        byte = await with_timeout(self._bytes.get(), round(seconds * _SECOND), "ps")
        assert byte is not None, "a character without a stop bit"
        return byte

    async def line(self, seconds: float = 1.0) -> bytes:
        """Return the design's next line without its LF; each byte may take ``seconds``."""
        data = bytearray()
        while (byte := await self.receive(seconds)) != ord("\n"):
            data.append(byte)
        return bytes(data)

    async def silence(self, seconds: float) -> None:
        """Wait, and check that the design sends nothing."""
        await Timer(round(seconds * _SECOND), "ps")
        if not self._bytes.empty():
            byte = await self.receive()
            raise AssertionError(f"unexpected byte {byte:#04x}")

    async def wait_bits(self, bits: float) -> None:
        """Wait for some bit times of the serial line."""
        await Timer(round(bits * self._bit), "ps")

    async def _listen(self) -> None:
        while True:
            await FallingEdge(self.dut.tx)
            await Timer(self._bit // 2, "ps")
            byte = 0
            for bit in range(8):
                await Timer(self._bit, "ps")
                byte |= int(self.dut.tx.value) << bit
            await Timer(self._bit, "ps")
            self._bytes.put_nowait(byte if self.dut.tx.value == 1 else None)


async def power_on(dut: Any) -> Pins:
    """Start a design's clock, reset it if it has a reset pin, and listen to its line, at the clock
    and the rate of the settings."""
    pins = Pins(dut, CLOCK_HZ, BAUD)
    has_reset = hasattr(dut, "rst")
    if has_reset:
        dut.rst.value = 1
    dut.rx.value = 1
    for name in ("seed", "move_now"):
        if hasattr(dut, name):
            getattr(dut, name).value = 0
    period = round(_SECOND / CLOCK_HZ / 2) * 2
    Clock(dut.clk, period, "ps").start()
    await Timer(4 * period, "ps")
    if has_reset:
        dut.rst.value = 0
    cocotb.start_soon(pins._listen())
    await Timer(4 * period, "ps")
    return pins
