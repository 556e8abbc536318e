"""A board's top in simulation: everything that ``loopline build`` makes but pads and PLL."""

import pytest

from loopline.boards import BOARDS
from loopline.hdl.config import DesignConfig, GridConfig
from loopline.sim.benches.runner import available, run_bench
from tests.boards.top_design import top_rtlil


def test_chosen_positions_on_the_boards_pins(tmp_path):
    if not available("verilator"):
        pytest.skip("verilator is not installed")
    board = BOARDS["hx8k"]
    config = DesignConfig(
        clock_hz=board.clock_hz,
        baud=board.clock_hz // 8,
        grid=GridConfig(size=32),
        think_ms=1,
    )
    settings = {
        "seconds": 0.002,
        "variant": config.variant,
        "limit": config.grid.limit,
        "files": "both growth illegal opponent",
        "most": 12,
        "shown_errors": 15,
    }
    result = run_bench(
        top_rtlil(board, config),
        "tests.boards.bench_top",
        simulator="verilator",
        folder=tmp_path,
        clock=config.clock_hz,
        baud=config.baud,
        settings=settings,
    )
    assert result.tests == 1
