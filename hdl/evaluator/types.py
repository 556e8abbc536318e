"""Encodings of the trials: what passes between their parts, defined once."""

from __future__ import annotations

from amaranth.lib import data, enum

from loopline.hdl.config import GridConfig
from loopline.hdl.core.memory import MemoryPort
from loopline.hdl.core.types import TILE_COUNT_BITS, ShapeCode, Status, place_layout

__all__ = [
    "EPOCH_BITS",
    "PENDING",
    "THREADS",
    "TRIAL_TILE_BITS",
    "WINDOW_BITS",
    "Mode",
    "block_layout",
    "fetch_layout",
    "fetched_layout",
    "first_layout",
    "growth_layout",
    "name_layout",
    "near_layout",
    "slot_layout",
    "socket_layout",
    "sockets_layout",
    "token_layout",
    "trial_layout",
    "waiting_layout",
    "waiting_rows",
    "window_bits",
]

THREADS = 4
"""Candidates under way at a time: as many as the pipeline has stages."""

WINDOW_BITS = 4
"""A trial knows the cells by so many low bits of each coordinate. Its tiles may reach at least six
columns and rows to each side of the first one; a trial that goes further is left to the slow path.
"""

EPOCH_BITS = 10
"""Width of a trial's number; when a thread has used all, overlay and unions are wiped."""

TRIAL_TILE_BITS = 5
"""Width of a trial's number of tiles; larger ones are left to the slow path."""

PENDING = 4
"""Tiles beside which forced spaces may wait while a trial goes on from another one: one space
each, but two beside the first tile. A power of two."""


class Mode(enum.Enum, shape=3):
    """What a token does on its way through the pipeline."""

    EMPTY = 0
    """Nothing."""
    FETCH = 1
    """Reads a frontier space's neighbours and tracks for its first tiles."""
    CHAIN = 2
    """Makes a forced play."""
    RESOLVE = 3
    """Looks up the track that came last of a space's second pair."""
    REVISIT = 4
    """Reads a space that has waited, and looks up the track that came last."""
    SLOW = 5
    """Waits for the slow path."""


def name_layout(grid: GridConfig) -> data.StructLayout:
    """The name of a track of one colour during a trial.

    The lower of its ends' frontier indices; or with ``fresh``, for a track that the trial has
    begun, the number of the tile that began it, with all bits inverted: of six bits or more, so
    that it is not among the lowest indices.
    """
    return data.StructLayout({"id": max(grid.index_bits, TRIAL_TILE_BITS + 1), "fresh": 1})


def window_bits(grid: GridConfig) -> int:
    """Low bits of a coordinate that tell all cells apart that one trial can reach."""
    return min(WINDOW_BITS, grid.coord_bits)


def near_layout(grid: GridConfig) -> data.StructLayout:
    """The low bits of a cell's coordinates; see :func:`window_bits`."""
    return data.StructLayout({"x": window_bits(grid), "y": window_bits(grid)})


def block_layout(grid: GridConfig) -> data.StructLayout:
    """The block of two by two cells that a cell lies in, within the window; nothing where the
    window is all of the torus.

    Of the columns and rows of the eight blocks, a trial's tiles never enter those opposite to the
    first tile's. So no two of the cells that it changes have the same low bits.
    """
    bits = WINDOW_BITS - 1 if grid.coord_bits > WINDOW_BITS else 0
    return data.StructLayout({"x": bits, "y": bits})


def socket_layout() -> data.StructLayout:
    """A socket, or without ``valid`` none."""
    return data.StructLayout({"side": 2, "valid": 1})


def sockets_layout() -> data.ArrayLayout:
    """The sockets that a trial has added to a space: at most one of each colour."""
    return data.ArrayLayout(socket_layout(), 2)


def growth_layout() -> data.StructLayout:
    """Whether, and where, a trial's first tile makes the box one larger."""
    return data.StructLayout({"side": 2, "any": 1})


def trial_layout(grid: GridConfig) -> data.StructLayout:
    """The outcome of a trial, or with ``end`` the mark after the last one.

    ``index`` and ``symbol`` name the candidate. ``status`` is ``LEGAL``, ``FORCED`` (illegal by a
    forced play), ``BOUNDS`` or ``AREA``; ``tiles``, ``loops`` and ``lines`` are those of a legal
    one, ``growth`` tells the box after it.
    """
    return data.StructLayout(
        {
            "index": grid.index_bits,
            "symbol": ShapeCode,
            "status": Status,
            "tiles": TILE_COUNT_BITS,
            "loops": 2,
            "lines": 2,
            "growth": growth_layout(),
            "end": 1,
        }
    )


def waiting_layout(grid: GridConfig) -> data.StructLayout:
    """A forced space that waits: the tile beside it, on which of its sides it lies, and the colour
    that came last."""
    return data.StructLayout({"place": place_layout(grid), "side": 2, "colour": 1})


def waiting_rows(grid: GridConfig) -> MemoryPort:
    """The memory of those that wait: a stack for each thread."""
    return MemoryPort(waiting_layout(grid), THREADS * PENDING)


def token_layout(grid: GridConfig) -> data.StructLayout:
    """One trial's state between two rounds through the pipeline, where it goes on from.

    The forced play at ``place`` joins the sockets of ``colour`` on the sides ``a`` and ``b``; the
    track at ``a`` is ``name_a`` and has ``mask_a`` for the sides on which it leaves the box. If
    ``other.valid``, the space has a socket of the other colour on ``other.side``. ``*_base``: the
    socket is the position's, not the trial's. ``known``: by colour, the track at ``b`` or at
    ``other.side`` is known to be the one in ``names``, which READ alone has. ``spare``: by colour,
    its spare row of the unions is asked for, since its own one is another name's; ``spare_a``: so
    it was for the track at ``a``. ``both``: the other colour is joined next, its sockets are
    ``other.side`` and the side that is left.
    ``second``: this is that second join. ``waiting``: how many forced spaces wait, each beside a
    tile of its own; ``two``: there is one more, beside the first tile on ``two_side``, where
    ``two_colour`` came last. In mode ``REVISIT`` ``place`` is such a tile, ``a`` the side and
    ``colour`` the colour. ``origin``: the block of the first tile.
    """
    name = name_layout(grid)
    return data.StructLayout(
        {
            "mode": Mode,
            "place": place_layout(grid),
            "origin": block_layout(grid),
            "colour": 1,
            "a": 2,
            "name_a": name,
            "mask_a": 4,
            "spare_a": 1,
            "b": 2,
            "b_base": 1,
            "other": socket_layout(),
            "other_base": 1,
            "known": 2,
            "names": data.ArrayLayout(name, 2),
            "spare": 2,
            "both": 1,
            "second": 1,
            "space": grid.index_bits,
            "growth": growth_layout(),
            "tiles": TRIAL_TILE_BITS,
            "loops": 2,
            "lines": 2,
            "waiting": range(PENDING + 1),
            "two": 1,
            "two_side": 2,
            "two_colour": 1,
            "index": grid.index_bits,
            "symbol": ShapeCode,
        }
    )


def first_layout(grid: GridConfig) -> data.StructLayout:
    """A trial whose first tile forces something: where it goes on, and what that tile leaves.

    ``waits``: a space that has to wait, if one has; ``add``: the sides of the tile on which a space
    gets a socket that the trial has to remember; ``tile``: its white edges; ``names``, ``masks``:
    the tracks through it, by colour.
    """
    return data.StructLayout(
        {
            "token": token_layout(grid),
            "place": place_layout(grid),
            "waits": waiting_layout(grid),
            "add": 4,
            "tile": 4,
            "names": data.ArrayLayout(name_layout(grid), 2),
            "masks": data.ArrayLayout(4, 2),
        }
    )


def fetch_layout(grid: GridConfig) -> data.StructLayout:
    """A space whose neighbours and tracks are to be read: its index, and what the box grows by when
    it is filled."""
    return data.StructLayout(
        {
            "place": place_layout(grid),
            "space": grid.index_bits,
            "growth": growth_layout(),
        }
    )


def fetched_layout(grid: GridConfig) -> data.StructLayout:
    """What a fetch has found: by colour, the name of the space's track and on which sides its
    other end leaves the box."""
    return data.StructLayout(
        {"names": data.ArrayLayout(name_layout(grid), 2), "masks": data.ArrayLayout(4, 2)}
    )


def slot_layout() -> data.StructLayout:
    """What the pipeline's last stage does in a cycle, for those who measure it.

    ``mode`` is the token's. ``again``: it goes round once more as it was; ``ended``: its trial is
    over. ``first``: there is an outcome of a first tile alone. ``wiping``: overlay and
    unions are being emptied. Without ``moves`` everything stands still.
    """
    return data.StructLayout(
        {"mode": Mode, "again": 1, "ended": 1, "first": 1, "wiping": 1, "moves": 1}
    )
