"""What Yosys makes of the player for an FPGA, simulated from power-on at the board's pins."""

from dataclasses import replace

import pytest

from loopline.boards import BOARDS
from loopline.sim.benches.runner import available, run_bench
from tests.boards.top.netlist import netlist
from tests.boards.top.top_design import clock_pin, led_pins


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ulx3s-25f"])
def test_the_player_plays_a_game_from_power_on(tmp_path, name):
    if not available("verilator"):
        pytest.skip("verilator is not installed")
    board = BOARDS[name]
    config = replace(board.preset.design, clock_hz=board.clock_hz)
    result = run_bench(
        netlist(board, config, tmp_path),
        "tests.boards.top.bench_top",
        simulator="verilator",
        folder=tmp_path,
        clock=config.clock_hz,
        baud=config.baud,
        tests="plays_a_game",
        settings={
            "clock_pin": clock_pin(board),
            "leds": " ".join(led_pins(board)),
            "preset": board.preset.name,
        },
    )
    assert result.tests == 1
