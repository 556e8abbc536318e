"""A component's streams in a cocotb bench: start it, send words, receive words.

Everything happens at falling edges of the clock, and values are read once they have settled: so a
bench sees the same on every simulator.
"""

from __future__ import annotations

import random
from typing import Any

from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from loopline.sim.benches.settings import CLOCK_HZ
from loopline.sim.probe.packing import Packing

__all__ = ["StreamDriver", "StreamMonitor", "start"]

_DEFINED = str.maketrans("XZUW-", "00000")


async def start(dut: Any) -> None:
    """Start the design's clock and reset it, with all ``valid`` and ``ready`` inputs at 0."""
    dut.rst.value = 1
    Clock(dut.clk, 2 * round(10**12 / CLOCK_HZ / 2), "ps").start()
    for _ in range(2):
        await FallingEdge(dut.clk)
    dut.rst.value = 0


class _Stream:
    """One end of a stream of the design.

    Parameters
    ----------
    dut : cocotb handle
    name : str
        The stream's name among the design's ports.
    layout : ShapeLike
        Of its payload.
    pause : float
        The probability of a cycle in which this end is not ready, or offers no word.
    """

    _driven: str

    def __init__(self, dut: Any, name: str, layout: Any, *, pause: float = 0.0) -> None:
        self._clk = dut.clk
        self._valid = getattr(dut, f"{name}__valid")
        self._ready = getattr(dut, f"{name}__ready")
        self._payload = getattr(dut, f"{name}__payload")
        self._packing = Packing(layout)
        self._pause = pause
        getattr(dut, f"{name}__{self._driven}").value = 0


class StreamDriver(_Stream):
    """Send words on an input stream of the design."""

    _driven = "valid"

    async def send(self, **fields: int) -> None:
        """Send the word with these fields, the others 0; return when it has been taken."""
        while random.random() < self._pause:
            await FallingEdge(self._clk)
        self._payload.value = self._packing.pack(**fields)
        self._valid.value = 1
        taken = False
        while not taken:
            await ReadOnly()
            taken = self._ready.value == 1
            await FallingEdge(self._clk)
        self._valid.value = 0


class StreamMonitor(_Stream):
    """Receive words of an output stream of the design, and check that it keeps to the contract.

    A word on offer stays on offer, and the same, until it is taken.
    """

    _driven = "ready"

    async def receive(self, most: int = 100_000) -> Any:
        """Return the next word's fields; raise ``TimeoutError`` if it takes ``most`` cycles."""
        offered = None
        for _ in range(most):
            ready = random.random() >= self._pause
            self._ready.value = int(ready)
            await ReadOnly()
            word = str(self._payload.value) if self._valid.value == 1 else None
            assert offered in (None, word), f"{offered} was on offer, now {word}"
            offered = word
            await FallingEdge(self._clk)
            if ready and word is not None:
                self._ready.value = 0
                # Fields that do not belong to this word may be undefined.
                return self._packing.unpack(int(word.translate(_DEFINED), 2))
        raise TimeoutError(f"no word after {most} cycles")
