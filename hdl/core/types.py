"""Encodings of the core: what its streams and memories carry, defined once."""

from __future__ import annotations

from amaranth.hdl import signed
from amaranth.lib import data, enum

from loopline.game import Shape
from loopline.hdl.config import GridConfig

__all__ = [
    "SCORE_BITS",
    "TILE_COUNT_BITS",
    "ReadKind",
    "ShapeCode",
    "Status",
    "TurnOp",
    "box_layout",
    "cell_layout",
    "command_layout",
    "entry_layout",
    "is_frontier",
    "is_occupied",
    "job_layout",
    "outcome_layout",
    "place_layout",
    "result_layout",
    "turn_layout",
]

TILE_COUNT_BITS = 9
"""Width of the number of tiles that one turn places: fewer than the journal's entries, at most."""

SCORE_BITS = 16
"""Width of an evaluation, in points, signed, positive when White stands better."""


class ShapeCode(enum.Enum, shape=2):
    """A tile as notation names it; the sockets decide the colours."""

    CROSS = Shape.CROSS.code
    SLASH = Shape.SLASH.code
    BACKSLASH = Shape.BACKSLASH.code


class TurnOp(enum.Enum, shape=3):
    """What the turn unit is asked to do. Every command but ``EVALUATE`` has exactly one outcome."""

    CLEAR = 0
    """Empty the board. Outcome: ``LEGAL``."""
    MAKE = 1
    """Make the turn that begins with ``symbol`` at (``x``, ``y``); one more turn to undo."""
    UNMAKE = 2
    """Take back the last turn; ``END`` when there is none to undo."""
    COMMIT = 3
    """Make all turns final: the journal is empty again. Outcome: ``LEGAL``."""
    NEXT = 4
    """Find the first candidate at or after the cursor (``index``, ``symbol``); ``END`` if none."""
    SCORE = 5
    """Evaluate the position from the ends of its tracks."""
    EVALUATE = 6
    """Judge every candidate: one outcome for each, in no certain order, and ``END`` after them. One
    outside of the variant's area, which ``NEXT`` passes over, is ``AREA``. An ``END`` alone comes
    from a unit without evaluator, and on an empty board."""
    READ = 7
    """Read a cell, or an entry of the frontier table, as ``symbol`` says, a :class:`ReadKind`."""


class ReadKind(enum.Enum, shape=2):
    """What is read. The codes that are not named read cells."""

    CELL = 0
    """The cell at (``x``, ``y``)."""
    SPACE = 1
    """The entry ``index``, its cell and the other ends of its tracks; ``END`` if it was never
    used. It is live if the cell is a space that names this index."""


class Status(enum.Enum, shape=3):
    """What became of a command. All but ``LEGAL`` leave the position as it was."""

    LEGAL = 0
    """Done."""
    MISMATCH = 1
    """The tile does not fit: no space next to a tile, or a neighbour's colours differ."""
    FORCED = 2
    """Some space would meet three edges of one colour."""
    BOUNDS = 3
    """The turn is too large for the grid, the frontier table or the journal."""
    END = 4
    """There is nothing more: no further candidate or evaluation, no turn to undo, no such entry."""
    AREA = 5
    """The formation would outgrow the area that the variant allows: not a legal turn."""


def place_layout(grid: GridConfig) -> data.StructLayout:
    """Coordinates of a cell on the torus."""
    return data.StructLayout({"x": grid.coord_bits, "y": grid.coord_bits})


def cell_layout(grid: GridConfig) -> data.StructLayout:
    """One word of the cell map.

    ``white`` and ``red`` are masks of sides. In an empty cell they are its sockets, and ``index``
    is its place in the frontier table if it has any. In an occupied cell both are all ones, which
    no sockets can be, and ``index`` holds the mask of the tile's white edges.
    """
    return data.StructLayout({"white": 4, "red": 4, "index": max(grid.index_bits, 4)})


def is_occupied(cell: data.View):
    """Whether a word of the cell map holds a tile: two bits tell it from any sockets."""
    return cell.white[0] & cell.red[0]


def is_frontier(cell: data.View):
    """Whether a word of the cell map is a space with sockets."""
    return ~is_occupied(cell) & ((cell.white | cell.red) != 0)


def entry_layout(grid: GridConfig) -> data.StructLayout:
    """An entry of the frontier table: where the space is, and its sockets; an entry without
    sockets is free, and has no place."""
    return data.StructLayout({"place": place_layout(grid), "white": 4, "red": 4})


def box_layout(grid: GridConfig) -> data.StructLayout:
    """The bounding box: first and last occupied column and row, on the torus, all inclusive.

    Undefined while ``empty``.
    """
    bits = grid.coord_bits
    return data.StructLayout({"west": bits, "north": bits, "east": bits, "south": bits, "empty": 1})


def command_layout(grid: GridConfig) -> data.StructLayout:
    """A command to the turn unit; an operation ignores the fields that it does not name."""
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
    """A candidate: the space by coordinates and by frontier index, and the shape that fits."""
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

    ``status`` and ``box`` are always set. ``tiles`` (placed, the first one included), ``loops``
    and ``lines`` (bit 0 white, bit 1 red; none where lines do not count) are set by ``MAKE`` and
    ``EVALUATE`` when ``LEGAL``, ``turn`` by ``NEXT``, ``turn.symbol`` and ``turn.index`` by
    ``EVALUATE``,
    ``turn.x``, ``turn.y`` and ``turn.index`` by ``READ``, ``score`` by ``SCORE``. The box of a
    ``EVALUATE`` is the one after that turn.
    """
    return data.StructLayout(
        {
            "status": Status,
            "tiles": TILE_COUNT_BITS,
            "loops": 2,
            "lines": 2,
            "box": box_layout(grid),
            "turn": turn_layout(grid),
            "score": signed(SCORE_BITS),
        }
    )


def job_layout(grid: GridConfig) -> data.StructLayout:
    """A job of the :class:`Placer`: make the turn that begins with ``symbol`` at ``place``, or
    with ``unmake`` take back the last turn."""
    return data.StructLayout({"unmake": 1, "symbol": ShapeCode, "place": place_layout(grid)})


def result_layout() -> data.StructLayout:
    """The result of a job: its status and, of a turn that was made, the number of tiles and the
    colours of the completed loops and lines. Unmaking a turn right after it was made returns the
    same tiles, loops and lines once more."""
    return data.StructLayout({"status": Status, "tiles": TILE_COUNT_BITS, "loops": 2, "lines": 2})
