"""Whole turns on flat arrays, compiled by numba: evaluated, or made and unmade one by one."""

from __future__ import annotations

import numpy as np
from numba import njit

from loopline.bench.software.chain import Arrays, beyond, is_line, lay_chain, lift_tiles
from loopline.bench.software.tables import (
    EDGES,
    FITTING_TILES,
    ROW,
    ROW_BITS,
    SHAPE,
    STEP,
    TILE_OF_SHAPE,
)

__all__ = [
    "AREA",
    "AREA_SIZE",
    "BOUNDS",
    "CELL_AT",
    "HEIGHT_AT",
    "ILLEGAL",
    "LEGAL",
    "LIMIT",
    "LINE",
    "LINES_AT",
    "LOOPS_AT",
    "SHAPE_AT",
    "SPACES",
    "TILES",
    "TILES_AT",
    "TURNS",
    "WIDTH_AT",
    "evaluate_all",
    "evaluate_game",
    "lay_turn",
    "lift_turn",
]

LEGAL, ILLEGAL, BOUNDS, AREA = range(4)
"""A turn's status: legal; illegal by a forced play; beyond the limit; outside the area."""

TILES_AT, LOOPS_AT, LINES_AT, WIDTH_AT, HEIGHT_AT, SHAPE_AT, CELL_AT = 2, 14, 16, 18, 25, 32, 34
"""The lowest bit of each field of an outcome; the status is in bits 0 and 1."""

TILES, TURNS, SPACES, WEST, NORTH, EAST, SOUTH, LIMIT, AREA_SIZE, LINE = range(10)
"""Indices of ``state``: the numbers of tiles, of turns made and of frontier spaces; the box; the
most columns and rows that the memory has room for, and that the rules allow (0: no limit); the
length of a line (0: lines do not count)."""


@njit(cache=True)
def _grown(a, cell):
    """Return the box with a tile in this cell, and the status by its size."""
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
    """Return the length of a line, 0 if the box is too small for one."""
    line = a.state[LINE]
    return line if max(box[2] - box[0], box[3] - box[1]) + 1 >= line else 0


@njit(cache=True)
def _outcome(status, tiles, loops, lines, box, cell, tile):
    """Return an outcome packed into one number."""
    outcome = status | tiles << TILES_AT | loops << LOOPS_AT | lines << LINES_AT
    outcome |= (box[2] - box[0] + 1) << WIDTH_AT | (box[3] - box[1] + 1) << HEIGHT_AT
    return outcome | np.int64(SHAPE[tile]) << SHAPE_AT | cell << CELL_AT


@njit(cache=True)
def evaluate_all(a: Arrays, outcomes: np.ndarray) -> int:
    """Evaluate every candidate of the position; return the number of outcomes written.

    The position is unchanged afterwards.
    """
    count = 0
    for index in range(a.state[SPACES]):
        cell = np.int64(a.frontier[index])
        sockets = np.int64(a.sockets[cell])
        box, status = _grown(a, cell)
        line = _line_length(a, box)
        # The sides where a white edge, or a red one, would be the neighbour's second.
        closed = (sockets | sockets >> 4) & 15
        white = red = 0
        for side in range(4):
            around = np.int64(a.sockets[cell + STEP[side]])
            white |= np.int64(around & 15 != 0) << side
            red |= np.int64(around >> 4 != 0) << side
        white, red = white & ~closed, red & ~closed
        fitting = FITTING_TILES[sockets]
        for n in range(1, fitting[0] + 1):
            tile = np.int64(fitting[n])
            tiles = loops = lines = 0
            becomes = status
            if status == LEGAL and (tile & white) | (~tile & red):
                tiles, left, conflict, loops, lines = lay_chain(
                    a, a.state[TILES], cell, tile, box, line, False
                )
                lift_tiles(a, a.state[TILES], left)
                if conflict:
                    becomes, tiles = ILLEGAL, 0
            elif status == LEGAL:
                tiles = 1
                if line:
                    for colour in range(2):
                        near, far = EDGES[tile, colour]
                        one = beyond(a.partner, cell, sockets, np.int64(near))
                        other = beyond(a.partner, cell, sockets, np.int64(far))
                        lines |= np.int64(is_line(one, other, box, line)) << colour
            outcomes[count] = _outcome(becomes, tiles, loops, lines, box, cell, tile)
            count += 1
    return count


@njit(cache=True)
def lay_turn(a: Arrays, cell: int, tile: int) -> int:
    """Make the turn of a tile that fits if it is legal; return its outcome."""
    s = a.state
    box, status = _grown(a, cell)
    if status != LEGAL:
        return _outcome(status, 0, 0, 0, box, cell, tile)
    tiles, left, conflict, loops, lines = lay_chain(
        a, s[TILES], cell, tile, box, _line_length(a, box), True
    )
    if conflict:
        lift_tiles(a, s[TILES], left)
        return _outcome(ILLEGAL, 0, 0, 0, box, cell, tile)
    outcome = _outcome(LEGAL, tiles, loops, lines, box, cell, tile)
    turn, first = a.turns[s[TURNS]], s[TILES]
    turn[0] = first
    for n in range(4):
        turn[1 + n] = s[WEST + n]
        s[WEST + n] = box[n]
    s[TURNS] += 1
    s[TILES] += tiles
    # First the filled spaces leave the frontier, then the new ones join it.
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
    """Unmake the last turn."""
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
    lift_tiles(a, s[TILES], tiles)
    for n in range(4):
        s[WEST + n] = turn[1 + n]


@njit(cache=True)
def evaluate_game(a: Arrays, cells: np.ndarray, shapes: np.ndarray, outcomes: np.ndarray):
    """Make turns from the empty board, evaluate all candidates after each, and unmake all.

    Ends after a turn that is not legal or that completes something, without evaluating candidates.
    Returns the number of candidates, and of tiles in the legal ones.
    """
    candidates = tiles = 0
    for n in range(len(cells)):
        outcome = lay_turn(a, cells[n], np.int64(TILE_OF_SHAPE[a.sockets[cells[n]], shapes[n]]))
        if outcome & 3 != LEGAL or outcome >> LOOPS_AT & 15:
            break
        count = evaluate_all(a, outcomes)
        candidates += count
        for m in range(count):
            tiles += outcomes[m] >> TILES_AT & 0xFFF
    while a.state[TURNS]:
        lift_turn(a)
    return candidates, tiles
