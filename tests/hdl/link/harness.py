"""Drivers and monitors for the link's pins and pulses, for ``simulate(check=...)``."""

from __future__ import annotations

from collections.abc import Iterable

from amaranth.hdl import Elaboratable, Module, Signal
from amaranth.sim import Simulator

__all__ = ["PERIOD", "PinRecorder", "PulseCounter", "character", "decode", "drive", "text_levels"]

PERIOD = 1e-6
"""The clock period of :func:`tests.hdl.support.simulate`, in simulated seconds."""


def character(byte: int, cycles: float, *, stop: int = 1) -> list[tuple[int, float]]:
    """Return a byte as levels and the cycles of each: start bit, data, stop bit."""
    levels = [0, *(byte >> bit & 1 for bit in range(8)), stop]
    return [(level, cycles) for level in levels]


def text_levels(text: bytes, cycles: float) -> list[tuple[int, float]]:
    """Return the levels of several bytes without gaps."""
    return [level for byte in text for level in character(byte, cycles)]


async def drive(ctx, pin, levels: Iterable[tuple[int, float]]) -> None:
    """Drive levels on a pin, each for a number of cycles, which need not be whole."""
    for level, cycles in levels:
        ctx.set(pin, level)
        await ctx.delay(cycles * PERIOD)


class PinRecorder:
    """Record the level of an output in every cycle."""

    def __init__(self, pin):
        self._pin = pin
        self.levels: list[int] = []

    def attach(self, simulator: Simulator) -> None:
        """Watch the pin from the beginning of the simulation to its end."""
        simulator.add_testbench(self._watch, background=True)

    async def _watch(self, ctx):
        async for _, _, level in ctx.tick().sample(self._pin):
            self.levels.append(level)


class PulseCounter(Elaboratable):
    """Count the cycles in which each of some outputs of a component is high.

    The counters are a part of what is simulated: Python is only asked when one changes.
    """

    def __init__(self, dut, *names: str):
        self._outputs = [getattr(dut, name) for name in names]
        self._counters = [Signal(32, name=f"{name}_count") for name in names]
        self.counts = dict.fromkeys(names, 0)

    def elaborate(self, platform) -> Module:
        m = Module()
        for output, counter in zip(self._outputs, self._counters, strict=True):
            m.d.sync += counter.eq(counter + output)
        return m

    def attach(self, simulator: Simulator) -> None:
        """Watch the counters from the beginning of the simulation to its end."""
        simulator.add_testbench(self._watch, background=True)

    async def _watch(self, ctx):
        while True:
            self.counts = dict(zip(self.counts, await ctx.changed(*self._counters), strict=True))


def decode(levels: list[int], divisor: int) -> list[tuple[int, int]]:
    """Return the bytes on a recorded pin, each with the cycle in which its start bit begins.

    Raises ``AssertionError`` for a bit that changes before its time, and for a byte without a stop
    bit or cut off by the end of the recording.
    """
    found = []
    cycle = 0
    while cycle < len(levels):
        if levels[cycle]:
            cycle += 1
            continue
        held = [levels[cycle + bit * divisor : cycle + (bit + 1) * divisor] for bit in range(10)]
        assert all(len(bit) == divisor for bit in held), f"pin cut off in cycle {cycle}"
        assert all(len(set(bit)) == 1 for bit in held), f"uneven bit after cycle {cycle}: {held}"
        bits = [bit[0] for bit in held]
        assert bits[9] == 1, f"no stop bit after cycle {cycle}"
        found.append((cycle, sum(bit << n for n, bit in enumerate(bits[1:9]))))
        cycle += 10 * divisor
    return found
