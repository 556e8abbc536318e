"""The assembled design in Amaranth's simulator: what its status outputs promise.

Whole games through the pins are the cocotb benches' (``tests/sim``).
"""

from __future__ import annotations

import pytest

from loopline.hdl.config import GridConfig
from loopline.hdl.design import DesignConfig
from loopline.hdl.search.config import SearchConfig
from loopline.hdl.top import Loopline
from tests.hdl.link.harness import PinRecorder, decode, drive, text_levels
from tests.hdl.support import simulate

DIVISOR = 8
CONFIG = DesignConfig(
    clock_hz=1_000_000,
    baud=1_000_000 // DIVISOR,
    search=SearchConfig(GridConfig(size=16, frontier_entries=64, journal=128), table_bits=6),
    think_ms=1,
)


@pytest.mark.slow
def test_idle_is_low_from_a_line_to_the_end_of_its_answer():
    """A simulated board stops its clock while ``idle`` is high: the answer must be out by then."""
    dut = Loopline(CONFIG)
    rx, tx, idle = pins = [PinRecorder(pin) for pin in (dut.rx, dut.tx, dut.idle)]

    async def host(ctx):
        await ctx.tick().repeat(20)
        assert all(idle.levels)
        for lines, wait, answered in (
            (b"nothing of ours\n", 200, False),
            (b"-W\n", 3_000, True),
            (b"-B\n@0/\n", 3_000, True),
            (b"-T\n", 600, True),
            (b"-T\n-W\n", 3_000, True),
        ):
            for pin in pins:
                pin.levels.clear()
            await drive(ctx, dut.rx, text_levels(lines, DIVISOR))
            await ctx.tick().repeat(wait)
            # From the middle of the last stop bit and what the receiver needs to notice it, to the
            # last cycle but one of the last stop bit.
            begin = end = decode(rx.levels, DIVISOR)[-1][0] + 10 * DIVISOR + 4
            said = decode(tx.levels, DIVISOR)
            assert bool(said) == answered
            if said:
                assert said[-1][1] == ord("\n")
                end = said[-1][0] + 10 * DIVISOR - 1
                assert begin < end
                assert not any(idle.levels[begin:end])
                end += 2
            assert len(idle.levels) > end
            assert all(idle.levels[end:])

    simulate(dut, host, check=pins)


def test_errors_are_counted_and_the_flag_ends_with_a_new_game():
    dut = Loopline(CONFIG)

    async def host(ctx):
        await ctx.tick().repeat(20)
        for line, error, errors in (
            (b"A1+\n", 1, 1),
            (b"noise\n", 1, 2),
            (b"-B\n", 0, 2),
            (b"B1+\n", 1, 3),
        ):
            await drive(ctx, dut.rx, text_levels(line, DIVISOR))
            await ctx.tick().repeat(400)
            assert ctx.get(dut.error) == error
            assert ctx.get(dut.errors) == errors
            assert not ctx.get(dut.over)

    simulate(dut, host)
