"""All tracks of a position looked at once: the attacks of both sides, and the evaluation.

An *attack* is found here by its pattern, without making a turn:

- the ends of a track are in neighbouring spaces;
- they are two apart, and a space between them has a socket of the other colour and none of its own
  (so that a tile fits there that leads both ends into each other);
- the box is exactly 7 long and the track leaves it on both sides;
- the box is 8 long or longer, the track leaves it on one side, and its other end is in the last
  column (row) of the opposite side, or one before it where the space in between has a socket of
  the other colour and none of its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from loopline.game import LINE_LENGTH

from .board import AREA, EAST, HIGH, LINES, NORTH, SOUTH, WEST, beyond, inside
from .classes import (
    LINE_FROM,
    LINE_GAPS,
    LINE_SPANS,
    MEETING,
    REACH,
    TURNED,
)
from .jit import compiled, inlined
from .tables import COLUMN, ROW_BITS, SIDE_OF

__all__ = [
    "EVALUATION",
    "FOUND_FIELDS",
    "NOTED",
    "OTHER_ATTACKS",
    "OWN_ATTACKS",
    "Scanner",
    "new_scanner",
    "scan",
]

EVALUATION, OWN_ATTACKS, OTHER_ATTACKS, NOTED, TEMPO, LARGEST = range(6)
"""In ``found``: the evaluation for the side to move, how many attacks each side has, how many of
the opponent's loop attacks are noted; then, given, the tempo and the largest evaluation."""

FOUND_FIELDS = 6

_WIDTH = 2 * REACH + 1


class Scanner(NamedTuple):
    """What a scan reads besides the position, and what it finds.

    Attributes
    ----------
    ends, distances, lines : int16 by whose track and row
        Weights; row 0 is for the side to move.
    tracks : int16
        The tracks of the position: the lower frontier index of each, and its colour.
    cells : int32 by attack, 3 columns
        Of the opponent's noted loop attacks the cells: both ends' and the one between.
    found : int64
        The numbers that this module names.
    """

    ends: np.ndarray
    distances: np.ndarray
    lines: np.ndarray
    tracks: np.ndarray
    cells: np.ndarray
    found: np.ndarray


def new_scanner(ends, distances, lines, tempo: int, attacks: int, largest: int) -> Scanner:
    """A scanner with these weights that notes so many attacks."""
    found = np.zeros(FOUND_FIELDS, np.int64)
    found[TEMPO], found[LARGEST] = tempo, largest
    tracks, cells = np.zeros(2 * 256 + 2, np.int16), np.zeros((attacks, 3), np.int32)
    return Scanner(ends, distances, lines, tracks, cells, found)


@inlined
def _joins(b, cell, own, other):
    """Whether a tile fits here that leads two tracks of a colour into each other."""
    sockets = np.int64(b.cells[cell]) & 255
    return (
        sockets >> own & 15 == 0
        and sockets >> other & 15 != 0
        and (b.state[AREA] == 0 or inside(b, cell, b.state[AREA]))
    )


@inlined
def _loop_between(b, one, x, y, own, other):
    """For ends two apart the cell in which a tile makes a loop, or -1.

    ``x`` and ``y`` lead from the first end's cell, ``one``, to the second one's.
    """
    across, down = 1 if x > 0 else 3, 2 if y > 0 else 0
    if x == 0:
        cell = beyond(one, down)
        return cell if _joins(b, cell, own, other) else np.int64(-1)
    cell = beyond(one, across)
    if _joins(b, cell, own, other):
        return cell
    if y == 0:
        return np.int64(-1)
    cell = beyond(one, down)
    return cell if _joins(b, cell, own, other) else np.int64(-1)


@inlined
def _line(b, one, other_end, low, high, length, side, own, other):
    """Whether a track can be completed to a line along one axis.

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
    """Find attacks and evaluate, for the side to move (0: White); the results are in ``found``."""
    s, found = b.state, scanner.found
    west, north = s[WEST] - 1, s[NORTH] - 1
    width, height = ((s[EAST] - s[WEST]) & COLUMN) + 1, ((s[SOUTH] - s[NORTH]) & COLUMN) + 1
    lines = s[LINES]
    total = found[TEMPO]
    own_attacks = other_attacks = noted = 0
    room = len(scanner.cells)
    # First the tracks, each by its lower index, without a branch that depends on them.
    tracks = 0
    for index in range(s[HIGH]):
        sockets = np.int64(b.sockets[index])
        for colour in range(2):
            scanner.tracks[tracks] = index << 1 | colour
            lower = np.int64(b.partner[colour, index]) > index
            tracks += np.int64(lower & (sockets >> (4 * colour) & 15 != 0))
    for n in range(tracks):
        track = np.int64(scanner.tracks[n])
        index, colour = track >> 1, track & 1
        sockets, cell = np.int64(b.sockets[index]), np.int64(b.place[index])
        x, y = (cell - west) & COLUMN, ((cell >> ROW_BITS) - north) & COLUMN
        mask = sockets >> (4 * colour) & 15
        partner = np.int64(b.partner[colour, index])
        there = np.int64(b.place[partner])
        far_sockets = np.int64(b.sockets[partner])
        across = ((there - west) & COLUMN) - x
        down = (((there >> ROW_BITS) - north) & COLUMN) - y
        side, far_side = SIDE_OF[mask], SIDE_OF[far_sockets >> (4 * colour) & 15]
        whose = colour ^ mover
        distance = abs(across) + abs(down)
        cut_x = max(-REACH, min(REACH, across)) + REACH
        cut_y = max(-REACH, min(REACH, down)) + REACH
        row = np.int64(TURNED[side, cut_y * _WIDTH + cut_x]) + ((far_side - side) & 3)
        value = np.int64(scanner.ends[whose, row])
        row = (min(REACH, distance) * 3 + MEETING[sockets]) * 3 + MEETING[far_sockets]
        value += np.int64(scanner.distances[whose, row])
        attack, between = False, cell
        own = 4 * colour
        if distance <= 2:
            if distance == 1:
                attack = s[AREA] == 0 or inside(b, cell, s[AREA]) or inside(b, there, s[AREA])
            else:
                between = _loop_between(b, cell, across, down, own, 4 - own)
                attack = between >= 0
            if attack and whose and noted < room:
                scanner.cells[noted, 0] = cell
                scanner.cells[noted, 1] = there
                scanner.cells[noted, 2] = between
                noted += 1
        elif lines:
            if abs(across) >= LINE_FROM:
                low, high = (x, x + across) if across > 0 else (x + across, x)
                gap = low + width + 1 - high
                row = min(high - low - LINE_FROM, LINE_SPANS - 1) * LINE_GAPS
                value += np.int64(scanner.lines[whose, row + min(gap, LINE_GAPS - 1)])
                one, two = (cell, there) if across > 0 else (there, cell)
                attack |= _line(b, one, two, low, high, width, 1, own, 4 - own)
            if abs(down) >= LINE_FROM:
                low, high = (y, y + down) if down > 0 else (y + down, y)
                gap = low + height + 1 - high
                row = min(high - low - LINE_FROM, LINE_SPANS - 1) * LINE_GAPS
                value += np.int64(scanner.lines[whose, row + min(gap, LINE_GAPS - 1)])
                one, two = (cell, there) if down > 0 else (there, cell)
                attack |= _line(b, one, two, low, high, height, 2, own, 4 - own)
        total += value * (1 - 2 * whose)
        other_attacks += np.int64(attack) * whose
        own_attacks += np.int64(attack) * (1 - whose)
    largest = found[LARGEST]
    found[EVALUATION] = max(-largest, min(largest, total))
    found[OWN_ATTACKS], found[OTHER_ATTACKS], found[NOTED] = own_attacks, other_attacks, noted
