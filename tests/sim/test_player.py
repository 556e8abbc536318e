"""The assembled player through its pins, in cocotb: whole games against the reference model."""

import pytest

from loopline.hdl.config import DesignConfig, GridConfig
from loopline.hdl.top import Loopline
from loopline.sim.bench import available, run_bench

# A slow clock with a fast line: the same gateware, fewer cycles for each character.
CLOCK = 1_000_000
BAUD = CLOCK // 8
TESTS = 10


def run(simulator, folder, *, think_ms, games, turns, noise):
    """Run all tests of the bench; return how many passed."""
    if not available(simulator):
        pytest.skip(f"{simulator} is not installed")
    grid = GridConfig(size=32)
    config = DesignConfig(clock_hz=CLOCK, baud=BAUD, grid=grid, think_ms=think_ms)
    # For an answer: the time to think, what is left to do then, and its characters.
    seconds = think_ms / 1000 + 0.003
    variables = {"GAMES": games, "TURNS": turns, "NOISE": noise, "SECONDS": seconds}
    return run_bench(
        Loopline(config),
        "tests.sim.bench_player",
        simulator=simulator,
        folder=folder,
        clock=CLOCK,
        baud=BAUD,
        variables={f"LOOPLINE_BENCH_{name}": str(value) for name, value in variables.items()},
    )


def test_player_on_verilator(tmp_path):
    limits = {"think_ms": 20, "games": 4, "turns": 60, "noise": 10_000}
    assert run("verilator", tmp_path, **limits) == TESTS


def test_player_on_icarus(tmp_path):
    limits = {"think_ms": 1, "games": 1, "turns": 5, "noise": 200}
    assert run("icarus", tmp_path, **limits) == TESTS
