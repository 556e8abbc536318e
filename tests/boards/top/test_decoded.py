"""The bitstream itself: what an HX8K is loaded with, decoded and simulated from power-on.

Where IceStorm's decoder is installed; it is in no wheel.
"""

from dataclasses import replace

import pytest

from loopline.boards import BOARDS, build
from tests.boards.small import Counter, Remembering
from tests.boards.top.decoded import decoded
from tests.boards.top.running import run_top

BOARD = BOARDS["hx8k"]


def run(folder, tests, simulator, settings=None, **options):
    """Build a bitstream, and run a test of ``bench_top`` on what is in it."""
    made = folder / "build"

    def design():
        build(BOARD, made, **options)
        return decoded(made)

    clock, baud = BOARD.clock_hz, options.get("baud", BOARD.preset.design.baud)
    settings = settings or {}
    run_top(design, BOARD, tests, simulator, folder, clock=clock, baud=baud, **settings)


@pytest.mark.slow
def test_a_small_bitstream_is_its_design(tmp_path):
    fast = BOARD.clock_hz // 8
    run(tmp_path, "serial_port_and_leds", "icarus", player=Counter, baud=fast)


@pytest.mark.slow
def test_memories_of_a_bitstream(tmp_path):
    run(tmp_path, "memories", "icarus", player=Remembering)


@pytest.mark.slow
def test_the_player_answers_from_power_on(tmp_path):
    """The player on a small torus, with a fast line: its code, and one turn."""
    small, fast = replace(BOARD.grid, size=8), BOARD.clock_hz // 8
    settings = {"grid": small.size, "searched": 1}
    run(tmp_path, "plays_a_game", "icarus", settings, grid=small, baud=fast)


@pytest.mark.slow
def test_the_player_plays_a_game_from_power_on(tmp_path):
    """The build of ``loopline build hx8k``."""
    run(tmp_path, "plays_a_game", "verilator")
