"""The whole design in Amaranth's simulator: contest lines at its pins, every signal recorded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from loopline.game import Variant
from loopline.hdl.config import GridConfig
from loopline.hdl.design import DesignConfig
from loopline.hdl.search.config import SearchConfig
from loopline.hdl.top import Loopline
from loopline.sim.waves.trace import Trace, record

__all__ = ["simulate_lines", "trace_config"]

_BIT = 8
"""Clock cycles of a bit on the line, the fewest that the link takes."""

_CHARACTER = 10 * _BIT


def trace_config(grid: GridConfig, variant: Variant) -> DesignConfig:
    """Return a design whose waveforms are short: 8 cycles for a bit, 500 for a search."""
    clock = 500_000
    search = SearchConfig(grid=grid, table_bits=6)
    return DesignConfig(clock, clock // _BIT, search, think_ms=1, variant=variant)


def simulate_lines(config: DesignConfig, lines: Sequence[str]) -> tuple[Trace, list[int], str]:
    """Send lines to a design of :func:`trace_config`, and wait until it is at rest.

    Returns the trace; the cycle in which the first bit of each line begins, and at the end the
    number of all cycles; and the characters that the design has sent.
    """
    design = Loopline(config)
    begun: list[int] = []

    async def host(ctx: Any) -> None:
        cycle = 0
        for line in lines:
            begun.append(cycle)
            for level in _levels(line + "\n"):
                ctx.set(design.rx, level)
                await ctx.tick().repeat(_BIT)
                cycle += _BIT
        # The design is busy before the end of the last character's stop bit.
        await ctx.tick().repeat(_CHARACTER)
        await ctx.tick().until(design.idle)
        await ctx.tick().repeat(_CHARACTER)

    trace = record(design, host)
    return trace, [*begun, trace.cycles], "".join(_sent(trace["tx"]))


def _levels(text: str) -> Iterator[int]:
    """The levels of characters on the line: start bit, data from the lowest bit on, stop bit."""
    for byte in text.encode():
        yield from (0, *(byte >> bit & 1 for bit in range(8)), 1)


def _sent(levels: Sequence[Any]) -> Iterator[str]:
    """The characters that the levels of ``tx``, cycle by cycle, stand for."""
    cycle = 0
    while 0 in levels[cycle:]:
        middle = levels.index(0, cycle) + _BIT // 2
        bits = [levels[middle + _BIT * number] for number in range(1, 9)]
        yield chr(sum(bit << number for number, bit in enumerate(bits)))
        cycle = middle + 9 * _BIT
