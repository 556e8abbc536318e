"""Runs a test of ``bench_top`` on a board's design, however that was made."""

import pytest

from loopline.sim.benches.runner import available, run_bench
from tests.boards.top.top_design import button_pin, clock_pin, led_pins

__all__ = ["run_top"]


def run_top(design, board, tests, simulator, folder, *, clock, baud, **settings):
    """Make a design, and run the test on it. ``clock`` and ``baud`` are its own, in Hz.

    ``design`` returns it, with the board's pins as its ports; it is not called where the simulator
    is missing.
    """
    if not available(simulator):
        # Icarus is in no wheel.
        pytest.skip(f"{simulator} is not installed")
    leds = (f"~{pin}" if low else pin for pin, low in led_pins(board).items())
    result = run_bench(
        design(),
        "tests.boards.top.bench_top",
        simulator=simulator,
        folder=folder,
        clock=clock,
        baud=baud,
        tests=tests,
        settings={
            "clock_pin": clock_pin(board),
            "leds": " ".join(leds),
            "button": button_pin(board),
            "preset": board.preset.name,
            **settings,
        },
    )
    assert result.tests == 1
