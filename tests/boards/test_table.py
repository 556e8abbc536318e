"""The table of boards: clocks, LEDs, and a design for each that Amaranth takes."""

import json
import re

import pytest

from loopline.boards import BOARDS, flash
from loopline.boards.__main__ import main
from loopline.boards.bitstream import BoardTop
from loopline.boards.families.ecp5 import Ecp5Pll
from loopline.boards.families.gowin import GOWIN, Plla, Rpll
from loopline.boards.families.ice40 import Ice40Pll
from loopline.boards.families.intel import PinClock
from loopline.boards.families.xilinx import Plle2
from loopline.boards.presets import PRESETS
from loopline.boards.table import TUNED
from loopline.hdl.design import DesignConfig
from tests.boards.small import BITSTREAMS, Counter, board_of_the_guide
from tests.boards.top.top_design import clock_pin, led_pins

FORMULAS = {
    Ice40Pll: lambda pll, hz: hz * (pll.divf + 1) / (pll.divr + 1) / 2**pll.divq,
    Ecp5Pll: lambda pll, hz: hz / pll.divisor * pll.feedback,
    Rpll: lambda pll, hz: hz / pll.divisor * pll.feedback,
    Plle2: lambda pll, hz: hz / pll.divisor * pll.multiplier / pll.output,
    PinClock: lambda pll, hz: hz,
    Plla: lambda pll, hz: hz / pll.divisor * pll.multiplier / pll.output,
}
"""A PLL's output by our settings."""

CELLS = {
    "SB_PLL40": lambda hz, *, DIVR, DIVF, DIVQ, **_: hz * (DIVF + 1) / (DIVR + 1) / 2**DIVQ,
    "EHXPLLL": lambda hz, *, CLKI_DIV, CLKFB_DIV, **_: hz / CLKI_DIV * CLKFB_DIV,
    "rPLL": lambda hz, *, IDIV_SEL, FBDIV_SEL, **_: hz * (FBDIV_SEL + 1) / (IDIV_SEL + 1),
    "PLLA": lambda hz, *, IDIV_SEL, FBDIV_SEL, MDIV_SEL, ODIV0_SEL, **_: (
        hz / IDIV_SEL * FBDIV_SEL * MDIV_SEL / ODIV0_SEL
    ),
}
"""The same by the cell's parameters, as the makers' manuals have them (Lattice TN1251 and TN1263,
Gowin UG286 and UG306)."""

ALL = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)


@ALL
def test_the_pll_makes_the_clock_of_the_board_exactly(board):
    pll = board.pll(board.reference_hz, board.clock_hz)
    assert FORMULAS[type(pll)](pll, board.reference_hz) == pytest.approx(board.clock_hz, rel=1e-9)
    assert pll.output_hz == pytest.approx(board.clock_hz, rel=1e-9)


@pytest.mark.parametrize(("name", "found"), json.loads(TUNED.read_text()).items())
def test_a_tuned_clock_is_met_by_all_seeds_with_the_margin(name, found):
    board = BOARDS[name]
    assert (board.preset.name, board.clock_hz) == (found["preset"], found["clock_hz"])
    reached = found["mhz_by_seed"]
    assert len(reached) >= 3
    margin = 1 + board.family.margin_percent / 100
    assert min(reached) >= found["clock_hz"] / 1e6 * margin


@ALL
def test_the_preset_of_a_board_is_one_of_the_presets(board):
    assert board.preset is PRESETS[board.preset.name]


@pytest.mark.parametrize("form", [[], ["--markdown"], ["--json"]], ids=str)
def test_the_board_of_the_guide_is_listed_like_all_others(monkeypatch, capsys, form):
    board = board_of_the_guide()
    monkeypatch.setitem(BOARDS, board.name, board)
    assert main(["list", *form]) == 0
    assert re.search(rf"\b{board.name}\b", capsys.readouterr().out)
    assert all(len(name) <= 15 for name in BOARDS)


@pytest.mark.parametrize("board", BITSTREAMS.values(), ids=BITSTREAMS)
def test_amaranth_takes_a_small_design_for_every_board(board):
    pll = board.pll(board.reference_hz, board.clock_hz)
    platform = board.make_platform()
    top = BoardTop(board, pll, Counter(DesignConfig()))
    plan = platform.prepare(top, "loopline", emit_src=False, **board.family.synthesis(platform))
    pins = next(
        text for name, text in plan.files.items() if name.endswith((".pcf", ".lpf", ".cst"))
    )
    ports = {clock_pin(board), "uart_0__rx__io", "uart_0__tx__io", *led_pins(board)}
    placed = re.findall(
        r'^(?:set_io|LOCATE COMP|IO_LOC) "?(\w+)"? (?:SITE )?"?\w+', pins, re.MULTILINE
    )
    assert ports <= set(placed)
    assert len(placed) == len(set(placed))
    used = re.findall(r"LOCATE .*|set_io .*|IO_LOC .*", pins)
    assert len({line.split()[-1] for line in used}) == len(used)
    design = plan.files["loopline.il"]
    assert "pin" in design
    ((kind, body),) = re.findall(r"cell \\(\w*PLL\w*) \\\S+\n(.*?)\n +end\n", design, re.DOTALL)
    numbers = re.findall(
        r"parameter (?:signed )?\\(\w+) (?:\d+'([01]+)|(\d+))$", body, re.MULTILINE
    )
    settings = {name: int(bits, 2) if bits else int(number) for name, bits, number in numbers}
    made = CELLS[kind.removesuffix("_CORE").removesuffix("_PAD")](board.reference_hz, **settings)
    assert made == pytest.approx(board.clock_hz, rel=1e-9)


@pytest.mark.parametrize(
    ("name", "pins"),
    [
        ("hx8k", ["led_0__io", "led_7__io"]),
        ("tinyfpga-bx", ["led_0__io"]),
        ("ecpix-5", ["rgb_led_0__g__io", "rgb_led_3__r__io"]),
        ("arty-a7-35", ["led_0__io", "rgb_led_3__g__io"]),
        ("orangecrab-25f", ["rgb_led_0__g__io", "rgb_led_0__r__io"]),
    ],
)
def test_leds_are_those_that_the_board_has(name, pins):
    found = list(led_pins(BOARDS[name]))
    assert [found[0], found[-1]][: len(pins)] == pins


def test_an_led_that_a_low_level_lights_is_known_to_be_one():
    low = {name: set(led_pins(board).values()) for name, board in BOARDS.items()}
    assert low["hx8k"] == low["tinyfpga-bx"] == {False}
    assert low["tang-nano-9k"] == low["colorlight-i5"] == low["icesugar-pro"] == {True}


def attributes_of(port):
    """The attributes of a pin that pull it, and the level to which they do."""
    high = {
        "PULLUP": (1, "TRUE"),
        "PULLMODE": ("UP",),
        "PULL_MODE": ("UP",),
        "weak_pull_up_resistor": ("ON",),
    }
    low = {"PULLMODE": ("DOWN",), "PULL_MODE": ("DOWN",)}
    (pin,) = port.io.metadata
    for level, values in ((1, high), (0, low)):
        if any(pin.attrs.get(name) in those for name, those in values.items()):
            return level
    return None


@pytest.mark.parametrize(
    "board", [pytest.param(board, id=board.name) for board in BOARDS.values() if board.button]
)
def test_a_button_is_not_pulled_to_the_level_of_a_pressed_one(board):
    """nextpnr's packer for Gowin pulls each input up that is not said to be pulled down."""
    port = board.make_platform().request(board.button, dir="-")
    pressed = 0 if port.invert[0] else 1
    pulled = attributes_of(port)
    if pulled is None and board.family is GOWIN:
        pulled = 1
    assert pulled != pressed


@pytest.mark.parametrize(
    "board",
    [
        pytest.param(board, id=board.name)
        for board in [*BOARDS.values(), board_of_the_guide()]
        if "header" in board.serial or "Pmod" in board.serial
    ],
)
def test_a_serial_line_on_a_header_is_at_rest_with_nothing_connected(board):
    assert attributes_of(board.make_platform().request("uart", 0, dir="-").rx) == 1


@ALL
def test_every_board_has_a_programmer(board):
    assert board.status == "project" or board.programmer.flash is not None
    for programmer in filter(None, (board.programmer, board.programmer.other)):
        assert programmer.tool in flash.SOURCES
        ways = [way for way in (programmer.flash, programmer.sram) if way is not None]
        assert ways
        assert all(isinstance(word, str) and word for way in ways for word in way)
