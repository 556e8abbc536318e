"""Find the attacks of both sides in one pass over all tracks of a position.

An *attack* is found here by its pattern, without making a turn:

- the ends of a track are in neighbouring spaces;
- they are two apart in one row or column, and the space between them has a socket of the other
  colour and none of its own (so that a tile fits there that leads both ends into each other);
- the box is exactly 7 long and the track leaves it on both sides;
- the box is 8 long or longer, the track leaves it on one side, and its other end is in the last
  column (row) of the opposite side, or one before it where the space in between has a socket of
  the other colour and none of its own.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from loopline.engine.board.board import AREA, EAST, HIGH, LINES, NORTH, SOUTH, WEST, beyond, inside
from loopline.engine.board.tables import COLUMN, ROW_BITS
from loopline.engine.jit import compiled, inlined, record
from loopline.game import LINE_LENGTH

__all__ = [
    "ENTRIES_TO_OWN",
    "EVALUATION",
    "FIRST_ENTRY",
    "LARGEST",
    "NEAR_EAST",
    "NEAR_NORTH",
    "NEAR_SOUTH",
    "NEAR_WEST",
    "OTHER_ATTACKS",
    "OWN_ATTACKS",
    "TEMPO",
    "TRACKS",
    "Scanner",
    "new_scanner",
    "scan",
]

_FOUND = 12
(
    EVALUATION,
    OWN_ATTACKS,
    OTHER_ATTACKS,
    NEAR_WEST,
    NEAR_EAST,
    NEAR_NORTH,
    NEAR_SOUTH,
    TRACKS,
    TEMPO,
    LARGEST,
    FIRST_ENTRY,
    ENTRIES_TO_OWN,
) = range(_FOUND)
"""Indices of ``found``:

- ``EVALUATION``: the evaluation for the side to move;
- ``OWN_ATTACKS``, ``OTHER_ATTACKS``: the number of attacks of each side;
- ``NEAR_WEST``, ``NEAR_EAST``, ``NEAR_NORTH``, ``NEAR_SOUTH``: the columns and rows that all loop
  attacks of the opponent have in common, counted from the one beside the box: of each attack those
  from one end to the other. Without attacks all, with attacks far apart none;
- ``TRACKS``: the number of tracks;
- ``TEMPO``, ``LARGEST``: inputs: the value of being to move, and the largest evaluation;
- ``FIRST_ENTRY``: the entry of the frontier table from which the gateware would scan next: that of
  its last attack;
- ``ENTRIES_TO_OWN``: how many entries from there its scan would read before the first attack of the
  side to move, at which it ends."""


class Scanner(Protocol):
    """The inputs of a scan besides the position, and its results.

    Attributes
    ----------
    ends, distances, lines : int16 by whose track and row
        Weights; row 0 is for the side to move.
    perimeter : int16 by window
        Weights, where 0 stands for the side to move; the other side's are negative.
    tracks : int16
        The tracks of the position: the lower frontier index of each, and its colour.
    seen : int16 by frontier index
        The sides of each space that the walk along the perimeter has passed.
    windows : int16
        The windows of the perimeter, in the order of the walk.
    found : int64
        Numbers, by the indices that this module names.
    """

    ends: np.ndarray
    distances: np.ndarray
    lines: np.ndarray
    perimeter: np.ndarray
    tracks: np.ndarray
    seen: np.ndarray
    windows: np.ndarray
    found: np.ndarray


def new_scanner(ends, distances, lines, perimeter, tempo: int, largest: int) -> Scanner:
    """Return a scanner with these weights."""
    found = np.zeros(_FOUND, np.int64)
    found[TEMPO], found[LARGEST] = tempo, largest
    return record(
        ends=ends,
        distances=distances,
        lines=lines,
        perimeter=perimeter,
        tracks=np.zeros(2 * 256 + 2, np.int16),
        seen=np.zeros(256, np.int16),
        windows=np.zeros(4 * 256, np.int16),
        found=found,
    )


@inlined
def _joins(b, cell, own, other):
    """Return whether a tile that joins two tracks of a colour fits here."""
    sockets = np.int64(b.cells[cell]) & 255
    return (
        sockets >> own & 15 == 0
        and sockets >> other & 15 != 0
        and (b.state[AREA] == 0 or inside(b, cell, b.state[AREA]))
    )


@inlined
def _loops_between(b, one, x, y, own, other):
    """Return whether a tile in the space between ends two apart closes a loop.

    ``x`` and ``y`` are the offset from the first end's cell, ``one``, to the second one's; one of
    them is 0.
    """
    side = (1 if x > 0 else 3) if x else (2 if y > 0 else 0)
    return _joins(b, beyond(one, side), own, other)


@inlined
def _line(b, one, other_end, low, high, length, side, own, other):
    """Return whether a turn can complete a track to a line along one axis.

    ``low`` and ``high`` count cells along it from the one beside the box, 0, to that on the far
    side, ``length + 1``; ``one`` and ``other_end`` are the cells there, and ``side`` is the far
    side.
    """
    if length < LINE_LENGTH:
        return length == LINE_LENGTH - 1 and low == 0 and high == length + 1
    if low == 0:
        cell = beyond(other_end, side)
        return high == length or (high == length - 1 and _joins(b, cell, own, other))
    if high == length + 1:
        cell = beyond(one, side ^ 2)
        return low == 1 or (low == 2 and _joins(b, cell, own, other))
    return False


@compiled
def scan(b, scanner, mover):
    """Find the attacks of the side to move (0: White) and of the other one, into ``found``."""
    s, found = b.state, scanner.found
    west, north = s[WEST] - 1, s[NORTH] - 1
    width, height = ((s[EAST] - s[WEST]) & COLUMN) + 1, ((s[SOUTH] - s[NORTH]) & COLUMN) + 1
    lines = s[LINES] and max(width, height) >= LINE_LENGTH - 1
    own_attacks = other_attacks = 0
    entries = s[HIGH]
    first = found[FIRST_ENTRY] if found[FIRST_ENTRY] < entries else np.int64(0)
    to_own, to_last = entries, np.int64(0)
    near_west = near_north = np.int64(0)
    near_east, near_south = width + 1, height + 1
    # First list the tracks, each by its lower index, without a branch that depends on the data.
    tracks = 0
    for index in range(entries):
        sockets = np.int64(b.sockets[index])
        for colour in range(2):
            scanner.tracks[tracks] = index << 1 | colour
            lower = np.int64(b.partner[colour, index]) > index
            tracks += np.int64(lower & (sockets >> (4 * colour) & 15 != 0))
    for n in range(tracks):
        track = np.int64(scanner.tracks[n])
        index, colour = track >> 1, track & 1
        cell, there = np.int64(b.place[index]), np.int64(b.place[b.partner[colour, index]])
        x, y = (cell - west) & COLUMN, ((cell >> ROW_BITS) - north) & COLUMN
        across = ((there - west) & COLUMN) - x
        down = (((there >> ROW_BITS) - north) & COLUMN) - y
        distance = abs(across) + abs(down)
        whose = colour ^ mover
        own = 4 * colour
        attack = False
        if distance <= 2:
            if distance == 1:
                attack = s[AREA] == 0 or inside(b, cell, s[AREA]) or inside(b, there, s[AREA])
            elif across == 0 or down == 0:
                attack = _loops_between(b, cell, across, down, own, 4 - own)
            if attack and whose:
                near_west, near_east = (
                    max(near_west, min(x, x + across)),
                    min(near_east, max(x, x + across)),
                )
                near_north, near_south = (
                    max(near_north, min(y, y + down)),
                    min(near_south, max(y, y + down)),
                )
        elif lines and distance >= LINE_LENGTH - 2:
            if abs(across) >= LINE_LENGTH - 2:
                low, high = (x, x + across) if across > 0 else (x + across, x)
                one, two = (cell, there) if across > 0 else (there, cell)
                attack |= _line(b, one, two, low, high, width, np.int64(1), own, 4 - own)
            if abs(down) >= LINE_LENGTH - 2:
                low, high = (y, y + down) if down > 0 else (y + down, y)
                one, two = (cell, there) if down > 0 else (there, cell)
                attack |= _line(b, one, two, low, high, height, np.int64(2), own, 4 - own)
        if attack:
            other_attacks += whose
            own_attacks += 1 - whose
            before = index - first if index >= first else index - first + entries
            to_last = max(to_last, before)
            if not whose:
                to_own = min(to_own, before)
    found[OWN_ATTACKS], found[OTHER_ATTACKS] = own_attacks, other_attacks
    found[NEAR_WEST], found[NEAR_EAST] = near_west, near_east
    found[NEAR_NORTH], found[NEAR_SOUTH] = near_north, near_south
    found[TRACKS] = tracks
    found[ENTRIES_TO_OWN] = to_own
    if own_attacks + other_attacks:
        first += to_own if own_attacks else to_last
        found[FIRST_ENTRY] = first if first < entries else first - entries
