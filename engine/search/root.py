"""The root of the search: its turns, ordered by their evaluations, and its iterations."""

from __future__ import annotations

import numpy as np

from loopline.engine.board.board import (
    AREA,
    BOTH_DRAWS,
    HASH_NOW,
    HIGH,
    LOOPS_AT,
    REFUSED,
    inside,
)
from loopline.engine.board.tables import NO_MOVE, SHAPES, TILE_OF_SHAPE
from loopline.engine.evaluation.evaluation import evaluate
from loopline.engine.evaluation.scan import EVALUATION, OWN_ATTACKS
from loopline.engine.jit import compiled, inlined
from loopline.engine.search.frames import (
    AGAIN,
    ALPHA,
    BASE,
    BEST,
    BEST_MOVE,
    BETA,
    COST_CHOOSE,
    COST_CHOOSE_ENTRY,
    COUNT,
    CURRENT,
    CYCLES,
    DEPTH,
    END,
    EXTEND,
    EXTENSIONS,
    FLOOR,
    INFINITE,
    LEAF,
    NEXT,
    NODES,
    PHASE,
    PLY,
    ROOT_MOVER,
    ROOT_ORDER_TOP,
    ROOT_TURNS,
    ROOT_WIN,
    STOP,
    UNDER,
)
from loopline.engine.search.search import (
    has_turn,
    make_counted,
    scan_counted,
    unmake_counted,
)

__all__ = ["begin_iteration", "bring_to_front", "open_root"]


@inlined
def _rank(b, scanner, m, mover, completed):
    """Return the order number of a turn that has been made.

    It is half of the range plus the evaluation for the player who made the turn; a quarter of that
    if the opponent has an attack; 0 if the turn loses at once. A draw has the evaluation 0.
    """
    top = m.settings[ROOT_ORDER_TOP]
    middle = (top + 1) >> 1
    if completed == 3 and b.state[BOTH_DRAWS]:
        return middle
    if completed:
        return np.int64(0)
    m.totals[NODES] += 1
    scan_counted(b, scanner, m, mover ^ 1, True)
    attacked = scanner.found[OWN_ATTACKS] > 0
    if b.state[AREA] and not attacked and not has_turn(b, m, np.int64(0)):
        return middle
    evaluate(b, scanner, mover ^ 1)
    rank = max(1, min(top, middle - scanner.found[EVALUATION]))
    return rank >> 2 if attacked else rank


@inlined
def _sort(m, count):
    """Sort the listed turns, the largest order number first; equals keep their order."""
    for n in range(1, count):
        entry, k = np.int64(m.listed[n]), n
        while k and np.int64(m.listed[k - 1]) >> 10 < entry >> 10:
            m.listed[k] = m.listed[k - 1]
            k -= 1
        m.listed[k] = entry


@compiled
def open_root(b, scanner, m):
    """List the legal turns of the root, best first. Return their number.

    From here on the hash is counted.
    A turn that wins ends the list and is noted in ``ROOT_WIN``.
    """
    t = m.totals
    mover = t[ROOT_MOVER]
    t[ROOT_WIN] = NO_MOVE
    b.state[HASH_NOW] = 0
    area, count = b.state[AREA], np.int64(0)
    for index in range(b.state[HIGH]):
        t[CYCLES] += m.settings[COST_CHOOSE_ENTRY]
        sockets, cell = np.int64(b.sockets[index]), np.int64(b.place[index])
        if sockets == 0 or (area and not inside(b, cell, area)):
            continue
        for shape in range(SHAPES):
            tile = TILE_OF_SHAPE[sockets, shape]
            if tile == 0 or count == m.settings[ROOT_TURNS]:
                continue
            t[CYCLES] += m.settings[COST_CHOOSE]
            outcome = make_counted(b, m, cell, tile)
            if outcome & REFUSED:
                continue
            completed = outcome >> LOOPS_AT
            wins = completed >> mover & 1 and not (completed == 3 and b.state[BOTH_DRAWS])
            rank = np.int64(0) if wins else _rank(b, scanner, m, mover, completed)
            unmake_counted(b, m)
            m.listed[count] = rank << 10 | index << 2 | shape
            if wins:
                t[ROOT_WIN] = cell << 2 | shape
                return count + 1
            count += 1
    _sort(m, count)
    return count


@compiled
def begin_iteration(m, depth, count):
    """Set the root's frame up for a search of this depth."""
    t, f = m.totals, m.frames
    f[0, DEPTH] = depth
    f[0, ALPHA] = f[0, FLOOR] = f[0, BEST] = -INFINITE
    f[0, BETA] = INFINITE
    f[0, BEST_MOVE] = NO_MOVE
    f[0, EXTENSIONS] = m.settings[EXTEND]
    f[0, AGAIN] = 0
    f[0, UNDER] = f[0, LEAF] = f[0, COUNT] = f[0, BASE] = f[0, CURRENT] = 0
    f[0, END] = count
    t[PLY] = 0
    t[PHASE] = NEXT
    t[STOP] = 0


@compiled
def bring_to_front(b, m, count):
    """Move the best turn of an iteration to the front; the others keep their order."""
    best = m.frames[0, BEST_MOVE]
    for n in range(count):
        entry, noise = np.int64(m.listed[n]), np.int64(m.noise[n])
        if (np.int64(b.place[entry >> 2 & 0xFF]) << 2 | (entry & 3)) == best:
            for k in range(n, 0, -1):
                m.listed[k], m.noise[k] = m.listed[k - 1], m.noise[k - 1]
            m.listed[0], m.noise[0] = entry, noise
            return
