"""Make and unmake turns on the memories of the gateware.

The words, the order of writes and the stack of free indices are those of :mod:`loopline.hdl.core`:
after the same turns a space has the same frontier index, and a turn is refused for lack of room
exactly if the gateware refuses it. Two things differ:

- Unmaking a turn also restores the highest index in use, so that a search does not depend on the
  searches before it.
- Unmaking a turn restores the words that it changed, which is faster in software. The entries of
  the gateware's journal are only counted.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from loopline.engine.board.tables import (
    ACROSS,
    CELLS,
    COLUMN,
    CONFLICT,
    DOWN,
    EDGES,
    FORCED,
    HASH,
    OCCUPIED,
    ROW_BITS,
    SIDE_OF,
)
from loopline.engine.jit import compiled, inlined, record
from loopline.game import LINE_LENGTH
from loopline.hdl.core.placer import ENTRIES_PER_TILE, SPACES_PER_TILE
from loopline.hdl.core.types import Status
from loopline.hdl.search.hashing import TO_MOVE_HASH

__all__ = [
    "AREA",
    "BOTH_DRAWS",
    "EAST",
    "FREE",
    "HASH_NOW",
    "HIGH",
    "LINES",
    "LOOPS_AT",
    "NORTH",
    "REFUSED",
    "SOUTH",
    "SPAN_HEIGHT",
    "SPAN_NORTH",
    "SPAN_WEST",
    "SPAN_WIDTH",
    "TILES",
    "TURNS",
    "WEST",
    "WORK",
    "WORK_BITS",
    "Board",
    "beyond",
    "commit",
    "inside",
    "make",
    "new_board",
    "unmake",
]

_STATE = 20
(
    WEST,
    NORTH,
    EAST,
    SOUTH,
    TILES,
    TURNS,
    FREE,
    HIGH,
    HASH_NOW,
    CELL_LEVEL,
    WHITE_LEVEL,
    RED_LEVEL,
    AREA,
    LINES,
    BOTH_DRAWS,
    LIMIT,
    _HASHED,
    ENTRIES,
    ENTRIES_LIMIT,
    WORK,
) = range(_STATE)
"""Indices of ``state``:

- ``WEST``, ``NORTH``, ``EAST``, ``SOUTH``: the box of the formation;
- ``TILES``, ``TURNS``, ``FREE``: numbers of tiles, of turns that can be unmade, of free indices;
- ``HIGH``: the highest frontier index in use, plus 1;
- ``HASH_NOW``: the hash; a search counts it from its root;
- ``CELL_LEVEL``, ``WHITE_LEVEL``, ``RED_LEVEL``: the fill levels of the journals;
- ``AREA``, ``LINES``, ``BOTH_DRAWS``: the variant: its area (0: none), whether lines count, whether
  a turn that completes something of both colours is a draw;
- ``LIMIT``: the most columns and rows;
- ``_HASHED``: the bits of a cell that the hash takes: its coordinates on the gateware's torus;
- ``ENTRIES``, ``ENTRIES_LIMIT``: entries of the gateware's journal, and the most that leave room
  for another tile;
- ``WORK``: the steps of the last turn that was made or unmade."""

_ENTRIES, _JOURNAL = 256, 512
"""The most entries of a frontier table, and of a gateware's journal."""

WORK_BITS = 12
"""Bits of each number in ``WORK``; from the lowest: tiles, open sides, changed tracks, and tiles
that changed a track."""

_MORE_WORK = 1 << WORK_BITS

TURN_FIELDS = 15
SPAN_WEST, SPAN_NORTH, SPAN_WIDTH, SPAN_HEIGHT, _ENTRIES_BEFORE, _WORK_OF_TURN = range(9, 15)
"""Columns of ``turns``: nine numbers of the state before the turn; the box of its tiles, as first
column and row on the torus and the number of columns and rows after these; the gateware's journal
entries before the turn; its ``WORK``."""

REFUSED = 1 << 8
"""Set in the outcome of :func:`make` if the turn was not made; the low bits are the status."""

LOOPS_AT = 2
"""The lowest bit of the completed colours in the outcome of :func:`make`: White; Red is next."""

_TILE, _SOCKET = 1 << 13, 1 << 12
"""Kinds of entries in the journal of cells; the cell is in the low bits."""

_FORCED_STATUS, _BOUNDS_STATUS, _AREA_STATUS = (
    Status.FORCED.value,
    Status.BOUNDS.value,
    Status.AREA.value,
)


class Board(Protocol):
    """A position.

    Attributes
    ----------
    cells : int32 by cell
        Sockets in the low eight bits, above them the frontier index; of an occupied cell
        ``OCCUPIED`` and the tile.
    place, sockets : int32 by frontier index
        The cell and its sockets; no sockets where the index is free.
    partner : int32 by colour and frontier index
        The space at the other end of the track.
    free : int32
        The stack of free indices.
    queue : int32
        The cells that the turn under way fills.
    journal, old : int32
        Changes of cells: kind and cell, and the word before. Each entry of the gateware's journal
        stands for at most six of these and three of ``ends``, so that they are never full.
    ends : int32 by colour and entry
        Changes of partners: the index, and below it, in eight bits, the partner before.
    turns : int64 by turn, ``TURN_FIELDS`` columns
        Those that can be unmade.
    state : int64
        Numbers, by the indices that this module names.
    """

    cells: np.ndarray
    place: np.ndarray
    sockets: np.ndarray
    partner: np.ndarray
    free: np.ndarray
    queue: np.ndarray
    journal: np.ndarray
    old: np.ndarray
    ends: np.ndarray
    turns: np.ndarray
    state: np.ndarray


def new_board(
    size: int, entries: int, journal: int, area: int, lines: bool, both_draws: bool
) -> Board:
    """Return an empty board for the rules of a variant.

    Parameters
    ----------
    size : int
        Cells per row and per column of the gateware's torus; a formation has two fewer at most.
    entries, journal : int
        Entries of the frontier table, and of the gateware's journal.
    area : int
        The most columns and rows; 0 for no limit.
    lines, both_draws : bool
        Whether lines count; whether a turn that completes something of both colours is a draw.
    """
    board: Board = record(
        cells=np.zeros(CELLS, np.int32),
        place=np.zeros(_ENTRIES, np.int32),
        sockets=np.zeros(_ENTRIES, np.int32),
        partner=np.zeros((2, _ENTRIES), np.int32),
        free=np.zeros(_ENTRIES, np.int32),
        queue=np.zeros(_ENTRIES + 4, np.int32),
        journal=np.zeros(6 * _JOURNAL, np.int32),
        old=np.zeros(6 * _JOURNAL, np.int32),
        ends=np.zeros((2, 3 * _JOURNAL), np.int32),
        turns=np.zeros((_JOURNAL, TURN_FIELDS), np.int64),
        state=np.zeros(_STATE, np.int64),
    )
    board.free[:entries] = np.arange(entries - 1, -1, -1)
    board.state[FREE] = entries
    board.state[AREA] = area
    board.state[LINES] = lines
    board.state[BOTH_DRAWS] = both_draws
    board.state[LIMIT] = size - 2
    board.state[ENTRIES_LIMIT] = journal - ENTRIES_PER_TILE
    board.state[_HASHED] = (size - 1) << ROW_BITS | size - 1
    return board


@inlined
def beyond(cell, side):
    """Return the neighbour of a cell on a side, on the torus."""
    return (cell & ~COLUMN) + DOWN[side] & (CELLS - 1) | (cell + ACROSS[side]) & COLUMN


@inlined
def inside(b, cell, size):
    """Return whether the box has at most ``size`` columns and rows with a tile in this space."""
    s = b.state
    if s[TILES] == 0:
        return True
    x, y = cell & COLUMN, cell >> ROW_BITS
    out_x = (x == (s[WEST] - 1) & COLUMN) | (x == (s[EAST] + 1) & COLUMN)
    out_y = (y == (s[NORTH] - 1) & COLUMN) | (y == (s[SOUTH] + 1) & COLUMN)
    wide = (s[EAST] - s[WEST]) & COLUMN == size - 1
    high = (s[SOUTH] - s[NORTH]) & COLUMN == size - 1
    return not ((wide & out_x) | (high & out_y))


@inlined
def _exits(s, cell):
    """Return the sides on which a frontier space lies outside of the box."""
    x, y = cell & COLUMN, cell >> ROW_BITS
    sides = np.int64(y == (s[NORTH] - 1) & COLUMN)
    sides |= np.int64(x == (s[EAST] + 1) & COLUMN) << 1
    sides |= np.int64(y == (s[SOUTH] + 1) & COLUMN) << 2
    return sides | np.int64(x == (s[WEST] - 1) & COLUMN) << 3


@inlined
def _join(b, colour, a, a_attached, other, other_attached):
    """Connect two ends of a colour. Return 1 if that closes a loop, 2 if it completes a line.

    The gateware's journal gets an entry for each end that had a track, and one for a loop.
    """
    s = b.state
    first = np.int64(b.partner[colour, a]) if a_attached else a
    if a_attached and other_attached and first == other:
        s[ENTRIES] += 1
        return 1
    s[ENTRIES] += a_attached + other_attached
    second = np.int64(b.partner[colour, other]) if other_attached else other
    level = s[WHITE_LEVEL + colour]
    b.ends[colour, level] = first << 8 | b.partner[colour, first]
    b.partner[colour, first] = second
    b.ends[colour, level + 1] = second << 8 | b.partner[colour, second]
    b.partner[colour, second] = first
    s[WHITE_LEVEL + colour] = level + 2
    wide = (s[EAST] - s[WEST]) & COLUMN >= LINE_LENGTH - 1
    high = (s[SOUTH] - s[NORTH]) & COLUMN >= LINE_LENGTH - 1
    if not (wide | high):
        return 0
    one, two = _exits(s, np.int64(b.place[first])), _exits(s, np.int64(b.place[second]))
    across = one & (two >> 2 | two << 2)
    line = (wide and across & 10) or (high and across & 5)
    return 2 if line and s[LINES] else 0


@inlined
def _lay_tile(b, cell, tile, tail):
    """Lay one tile of a turn, if the gateware has room for it.

    Return the new end of the queue and the completed colours; or minus the status, and 0.
    """
    s = b.state
    word = np.int64(b.cells[cell])
    sockets, own = word & 255, word >> 8
    openings = ~(sockets | sockets >> 4) & 15
    if s[FREE] < SPACES_PER_TILE or s[ENTRIES] > s[ENTRIES_LIMIT]:
        return -_BOUNDS_STATUS, 0
    bottom = level = s[CELL_LEVEL]
    attached = 0
    ends_0 = ends_1 = ends_2 = ends_3 = np.int64(0)
    for side in range(4):
        if not openings >> side & 1:
            continue
        there = beyond(cell, side)
        red = 4 - (tile >> side & 1) * 4
        before = np.int64(b.cells[there])
        known, index = before & 255, before >> 8
        after = known | 1 << ((side ^ 2) + red)
        forced = FORCED[after]
        if forced == CONFLICT:
            s[CELL_LEVEL] = level
            s[WORK] += 1 + _MORE_WORK * (level - bottom)
            return -_FORCED_STATUS, 0
        b.journal[level] = _SOCKET | there
        b.old[level] = before
        level += 1
        if known == 0:
            s[FREE] -= 1
            index = np.int64(b.free[s[FREE]])
            b.place[index] = there
            s[HIGH] = max(s[HIGH], index + 1)
        b.sockets[index] = after
        b.cells[there] = after | index << 8
        attached |= np.int64(known >> red & 15 != 0) << side
        b.queue[tail] = there
        tail += np.int64((forced != 0) & (FORCED[known] == 0))
        if side == 0:
            ends_0 = index
        elif side == 1:
            ends_1 = index
        elif side == 2:
            ends_2 = index
        else:
            ends_3 = index
    b.journal[level] = _TILE | cell
    b.old[level] = word
    s[CELL_LEVEL] = level + 1
    b.cells[cell] = OCCUPIED | tile << 8
    if sockets:
        b.sockets[own] = 0
        b.free[s[FREE]] = own
        s[FREE] += 1
    s[TILES] += 1
    s[ENTRIES] += 1
    s[HASH_NOW] ^= HASH[(cell & s[_HASHED]) << 4 | tile]
    entries = s[ENTRIES]
    completed = 0
    for colour in range(2):
        edges = EDGES[tile, colour]
        leaving = edges & openings
        if leaving:
            low, high = SIDE_OF[leaving & -leaving], SIDE_OF[leaving]
            a = ends_0 if low == 0 else ends_1 if low == 1 else ends_2 if low == 2 else ends_3
            a_attached = attached >> low & 1
            if edges & ~openings & 15:
                other, other_attached = own, np.int64(1)
            else:
                other = (
                    ends_3
                    if high == 3
                    else ends_2
                    if high == 2
                    else ends_1
                    if high == 1
                    else ends_0
                )
                other_attached = attached >> high & 1
            if _join(b, colour, a, a_attached, other, other_attached):
                completed |= 1 << colour
    tracks = s[ENTRIES] - entries
    openings = s[CELL_LEVEL] - bottom - 1
    s[WORK] += 1 + _MORE_WORK * (openings + _MORE_WORK * (tracks + _MORE_WORK * (tracks > 0)))
    return tail, completed


@compiled
def make(b, cell, tile):
    """Make the turn whose first tile is ``tile`` in ``cell``, with its forced plays.

    The tile fits there. Return the colours that complete a loop or line, as a mask from bit
    ``LOOPS_AT`` on. Return ``REFUSED`` with the status if the turn is illegal or has no room; then
    nothing has changed.
    """
    s = b.state
    x, y = cell & COLUMN, cell >> ROW_BITS
    s[WORK] = 0
    if not inside(b, cell, s[LIMIT]):
        return REFUSED | _BOUNDS_STATUS
    if s[AREA] and not inside(b, cell, s[AREA]):
        return REFUSED | _AREA_STATUS
    turns, n, bottom = b.turns, s[TURNS], s[CELL_LEVEL]
    turns[n, _ENTRIES_BEFORE] = s[ENTRIES]
    turns[n, 0], turns[n, 1], turns[n, 2], turns[n, 3] = s[WEST], s[NORTH], s[EAST], s[SOUTH]
    turns[n, 4], turns[n, 5], turns[n, 6], turns[n, 7] = s[TILES], s[HIGH], s[HASH_NOW], bottom
    if s[TILES] == 0:
        s[WEST] = s[EAST] = x
        s[NORTH] = s[SOUTH] = y
    else:
        if y == (s[NORTH] - 1) & COLUMN:
            s[NORTH] = y
        if x == (s[EAST] + 1) & COLUMN:
            s[EAST] = x
        if y == (s[SOUTH] + 1) & COLUMN:
            s[SOUTH] = y
        if x == (s[WEST] - 1) & COLUMN:
            s[WEST] = x
    s[TURNS] += 1
    s[CELL_LEVEL] += 1
    s[WHITE_LEVEL] += 1
    s[RED_LEVEL] += 1
    turns[n, 8] = s[WHITE_LEVEL] << 16 | s[RED_LEVEL]
    s[HASH_NOW] ^= TO_MOVE_HASH
    west = north = east = south = 0
    head, tail, completed = np.int64(0), np.int64(1), np.int64(0)
    b.queue[0] = cell
    while head < tail:
        here = np.int64(b.queue[head])
        if head:
            tile = FORCED[b.cells[here] & 255]
            across = ((here - x + 32) & COLUMN) - 32
            down = (((here >> ROW_BITS) - y + 32) & COLUMN) - 32
            west, east = min(west, across), max(east, across)
            north, south = min(north, down), max(south, down)
        head += 1
        tail, done = _lay_tile(b, here, tile, tail)
        if tail < 0:
            turns[n, _WORK_OF_TURN] = s[WORK]
            unmake(b)
            return REFUSED | -tail
        completed |= done
    turns[n, SPAN_WEST], turns[n, SPAN_NORTH] = (x + west) & COLUMN, (y + north) & COLUMN
    turns[n, SPAN_WIDTH], turns[n, SPAN_HEIGHT] = east - west, south - north
    turns[n, _WORK_OF_TURN] = s[WORK]
    return completed << LOOPS_AT


@compiled
def unmake(b):
    """Unmake the last turn."""
    s = b.state
    s[TURNS] -= 1
    turns, n = b.turns, s[TURNS]
    bottom = turns[n, 7]
    s[ENTRIES], s[WORK] = turns[n, _ENTRIES_BEFORE], turns[n, _WORK_OF_TURN]
    for level in range(s[CELL_LEVEL] - 1, bottom, -1):
        entry, word = np.int64(b.journal[level]), np.int64(b.old[level])
        cell = entry & (CELLS - 1)
        known = word & 255
        if entry & _TILE:
            if known:
                index = word >> 8
                b.place[index] = cell
                b.sockets[index] = known
                s[FREE] -= 1
        elif known:
            b.sockets[word >> 8] = known
        else:
            index = np.int64(b.cells[cell]) >> 8
            b.sockets[index] = 0
            b.free[s[FREE]] = index
            s[FREE] += 1
        b.cells[cell] = word
    s[CELL_LEVEL] = bottom
    for colour in range(2):
        low = turns[n, 8] >> 16 if colour == 0 else turns[n, 8] & 0xFFFF
        for level in range(s[WHITE_LEVEL + colour] - 1, low - 1, -1):
            entry = np.int64(b.ends[colour, level])
            b.partner[colour, entry >> 8] = entry & 255
        s[WHITE_LEVEL + colour] = low - 1
    s[WEST], s[NORTH], s[EAST], s[SOUTH] = turns[n, 0], turns[n, 1], turns[n, 2], turns[n, 3]
    s[TILES], s[HIGH], s[HASH_NOW] = turns[n, 4], turns[n, 5], turns[n, 6]


@compiled
def commit(b):
    """Make all turns final: they cannot be unmade, and the journals are empty."""
    s = b.state
    s[TURNS] = s[CELL_LEVEL] = s[WHITE_LEVEL] = s[RED_LEVEL] = s[ENTRIES] = 0
