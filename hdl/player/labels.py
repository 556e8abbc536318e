"""Labels of turns, which count from the formation's top left, and coordinates (combinational).

All functions take the formation's bounding box; on an empty board the only label is 0, 0.
"""

from __future__ import annotations

from amaranth.hdl import Mux, Value
from amaranth.lib import data

from loopline.hdl.core.box import extent

__all__ = ["is_beyond", "label_of", "place_of"]


def place_of(label: data.View, box: data.View) -> dict[str, Value]:
    """Coordinates ``x`` and ``y`` of a turn with this label."""
    return {
        "x": Mux(box.empty, 0, box.west + label.column - 1),
        "y": Mux(box.empty, 0, box.north + label.row - 1),
    }


def is_beyond(label: data.View, box: data.View) -> Value:
    """Whether a label is farther away than next to the box: no turn has it."""
    return Mux(
        box.empty,
        (label.column != 0) | (label.row != 0),
        (label.column > extent(box.west, box.east) + 2)
        | (label.row > extent(box.north, box.south) + 2),
    )


def label_of(turn: data.View, box: data.View) -> dict[str, Value]:
    """Labels ``column`` and ``row`` of a turn."""
    return {
        "column": Mux(box.empty, 0, turn.x - box.west + 1),
        "row": Mux(box.empty, 0, turn.y - box.north + 1),
    }
