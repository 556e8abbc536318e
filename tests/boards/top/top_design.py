"""A board's whole design as Amaranth hands it to Yosys, made fit for a simulator."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from amaranth.lib import wiring

from loopline.boards import Board
from loopline.boards.bitstream import BoardTop
from loopline.boards.pins import Led
from loopline.boards.project import write_project
from loopline.hdl.design import DesignConfig
from loopline.hdl.top import Loopline
from loopline.sim.benches.runner import Verilog

__all__ = ["button_pin", "clock_pin", "led_pins", "project_verilog", "top_files", "top_rtlil"]

_HIGH = "1'1"
_WIRES = {
    # Cell, whether it drives its pin: what is connected to what.
    ("SB_IO", False): [("D_IN_0", "PACKAGE_PIN")],
    ("SB_IO", True): [("PACKAGE_PIN", "D_OUT_0")],
    ("SB_GB_IO", False): [("GLOBAL_BUFFER_OUTPUT", "PACKAGE_PIN")],
    ("SB_PLL40_CORE", False): [("PLLOUTGLOBAL", "REFERENCECLK"), ("LOCK", "RESETB")],
    ("SB_PLL40_PAD", False): [("PLLOUTGLOBAL", "PACKAGEPIN"), ("LOCK", "RESETB")],
    ("IB", False): [("O", "I")],
    ("OBZ", False): [("O", "I")],
    ("EHXPLLL", False): [("CLKOP", "CLKI"), ("LOCK", "PHASEDIR")],
    ("IBUF", False): [("O", "I")],
    ("TBUF", False): [("O", "I")],
    ("rPLL", False): [("CLKOUT", "CLKIN"), ("LOCK", _HIGH)],
    ("PLLA", False): [("CLKOUT0", "CLKIN"), ("LOCK", _HIGH)],
}
_PROJECT_MODELS = """\
module PLLE2_BASE(input CLKIN1, CLKFBIN, RST, PWRDWN, output CLKFBOUT, CLKOUT0, LOCKED);
  parameter CLKFBOUT_MULT = 0, CLKIN1_PERIOD = 0, CLKOUT0_DIVIDE = 0, DIVCLK_DIVIDE = 0;
  assign CLKFBOUT = 0;
  assign CLKOUT0 = CLKIN1;
  assign LOCKED = 1;
endmodule
module BUFG(input I, output O);
  assign O = I;
endmodule
"""
_CELLS = "|".join(sorted({name for name, _ in _WIRES}))
_CELL = re.compile(rf"(?:  attribute [^\n]+\n)*  cell \\({_CELLS}) \\\w+\n(.*?)  end\n", re.DOTALL)


def top_rtlil(board: Board, config: DesignConfig, player: wiring.Component | None = None) -> str:
    """The design of ``loopline build``, with wires in place of the FPGA's pads and PLL.

    Its ports are the board's pins. The clock pin has to run at the PLL's output frequency, which
    is the one thing about it that is not as on the board.
    """
    return top_files(board, config, player)["loopline.il"]


def top_files(
    board: Board, config: DesignConfig, player: wiring.Component | None = None
) -> dict[str, str]:
    """All that Yosys reads for ``loopline build``, by name; the design is that of ``top_rtlil``."""
    pll = board.pll(board.reference_hz, config.clock_hz)
    top = BoardTop(board, pll, player or Loopline(config))
    family, platform = board.family, board.make_platform()
    plan = platform.prepare(top, "loopline", emit_src=False, **family.synthesis(platform))
    files = {
        name: text if isinstance(text, str) else text.decode() for name, text in plan.files.items()
    }
    inputs = rf"{clock_pin(board)}|uart_0__rx__io|{button_pin(board).lstrip('~') or 'no button'}"
    text = re.sub(rf" inout (\d+)  ?\\({inputs})\n", r" input \1 \\\2\n", files["loopline.il"])
    text = re.sub(r" inout (\d+)  ?\\", r" output \1 \\", text)
    text = _CELL.sub(_as_wires, text).replace("module \\loopline\n", "module \\top\n")
    return {**files, **family.files, "loopline.il": text}


def project_verilog(board: Board, folder: Path, config: DesignConfig, player: Any) -> Verilog:
    """The design of a board's project, with wires in place of the FPGA's PLL."""
    write_project(
        board, folder, baud=config.baud, clock_hz=config.clock_hz, player=lambda _config: player
    )
    return Verilog(_PROJECT_MODELS + (folder / "loopline.v").read_text(), "loopline")


def clock_pin(board: Board) -> str:
    """The name of the port for the board's clock."""
    return f"{board.clock_resource}_0__io"


def button_pin(board: Board) -> str:
    """The name of the button's port, behind a ``~`` if it is low when pressed; empty if none."""
    if board.button is None:
        return ""
    inverted = board.make_platform().request(board.button, dir="-").invert[0]
    return f"{'~' * inverted}{board.button}_0__io"


def led_pins(board: Board) -> dict[str, bool]:
    """The names of the ports for the board's LEDs, and whether a low level lights each."""
    platform = board.make_platform()
    ports = {}

    def port_of(led: Led) -> object:
        key = led.resource, led.number
        if key not in ports:
            ports[key] = platform.request(*key, dir="-")
        return getattr(ports[key], led.colour) if led.colour else ports[key]

    names = ((*led[:2], "", led.colour) if led.colour else led[:2] for led in board.leds)
    pins = ("_".join(map(str, (*name, "", "io"))) for name in names)
    return {pin: port_of(led).invert[0] for pin, led in zip(pins, board.leds, strict=True)}


def _as_wires(cell: re.Match[str]) -> str:
    connected = dict(re.findall(r"connect \\(\w+) (.+)\n", cell[2]))
    wires = _WIRES[cell[1], "D_OUT_0" in connected]
    return "".join(
        f"  connect {connected[to]} {connected.get(source, source)}\n" for to, source in wires
    )
