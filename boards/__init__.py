"""Real boards: a bitstream for each of them, and what the units of the gateware take alone.

::

    loopline build

    table ──► pll ──► clock ──┐
                              ├──► bitstream: Amaranth ──► Yosys ──► nextpnr ──► icepack
         hdl.top ──► pins ────┘                                         │
                                                                        └──► report ──► manifest

    loopline report

    units ──► harness ──┐
                        ├──► measure: Yosys ──► nextpnr ──► report ──► unit_report ──► history
             families ──┘

A board, to its bitstream:

* :mod:`.table`: the boards, by name.
* :mod:`.pll`: the settings of an iCE40 PLL for a clock, as plain arithmetic.
* :mod:`.clock`: the clock and its reset on a board.
* :mod:`.pins`: a player between a board's serial port and its LEDs.
* :mod:`.bitstream`: from a board's name to a folder with the bitstream.

A unit, to its figures:

* :mod:`.units`: the units that can be built alone, by name.
* :mod:`.harness`: registers around units, so that they place on any part.
* :mod:`.families`: the families of FPGAs, by name, and how each is synthesised and routed for.
* :mod:`.measure`: one unit on one family, each step kept and not done again.
* :mod:`.unit_report`: many of them at a time, as a table and as JSON.
* :mod:`.history`: the figures that were saved, run by run, as a picture.

Both:

* :mod:`.memories`: what synthesis has to know of the gateware's memories.
* :mod:`.programs`: runs the tools, and ends them when nobody waits for them any more.
* :mod:`.report`: nextpnr's JSON report: cells, memories, clocks and whether they are met.
* :mod:`.sources`: the commit that a figure or a bitstream is made from.

``python -m loopline.boards`` is the command line, also offered as ``loopline boards``,
``loopline build`` and ``loopline report``.
"""

from loopline.boards.bitstream import BuildError, BuiltBoard, build
from loopline.boards.table import BOARDS, Board, find_board

__all__ = ["BOARDS", "Board", "BuildError", "BuiltBoard", "build", "find_board"]
