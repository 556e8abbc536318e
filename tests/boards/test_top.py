"""A board's top in simulation: everything that ``loopline build`` makes but pads and PLL."""

import pytest

from loopline.boards import BOARDS
from loopline.hdl.config import GridConfig
from loopline.hdl.design import DesignConfig
from loopline.hdl.search.config import SearchConfig
from loopline.sim.benches.runner import available, run_bench
from tests.boards.small import Counter
from tests.boards.top_design import top_rtlil

BOARD = BOARDS["hx8k"]
CONFIG = DesignConfig(
    clock_hz=BOARD.clock_hz,
    baud=BOARD.clock_hz // 8,
    search=SearchConfig(grid=GridConfig(size=32), table_bits=8),
    think_ms=1,
)


def run(folder, simulator, tests, player=None, **settings):
    """Run a test of ``bench_top`` on the board's design."""
    if not available(simulator):
        pytest.skip(f"{simulator} is not installed")
    result = run_bench(
        top_rtlil(BOARD, CONFIG, player),
        "tests.boards.bench_top",
        simulator=simulator,
        folder=folder,
        clock=CONFIG.clock_hz,
        baud=CONFIG.baud,
        tests=tests,
        settings=settings,
    )
    assert result.tests == 1


def test_pins_of_a_board_are_those_of_its_player(tmp_path):
    # On Icarus, which builds it in a second; Verilator takes ten.
    run(tmp_path, "icarus", "serial_port_and_leds", Counter(CONFIG))


@pytest.mark.slow
def test_chosen_positions_on_the_boards_pins(tmp_path):
    settings = {
        "seconds": 0.002,
        "variant": CONFIG.variant,
        "limit": CONFIG.grid.limit,
        "files": "both growth illegal opponent",
        "most": 12,
        "shown_errors": 15,
    }
    run(tmp_path, "verilator", "goes_on_from_chosen_positions", **settings)
