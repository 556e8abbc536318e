"""Encodings of the core: the contents of its streams and memories, defined once."""

from __future__ import annotations

from amaranth.lib import data, enum

from loopline.game import Shape
from loopline.hdl.config import GridConfig

__all__ = [
    "TILE_COUNT_BITS",
    "Meeting",
    "ReadKind",
    "ShapeCode",
    "Status",
    "TurnOp",
    "box_layout",
    "cell_layout",
    "command_layout",
    "end_layout",
    "entry_layout",
    "is_frontier",
    "is_occupied",
    "job_layout",
    "laid_layout",
    "outcome_layout",
    "place_layout",
    "result_layout",
    "turn_layout",
]

TILE_COUNT_BITS = 9
"""Width of the number of tiles of a turn, which is less than the number of journal entries."""


class ShapeCode(enum.Enum, shape=2):
    """A tile as notation names it. The sockets of its space decide its colours."""

    CROSS = Shape.CROSS.code
    SLASH = Shape.SLASH.code
    BACKSLASH = Shape.BACKSLASH.code


class TurnOp(enum.Enum, shape=3):
    """The commands of the turn unit. Each but ``EVALUATE`` has exactly one outcome."""

    CLEAR = 0
    """Empty the board. Outcome: ``LEGAL``."""
    MAKE = 1
    """Make the turn that begins with ``symbol`` at (``x``, ``y``)."""
    UNMAKE = 2
    """Take the last turn back; ``END`` if there is none that is not final."""
    COMMIT = 3
    """Make all turns final, which empties the journal. Outcome: ``LEGAL``."""
    NEXT = 4
    """Find the first candidate at or after the cursor (``index``, ``symbol``), or ``END``."""
    EVALUATE = 6
    """Evaluate every candidate without making it. One outcome for each, in any order, then ``END``.
    A candidate outside the variant's area, which ``NEXT`` passes over, is ``AREA``. On an empty
    board, and from a unit without an evaluator, ``END`` is the only outcome."""
    READ = 7
    """Read a cell or an entry of the frontier table. ``symbol`` holds a :class:`ReadKind`."""


class ReadKind(enum.Enum, shape=2):
    """What ``READ`` reads. Other codes read cells."""

    CELL = 0
    """The cell at (``x``, ``y``)."""
    SPACE = 1
    """The entry ``index``, its cell, and the other ends of its tracks; ``END`` if the entry was
    never used. The entry is in use if the cell is a space with this index."""


class Status(enum.Enum, shape=3):
    """The result of a command. All but ``LEGAL`` leave the position as it was."""

    LEGAL = 0
    """Done."""
    MISMATCH = 1
    """The tile does not fit: the cell is no frontier space, or its sockets do not match."""
    FORCED = 2
    """A forced play is illegal: a space would have three sockets of one colour."""
    BOUNDS = 3
    """The grid, the frontier table or the journal has no room for the turn."""
    END = 4
    """There is no further candidate, no turn to take back, or no such entry."""
    AREA = 5
    """The formation would outgrow the variant's area."""


def place_layout(grid: GridConfig) -> data.StructLayout:
    """Coordinates of a cell on the torus."""
    return data.StructLayout({"x": grid.coord_bits, "y": grid.coord_bits})


def cell_layout(grid: GridConfig) -> data.StructLayout:
    """A word of the cell map.

    - Empty cell: ``white`` and ``red`` are its sockets (masks of sides), and ``index`` is its
      entry in the frontier table if it has any sockets.
    - Occupied cell: ``white`` and ``red`` are all ones, which sockets cannot be, and ``index``
      holds the tile's white edges (a mask).
    """
    return data.StructLayout({"white": 4, "red": 4, "index": max(grid.index_bits, 4)})


def is_occupied(cell: data.View):
    """Whether a word of the cell map holds a tile. Two bits suffice to tell it from sockets."""
    return cell.white[0] & cell.red[0]


def is_frontier(cell: data.View):
    """Whether a word of the cell map is a space with sockets."""
    return ~is_occupied(cell) & ((cell.white | cell.red) != 0)


def entry_layout(grid: GridConfig) -> data.StructLayout:
    """An entry of the frontier table: the place of a space, and its sockets. An entry without
    sockets is free, and its place is not valid."""
    return data.StructLayout({"place": place_layout(grid), "white": 4, "red": 4})


class Meeting(enum.Enum, shape=2):
    """Where a track of the other colour enters a space, seen from the end of a track there."""

    ABSENT = 0
    """No track of the own colour ends in the space."""
    ALONE = 1
    """No track of the other colour does."""
    NEXT = 2
    """On a neighbouring side."""
    OPPOSITE = 3
    """On the opposite side."""


def end_layout(grid: GridConfig) -> data.StructLayout:
    """An end of a track of one colour: the place of its space, the side on which it enters, and
    where one of the other colour does. Not valid within a turn, when spaces may have two sockets of
    one colour."""
    return data.StructLayout({"place": place_layout(grid), "side": 2, "meeting": Meeting})


def box_layout(grid: GridConfig) -> data.StructLayout:
    """The bounding box: the first and last occupied column and row on the torus, inclusive. Not
    valid while ``empty``."""
    bits = grid.coord_bits
    return data.StructLayout({"west": bits, "north": bits, "east": bits, "south": bits, "empty": 1})


def command_layout(grid: GridConfig) -> data.StructLayout:
    """A command to the turn unit. An operation ignores the fields that it does not name."""
    return data.StructLayout(
        {
            "op": TurnOp,
            "symbol": ShapeCode,
            "x": grid.coord_bits,
            "y": grid.coord_bits,
            "index": grid.index_bits,
        }
    )


def turn_layout(grid: GridConfig) -> data.StructLayout:
    """A candidate: the coordinates and the frontier index of its space, and the shape that fits."""
    return data.StructLayout(
        {
            "symbol": ShapeCode,
            "x": grid.coord_bits,
            "y": grid.coord_bits,
            "index": grid.index_bits,
        }
    )


def outcome_layout(grid: GridConfig) -> data.StructLayout:
    """The outcome of a command.

    Which fields are valid depends on the command:

    - all: ``status`` and ``box``; of ``EVALUATE`` the box after the candidate's turn;
    - ``MAKE`` and ``EVALUATE``, when ``LEGAL``: ``tiles`` (with the first one), and the completed
      ``loops`` and ``lines`` (bit 0 white, bit 1 red; no lines where they do not count);
    - ``EVALUATE``: ``turn.symbol`` and ``turn.index``;
    - ``NEXT``: ``turn``;
    - ``READ``: ``turn.x``, ``turn.y`` and ``turn.index``.
    """
    return data.StructLayout(
        {
            "status": Status,
            "tiles": TILE_COUNT_BITS,
            "loops": 2,
            "lines": 2,
            "box": box_layout(grid),
            "turn": turn_layout(grid),
        }
    )


def job_layout(grid: GridConfig) -> data.StructLayout:
    """A job of the :class:`Placer`: make the turn that begins with ``symbol`` at ``place``, or
    with ``unmake`` take back the last turn."""
    return data.StructLayout({"unmake": 1, "symbol": ShapeCode, "place": place_layout(grid)})


def laid_layout(grid: GridConfig) -> data.StructLayout:
    """A tile that is laid, if ``valid``: whether it is the turn's ``first`` one, its place, and its
    white edges (a mask). The turn may still turn out to be illegal, and be unmade."""
    return data.StructLayout({"valid": 1, "first": 1, "place": place_layout(grid), "tile": 4})


def result_layout() -> data.StructLayout:
    """The result of a job: its status and, of a turn that was made, the number of tiles and the
    colours of the completed loops and lines. Unmaking a turn right after it was made returns the
    same tiles, loops and lines once more."""
    return data.StructLayout({"status": Status, "tiles": TILE_COUNT_BITS, "loops": 2, "lines": 2})
