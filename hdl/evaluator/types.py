"""Records that the parts of the candidate evaluator hand on, and their widths."""

from __future__ import annotations

from amaranth.lib import data, enum, wiring
from amaranth.lib.wiring import Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.memory import MemoryPort
from loopline.hdl.core.types import TILE_COUNT_BITS, ShapeCode, Status, place_layout

__all__ = [
    "EPOCH_BITS",
    "PENDING_SPACES",
    "THREADS",
    "TILE_NUMBER_BITS",
    "WINDOW_BITS",
    "FetchReply",
    "Mode",
    "block_layout",
    "chain_entry_layout",
    "evaluation_layout",
    "fetch_layout",
    "growth_layout",
    "pending_layout",
    "pending_port",
    "slot_layout",
    "socket_layout",
    "sockets_layout",
    "space_tracks_layout",
    "token_layout",
    "track_id_layout",
    "window_bits",
    "window_layout",
]

THREADS = 4
"""Candidates in the chain at a time: as many as it has stages."""

WINDOW_BITS = 4
"""Low bits of each coordinate by which a candidate knows its cells. Its tiles may reach at least
six columns and rows to each side of the first one; a candidate that goes further takes the slow
path."""

EPOCH_BITS = 10
"""Width of a candidate's epoch, which counts the candidates of its thread. When a thread has used
all epochs, the memories are wiped."""

TILE_NUMBER_BITS = 5
"""Width of a candidate's number of tiles; one with more takes the slow path."""

PENDING_SPACES = 4
"""Rows of each thread's stack of pending spaces, a power of two."""


class Mode(enum.Enum, shape=3):
    """What a token does in a round through the chain."""

    EMPTY = 0
    """Nothing: the place is free."""
    FETCH = 1
    """Reads a frontier space's neighbours and tracks for :class:`FirstTiles`."""
    CHAIN = 2
    """Makes a forced play."""
    RESOLVE = 3
    """Looks up the track at side ``a`` of a space's second pair."""
    REVISIT = 4
    """Reads a pending space, and looks up the track at the socket that it got last."""
    SLOW = 5
    """Waits for the slow path."""


def track_id_layout(grid: GridConfig) -> data.StructLayout:
    """The id of a track of one colour, the same at both of its ends.

    - A track of the position: the lower frontier index of its two ends.
    - A track that the candidate has begun, ``is_new``: the number of the tile that began it, with
      all bits inverted. ``number`` has six bits or more, so the inverted number is not among the
      lowest indices.
    """
    return data.StructLayout({"number": max(grid.index_bits, TILE_NUMBER_BITS + 1), "is_new": 1})


def window_bits(grid: GridConfig) -> int:
    """Low bits of a coordinate that tell apart all cells that one candidate reaches."""
    return min(WINDOW_BITS, grid.coord_bits)


def window_layout(grid: GridConfig) -> data.StructLayout:
    """A cell within a candidate's window: the low bits of its coordinates."""
    return data.StructLayout({"x": window_bits(grid), "y": window_bits(grid)})


def block_layout(grid: GridConfig) -> data.StructLayout:
    """The block of two by two cells that a cell lies in, within the window. Zero bits wide where
    the window covers the torus.

    The window has eight columns and rows of blocks. A candidate's tiles never enter those opposite
    the first tile's block, so no two cells that the candidate changes share their low bits.
    """
    bits = WINDOW_BITS - 1 if grid.coord_bits > WINDOW_BITS else 0
    return data.StructLayout({"x": bits, "y": bits})


def socket_layout() -> data.StructLayout:
    """A socket, if ``valid``."""
    return data.StructLayout({"side": 2, "valid": 1})


def sockets_layout() -> data.ArrayLayout:
    """The sockets that a candidate has added to a space, by colour."""
    return data.ArrayLayout(socket_layout(), 2)


def growth_layout() -> data.StructLayout:
    """The side on which a candidate's first tile makes the box one larger, if ``valid``."""
    return data.StructLayout({"side": 2, "valid": 1})


def evaluation_layout(grid: GridConfig) -> data.StructLayout:
    """The evaluation of one candidate, or with ``end`` the mark behind the last one.

    - ``index``, ``symbol``: the candidate's frontier index and shape code;
    - ``status``: ``LEGAL``, ``FORCED`` (illegal by a forced play), ``BOUNDS`` or ``AREA``;
    - ``tiles``, ``loops``, ``lines``: of a legal candidate;
    - ``growth``: how the first tile grows the box.
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


def pending_layout(grid: GridConfig) -> data.StructLayout:
    """A pending space: it is forced, and is filled after another one.

    ``place`` is the tile beside it, ``side`` the side of that tile, ``colour`` that of the socket
    that the space got last.
    """
    return data.StructLayout({"place": place_layout(grid), "side": 2, "colour": 1})


def pending_port(grid: GridConfig) -> MemoryPort:
    """The memory of the pending spaces: a stack for each thread."""
    return MemoryPort(pending_layout(grid), THREADS * PENDING_SPACES)


def token_layout(grid: GridConfig) -> data.StructLayout:
    """The state of one candidate between two rounds through the chain.

    The forced play at ``place`` joins a pair: two sockets of ``colour``, on the sides ``a`` and
    ``b``.

    - ``mode``: what the token does in this round;
    - ``place``, ``space``: the space that is filled, and its frontier index. In mode ``REVISIT``
      ``place`` is the tile beside the space, ``a`` the side and ``colour`` the colour of the socket
      that the space got last;
    - ``origin``: the block of the first tile;
    - ``a``: the side of the socket that the candidate added last; ``id_a``, ``exits_a``,
      ``second_way_a``: of the track there, its id, the sides on which it leaves the box, and
      whether its row of the union-find is in the second way;
    - ``b``, ``b_base``: the side of the pair's other socket, and whether it is the position's;
    - ``other``, ``other_base``: likewise the socket of the other colour, if there is one;
    - ``is_known``: by colour, the id of the track at ``b`` or at ``other.side`` is known to be the
      one in ``ids``, which are valid in READ only;
    - ``second_way``: by colour, the row of that track is read from the second way, since another
      track has taken its first one;
    - ``both``: the pair of the other colour is joined next. Its sockets are on ``other.side`` and
      on the side that is left;
    - ``second``: this is that second join;
    - ``growth``: how the first tile grows the box;
    - ``tiles``, ``loops``, ``lines``: the candidate's, so far;
    - ``pending``: how many spaces are pending, each beside a tile of its own;
    - ``extra``: one more pending space, beside the first tile;
    - ``index``, ``symbol``: the candidate.
    """
    track_id = track_id_layout(grid)
    return data.StructLayout(
        {
            "mode": Mode,
            "place": place_layout(grid),
            "origin": block_layout(grid),
            "colour": 1,
            "a": 2,
            "id_a": track_id,
            "exits_a": 4,
            "second_way_a": 1,
            "b": 2,
            "b_base": 1,
            "other": socket_layout(),
            "other_base": 1,
            "is_known": 2,
            "ids": data.ArrayLayout(track_id, 2),
            "second_way": 2,
            "both": 1,
            "second": 1,
            "space": grid.index_bits,
            "growth": growth_layout(),
            "tiles": TILE_NUMBER_BITS,
            "loops": 2,
            "lines": 2,
            "pending": range(PENDING_SPACES + 1),
            "extra": data.StructLayout({"valid": 1, "side": 2, "colour": 1}),
            "index": grid.index_bits,
            "symbol": ShapeCode,
        }
    )


def chain_entry_layout(grid: GridConfig) -> data.StructLayout:
    """A candidate whose first tile forces a space, as it enters the chain.

    - ``token``: its token for the first forced play;
    - ``place``, ``tile``: the first tile, and its white edges;
    - ``pending``: the pending space beside it, if ``token.pending``;
    - ``add``: the sides of the tile on which the space beyond gets a socket that the overlay has to
      hold;
    - ``ids``, ``exits``: of the tracks through the tile, by colour.
    """
    return data.StructLayout(
        {
            "token": token_layout(grid),
            "place": place_layout(grid),
            "pending": pending_layout(grid),
            "add": 4,
            "tile": 4,
            "ids": data.ArrayLayout(track_id_layout(grid), 2),
            "exits": data.ArrayLayout(4, 2),
        }
    )


def fetch_layout(grid: GridConfig) -> data.StructLayout:
    """A frontier space whose neighbours and tracks are to be read, and how a tile there grows the
    box."""
    return data.StructLayout(
        {
            "place": place_layout(grid),
            "space": grid.index_bits,
            "growth": growth_layout(),
        }
    )


def space_tracks_layout(grid: GridConfig) -> data.StructLayout:
    """The tracks that end in a space, by colour: id, and the sides on which the other end leaves
    the box."""
    return data.StructLayout(
        {"ids": data.ArrayLayout(track_id_layout(grid), 2), "exits": data.ArrayLayout(4, 2)}
    )


class FetchReply(wiring.Signature):
    """What the chain has read for a fetch; replies are in the order of the fetches.

    Members
    -------
    cells_valid : Out(1), outside : Out(4)
        In this cycle the cell map shows the space's neighbours; ``outside`` are the sides on which
        these lie outside of the box.
    tracks_valid : Out(1), tracks : Out(space_tracks_layout)
        The tracks that end in the space, two cycles later.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(
            {
                "cells_valid": Out(1),
                "outside": Out(4),
                "tracks_valid": Out(1),
                "tracks": Out(space_tracks_layout(grid)),
            }
        )


def slot_layout() -> data.StructLayout:
    """What the chain's last stage does in a cycle, for measurements.

    - ``mode``: that of the token in it;
    - ``recirculates``: the token goes round once more as it was;
    - ``ended``: its candidate is evaluated;
    - ``first``: a candidate is evaluated by its first tile alone;
    - ``wiping``: overlay and union-find are being wiped;
    - ``advances``: the evaluator does not stand still.
    """
    return data.StructLayout(
        {"mode": Mode, "recirculates": 1, "ended": 1, "first": 1, "wiping": 1, "advances": 1}
    )
