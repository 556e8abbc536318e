"""Real boards: one table entry and one top per board, bitstreams and their reports.

::

    table ──► pll ──► clock ┐
                           ├──► Amaranth ──► Yosys ──► nextpnr ──► icepack ──► bitstream
        hdl.top ──► pins ──┘                              │
                                                          └──► report ──► manifest

* :mod:`.table`: the boards, by name.
* :mod:`.pll`: the settings of an iCE40 PLL for a clock, as plain arithmetic.
* :mod:`.clock`: the clock and its reset on a board.
* :mod:`.pins`: a player between a board's serial port and its LEDs.
* :mod:`.report`: nextpnr's JSON report: cells, memories, clocks and whether they are met.
* :mod:`.bitstream`: from a board's name to a folder with the bitstream.

``python -m loopline.boards`` is the command line, also offered as ``loopline boards`` and
``loopline build``.
"""

from .bitstream import BuildError, BuiltBoard, build
from .table import BOARDS, Board, find_board

__all__ = ["BOARDS", "Board", "BuildError", "BuiltBoard", "build", "find_board"]
