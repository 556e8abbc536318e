# amaranth: UnusedElaboratable=no
"""The watchdog: when it restarts the design, and when not."""

from __future__ import annotations

from itertools import pairwise

import pytest

from loopline.hdl.watchdog import LONGEST_CYCLES, WATCHDOG_MS, Watchdog, watchdog_ticks
from tests.hdl.support import simulate

TICKS, EVERY = 5, 3
"""The limit, and the cycles from one tick to the next."""


def run(cycles, *, at_rest=lambda _: False, progress=lambda _: False):
    """Return the cycles of ``restart`` and those of ``restarted``."""
    dut = Watchdog(TICKS)
    restarts, said = [], []

    async def drive(ctx):
        for cycle in range(cycles):
            ctx.set(dut.tick, cycle % EVERY == 0)
            ctx.set(dut.at_rest, at_rest(cycle))
            ctx.set(dut.progress, progress(cycle))
            _, _, restart, restarted = await ctx.tick().sample(dut.restart, dut.restarted)
            restarts.extend([cycle] * restart)
            said.extend([cycle] * restarted)

    simulate(dut, drive)
    return restarts, said


def test_it_restarts_after_its_time_and_again():
    restarts, said = run(60)
    assert restarts[0] == 1 + EVERY * (TICKS - 1)
    assert len(restarts) > 2
    assert {later - sooner for sooner, later in pairwise(restarts)} == {EVERY * TICKS}
    assert said == [cycle + 1 for cycle in restarts]


@pytest.mark.parametrize("sign", ["at_rest", "progress"])
def test_a_sign_of_life_now_and_then_is_enough(sign):
    often = EVERY * (TICKS - 1) - 1
    assert run(200, **{sign: lambda cycle: cycle % often == 0}) == ([], [])
    seldom = EVERY * (TICKS + 1)
    assert run(200, **{sign: lambda cycle: cycle % seldom == 0})[0]


def test_its_time_is_longer_than_any_operation():
    assert watchdog_ticks(12_000) == WATCHDOG_MS
    for cycles in (1, 7, 64, 200):
        assert watchdog_ticks(cycles) * cycles >= LONGEST_CYCLES


def test_a_limit_that_is_refused():
    with pytest.raises(ValueError, match="at least 2 ticks, not 1"):
        Watchdog(1)
