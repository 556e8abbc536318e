"""What Yosys makes of a board's whole design: cells of the FPGA, for a simulator.

::

    design ──► the family's script ──► cells ──► models of cells ──► netlist
                                                 Yosys's own, and those of block RAMs
"""

from pathlib import Path

from loopline.boards import Board
from loopline.hdl.design import DesignConfig
from loopline.sim.benches.runner import Verilog
from loopline.tools.compilers import run_yosys
from tests.boards.top.top_design import top_files

__all__ = ["netlist"]

_MODELS = {
    "ecp5": ("-overwrite +/lattice/cells_sim_ecp5.v", "ecp5.v"),
    "gowin": (
        "-overwrite +/gowin/cells_sim.v; read_verilog -lib +/gowin/cells_xtra_gw1n.v",
        "gowin.v",
    ),
}
"""By family: what Yosys reads, with the ports of the cells that it has no models of; those."""


def netlist(board: Board, config: DesignConfig, folder: Path) -> Verilog:
    """A board's synthesised design; its ports are the board's pins.

    Pads and PLL are wires, so the clock pin has to run at the PLL's output frequency.
    """
    library, memories = _MODELS[board.family.name]
    for name, text in top_files(board, config).items():
        (folder / name).write_text(text)
    synthesis = (folder / "loopline.ys").read_text().replace("-top loopline", "-top top")
    script = [
        *(line for line in synthesis.splitlines() if not line.startswith("write_json")),
        # Without what Yosys has of the cells by now, which is their ports.
        "select top; write_rtlil -selected cells.il; design -reset; read_rtlil cells.il",
        f"read_verilog {library}",
        "hierarchy -check -top top",
        "proc -nomux -norom; flatten; opt_clean; memory_collect",
        "select top; write_verilog -noattr -norename -selected netlist.v",
    ]
    (folder / "netlist.ys").write_text("\n".join(script))
    run_yosys("script netlist.ys", folder)
    models = (Path(__file__).parent / memories).read_text()
    return Verilog(f"{models}\n{(folder / 'netlist.v').read_text()}", "top")
