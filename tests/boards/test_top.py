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
    variables = {
        "SECONDS": 0.002,
        "VARIANT": config.variant,
        "LIMIT": config.grid.limit,
        "FILES": "both growth illegal opponent",
        "MOST": 12,
    }
    passed = run_bench(
        top_rtlil(board, config),
        "tests.boards.bench_top",
        simulator="verilator",
        folder=tmp_path,
        clock=config.clock_hz,
        baud=config.baud,
        variables={f"LOOPLINE_BENCH_{name}": str(value) for name, value in variables.items()},
    )
    assert passed == 1
