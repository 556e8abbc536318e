"""List placements in the order of the gateware, and choose the next one by its order number."""

from __future__ import annotations

import numpy as np

from loopline.engine.board.board import (
    AREA,
    HIGH,
    SPAN_HEIGHT,
    SPAN_NORTH,
    SPAN_WEST,
    SPAN_WIDTH,
    TURNS,
    inside,
)
from loopline.engine.board.tables import COLUMN, ROW_BITS, SHAPES, SIZE, TILE_OF_SHAPE
from loopline.engine.evaluation.scan import NOTED
from loopline.engine.jit import compiled, inlined
from loopline.engine.search.frames import (
    BASE,
    COST_CREDIT,
    COST_CREDIT_PLACEMENT,
    CURRENT,
    CYCLES,
    DEPTH,
    FOLLOW,
    HISTORY,
    HISTORY_CELL,
    HISTORY_OFFSET,
    HISTORY_TOP,
    KILLERS,
    LISTED,
    LOCALITY,
    LOCALITY_WEIGHT,
    MOVE,
    ORDER_TOP,
    PLACEMENTS,
)

__all__ = ["choose", "credit", "is_near", "list_placements", "place_of"]

_HALF = SIZE // 2


@inlined
def _apart(one, other):
    """Return the Manhattan distance of two cells on the torus."""
    across = (((one - other) & COLUMN) + _HALF & COLUMN) - _HALF
    down = (((one >> ROW_BITS) - (other >> ROW_BITS) & COLUMN) + _HALF & COLUMN) - _HALF
    return abs(across) + abs(down)


@inlined
def is_near(scanner, cell, reach):
    """Return whether a cell is within ``reach`` of each noted attack."""
    for attack in range(scanner.found[NOTED]):
        near = min(
            _apart(cell, np.int64(scanner.cells[attack, 0])),
            _apart(cell, np.int64(scanner.cells[attack, 1])),
            _apart(cell, np.int64(scanner.cells[attack, 2])),
        )
        if near > reach:
            return False
    return True


@inlined
def _outside(position, low, width):
    """Return the distance of a coordinate from an interval on the torus."""
    offset = (((position - low) & COLUMN) + _HALF & COLUMN) - _HALF
    return -offset if offset < 0 else max(0, offset - width)


@inlined
def _locality(b, cell, reach):
    """Return 0 for a cell beyond ``reach`` of the last two turns, more the nearer it is to one."""
    best = np.int64(0)
    turns = b.turns
    for n in range(b.state[TURNS], b.state[TURNS] + 2):
        if turns[n, SPAN_WIDTH] >= 0:
            apart = _outside(cell & COLUMN, turns[n, SPAN_WEST], turns[n, SPAN_WIDTH])
            apart += _outside(cell >> ROW_BITS, turns[n, SPAN_NORTH], turns[n, SPAN_HEIGHT])
            best = max(best, reach + 1 - apart)
    return best


@inlined
def place_of(m, mover, move):
    """Return the place of a move in the history table, in which the cells of the grid repeat."""
    bits = m.settings[HISTORY_CELL]
    mask = (1 << bits) - 1
    cell = move >> 2
    row, column = cell >> ROW_BITS & mask, cell & mask
    return ((mover << bits | row) << bits | column) << 2 | (move & 3)


@inlined
def follow_of(m, mover, before, move):
    """Return the place of a move in the second history table, as an answer to the move before.

    -1 if the two are too far apart.
    """
    bits = m.settings[HISTORY_OFFSET]
    half, mask = 1 << (bits - 1), (1 << bits) - 1
    one, other = move >> 2, before >> 2
    across = (((one - other) & COLUMN) + _HALF & COLUMN) - _HALF
    down = (((one >> ROW_BITS) - (other >> ROW_BITS) & COLUMN) + _HALF & COLUMN) - _HALF
    if abs(across) >= half or abs(down) >= half:
        return np.int64(-1)
    return ((mover << 2 | move & 3) << bits | across & mask) << bits | down & mask


@compiled
def list_placements(b, scanner, m, ply, mover, start, hashed, reach):
    """List a node's placements from ``start`` on. Return the end of the list.

    ``hashed`` is the move of the transposition table. Only placements within ``reach`` of all
    attacks are listed, with 0 all placements. The order number is the largest for ``hashed``, one
    less for the first killer, two less for the second; for other moves it is the sum of the
    counters of both histories and the bonus of locality. A list without room is empty.
    """
    settings = m.settings
    top = settings[ORDER_TOP]
    first, second = np.int64(m.killers[ply, 0]), np.int64(m.killers[ply, 1])
    before = m.frames[ply - 1, MOVE]
    area = b.state[AREA]
    end = start
    last = min(start + settings[PLACEMENTS], settings[LISTED])
    for index in range(b.state[HIGH]):
        sockets = np.int64(b.sockets[index])
        if sockets == 0:
            continue
        cell = np.int64(b.place[index])
        if area and not inside(b, cell, area):
            continue
        if reach and not is_near(scanner, cell, reach):
            continue
        local = np.int64(0)
        if settings[LOCALITY_WEIGHT]:
            local = _locality(b, cell, settings[LOCALITY]) * settings[LOCALITY_WEIGHT]
        for shape in range(SHAPES):
            if TILE_OF_SHAPE[sockets, shape] == 0:
                continue
            if end == last:
                return start if last == settings[LISTED] else end
            move = cell << 2 | shape
            if move == hashed:
                order = top
            elif move == first:
                order = top - 1
            elif move == second:
                order = top - 2
            else:
                order = np.int64(m.history[place_of(m, mover, move)]) + local
                follow = follow_of(m, mover, before, move)
                if follow >= 0:
                    order += np.int64(m.follow[follow])
                order = min(top - 3, order)
            m.listed[end] = order << 10 | index << 2 | shape
            end += 1
    return end


@inlined
def choose(m, current, end):
    """Swap the first placement of the largest order number to ``current``, and return it."""
    best = current
    order = np.int64(m.listed[current]) >> 10
    for n in range(current + 1, end):
        if np.int64(m.listed[n]) >> 10 > order:
            order = np.int64(m.listed[n]) >> 10
            best = n
    chosen = np.int64(m.listed[best])
    m.listed[best] = m.listed[current]
    m.listed[current] = chosen
    return chosen


@inlined
def _pull(counters, place, top, shift):
    """Move a counter towards 0 or the top, by a part of the difference."""
    counter = np.int64(counters[place])
    counters[place] = counter + (top - counter >> shift) if top else counter - (counter >> shift)


@inlined
def _count(m, mover, before, move, top, shift):
    """Move the counters of a move in both histories."""
    if m.settings[HISTORY]:
        _pull(m.history, place_of(m, mover, move), top, shift)
    follow = follow_of(m, mover, before, move)
    if follow >= 0 and m.settings[FOLLOW]:
        _pull(m.follow, follow, top, shift)


@compiled
def credit(b, m, ply, mover, move):
    """Credit a turn that caused a cutoff: as killer and in the histories.

    Its counters move towards the top by a part of the difference, 1 in 2^(6 - depth), at most a
    half. Those of the placements that were tried before it move towards 0 by a quarter of that
    part.
    """
    m.totals[CYCLES] += m.settings[COST_CREDIT]
    if m.settings[KILLERS] and m.killers[ply, 0] != move:
        m.killers[ply, 1] = m.killers[ply, 0]
        m.killers[ply, 0] = move
    before, base, last = m.frames[ply - 1, MOVE], m.frames[ply, BASE], m.frames[ply, CURRENT] - 1
    shift = max(np.int64(1), 6 - m.frames[ply, DEPTH])
    _count(m, mover, before, move, m.settings[HISTORY_TOP], shift)
    m.totals[CYCLES] += m.settings[COST_CREDIT_PLACEMENT] * (last - base)
    for n in range(base, last):
        tried = np.int64(m.listed[n])
        cell = np.int64(b.place[tried >> 2 & 0xFF])
        _count(m, mover, before, cell << 2 | tried & 3, np.int64(0), shift + 2)
