"""Boards' tops in simulation: everything that ``loopline build`` makes but pads and PLL."""

import pytest

from loopline.boards import BOARDS
from loopline.boards.bitstream import configure, described
from loopline.game import STANDARD
from loopline.hdl.config import GridConfig
from loopline.hdl.design import DesignConfig
from loopline.hdl.search.config import SearchConfig
from loopline.hdl.top import Loopline
from tests.boards.small import Counter, board_of_the_guide, one_board_per_family
from tests.boards.top.running import run_top
from tests.boards.top.top_design import project_verilog, top_rtlil

PRESSED = ("ulx3s-12f", "tang-nano-9k")
"""Boards with a button that is high when it is pressed, and with one that is low."""

FITTING = {name: board for name, board in BOARDS.items() if not board.too_small}


def config_of(board):
    """A small design with the board's clock, and a fast serial line."""
    return DesignConfig(
        clock_hz=board.clock_hz,
        baud=board.clock_hz // 8,
        search=SearchConfig(grid=GridConfig(size=32), table_bits=8),
        think_ms=1,
    )


def run(folder, board, simulator, tests, player=None, *, config=None, **settings):
    """Run a test of ``bench_top`` on the board's design; without ``player``, the whole one."""
    config = config or config_of(board)

    def design():
        if board.status == "project":
            return project_verilog(board, folder / "project", config, player or Loopline(config))
        return top_rtlil(board, config, player)

    clock, baud = config.clock_hz, config.baud
    run_top(design, board, tests, simulator, folder, clock=clock, baud=baud, **settings)


@pytest.mark.parametrize("board", one_board_per_family(quick=["ice40"]))
def test_pins_of_a_board_are_those_of_its_player(tmp_path, board):
    # On Icarus, which builds it in a second; Verilator takes ten.
    run(tmp_path, board, "icarus", "serial_port_and_leds", Counter(config_of(board)))


def test_the_board_of_the_guide_is_a_board(tmp_path):
    """``docs/add-a-board.md`` is followed: its entry is a board whose top works."""
    board = board_of_the_guide()
    run(tmp_path, board, "icarus", "serial_port_and_leds", Counter(config_of(board)))


@pytest.mark.parametrize(
    "board",
    [
        pytest.param(board, id=name, marks=() if name in PRESSED else pytest.mark.slow)
        for name, board in FITTING.items()
        if board.button
    ],
)
def test_a_button_resets_the_player(tmp_path, board):
    run(tmp_path, board, "icarus", "button_resets", Counter(config_of(board)))


@pytest.mark.slow
@pytest.mark.parametrize("board", FITTING.values(), ids=FITTING)
def test_the_player_of_every_board_says_who_it_is(tmp_path, board):
    """The design of ``loopline build``, or of its project, says what its manifest says of it."""
    _, config = configure(board, baud=115_200, grid=None, variant=STANDARD)
    manifest = described(board, config)
    assert (manifest["clock_hz"], manifest["baud"]) == (config.clock_hz, config.baud)
    run(
        tmp_path,
        board,
        "verilator",
        "says_who_it_is",
        config=config,
        grid=manifest["grid"],
        lanes=manifest["lanes"],
        # Outside of a repository there is no commit.
        build=0 if manifest["dirty"] is not False else int(manifest["commit"][:8], 16),
        counts=int(manifest["evaluator"]),
    )


@pytest.mark.slow
def test_chosen_positions_on_the_boards_pins(tmp_path):
    board = BOARDS["hx8k"]
    config = config_of(board)
    settings = {
        "seconds": 0.002,
        "variant": config.variant,
        "limit": config.grid.limit,
        "files": "both growth illegal opponent",
        "most": 12,
        "shown_errors": 0,
    }
    run(tmp_path, board, "verilator", "goes_on_from_chosen_positions", **settings)
