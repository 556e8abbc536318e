"""What Yosys makes of the player for an FPGA, simulated from power-on at the board's pins."""

from dataclasses import replace

import pytest

from loopline.boards import BOARDS
from tests.boards.top.netlist import netlist
from tests.boards.top.running import run_top


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ulx3s-25f", "tang-nano-9k"])
def test_the_player_plays_a_game_from_power_on(tmp_path, name):
    board = BOARDS[name]
    config = replace(board.preset.design, clock_hz=board.clock_hz)
    run_top(
        lambda: netlist(board, config, tmp_path),
        board,
        "plays_a_game",
        "verilator",
        tmp_path,
        clock=config.clock_hz,
        baud=config.baud,
    )
