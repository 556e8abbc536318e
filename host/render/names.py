"""What columns and rows are called, in either notation."""

from __future__ import annotations

from typing import Literal

from loopline.game import column_name
from loopline.host.render.view import View

__all__ = ["Notation", "column_names", "row_names"]

Notation = Literal["standard", "old"]
"""The notation of today, or the one before 1998, which knows no zero."""


def column_names(view: View, notation: Notation) -> dict[int, str]:
    """The columns that a turn can name by their coordinates, from left to right."""
    growth = view.growth
    return {
        x: column_name(number)
        for x, number in _numbers(view, view.box.west, view.box.columns, notation)
        if growth is None or growth[0] or view.box.west <= x <= view.box.east
    }


def row_names(view: View, notation: Notation) -> dict[int, str]:
    """The rows that a turn can name by their coordinates, from top to bottom."""
    growth = view.growth
    return {
        y: str(number)
        for y, number in _numbers(view, view.box.north, view.box.rows, notation)
        if growth is None or growth[1] or view.box.north <= y <= view.box.south
    }


def _numbers(view: View, first: int, count: int, notation: Notation) -> list[tuple[int, int]]:
    """Coordinates and numbers of columns or rows with the empty ones around.

    The only space of the empty board is @0, before 1998 A1. There the column or row before the
    first has no name: it will be the first.
    """
    zero = 1 if notation == "old" else 0
    if not view.tiles:
        return [(first, zero)]
    return [(first + number - 1, number) for number in range(zero, count + 2)]
