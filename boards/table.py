"""The boards that Loopline is built for.

A board's preset and clock stand here; those that ``loopline tune`` has found (``tuned.json``)
replace them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from amaranth.build import Attrs
from amaranth_boards.arty_a7 import ArtyA7_35Platform, ArtyA7_100Platform
from amaranth_boards.arty_z7 import ArtyZ720Platform
from amaranth_boards.ecp5_5g_evn import ECP55GEVNPlatform
from amaranth_boards.ecpix5 import ECPIX585Platform
from amaranth_boards.ice40_hx8k_b_evn import ICE40HX8KBEVNPlatform
from amaranth_boards.icebreaker import ICEBreakerPlatform
from amaranth_boards.icepi_zero import IcepiZero1_3Platform
from amaranth_boards.icesugar import ICESugarPlatform
from amaranth_boards.resources import UARTResource
from amaranth_boards.tinyfpga_bx import TinyFPGABXPlatform
from amaranth_boards.ulx3s import (
    ULX3S_12F_Platform,
    ULX3S_25F_Platform,
    ULX3S_45F_Platform,
    ULX3S_85F_Platform,
)
from amaranth_boards.upduino_v3 import UpduinoV3Platform

from loopline.boards import platforms
from loopline.boards.board import Board, Programmer
from loopline.boards.families import MHZ, ecp5, gowin, ice40, intel, xilinx
from loopline.boards.pins import Led
from loopline.boards.presets import PRESETS, Preset

__all__ = ["BOARDS", "COLUMNS", "TUNED", "UNSUPPORTED", "find_board", "table_rows", "tuned_boards"]


def _leds(count: int) -> tuple[Led, ...]:
    """Return the resources ``led`` 0 to ``count - 1``."""
    return tuple(Led("led", number) for number in range(count))


def _green(count: int) -> tuple[Led, ...]:
    """Return the green ones of so many LEDs of three colours."""
    return tuple(Led("rgb_led", number, "g") for number in range(count))


_COLOURS = (Led("rgb_led", 0, "g"), Led("rgb_led", 0, "b"), Led("rgb_led", 0, "r"))
"""One LED of three colours: green is idle, blue is thinking, red is over."""


def _loader(*arguments: str) -> Programmer:
    """Return openFPGALoader with the arguments that name the board."""
    return Programmer("openFPGALoader", sram=arguments, flash=(*arguments, "-f"))


_ICEPROG = Programmer(
    "iceprog",
    sram=None,
    flash=(),
    other=Programmer("openFPGALoader", sram=None, flash=("-b", "ice40_generic", "-f")),
)
_DFU = Programmer(
    "dfu-util",
    sram=None,
    flash=("-d", "1209:5af0", "-a", "0", "-D"),
    other=Programmer("openFPGALoader", sram=None, flash=("-b", "orangeCrab")),
)
_HEADER_ICE40 = Attrs(IO_STANDARD="SB_LVCMOS", PULLUP=1)
"""Of a serial line on a header: with nothing connected to it the line is at rest."""

_FTDI = "USB, second channel of the FTDI chip"
_UP5K = "the smallest player takes 7399 of 5280 cells (loopline presets up5k)"

_ICE40_BOARDS = (
    Board(
        name="hx8k",
        title="Lattice iCE40-HX8K breakout board (ICE40HX8K-B-EVN)",
        part="iCE40HX8K-CT256",
        platform=ICE40HX8KBEVNPlatform,
        family=ice40.ICE40,
        pll=ice40.find_pll,
        clock_resource="clk12",
        clock_hz=48_000_000,
        preset=PRESETS["hx8k"],
        serial=_FTDI,
        leds=_leds(8),
        programmer=replace(_ICEPROG, sram=("-S",)),
    ),
    Board(
        name="alchitry-cu",
        title="Alchitry Cu",
        part="iCE40HX8K-CB132",
        platform=platforms.AlchitryCu,
        family=ice40.ICE40,
        pll=ice40.find_pll,
        clock_resource="clk100",
        clock_hz=45_000_000,
        preset=PRESETS["hx8k"],
        serial=_FTDI,
        leds=_leds(8),
        programmer=_ICEPROG,
        button="button",
    ),
    Board(
        name="tinyfpga-bx",
        title="TinyFPGA BX",
        part="iCE40LP8K-CM81",
        platform=TinyFPGABXPlatform,
        family=ice40.ICE40,
        pll=ice40.find_pll,
        clock_resource="clk16",
        clock_hz=24_000_000,
        preset=PRESETS["hx8k"],
        serial="header: in on pin 1, out on pin 2",
        leds=_leds(1),
        programmer=Programmer("tinyprog", sram=None, flash=("-p",)),
        resources=(UARTResource(0, rx="1", tx="2", conn=("gpio", 0), attrs=_HEADER_ICE40),),
    ),
    Board(
        name="icebreaker",
        title="iCEBreaker",
        part="iCE40UP5K-SG48",
        platform=ICEBreakerPlatform,
        family=ice40.ICE40,
        pll=ice40.find_pad_pll,
        clock_resource="clk12",
        clock_hz=24_000_000,
        preset=PRESETS["up5k"],
        serial=_FTDI,
        leds=_leds(2),
        programmer=_ICEPROG,
        button="button",
        too_small=_UP5K,
    ),
    Board(
        name="icesugar",
        title="iCESugar",
        part="iCE40UP5K-SG48",
        platform=ICESugarPlatform,
        family=ice40.ICE40,
        pll=ice40.find_pad_pll,
        clock_resource="clk12",
        clock_hz=24_000_000,
        preset=PRESETS["up5k"],
        serial="USB of its iCELink",
        leds=_leds(3),
        programmer=Programmer("icesprog", sram=None, flash=()),
        too_small=_UP5K,
    ),
    Board(
        name="upduino-v3",
        title="UPduino v3, with its OSC jumper closed",
        part="iCE40UP5K-SG48",
        platform=UpduinoV3Platform,
        family=ice40.ICE40,
        pll=ice40.find_pll,
        clock_resource="clk12",
        clock_hz=24_000_000,
        preset=PRESETS["up5k"],
        serial="header: in on pin 28, out on pin 38",
        leds=_COLOURS,
        programmer=_ICEPROG,
        resources=(UARTResource(0, rx="28", tx="38", attrs=_HEADER_ICE40),),
        too_small=_UP5K,
    ),
)


_SMALL_ECP5 = PRESETS["ecp5-25f"]
"""That of a 12F, too, which is the same chip."""


def _ulx3s(size: str, mhz: int, preset: Preset, platform: type) -> Board:
    """Return the ULX3S with an FPGA of this size."""
    return Board(
        name=f"ulx3s-{size.lower()}",
        title=f"ULX3S {size}",
        part=f"LFE5U-{size}",
        platform=platform,
        family=ecp5.ECP5,
        pll=ecp5.find_pll,
        clock_resource="clk25",
        clock_hz=mhz * MHZ,
        preset=preset,
        serial="USB, port US1",
        leds=_leds(8),
        programmer=_loader("-b", "ulx3s"),
        button="button_fire",
    )


def _colorlight(name: str, part: str, mhz: int, preset: Preset, platform: type) -> Board:
    """Return a Colorlight module on its extension board."""
    return Board(
        name=f"colorlight-{name}",
        title=f"Colorlight {name} with extension board",
        part=part,
        platform=platform,
        family=ecp5.ECP5,
        pll=ecp5.find_pll,
        clock_resource="clk25",
        clock_hz=mhz * MHZ,
        preset=preset,
        serial="USB of the extension board",
        leds=_leds(1),
        programmer=_loader("-b", f"colorlight-{name}"),
        # The i5's module has one; of the i9 none is known.
        button="button" if name == "i5" else None,
    )


def _orangecrab(size: str, mhz: int, preset: Preset, platform: type) -> Board:
    """Return the OrangeCrab with an FPGA of this size."""
    return Board(
        name=f"orangecrab-{size.lower()}",
        title=f"OrangeCrab r0.2 {size}",
        part=f"LFE5U-{size}",
        platform=platform,
        family=ecp5.ECP5,
        pll=ecp5.find_pll,
        clock_resource="clk",
        clock_hz=mhz * MHZ,
        preset=preset,
        serial="header: in on pin 0 (RX), out on pin 1 (TX)",
        leds=_COLOURS,
        programmer=_DFU,
        button="button",
        resources=(
            UARTResource(
                0, rx="0", tx="1", conn=("io", 0), attrs=Attrs(IO_TYPE="LVCMOS33", PULLMODE="UP")
            ),
        ),
    )


_ECP5_BOARDS = (
    _ulx3s("12F", 50, _SMALL_ECP5, ULX3S_12F_Platform),
    _ulx3s("25F", 50, _SMALL_ECP5, ULX3S_25F_Platform),
    _ulx3s("45F", 40, PRESETS["ecp5-45f"], ULX3S_45F_Platform),
    _ulx3s("85F", 35, PRESETS["ecp5-85f"], ULX3S_85F_Platform),
    _colorlight("i5", "LFE5U-25F", 50, _SMALL_ECP5, platforms.ColorlightI5),
    _colorlight("i9", "LFE5U-45F", 40, PRESETS["ecp5-45f"], platforms.ColorlightI9),
    Board(
        name="icepi-zero",
        title="icepi-zero 1.3",
        part="LFE5U-25F",
        platform=IcepiZero1_3Platform,
        family=ecp5.ECP5,
        pll=ecp5.find_pll,
        clock_resource="clk50",
        clock_hz=50_000_000,
        preset=_SMALL_ECP5,
        serial="USB of its FTDI chip",
        leds=_leds(5),
        programmer=_loader("-b", "icepi-zero"),
        button="button",
    ),
    Board(
        name="ecp5-5g-evn",
        title="Lattice ECP5-5G evaluation board (LFE5UM5G-85F-EVN)",
        part="LFE5UM5G-85F",
        platform=ECP55GEVNPlatform,
        family=ecp5.ECP5,
        pll=ecp5.find_pll,
        clock_resource="clk12",
        clock_hz=40_000_000,
        preset=PRESETS["ecp5-85f"],
        serial=f"{_FTDI}, once two resistors are moved (its manual, 6.2)",
        leds=_leds(8),
        programmer=_loader("-b", "ecp5_evn"),
        button="button",
    ),
    Board(
        name="ecpix-5",
        title="LambdaConcept ECPIX-5 85F",
        part="LFE5UM5G-85F",
        platform=ECPIX585Platform,
        family=ecp5.ECP5,
        pll=ecp5.find_pll,
        clock_resource="clk100",
        clock_hz=45_000_000,
        preset=PRESETS["ecp5-85f"],
        serial="USB of its FTDI chip",
        # One LED of three colours for each: green, blue, green, red.
        leds=tuple(Led("rgb_led", number, colour) for number, colour in enumerate("gbgr")),
        programmer=_loader("-b", "ecpix5"),
        button="rst",
    ),
    Board(
        name="icesugar-pro",
        title="iCESugar-pro",
        part="LFE5U-25F",
        platform=platforms.ICESugarPro,
        family=ecp5.ECP5,
        pll=ecp5.find_pll,
        clock_resource="clk25",
        clock_hz=50_000_000,
        preset=_SMALL_ECP5,
        serial="USB of its iCELink",
        leds=_COLOURS,
        programmer=_loader("-c", "cmsisdap", "--vid", "0x1d50", "--pid", "0x602b"),
    ),
    _orangecrab("25F", 60, _SMALL_ECP5, platforms.OrangeCrab25F),
    _orangecrab("85F", 48, PRESETS["ecp5-45f"], platforms.OrangeCrab85F),
)

_GOWIN_BOARDS = (
    Board(
        name="tang-nano-9k",
        title="Sipeed Tang Nano 9K",
        part="GW1NR-9C",
        platform=platforms.TangNano9k,
        family=gowin.GOWIN,
        pll=partial(gowin.find_rpll, "GW1NR-9C"),
        clock_resource="clk27",
        clock_hz=27_000_000,
        preset=PRESETS["hx8k"],
        serial="USB, second port",
        leds=_leds(6),
        programmer=_loader("-b", "tangnano9k"),
        button="button",
    ),
    Board(
        name="tang-nano-20k",
        title="Sipeed Tang Nano 20K",
        part="GW2AR-18C",
        platform=platforms.TangNano20k,
        family=gowin.GOWIN,
        pll=partial(gowin.find_rpll, "GW2AR-18C"),
        clock_resource="clk27",
        clock_hz=27_000_000,
        preset=PRESETS["gw2a-18"],
        serial="USB, second port",
        leds=_leds(6),
        programmer=_loader("-b", "tangnano20k"),
        button="button",
    ),
    Board(
        name="tang-primer-20k",
        title="Sipeed Tang Primer 20K with dock",
        part="GW2A-18C",
        platform=platforms.TangPrimer20k,
        family=gowin.GOWIN,
        pll=partial(gowin.find_rpll, "GW2A-18C"),
        clock_resource="clk27",
        clock_hz=54_000_000,
        preset=PRESETS["gw2a-18"],
        serial="USB of its debugger, second port",
        leds=_leds(6),
        programmer=_loader("-b", "tangprimer20k"),
        button="button",
    ),
    Board(
        name="tang-primer-25k",
        title="Sipeed Tang Primer 25K with dock",
        part="GW5A-25A",
        platform=platforms.TangPrimer25k,
        family=gowin.GOWIN,
        pll=gowin.find_plla,
        clock_resource="clk50",
        clock_hz=50_000_000,
        preset=PRESETS["gw5a-25"],
        serial="USB of its debugger, second port",
        leds=_leds(2),
        programmer=_loader("-b", "tangprimer25k"),
        button="button",
    ),
)


def _arty(size: str, platform: type) -> Board:
    """Return the Arty A7 with an FPGA of this size."""
    return Board(
        name=f"arty-a7-{size}",
        title=f"Digilent Arty A7-{size}T",
        part=f"XC7A{size}T",
        platform=platform,
        family=xilinx.XILINX,
        pll=xilinx.find_plle2,
        clock_resource="clk100",
        clock_hz=50_000_000,
        preset=PRESETS["ecp5"],
        serial=_FTDI,
        leds=(*_leds(4), *_green(4)),
        programmer=_loader("-b", f"arty_a7_{size}t"),
        button="button",
    )


_PROJECT_BOARDS = (
    _arty("35", ArtyA7_35Platform),
    _arty("100", ArtyA7_100Platform),
    Board(
        name="pynq-z1",
        title="Digilent PYNQ-Z1 or Arty Z7-20",
        part="XC7Z020",
        platform=ArtyZ720Platform,
        family=xilinx.XILINX,
        pll=xilinx.find_plle2,
        clock_resource="clk125",
        clock_hz=50_000_000,
        preset=PRESETS["ecp5"],
        serial="Pmod JA: in on pin 3, out on pin 2",
        leds=(*_leds(4), *_green(2)),
        programmer=Programmer("openFPGALoader", sram=("-b", "arty_z7_20"), flash=None),
        button="button",
        resources=(
            UARTResource(
                0,
                rx="3",
                tx="2",
                conn=("pmod", 0),
                attrs=Attrs(IOSTANDARD="LVCMOS33", PULLUP="TRUE"),
            ),
        ),
    ),
    Board(
        name="de10-nano",
        title="Terasic DE10-Nano",
        part="5CSEBA6U23I7",
        platform=platforms.DE10Nano,
        family=intel.INTEL,
        pll=intel.find_pin_clock,
        clock_resource="clk50",
        clock_hz=50_000_000,
        preset=PRESETS["ecp5"],
        serial="Arduino header: in on IO0, out on IO1",
        leds=_leds(8),
        programmer=Programmer("openFPGALoader", sram=("-b", "de10nano"), flash=None),
        button="button",
    ),
)


TUNED = Path(__file__).parent / "tuned.json"
"""What ``loopline tune`` has found and recorded: the preset and the clock of boards, by name."""


def tuned_boards(boards: Iterable[Board], path: Path) -> dict[str, Board]:
    """Return the boards by their names, with what is recorded of them in a file, if it exists."""
    found = json.loads(path.read_text()) if path.exists() else {}
    named = {board.name: board for board in boards}
    for name, record in found.items():
        preset, clock_hz = PRESETS[record["preset"]], record["clock_hz"]
        named[name] = replace(named[name], preset=preset, clock_hz=clock_hz)
    return named


_ALL = (*_ICE40_BOARDS, *_ECP5_BOARDS, *_GOWIN_BOARDS, *_PROJECT_BOARDS)

BOARDS = tuned_boards(_ALL, TUNED)
"""All boards by name."""


class Unsupported(NamedTuple):
    """Boards that Loopline is not built for: their names, their FPGAs, and why not."""

    title: str
    part: str
    reason: str


UNSUPPORTED = (
    Unsupported(
        "iCEstick, iCESugar-nano, Go board, Tang Nano 1K",
        "iCE40HX1K, LP1K; GW1NZ-1",
        "too small",
    ),
    Unsupported(
        "boards with Nexus, MachXO2, GateMate",
        "",
        "Amaranth has no platform for these FPGAs or boards",
    ),
)
"""Other popular boards."""


COLUMNS = (
    *("name", "board", "FPGA", "status", "preset", "MHz", "lanes", "nodes/s"),
    *("contest link", "flashed with"),
)
"""What :func:`table_rows` returns of each board."""


def table_rows() -> list[tuple[str, ...]]:
    """Return the :data:`COLUMNS` of every board; those from ``preset`` to ``nodes/s`` are empty if
    no player fits."""
    rows = []
    for board in BOARDS.values():
        player: tuple[str, ...] = ("",) * 4
        if (speed := board.nodes_per_second) is not None:
            player = (
                board.preset.name,
                f"{board.clock_hz / 1e6:g}",
                f"{board.preset.search.lanes}",
                f"{round(speed, -3):,.0f}",
            )
        rows.append(
            (
                *(board.name, board.title, board.part, board.status, *player),
                *(board.serial, board.programmer.tool),
            )
        )
    return rows


def find_board(name: str) -> Board:
    """Return the board of this name. Raises ``ValueError``, which lists all names."""
    try:
        return BOARDS[name]
    except KeyError:
        raise ValueError(f"no board {name!r}; there are: {', '.join(BOARDS)}") from None
