"""The position of a turn unit, for a unit that reads it between two commands."""

from __future__ import annotations

from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import edges_layout
from loopline.hdl.core.cells import CellReader
from loopline.hdl.core.types import box_layout, entry_layout, place_layout

__all__ = ["PositionReader"]


class PositionReader(wiring.Signature):
    """The memories of a turn unit, as seen by a unit that reads them.

    Members
    -------
    active : Out(1)
        The reader has the memories: only while the turn unit has no command.
    index : Out, en : Out(1)
        Read an entry of the frontier table, and the other ends of its tracks, or with ``follow``
        the places of these. Without ``en`` all results hold.
    follow : Out(1)
        Read ``places`` instead. Only if the last read was of an entry.
    entry : In(entry_layout), partners : In, one index for each colour
        The entry, one cycle later. A colour that does not end there has no valid partner.
    places : In(place_layout), one for each colour
        The places of ``partners``, one cycle after ``follow``.
    cells : Out(CellReader)
        Read a cell.
    high : In
        Entries from ``high`` on are free.
    box : In(box_layout), edges : In(edges_layout)
        The bounding box, and what follows from it.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(
            {
                "active": Out(1),
                "index": Out(grid.index_bits),
                "en": Out(1),
                "follow": Out(1),
                "entry": In(entry_layout(grid)),
                "partners": In(grid.index_bits).array(2),
                "places": In(place_layout(grid)).array(2),
                "cells": Out(CellReader(grid)),
                "high": In(range(grid.frontier_entries + 1)),
                "box": In(box_layout(grid)),
                "edges": In(edges_layout(grid)),
            }
        )
