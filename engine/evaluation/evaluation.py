"""The evaluation: the sum of the weights of all tracks, and of all sockets along the perimeter."""

from __future__ import annotations

import numpy as np

from loopline.engine.board.board import EAST, LINES, NORTH, SOUTH, WEST
from loopline.engine.board.tables import COLUMN, ROW_BITS, SIDE_OF
from loopline.engine.evaluation.classes import (
    LINE_FROM,
    LINE_GAPS,
    LINE_SPANS,
    MEETING,
    REACH,
    TURNED,
    WINDOW_COLOURS,
)
from loopline.engine.evaluation.perimeter import walk
from loopline.engine.evaluation.scan import EVALUATION, LARGEST, TEMPO, TRACKS
from loopline.engine.jit import compiled, inlined

__all__ = ["evaluate"]

_WIDTH = 2 * REACH + 1
_ALL_COLOURS = (1 << WINDOW_COLOURS) - 1


@inlined
def _along_the_perimeter(b, scanner, mover):
    """Return the sum of the weights of all sockets, the other side's negative."""
    length, total, flip = walk(b, scanner), np.int64(0), _ALL_COLOURS * mover
    for n in range(length):
        total += np.int64(scanner.perimeter[np.int64(scanner.windows[n]) ^ flip])
    return total


@compiled
def evaluate(b, scanner, mover):
    """Evaluate for the side to move (0: White), after a scan, into ``found[EVALUATION]``."""
    s, found = b.state, scanner.found
    west, north = s[WEST] - 1, s[NORTH] - 1
    width, height = ((s[EAST] - s[WEST]) & COLUMN) + 1, ((s[SOUTH] - s[NORTH]) & COLUMN) + 1
    lines = s[LINES]
    total = found[TEMPO] + _along_the_perimeter(b, scanner, mover)
    for n in range(found[TRACKS]):
        track = np.int64(scanner.tracks[n])
        index, colour = track >> 1, track & 1
        sockets, cell = np.int64(b.sockets[index]), np.int64(b.place[index])
        x, y = (cell - west) & COLUMN, ((cell >> ROW_BITS) - north) & COLUMN
        partner = np.int64(b.partner[colour, index])
        there, far_sockets = np.int64(b.place[partner]), np.int64(b.sockets[partner])
        across = ((there - west) & COLUMN) - x
        down = (((there >> ROW_BITS) - north) & COLUMN) - y
        side = SIDE_OF[sockets >> (4 * colour) & 15]
        far_side = SIDE_OF[far_sockets >> (4 * colour) & 15]
        whose = colour ^ mover
        distance = abs(across) + abs(down)
        cut_x = max(-REACH, min(REACH, across)) + REACH
        cut_y = max(-REACH, min(REACH, down)) + REACH
        row = np.int64(TURNED[side, cut_y * _WIDTH + cut_x]) + ((far_side - side) & 3)
        value = np.int64(scanner.ends[whose, row])
        row = (min(REACH, distance) * 3 + MEETING[sockets]) * 3 + MEETING[far_sockets]
        value += np.int64(scanner.distances[whose, row])
        if distance > 2 and lines:
            if abs(across) >= LINE_FROM:
                low, high = (x, x + across) if across > 0 else (x + across, x)
                gap = low + width + 1 - high
                row = min(high - low - LINE_FROM, LINE_SPANS - 1) * LINE_GAPS
                value += np.int64(scanner.lines[whose, row + min(gap, LINE_GAPS - 1)])
            if abs(down) >= LINE_FROM:
                low, high = (y, y + down) if down > 0 else (y + down, y)
                gap = low + height + 1 - high
                row = min(high - low - LINE_FROM, LINE_SPANS - 1) * LINE_GAPS
                value += np.int64(scanner.lines[whose, row + min(gap, LINE_GAPS - 1)])
        total += value * (1 - 2 * whose)
    largest = found[LARGEST]
    found[EVALUATION] = max(-largest, min(largest, total))
