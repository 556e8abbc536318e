"""The assembled player through its pins, in cocotb: whole games against the reference model."""

import pytest

from loopline.game import variant_named
from loopline.hdl.config import GridConfig
from loopline.hdl.design import DesignConfig, FrameSet
from loopline.hdl.search.config import SearchConfig
from loopline.hdl.top import Loopline
from loopline.sim.benches.runner import available, run_bench

# A slow clock with a fast line: the same gateware, fewer cycles for each character.
CLOCK = 1_000_000
BAUD = CLOCK // 8
GRID = GridConfig(size=32)
PLAYER, POSITIONS = "loopline.sim.benches.player", "tests.sim.benches.bench_positions"


def run(
    simulator,
    folder,
    module,
    *,
    think_ms,
    variant="standard",
    frames=FrameSet.FULL,
    tests=None,
    **settings,
):
    """Run all tests of a bench; return how many passed."""
    if not available(simulator):
        pytest.skip(f"{simulator} is not installed")
    config = DesignConfig(
        clock_hz=CLOCK,
        baud=BAUD,
        search=SearchConfig(grid=GRID, table_bits=8),
        think_ms=think_ms,
        variant=variant_named(variant),
        frames=frames,
    )
    # For an answer: the time to think, what is left to do then, and its characters.
    settings |= {"seconds": think_ms / 1000 + 0.003, "variant": variant, "limit": GRID.limit}
    return run_bench(
        Loopline(config),
        module,
        simulator=simulator,
        folder=folder,
        clock=CLOCK,
        baud=BAUD,
        tests=tests,
        settings=settings,
    ).tests


# Tests of one build are run by one process: another one would only wait until it is there.
STANDARD_ON_VERILATOR = pytest.mark.xdist_group("standard on verilator")


@pytest.mark.parametrize("games", [1, 4])
@STANDARD_ON_VERILATOR
@pytest.mark.slow
def test_player_on_verilator(tmp_path, games):
    limits = {"think_ms": 20, "games": games, "turns": 60, "noise": 2_500 * games}
    assert run("verilator", tmp_path, PLAYER, **limits) == 11


@pytest.mark.parametrize(
    ("frames", "tests", "count"),
    [
        (FrameSet.CONTEST, "plays_games_as_red|tells_its_code", 2),
        pytest.param(FrameSet.FULL, None, 11, marks=pytest.mark.slow),
    ],
)
def test_player_on_icarus(tmp_path, frames, tests, count):
    limits = {"think_ms": 3, "games": 1, "turns": 5, "noise": 200}
    assert run("icarus", tmp_path, PLAYER, frames=frames, tests=tests, **limits) == count


@pytest.mark.parametrize(
    "variant",
    [
        pytest.param("standard", marks=STANDARD_ON_VERILATOR),
        "deluxe",
    ],
)
@pytest.mark.slow
def test_chosen_positions_on_verilator(tmp_path, variant):
    """All but the longest, in a variant with neither limits nor draws, and in one with both."""
    limits = {"think_ms": 20, "files": "", "most": 31}
    assert run("verilator", tmp_path, POSITIONS, variant=variant, **limits) == 5


@pytest.mark.parametrize(
    ("variant", "tests", "count"),
    [
        ("deluxe", "takes_the_opponents_side|go_is_noise", 2),
        ("standard", None, 5),
    ],
)
@pytest.mark.slow
def test_chosen_positions_on_icarus(tmp_path, variant, tests, count):
    """The short ones of some files."""
    limits = {"think_ms": 8, "files": "both illegal", "most": 10}
    assert run("icarus", tmp_path, POSITIONS, variant=variant, tests=tests, **limits) == count
