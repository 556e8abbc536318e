# amaranth: UnusedElaboratable=no
"""The reset that waits for the PLL."""

import random

import pytest
from amaranth.hdl import ClockDomain, Module
from amaranth.sim import Simulator

from loopline.boards.clock import SettledReset

CYCLES = 9


def run(locks: list[int], presses: list[int] | None = None) -> list[int]:
    """The reset in each cycle, for the PLL's lock and the button in each cycle."""
    m = Module()
    m.domains.settle = ClockDomain("settle", reset_less=True)
    m.submodules.dut = dut = SettledReset(CYCLES, button=presses is not None)
    resets = []

    async def bench(ctx):
        for cycle, lock in enumerate(locks):
            ctx.set(dut.lock, lock)
            if presses is not None:
                ctx.set(dut.pressed, presses[cycle])
            resets.append(ctx.get(dut.reset))
            await ctx.tick("settle")

    simulator = Simulator(m)
    simulator.add_clock(1e-6, domain="settle")
    simulator.add_testbench(bench)
    simulator.run()
    return resets


def test_reset_holds_from_the_start_without_a_lock():
    assert run([0] * 100) == [1] * 100


def test_reset_ends_once_the_lock_has_lasted():
    resets = run([0] * 5 + [1] * 50)
    end = resets.index(0)
    assert CYCLES <= end - 5 <= CYCLES + 4
    assert not any(resets[end:])


def test_a_lost_lock_resets_again_and_starts_the_wait_anew():
    locked = CYCLES + 10
    resets = run([1] * locked + [0] + [1] * 40)
    assert resets[locked] == 0
    assert 1 in resets[locked : locked + 4]
    assert sum(resets[locked:]) >= CYCLES
    assert resets[-1] == 0


def test_no_reset_ends_before_the_lock_has_lasted():
    rng = random.Random(1)
    locks = [int(rng.random() < 0.9) for _ in range(3000)]
    resets = run(locks)
    assert 0 in resets
    for cycle, reset in enumerate(resets):
        if not reset:
            # The three newest cycles are still on their way through the synchroniser.
            assert all(locks[max(cycle - 3 - CYCLES, 0) : cycle - 3])
            assert cycle > CYCLES


def test_a_button_resets_as_a_lost_lock_does():
    locks = [1] * 60
    presses = [0] * 30 + [1] * 10 + [0] * 20
    lost = [1 - pressed for pressed in presses]
    assert run(locks, presses) == run(lost)


def test_a_button_that_was_never_released_does_nothing():
    locks = [1] * 60
    assert run(locks, [1] * 60) == run(locks)
    resets = run(locks, [1] * 30 + [0] + [1] * 29)
    assert resets[:31] == run(locks)[:31]
    assert all(resets[35:])


def test_a_wait_of_nothing_is_refused():
    with pytest.raises(ValueError, match=r"^a reset must settle for at least one cycle, not 0$"):
        SettledReset(0)
