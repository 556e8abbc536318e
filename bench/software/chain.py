"""One turn's tiles on flat arrays, compiled by numba: laid with all that they force, lifted again.

As in the reference model, a tile can be lifted with the sockets that it was laid on, so no array
holds the earlier state. What differs from tile to tile is computed without branches: one branch
that the processor mispredicts costs as much as twenty of these steps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from loopline.bench.software.tables import CONFLICT, EDGES, FORCED, OPENINGS, ROW, ROW_BITS, STEP

__all__ = ["Arrays", "beyond", "is_line", "lay_chain", "lift_tiles"]


class Arrays(NamedTuple):
    """A position.

    Attributes
    ----------
    sockets : uint8 by cell
        Those of a space; of an occupied cell, those that its tile was laid on.
    partner : uint16 by end
        The other end of the track that ends here; undefined where no track ends.
    tiles : uint8 by cell
        The tile, or 0.
    frontier, where : int16
        The spaces next to a tile, in an order that depends on the turns made. By cell: its index
        in ``frontier``, for an occupied cell its former one, -1 for all others.
    steps : int32
        The cells of all tiles in the order in which they were laid, and above them those of the
        turn in progress.
    turns : int32 by turn, 6 columns
        The tiles before it, the box before it (4), and the frontier spaces that it left over.
    state : int64
        The numbers that :mod:`.turns` names.
    """

    sockets: np.ndarray
    partner: np.ndarray
    tiles: np.ndarray
    frontier: np.ndarray
    where: np.ndarray
    steps: np.ndarray
    turns: np.ndarray
    state: np.ndarray


@njit(cache=True)
def beyond(partner, cell, sockets, side):
    """Return the end that the track through a tile's edge has on that side."""
    there, new = np.int64(partner[cell << 2 | side]), (cell + STEP[side]) << 2 | (side ^ 2)
    return there if (sockets | sockets >> 4) >> side & 1 else new


@njit(cache=True)
def is_line(one, other, box, length):
    """Return whether a track with these ends leaves the box on opposite sides ``length`` apart."""
    west, north, east, south = box
    x1, y1 = (one >> 2) & (ROW - 1), one >> (2 + ROW_BITS)
    x2, y2 = (other >> 2) & (ROW - 1), other >> (2 + ROW_BITS)
    wide = (min(x1, x2) < west) & (max(x1, x2) > east) & (east - west + 1 >= length)
    high = (min(y1, y2) < north) & (max(y1, y2) > south) & (south - north + 1 >= length)
    return wide | high


@njit(cache=True)
def _meet(a, cell, side, bit):
    """Return a neighbour's sockets, these with ``bit`` added, and what they force then."""
    before = np.int64(a.sockets[cell + STEP[side]])
    return before, before | bit, FORCED[before | bit] if bit else 0


@njit(cache=True)
def _queue(a, tail, cell, side, before, forced):
    """Append a neighbour that is forced now and was not before; return the queue's new end."""
    a.steps[tail] = cell + STEP[side]
    return tail + ((forced != 0) & (FORCED[before] == 0))


@njit(cache=True)
def lay_chain(a, bottom, cell, tile, box, length, keeps):
    """Lay a tile, and what it forces, as the turn above the ``bottom`` tiles on the board.

    ``length`` is that of a line, 0 if the box is too small for one. Unless the turn ``keeps``, its
    last tile is not written. Returns the number of tiles, the number of tiles that the caller has
    to lift, whether a conflict has ended the chain, and the masks of loops and lines.
    """
    head, tail = bottom, bottom + 1
    a.steps[bottom] = cell
    loops = lines = 0
    while True:
        sockets = np.int64(a.sockets[cell])
        openings = OPENINGS[(sockets | sockets >> 4) & 15, tile]
        north, south = openings & 255, openings >> 16 & 255
        east, west = openings >> 8 & 255, openings >> 24
        north, north_after, north_forced = _meet(a, cell, 0, north)
        east, east_after, east_forced = _meet(a, cell, 1, east)
        south, south_after, south_forced = _meet(a, cell, 2, south)
        west, west_after, west_forced = _meet(a, cell, 3, west)
        forced = north_forced | east_forced | south_forced | west_forced
        if forced & CONFLICT:
            return head + 1 - bottom, head - bottom, True, 0, 0
        head += 1
        goes_on = (forced != 0) | (head < tail)
        writes = keeps | goes_on
        if writes:
            a.tiles[cell] = tile
            a.sockets[cell + STEP[0]] = north_after
            a.sockets[cell + STEP[1]] = east_after
            a.sockets[cell + STEP[2]] = south_after
            a.sockets[cell + STEP[3]] = west_after
            tail = _queue(a, tail, cell, 0, north, north_forced)
            tail = _queue(a, tail, cell, 1, east, east_forced)
            tail = _queue(a, tail, cell, 2, south, south_forced)
            tail = _queue(a, tail, cell, 3, west, west_forced)
        for colour in range(2):
            near, far = np.int64(EDGES[tile, colour, 0]), np.int64(EDGES[tile, colour, 1])
            one = beyond(a.partner, cell, sockets, near)
            other = beyond(a.partner, cell, sockets, far)
            loops |= np.int64(one == (cell << 2 | far)) << colour
            # Both ends of a track that closes here are this cell's: it is not a line.
            if writes:
                a.partner[one] = other
                a.partner[other] = one
            if length:
                lines |= np.int64(is_line(one, other, box, length)) << colour
        if not goes_on:
            return head - bottom, head - bottom if keeps else head - 1 - bottom, False, loops, lines
        cell = np.int64(a.steps[head])
        tile = np.int64(FORCED[a.sockets[cell]])


@njit(cache=True)
def _uncover(a, cell, sockets, side):
    """Give a track that ended here its end back; cell 0, on no board, stands for no track."""
    end = cell << 2 | side
    there = np.int64(a.partner[end]) if (sockets | sockets >> 4) >> side & 1 else 0
    a.partner[there] = end


@njit(cache=True)
def lift_tiles(a, bottom, count):
    """Lift the ``count`` tiles above ``bottom``, the last one first."""
    for n in range(bottom + count - 1, bottom - 1, -1):
        cell = np.int64(a.steps[n])
        sockets, tile = np.int64(a.sockets[cell]), np.int64(a.tiles[cell])
        openings = OPENINGS[(sockets | sockets >> 4) & 15, tile]
        for side in range(4):
            _uncover(a, cell, sockets, side)
            a.sockets[cell + STEP[side]] ^= openings >> (8 * side) & 255
        a.tiles[cell] = 0
