"""A board's whole design as Amaranth hands it to Yosys, made fit for a simulator."""

from __future__ import annotations

import re

from amaranth.lib import wiring

from loopline.boards import Board
from loopline.boards.bitstream import BoardTop
from loopline.hdl.design import DesignConfig
from loopline.hdl.top import Loopline

__all__ = ["top_rtlil"]

_INPUTS = r"clk\w*|uart_0__rx__io"
_CELL = re.compile(r"  cell \\(SB_\w+) \\\w+\n(.*?)  end\n", re.DOTALL)
_WIRES = {
    # Cell, whether it drives its pin: what is connected to what.
    ("SB_IO", False): [("D_IN_0", "PACKAGE_PIN")],
    ("SB_IO", True): [("PACKAGE_PIN", "D_OUT_0")],
    ("SB_GB_IO", False): [("GLOBAL_BUFFER_OUTPUT", "PACKAGE_PIN")],
    ("SB_PLL40_CORE", False): [("PLLOUTGLOBAL", "REFERENCECLK"), ("LOCK", "RESETB")],
}


def top_rtlil(board: Board, config: DesignConfig, player: wiring.Component | None = None) -> str:
    """The design of ``loopline build``, with wires in place of the iCE40's pads and PLL.

    Its ports are the board's pins. The clock pin has to run at the PLL's output frequency, which
    is the one thing about it that is not as on the board.
    """
    pll = board.pll(board.reference_hz, config.clock_hz)
    top = BoardTop(board, pll, player or Loopline(config))
    plan = board.make_platform().prepare(top, "loopline", emit_src=False)
    text = plan.files["loopline.il"]
    text = text if isinstance(text, str) else text.decode()
    text = re.sub(rf" inout (\d+)  ?\\({_INPUTS})\n", r" input \1 \\\2\n", text)
    text = re.sub(r" inout (\d+)  ?\\", r" output \1 \\", text)
    return _CELL.sub(_as_wires, text).replace("module \\loopline\n", "module \\top\n")


def _as_wires(cell: re.Match[str]) -> str:
    connected = dict(re.findall(r"connect \\(\w+) (.+)\n", cell[2]))
    wires = _WIRES[cell[1], "D_OUT_0" in connected]
    return "".join(f"  connect {connected[to]} {connected[source]}\n" for to, source in wires)
