"""The bitstream itself: what an HX8K is loaded with, decoded and simulated from power-on.

Where IceStorm's decoder is installed; it is in no wheel.
"""

import json

import pytest

from loopline.boards import BOARDS, build
from loopline.sim.benches.runner import available, run_bench
from tests.boards.small import Counter, Remembering
from tests.boards.top.decoded import decoded
from tests.boards.top.top_design import clock_pin, led_pins

BOARD = BOARDS["hx8k"]


def run(folder, tests, simulator, **options):
    """Build a bitstream, and run a test of ``bench_top`` on what is in it."""
    if not available(simulator):
        pytest.skip(f"{simulator} is not installed")
    built = build(BOARD, folder / "build", **options)
    manifest = json.loads(built.manifest.read_text())
    result = run_bench(
        decoded(folder / "build"),
        "tests.boards.top.bench_top",
        simulator=simulator,
        folder=folder,
        clock=manifest["clock_hz"],
        baud=manifest["baud"],
        tests=tests,
        settings={
            "clock_pin": clock_pin(BOARD),
            "leds": " ".join(led_pins(BOARD)),
            "preset": BOARD.preset.name,
        },
    )
    assert result.tests == 1


@pytest.mark.slow
def test_a_small_bitstream_is_its_design(tmp_path):
    fast = BOARD.clock_hz // 8
    run(tmp_path, "serial_port_and_leds", "icarus", player=Counter, baud=fast)


@pytest.mark.slow
def test_memories_of_a_bitstream(tmp_path):
    run(tmp_path, "memories", "icarus", player=Remembering)


@pytest.mark.slow
def test_the_player_plays_a_game_from_power_on(tmp_path):
    """The build of ``loopline build hx8k``."""
    run(tmp_path, "plays_a_game", "verilator")
