"""The placements of a node, in stages: the order in which the gateware finds them.

======  ======================================================================
stage   placements
======  ======================================================================
0       the move of the transposition table
1, 2    the two killers of the ply
3 ...   those near one of the last two turns of the path, one stage for each
        distance from 0 on; ``locality`` stages
last    all others
======  ======================================================================

Within a stage they are in the order of the frontier table, and of shapes: ``+``, ``/``, ``\\``. The
gateware walks the frontier table from stage 3 on; here the list is made at once.
"""

from __future__ import annotations

import numpy as np

from loopline.engine.board.board import (
    AREA,
    HIGH,
    NORTH,
    SPAN_HEIGHT,
    SPAN_NORTH,
    SPAN_WEST,
    SPAN_WIDTH,
    TURNS,
    WEST,
    inside,
)
from loopline.engine.board.tables import COLUMN, NO_MOVE, ROW_BITS, SHAPES, SIZE, TILE_OF_SHAPE
from loopline.engine.evaluation.scan import NEAR_EAST, NEAR_NORTH, NEAR_SOUTH, NEAR_WEST
from loopline.engine.jit import compiled, inlined
from loopline.engine.search.frames import (
    COST_CHOOSE,
    COST_CHOOSE_ENTRY,
    COST_CHOOSE_FIRST,
    CYCLES,
    KILLERS,
    LOCALITY,
)
from loopline.hdl.search.config import FIRST_WALK

__all__ = ["count_walk", "is_near", "list_placements", "note_killer"]


@inlined
def is_near(b, scanner, cell, radius):
    """Return whether a cell lies near all loop attacks of the opponent.

    That is in the columns and rows that they have in common, extended by ``radius`` on all sides.
    """
    found = scanner.found
    x = (cell & COLUMN) - b.state[WEST] + 1 & COLUMN
    y = (cell >> ROW_BITS) - b.state[NORTH] + 1 & COLUMN
    across = found[NEAR_WEST] - radius <= x <= found[NEAR_EAST] + radius
    return across and found[NEAR_NORTH] - radius <= y <= found[NEAR_SOUTH] + radius


@inlined
def _outside(position, low, width, box_low):
    """Return the distance of a coordinate from an interval, both counted from beside the box."""
    offset = (position - box_low + 1 & COLUMN) - (low - box_low + 1 & COLUMN)
    return -offset if offset < 0 else max(0, offset - width)


@inlined
def _distance(b, ply, cell):
    """Return the distance of a cell from the tiles of the nearer one of the last two turns.

    That is from the smallest rectangle around them, columns and rows added. Turns of the game
    before the root do not count.
    """
    least = np.int64(2 * SIZE)
    s, turns = b.state, b.turns
    for n in range(s[TURNS] - min(ply, 2), s[TURNS]):
        apart = _outside(cell & COLUMN, turns[n, SPAN_WEST], turns[n, SPAN_WIDTH], s[WEST])
        apart += _outside(cell >> ROW_BITS, turns[n, SPAN_NORTH], turns[n, SPAN_HEIGHT], s[NORTH])
        least = min(least, apart)
    return least


@inlined
def _add(b, scanner, m, end, stage, move, radius):
    """List a move that was good elsewhere, if it fits here. Return the end of the list."""
    if move == NO_MOVE:
        return end
    cell, area = move >> 2, b.state[AREA]
    word = np.int64(b.cells[cell])
    fits = TILE_OF_SHAPE[word & 255, move & 3] != 0 and word & 255 != 0
    if not fits or (area and not inside(b, cell, area)):
        return end
    if radius and not is_near(b, scanner, cell, radius):
        return end
    m.listed[end] = stage << 10 | word >> 8 << 2 | move & 3
    return end + 1


@compiled
def list_placements(b, scanner, m, ply, start, hashed, radius):
    """List a node's placements from ``start`` on, by stages. Return the end of the list.

    ``hashed`` is the move of the transposition table. With a ``radius``, only placements near all
    noted attacks are listed.
    """
    locality, area = m.settings[LOCALITY], b.state[AREA]
    first, second = np.int64(m.killers[ply, 0]), np.int64(m.killers[ply, 1])
    end = _add(b, scanner, m, start, np.int64(0), hashed, radius)
    if first != hashed:
        end = _add(b, scanner, m, end, np.int64(1), first, radius)
    if second != hashed:
        end = _add(b, scanner, m, end, np.int64(2), second, radius)
    high, last = b.state[HIGH], FIRST_WALK + locality
    for index in range(high):
        cell = np.int64(b.place[index])
        m.stages[index] = -1
        if (
            b.sockets[index] == 0
            or (area and not inside(b, cell, area))
            or (radius and not is_near(b, scanner, cell, radius))
        ):
            continue
        m.stages[index] = min(last, FIRST_WALK + _distance(b, ply, cell))
    for stage in range(FIRST_WALK, last + 1):
        for index in range(high):
            if m.stages[index] != stage:
                continue
            sockets, cell = np.int64(b.sockets[index]), np.int64(b.place[index])
            for shape in range(SHAPES):
                move = cell << 2 | shape
                if TILE_OF_SHAPE[sockets, shape] == 0:
                    continue
                if move in (hashed, first, second):
                    continue
                m.listed[end] = stage << 10 | index << 2 | shape
                end += 1
    return end


@inlined
def count_walk(b, m, o, base, current, end):
    """Count the cycles in which the gateware finds the placement ``current`` of the list of ``o``.

    At the ``end`` of the list it finds that there is none.
    """
    settings, high = m.settings, b.state[HIGH]
    # What follows the last entry of the last stage.
    stage, index = FIRST_WALK + settings[LOCALITY] + 1, np.int64(-1)
    if current < end:
        entry = np.int64(o.listed[current])
        stage, index = entry >> 10, entry >> 2 & 0xFF
    # The walk passes what is left of the stage of the placement before. Then it looks for those of
    # all later stages at once, and ends early in the next one only.
    before, left = np.int64(FIRST_WALK - 1), np.int64(0)
    cycles = settings[COST_CHOOSE]
    if current == base:
        cycles += settings[COST_CHOOSE_FIRST]
    else:
        entry = np.int64(o.listed[current - 1])
        if entry >> 10 >= FIRST_WALK:
            before, left = entry >> 10, high - (entry >> 2 & 0xFF)
    if stage >= FIRST_WALK:
        if stage == before:
            left -= high
        last = index if stage <= before + 1 else high - 1
        cycles += settings[COST_CHOOSE_ENTRY] * (left + last)
    m.totals[CYCLES] += cycles


@inlined
def note_killer(m, ply, move):
    """Note a turn that caused a cutoff as the first killer of its ply."""
    if m.settings[KILLERS] and m.killers[ply, 0] != move:
        m.killers[ply, 1] = m.killers[ply, 0]
        m.killers[ply, 0] = move
