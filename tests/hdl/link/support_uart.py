"""A UART's two pins in a simulation: lines driven in real time, and recorded cycle by cycle."""

from __future__ import annotations

from collections.abc import Iterable

from amaranth.sim import Simulator

__all__ = ["PERIOD", "PinRecorder", "decode", "drive", "frame"]

PERIOD = 1e-6
"""The clock period of :func:`tests.hdl.support.simulate`, in simulated seconds."""


def frame(byte: int, cycles: float, *, stop: int = 1) -> list[tuple[int, float]]:
    """A byte as levels and how long each is held: start bit, data, stop bit."""
    levels = [0, *(byte >> bit & 1 for bit in range(8)), stop]
    return [(level, cycles) for level in levels]


async def drive(ctx, pin, levels: Iterable[tuple[int, float]]) -> None:
    """Put levels on a pin, each for so many cycles: any fraction, in step with no clock."""
    for level, cycles in levels:
        ctx.set(pin, level)
        await ctx.delay(cycles * PERIOD)


class PinRecorder:
    """Record the level of an output in every cycle; pass it to ``simulate(check=...)``."""

    def __init__(self, pin):
        self._pin = pin
        self.levels: list[int] = []

    def attach(self, simulator: Simulator) -> None:
        """Watch the pin from the beginning of the simulation to its end."""
        simulator.add_testbench(self._watch, background=True)

    async def _watch(self, ctx):
        async for _, _, level in ctx.tick().sample(self._pin):
            self.levels.append(level)


def decode(levels: list[int], divisor: int) -> list[tuple[int, int]]:
    """The bytes on a recorded line, each with the cycle in which its start bit begins.

    Every cycle is looked at: a bit that changes before its time is an ``AssertionError``, as is a
    byte without a stop bit or one that the recording cuts off.
    """
    found = []
    cycle = 0
    while cycle < len(levels):
        if levels[cycle]:
            cycle += 1
            continue
        held = [levels[cycle + bit * divisor : cycle + (bit + 1) * divisor] for bit in range(10)]
        assert all(len(bit) == divisor for bit in held), f"line cut off in cycle {cycle}"
        assert all(len(set(bit)) == 1 for bit in held), f"uneven bit after cycle {cycle}: {held}"
        bits = [bit[0] for bit in held]
        assert bits[9] == 1, f"no stop bit after cycle {cycle}"
        found.append((cycle, sum(bit << n for n, bit in enumerate(bits[1:9]))))
        cycle += 10 * divisor
    return found
