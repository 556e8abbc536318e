"""What the link's streams carry, defined once."""

from __future__ import annotations

from amaranth.lib import data, enum

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import ShapeCode

__all__ = ["LinkOp", "is_session", "link_command_layout", "turn_label_layout"]


class LinkOp(enum.Enum, shape=3):
    """What a line of the contest protocol says; ``-S`` and ``-G`` are Loopline's own."""

    NEW_WHITE = 0
    """``-W``: drop the game; the player is White in a new one and opens it."""
    NEW_RED = 1
    """``-B``: drop the game; the player is second in a new one and waits."""
    STOP = 2
    """``-T``: drop the game. The link itself answers with the player's code."""
    SET_UP = 3
    """``-S``: drop the game; turns that nobody answers follow. Answered as ``-T`` is."""
    TURN = 4
    """A turn: the opponent's, or one that sets a position up."""
    GO = 5
    """``-G``: the player takes the side to move, and goes on from here."""


def turn_label_layout(grid: GridConfig) -> data.StructLayout:
    """A turn as notation names it: labels count from the formation's top left, 0 is outside."""
    return data.StructLayout(
        {"column": grid.label_bits, "row": grid.label_bits, "symbol": ShapeCode}
    )


def link_command_layout(grid: GridConfig) -> data.StructLayout:
    """A line that was understood; ``turn`` has a meaning for ``TURN`` only."""
    return data.StructLayout({"op": LinkOp, "turn": turn_label_layout(grid)})


def is_session(command: data.View):
    """Whether a command ends the present game, whatever its state."""
    return (command.op != LinkOp.TURN) & (command.op != LinkOp.GO)
