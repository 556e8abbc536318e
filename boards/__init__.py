"""Real boards: a bitstream for each of them, and what the units of the gateware take alone.

::

    loopline build

    table ──► PLL ──► clock ──┐
                              ├──► bitstream: Amaranth ──► Yosys ──► nextpnr ──► packer
         hdl.top ──► pins ────┘                                         │
                                                                        └──► report ──► manifest

- ``table``: the boards, by name;
- ``board``: what a build has to know of a board;
- ``presets``: the searches that fit, by name;
- ``platforms``: the boards that amaranth-boards lacks;
- ``families/``: tools, synthesis and PLL of each family of FPGAs;
- ``clock``: the clock and its reset on a board;
- ``pins``: a player between a board's serial port and its LEDs;
- ``bitstream``: from a board to a folder with its bitstream;
- ``project``: from a board to a folder for its vendor's tools;
- ``flash``: a bitstream to a board, ``loopline flash``;
- ``tune``: the preset and the clock of a board, found by building, ``loopline tune``;
- ``verilog``: a design or a unit as plain Verilog, ``loopline verilog``;
- ``port_table``: what a component's docstring says of its ports, as a table;
- ``figures/``: what the gateware's units take alone, ``loopline report``;
- ``synthesis``: commands for Yosys;
- ``programs``: runs the tools, and ends them when they are no longer waited for;
- ``report``: nextpnr's JSON report: cells, memories, clocks and whether they are met.

``python -m loopline.boards`` is the command line, also offered as ``loopline boards``,
``build``, ``flash``, ``tune``, ``verilog`` and ``report``.
"""

from loopline.boards.bitstream import BuildError, BuiltBoard, build
from loopline.boards.board import Board
from loopline.boards.table import BOARDS, find_board

__all__ = ["BOARDS", "Board", "BuildError", "BuiltBoard", "build", "find_board"]
