"""Turns on flat arrays, compiled by numba: laid, judged, taken back, without following a track.

No array holds what was there before: a tile's sockets at the time when it was laid are enough to
take it back, as in the reference model.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from .software_tables import (
    CONFLICT,
    EDGES,
    FITTING_TILES,
    FORCED,
    ROW,
    ROW_BITS,
    SHAPE,
    SIDES,
    STEP,
    TILE_OF_SHAPE,
)

__all__ = [
    "AREA",
    "BOUNDS",
    "ILLEGAL",
    "LEGAL",
    "Arrays",
    "judge_all",
    "judge_game",
    "lay_turn",
    "lift_turn",
]

LEGAL, ILLEGAL, BOUNDS, AREA = range(4)
"""What becomes of a turn: made; illegal by a forced play; too large for the limit; for the area."""

TILES_AT, LOOPS_AT, LINES_AT, WIDTH_AT, HEIGHT_AT, SHAPE_AT, CELL_AT = 2, 14, 16, 18, 25, 32, 34
"""Where an outcome's fields begin; the status is below them all."""


class Arrays(NamedTuple):
    """A position.

    Attributes
    ----------
    sockets : uint8 by cell
        Of spaces, and of occupied cells those when the tile was laid.
    partner : uint16 by end
        The other end of the track that ends here. Meaningless where none does.
    tiles : uint8 by cell
        The tile, or 0.
    frontier, where : int16
        The spaces next to a tile, in an order that depends on the turns kept. By cell, its index
        there: that of an occupied cell is where it was, and -1 is for all others.
    steps : int32
        The cells of all tiles in the order in which they were laid, and above them the chain that
        is being worked on.
    turns : int32 by turn, 6 columns
        The number of tiles before it, the box before it, and how many frontier spaces it left.
    state : int64
        See the indices ``TILES`` to ``LINE``.
    """

    sockets: np.ndarray
    partner: np.ndarray
    tiles: np.ndarray
    frontier: np.ndarray
    where: np.ndarray
    steps: np.ndarray
    turns: np.ndarray
    state: np.ndarray


TILES, TURNS, SPACES, WEST, NORTH, EAST, SOUTH, LIMIT, AREA_SIZE, LINE = range(10)
"""In ``state``: how many tiles, turns kept and frontier spaces there are; the box; the most columns
and rows that the formation may have by the memory, and by the rules (0: no limit); the length of a
line (0: lines do not count)."""


@njit(cache=True)
def _beyond(partner, cell, sockets, side):
    """The end that the track through a tile's edge has on that side."""
    if (sockets | sockets >> 4) >> side & 1:
        return np.int64(partner[cell << 2 | side])
    return (cell + STEP[side]) << 2 | (side ^ 2)


@njit(cache=True)
def _is_line(one, other, west, north, east, south, line):
    """Whether a track with these ends goes from one side of the box to the opposite one."""
    x1, y1 = (one >> 2) & (ROW - 1), one >> (2 + ROW_BITS)
    x2, y2 = (other >> 2) & (ROW - 1), other >> (2 + ROW_BITS)
    if x1 > x2:
        x1, x2 = x2, x1
    if y1 > y2:
        y1, y2 = y2, y1
    wide = (x1 < west) & (x2 > east) & (east - west + 1 >= line)
    high = (y1 < north) & (y2 > south) & (south - north + 1 >= line)
    return wide | high


@njit(cache=True)
def _open_up(a, cell, sockets, tile, tail):
    """Give the neighbours of a tile their sockets and queue those that it forces.

    Returns the queue's new end, and whether there is a conflict.
    """
    conflict = False
    sides = SIDES[15 & ~(sockets | sockets >> 4)]
    for n in range(1, sides[0] + 1):
        side = sides[n]
        neighbour = cell + STEP[side]
        bit = (1 << (side ^ 2)) << (4 & ~((tile >> side & 1) << 2))
        before = np.int64(a.sockets[neighbour])
        after = before | bit
        a.sockets[neighbour] = after
        forced = FORCED[after]
        if forced:
            if forced == CONFLICT:
                conflict = True
            elif FORCED[before] == 0:
                a.steps[tail] = neighbour
                tail += 1
    return tail, conflict


@njit(cache=True)
def _close(a, cell, sockets, tile):
    """Take the neighbours' sockets back."""
    sides = SIDES[15 & ~(sockets | sockets >> 4)]
    for n in range(1, sides[0] + 1):
        side = sides[n]
        bit = (1 << (side ^ 2)) << (4 & ~((tile >> side & 1) << 2))
        a.sockets[cell + STEP[side]] ^= bit


@njit(cache=True)
def _cut(a, cell, sockets, tile):
    """Take back both tracks of the tile laid last."""
    for colour in range(2):
        for n in range(2):
            side = EDGES[tile, colour, n]
            if (sockets | sockets >> 4) >> side & 1:
                end = cell << 2 | side
                a.partner[a.partner[end]] = end


@njit(cache=True)
def _chain(a, cell, tile, box, line, keeps):
    """Lay a tile and all that it forces above the kept tiles.

    The last one's tracks are joined only if the turn is kept. Returns how many tiles were laid,
    how many of them have joined their tracks, whether there is a conflict, loops and lines.
    """
    west, north, east, south = box
    bottom = a.state[TILES]
    head, tail = bottom, bottom + 1
    a.steps[bottom] = cell
    loops = lines = joined = 0
    while head < tail:
        cell = np.int64(a.steps[head])
        sockets = np.int64(a.sockets[cell])
        if head > bottom:
            tile = FORCED[sockets]
        a.tiles[cell] = tile
        tail, conflict = _open_up(a, cell, sockets, tile, tail)
        head += 1
        if conflict:
            return head - bottom, joined, True, 0, 0
        joins = keeps or head < tail
        for colour in range(2):
            near, far = EDGES[tile, colour, 0], EDGES[tile, colour, 1]
            one = _beyond(a.partner, cell, sockets, near)
            if one == (cell << 2 | far):
                loops |= 1 << colour
                continue
            other = _beyond(a.partner, cell, sockets, far)
            if joins:
                a.partner[one] = other
                a.partner[other] = one
            if line and _is_line(one, other, west, north, east, south, line):
                lines |= 1 << colour
        joined += joins
    return head - bottom, joined, False, loops, lines


@njit(cache=True)
def _take_back(a, count, joined):
    """Take the last tiles off again, of which the first ones had joined their tracks."""
    bottom = a.state[TILES]
    for n in range(bottom + count - 1, bottom - 1, -1):
        cell = np.int64(a.steps[n])
        sockets, tile = np.int64(a.sockets[cell]), np.int64(a.tiles[cell])
        if n - bottom < joined:
            _cut(a, cell, sockets, tile)
        _close(a, cell, sockets, tile)
        a.tiles[cell] = 0


@njit(cache=True)
def _grown(a, cell):
    """The box with a tile in this cell, and the status that this alone decides."""
    x, y = cell & (ROW - 1), cell >> ROW_BITS
    s = a.state
    if s[TILES] == 0:
        return (x, y, x, y), LEGAL
    box = min(x, s[WEST]), min(y, s[NORTH]), max(x, s[EAST]), max(y, s[SOUTH])
    longest = max(box[2] - box[0], box[3] - box[1]) + 1
    if s[AREA_SIZE] and longest > s[AREA_SIZE]:
        return box, AREA
    return box, BOUNDS if longest > s[LIMIT] else LEGAL


@njit(cache=True)
def _line_length(a, box):
    """The length of a line, 0 if the box is too small for one."""
    line = a.state[LINE]
    return line if max(box[2] - box[0], box[3] - box[1]) + 1 >= line else 0


@njit(cache=True)
def _outcome(status, tiles, loops, lines, box, cell, tile):
    """All of it in one number."""
    outcome = status | tiles << TILES_AT | loops << LOOPS_AT | lines << LINES_AT
    outcome |= (box[2] - box[0] + 1) << WIDTH_AT | (box[3] - box[1] + 1) << HEIGHT_AT
    return outcome | SHAPE[tile] << SHAPE_AT | cell << CELL_AT


@njit(cache=True)
def judge_all(a: Arrays, outcomes: np.ndarray) -> int:
    """Judge every candidate of the position; how many outcomes were written.

    None is made: afterwards the position is as it was.
    """
    count = 0
    for index in range(a.state[SPACES]):
        cell = np.int64(a.frontier[index])
        sockets = np.int64(a.sockets[cell])
        box, status = _grown(a, cell)
        line = _line_length(a, box)
        # The open sides on which a white edge, or a red one, would be the neighbour's second.
        white = red = 0
        sides = SIDES[15 & ~(sockets | sockets >> 4)]
        for n in range(1, sides[0] + 1):
            around = np.int64(a.sockets[cell + STEP[sides[n]]])
            white |= np.int64(around & 15 != 0) << sides[n]
            red |= np.int64(around >> 4 != 0) << sides[n]
        fitting = FITTING_TILES[sockets]
        for n in range(1, fitting[0] + 1):
            tile = fitting[n]
            tiles = loops = lines = 0
            becomes = status
            if status == LEGAL and (tile & white) | (~tile & red):
                tiles, joined, conflict, loops, lines = _chain(a, cell, tile, box, line, False)
                _take_back(a, tiles, joined)
                if conflict:
                    becomes, tiles = ILLEGAL, 0
            elif status == LEGAL:
                tiles = 1
                if line:
                    for colour in range(2):
                        one = _beyond(a.partner, cell, sockets, EDGES[tile, colour, 0])
                        other = _beyond(a.partner, cell, sockets, EDGES[tile, colour, 1])
                        whole = _is_line(one, other, box[0], box[1], box[2], box[3], line)
                        lines |= np.int64(whole) << colour
            outcomes[count] = _outcome(becomes, tiles, loops, lines, box, cell, tile)
            count += 1
    return count


@njit(cache=True)
def lay_turn(a: Arrays, cell: int, tile: int) -> int:
    """Make a turn that begins with a tile that fits, and keep it if it is legal; its outcome."""
    s = a.state
    box, status = _grown(a, cell)
    if status != LEGAL:
        return _outcome(status, 0, 0, 0, box, cell, tile)
    tiles, joined, conflict, loops, lines = _chain(a, cell, tile, box, _line_length(a, box), True)
    if conflict:
        _take_back(a, tiles, joined)
        return _outcome(ILLEGAL, 0, 0, 0, box, cell, tile)
    outcome = _outcome(LEGAL, tiles, loops, lines, box, cell, tile)
    turn, first = a.turns[s[TURNS]], s[TILES]
    turn[0] = first
    for n in range(4):
        turn[1 + n] = s[WEST + n]
        s[WEST + n] = box[n]
    s[TURNS] += 1
    s[TILES] += tiles
    # First all that is filled leaves the frontier, then all that is new is added.
    for n in range(first, s[TILES]):
        filled = a.steps[n]
        index = a.where[filled]
        if index >= 0:
            s[SPACES] -= 1
            last = a.frontier[s[SPACES]]
            a.frontier[index] = last
            a.where[last] = index
            a.where[filled] = index
    turn[5] = s[SPACES]
    for n in range(first, s[TILES]):
        for side in range(4):
            space = a.steps[n] + STEP[side]
            if a.tiles[space] == 0 and a.where[space] < 0:
                a.where[space] = s[SPACES]
                a.frontier[s[SPACES]] = space
                s[SPACES] += 1
    return outcome


@njit(cache=True)
def lift_turn(a: Arrays) -> None:
    """Take the last kept turn back."""
    s = a.state
    s[TURNS] -= 1
    turn = a.turns[s[TURNS]]
    tiles = s[TILES] - turn[0]
    s[TILES] = turn[0]
    for n in range(turn[5], s[SPACES]):
        a.where[a.frontier[n]] = -1
    s[SPACES] = turn[5]
    for n in range(s[TILES] + tiles - 1, s[TILES] - 1, -1):
        filled = a.steps[n]
        index = a.where[filled]
        if index >= 0:
            if index < s[SPACES]:
                moved = a.frontier[index]
                a.frontier[s[SPACES]] = moved
                a.where[moved] = s[SPACES]
            a.frontier[index] = filled
            a.where[filled] = index
            s[SPACES] += 1
    _take_back(a, tiles, tiles)
    for n in range(4):
        s[WEST + n] = turn[1 + n]


@njit(cache=True)
def judge_game(a: Arrays, cells: np.ndarray, shapes: np.ndarray, outcomes: np.ndarray):
    """Make turns from the empty board, judge all candidates after each, and take all back.

    Ends with a turn that is not legal or that completes something: nothing is judged after it.
    Returns the number of candidates, and of tiles in those that are legal.
    """
    candidates = tiles = 0
    for n in range(len(cells)):
        outcome = lay_turn(a, cells[n], TILE_OF_SHAPE[a.sockets[cells[n]], shapes[n]])
        if outcome & 3 != LEGAL or outcome >> LOOPS_AT & 15:
            break
        count = judge_all(a, outcomes)
        candidates += count
        for m in range(count):
            tiles += outcomes[m] >> TILES_AT & 0xFFF
    while a.state[TURNS]:
        lift_turn(a)
    return candidates, tiles
