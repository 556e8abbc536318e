"""The assembled design in Amaranth's simulator: what its status outputs promise.

Whole games through the pins are the cocotb benches' (``tests/sim``).
"""

from __future__ import annotations

import pytest

from loopline.hdl.config import DesignConfig, GridConfig
from loopline.hdl.top import Loopline
from tests.hdl.link.harness import PinRecorder, decode, drive, text_levels
from tests.hdl.support import simulate

DIVISOR = 8
CONFIG = DesignConfig(
    clock_hz=1_000_000,
    baud=1_000_000 // DIVISOR,
    grid=GridConfig(size=16, frontier_entries=64, journal=128),
    think_ms=1,
)


def run(lines: bytes, wait: int) -> tuple[Loopline, PinRecorder, PinRecorder, PinRecorder]:
    """Send lines, go on for ``wait`` cycles; the design with its rx, tx and idle recorded."""
    dut = Loopline(CONFIG)
    rx, tx, idle = PinRecorder(dut.rx), PinRecorder(dut.tx), PinRecorder(dut.idle)

    async def host(ctx):
        await ctx.tick().repeat(20)
        await drive(ctx, dut.rx, text_levels(lines, DIVISOR))
        await ctx.tick().repeat(wait)

    simulate(dut, host, check=[rx, tx, idle])
    return dut, rx, tx, idle


@pytest.mark.parametrize("lines", [b"-W\n", b"-B\n@0/\n", b"-T\n", b"-T\n-W\n"])
def test_idle_is_low_from_a_line_to_the_end_of_its_answer(lines):
    """A simulated board stops its clock while ``idle`` is high: the answer must be out by then."""
    _, rx, tx, idle = run(lines, 3_000)
    heard, said = decode(rx.levels, DIVISOR), decode(tx.levels, DIVISOR)
    assert bytes(byte for _, byte in said).endswith(b"\n")
    # From the middle of the last stop bit and what the receiver needs to notice it, to the last
    # cycle but one of the last stop bit.
    begin = heard[-1][0] + 10 * DIVISOR + 4
    end = said[-1][0] + 10 * DIVISOR - 1
    assert begin < end
    assert not any(idle.levels[begin:end])
    assert all(idle.levels[end + 2 :])


def test_idle_is_high_where_nothing_has_happened_and_after_noise():
    _, rx, tx, idle = run(b"nothing of ours\n", 200)
    assert decode(tx.levels, DIVISOR) == []
    assert idle.levels[0]
    assert all(idle.levels[decode(rx.levels, DIVISOR)[-1][0] + 10 * DIVISOR + 4 :])


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
