"""The search: a state machine on a stack of frames, as hardware has it.

::

                        ┌───────────── a turn that goes on ◄─────────────┐
                        ▼                                                │
    root ──► NEXT    ENTER ──► patterns, table ──► list placements ──► NEXT ──► all made, or one
                        │        │ value known          ▲                │      is good enough
                        │        ▼                      │ once more,     ▼
                        └────► LEAVE ◄──────────────────┼──── value ◄────┘
                                 │                      │
                                 └── to the node above: good, but searched narrowly? ──► NEXT

:func:`run` can pause between two nodes and go on later; the result is the same.
"""

from __future__ import annotations

import numpy as np

from loopline.engine.board.board import (
    AREA,
    BOTH_DRAWS,
    HASH_NOW,
    HIGH,
    LOOPS_AT,
    REFUSED,
    WORK,
    WORK_BITS,
    inside,
    lay,
    lift,
)
from loopline.engine.board.tables import NO_MOVE, SHAPES, TILE_OF_SHAPE
from loopline.engine.evaluation.evaluation import evaluate
from loopline.engine.evaluation.scan import EVALUATION, OTHER_ATTACKS, OWN_ATTACKS, RIM_LENGTH, scan
from loopline.engine.jit import compiled, inlined
from loopline.engine.search.frames import (
    ALPHA,
    BASE,
    BEST,
    BEST_MOVE,
    BETA,
    CHILD_DEPTH,
    COST_CHOOSE,
    COST_CHOOSE_PLACEMENT,
    COST_ENTER,
    COST_LEAVE,
    COST_LIST_PLACEMENT,
    COST_LIST_SPACE,
    COST_OPENING,
    COST_PLACE,
    COST_RIM,
    COST_SCAN,
    COST_SCAN_SPACE,
    COST_TILE,
    COST_UNDO,
    COST_UNDO_NEXT_TRACK,
    COST_UNDO_OPENING,
    COST_UNDO_TILE,
    COST_UNDO_TRACK,
    COUNT,
    CURRENT,
    CYCLE_LIMIT,
    CYCLES,
    DEEPEST,
    DEPTH,
    DONE,
    END,
    ENTER,
    EVALUATED,
    EXACT,
    EXTENSIONS,
    FLOOR,
    HASHED,
    HIGH_DEPTH,
    HIGH_MARGIN,
    INFINITE,
    LEAF,
    LEAVE,
    LINE_LENGTH_KEPT,
    LOW_DEPTH,
    LOW_MARGIN,
    MATE,
    MATE_BOUND,
    MOVE,
    NARROW,
    NEAR_LEAF,
    NEXT,
    NODE_LIMIT,
    NODES,
    PATTERNS,
    PAUSE_AT,
    PAUSED,
    PHASE,
    PLIES,
    PLY,
    REDUCE_AFTER,
    REDUCE_DEPTH,
    REDUCE_MORE_AFTER,
    REDUCE_MORE_DEPTH,
    REDUCED,
    ROOT_MOVER,
    STOP,
    TABLE,
    UNDER,
    VALUE,
    WINDOWS,
)
from loopline.engine.search.hashing import probe, store
from loopline.engine.search.order import choose, credit, list_placements

__all__ = ["evaluate_counted", "has_turn", "lay_counted", "lift_counted", "run", "scan_counted"]


_WORK_MASK = (1 << WORK_BITS) - 1


@inlined
def _count_lifting(b, m):
    """Count what it takes to take the last turn's tiles back."""
    work, settings = b.state[WORK], m.settings
    changing = work >> 3 * WORK_BITS
    m.totals[CYCLES] += (
        settings[COST_UNDO_TILE] * (work & _WORK_MASK)
        + settings[COST_UNDO_OPENING] * (work >> WORK_BITS & _WORK_MASK)
        + settings[COST_UNDO_TRACK] * changing
        + settings[COST_UNDO_NEXT_TRACK] * ((work >> 2 * WORK_BITS & _WORK_MASK) - changing)
    )


@inlined
def lay_counted(b, m, cell, tile):
    """Make a turn; its cycles are counted. One that is refused is taken back by the same job."""
    outcome = lay(b, cell, tile)
    work, settings = b.state[WORK], m.settings
    m.totals[CYCLES] += (
        settings[COST_PLACE]
        + settings[COST_TILE] * (work & _WORK_MASK)
        + settings[COST_OPENING] * (work >> WORK_BITS & _WORK_MASK)
    )
    if outcome & REFUSED:
        _count_lifting(b, m)
    return outcome


@inlined
def lift_counted(b, m):
    """Take a turn back; its cycles are counted."""
    lift(b)
    m.totals[CYCLES] += m.settings[COST_UNDO]
    _count_lifting(b, m)


@inlined
def scan_counted(b, scanner, m, mover):
    """Look at all tracks; its cycles are counted."""
    scan(b, scanner, mover)
    settings = m.settings
    m.totals[CYCLES] += settings[COST_SCAN] + settings[COST_SCAN_SPACE] * b.state[HIGH]


@inlined
def evaluate_counted(b, scanner, m, mover):
    """Evaluate, after a scan; its cycles are counted."""
    evaluate(b, scanner, mover)
    m.totals[CYCLES] += m.settings[COST_RIM] * scanner.found[RIM_LENGTH]


@compiled
def has_turn(b, m, winner):
    """Whether there is a legal turn; with a ``winner`` (a mask of colours) one that it wins by."""
    area = b.state[AREA]
    for index in range(b.state[HIGH]):
        sockets, cell = np.int64(b.sockets[index]), np.int64(b.place[index])
        if sockets == 0 or (area and not inside(b, cell, area)):
            continue
        for shape in range(SHAPES):
            tile = TILE_OF_SHAPE[sockets, shape]
            if tile == 0:
                continue
            outcome = lay_counted(b, m, cell, tile)
            if outcome & REFUSED:
                continue
            lift_counted(b, m)
            completed = outcome >> LOOPS_AT
            drawn = completed == 3 and b.state[BOTH_DRAWS] != 0
            if winner == 0 or (completed & winner and not drawn):
                return True
    return False


@inlined
def _leave(m, value):
    """The node's value is known."""
    m.totals[VALUE] = value
    m.totals[PHASE] = LEAVE


@inlined
def _enter(b, scanner, m):
    """Begin a node: is its value known, or what is to be tried?"""
    t, f, settings = m.totals, m.frames, m.settings
    ply = t[PLY]
    mover = (t[ROOT_MOVER] + ply) & 1
    t[NODES] += 1
    t[CYCLES] += settings[COST_ENTER]
    t[DEEPEST] = max(t[DEEPEST], ply)
    m.line[ply, settings[LINE_LENGTH_KEPT]] = 0
    scan_counted(b, scanner, m, mover)
    depth = f[ply, DEPTH]
    if b.state[AREA] and not has_turn(b, m, 0):
        _leave(m, 0)
        return
    under = np.int64(0)
    if settings[PATTERNS]:
        if settings[EXACT] == 0:
            won = scanner.found[OWN_ATTACKS] > 0
        else:
            won = (depth > 0 or scanner.found[OWN_ATTACKS] > 0) and has_turn(b, m, 1 << mover)
        if won:
            _leave(m, MATE - ply - 1)
            return
        under = np.int64(scanner.found[OTHER_ATTACKS] > 0)
    evaluate_counted(b, scanner, m, mover)
    evaluated = scanner.found[EVALUATION]
    f[ply, EVALUATED] = evaluated
    extensions = f[ply, EXTENSIONS]
    leaf = np.int64(depth <= 0)
    if (leaf and (not under or extensions == 0)) or ply >= settings[PLIES] - 1:
        _leave(m, evaluated)
        return
    # No win is nearer than the next turn, and no loss nearer than this one.
    alpha, beta = max(f[ply, ALPHA], -MATE + ply + 1), min(f[ply, BETA], MATE - ply - 1)
    if alpha >= beta:
        _leave(m, alpha)
        return
    if not under:
        high, low = settings[HIGH_MARGIN] * depth, settings[LOW_MARGIN] * depth
        if depth <= settings[HIGH_DEPTH] and evaluated - high >= beta:
            _leave(m, evaluated)
            return
        if depth <= settings[LOW_DEPTH] and evaluated + low <= alpha:
            _leave(m, evaluated)
            return
    if under and extensions:
        extensions -= 1
        depth += 1 - leaf
    hashed = np.int64(NO_MOVE)
    if settings[TABLE]:
        hashed, value = probe(m, b.state[HASH_NOW], ply, depth, alpha, beta)
        if value != INFINITE:
            _leave(m, value)
            return
    base = f[ply - 1, END]
    reach = settings[NEAR_LEAF] if leaf else np.int64(0)
    end = list_placements(b, scanner, m, ply, mover, base, hashed, reach)
    t[CYCLES] += settings[COST_LIST_SPACE] * b.state[HIGH] + settings[COST_LIST_PLACEMENT] * (
        end - base
    )
    f[ply, DEPTH], f[ply, EXTENSIONS], f[ply, UNDER], f[ply, LEAF] = depth, extensions, under, leaf
    f[ply, ALPHA], f[ply, BETA], f[ply, FLOOR] = alpha, beta, alpha
    # Under attack at a leaf, all that is not tried loses at the opponent's next turn.
    f[ply, BEST] = -MATE + ply + 2 if leaf else -INFINITE
    f[ply, BEST_MOVE], f[ply, HASHED] = NO_MOVE, hashed
    f[ply, COUNT] = 0
    f[ply, BASE] = f[ply, CURRENT] = base
    f[ply, END] = end
    t[PHASE] = NEXT


@inlined
def _finish(b, m, ply):
    """All turns of a node have been made, or one was good enough: its value."""
    f, settings = m.frames, m.settings
    best = f[ply, BEST]
    if best == -INFINITE:
        best = f[ply, EVALUATED]
    elif settings[TABLE] and not f[ply, LEAF] and ply:
        store(m, b.state[HASH_NOW], ply)
    _leave(m, best)


@inlined
def _take(b, m, ply, value, move):
    """A turn's value has been found: keep it if it is the best, and go on."""
    t, f = m.totals, m.frames
    t[PHASE] = NEXT
    t[PLY] = ply
    if value > f[ply, BEST]:
        f[ply, BEST], f[ply, BEST_MOVE] = value, move
    if value <= f[ply, ALPHA]:
        return
    f[ply, ALPHA] = value
    if value < f[ply, BETA]:
        kept = m.settings[LINE_LENGTH_KEPT]
        length = min(kept - 1, np.int64(m.line[ply + 1, kept]))
        m.line[ply, 0] = move
        for n in range(length):
            m.line[ply, n + 1] = m.line[ply + 1, n]
        m.line[ply, kept] = length + 1
        return
    if not f[ply, LEAF]:
        credit(b, m, ply, (t[ROOT_MOVER] + ply) & 1, move)
    _finish(b, m, ply)


@inlined
def _begin_child(m, ply, depth, narrow):
    """Set up the frame below: its depth and its window."""
    t, f = m.totals, m.frames
    alpha, beta = f[ply, ALPHA], f[ply, BETA]
    if ply == 0:
        alpha -= np.int64(m.noise[f[0, CURRENT] - 1])
    f[ply, NARROW] = narrow
    f[ply + 1, DEPTH] = depth
    f[ply + 1, ALPHA] = -alpha - 1 if narrow else -beta
    f[ply + 1, BETA] = -alpha
    f[ply + 1, EXTENSIONS] = f[ply, EXTENSIONS]
    t[PLY] = ply + 1
    t[PHASE] = ENTER


@inlined
def _next(b, m):
    """Make the next turn of a node."""
    t, f, settings = m.totals, m.frames, m.settings
    ply = t[PLY]
    current, end = f[ply, CURRENT], f[ply, END]
    if current == end or t[STOP]:
        _finish(b, m, ply)
        return
    if ply:
        chosen = choose(m, current, end)
        t[CYCLES] += settings[COST_CHOOSE] + settings[COST_CHOOSE_PLACEMENT] * (end - current)
    else:
        chosen = np.int64(m.listed[current])
    f[ply, CURRENT] = current + 1
    index, shape = chosen >> 2 & 0xFF, chosen & 3
    cell = np.int64(b.place[index])
    outcome = lay_counted(b, m, cell, TILE_OF_SHAPE[b.sockets[index], shape])
    if outcome & REFUSED:
        return
    move = cell << 2 | shape
    f[ply, MOVE] = move
    count = f[ply, COUNT]
    f[ply, COUNT] = count + 1
    completed = outcome >> LOOPS_AT
    if completed:
        lift_counted(b, m)
        mover = (t[ROOT_MOVER] + ply) & 1
        m.line[ply + 1, settings[LINE_LENGTH_KEPT]] = 0
        if completed == 3 and b.state[BOTH_DRAWS]:
            value = np.int64(0)
        elif completed >> mover & 1:
            value = MATE - ply - 1
        else:
            value = -MATE + ply + 1
        _take(b, m, ply, value, move)
        return
    depth = f[ply, DEPTH]
    child = np.int64(0) if f[ply, LEAF] else depth - 1
    reduced = np.int64(0)
    if ply and settings[REDUCE_AFTER] and not f[ply, UNDER]:
        if depth >= settings[REDUCE_DEPTH] and count >= settings[REDUCE_AFTER]:
            reduced = np.int64(1)
        if depth >= settings[REDUCE_MORE_DEPTH] and count >= settings[REDUCE_MORE_AFTER]:
            reduced = np.int64(2)
    f[ply, CHILD_DEPTH], f[ply, REDUCED] = child, reduced
    narrow = np.int64(settings[WINDOWS] and count > 0 and depth > 1)
    _begin_child(m, ply, child - reduced, narrow)


@inlined
def _hand_over(b, m):
    """Hand a node's value to the one above it."""
    t, f = m.totals, m.frames
    ply = t[PLY] - 1
    t[CYCLES] += m.settings[COST_LEAVE]
    if t[STOP]:
        lift(b)
        t[PLY] = ply
        return
    value = -t[VALUE]
    if ply == 0 and abs(value) < MATE_BOUND:
        value += np.int64(m.noise[f[0, CURRENT] - 1])
    good = value > f[ply, ALPHA]
    if f[ply, NARROW] and good and (f[ply, REDUCED] or value < f[ply, BETA]):
        _begin_child(m, ply, f[ply, CHILD_DEPTH], np.int64(0))
        return
    lift_counted(b, m)
    _take(b, m, ply, value, f[ply, MOVE])


@compiled
def run(b, scanner, m):
    """Go on until the root's value is known or the limits are reached (``DONE``), or the number of
    nodes at which to pause (``PAUSED``).

    Limits are looked at when a node begins: the one that would exceed them is not begun.
    """
    t = m.totals
    while True:
        if t[PHASE] == ENTER:
            if t[NODES] >= t[PAUSE_AT] and not t[STOP]:
                return PAUSED
            if t[NODES] >= t[NODE_LIMIT] or t[CYCLES] >= t[CYCLE_LIMIT]:
                t[STOP] = 1
            if t[STOP]:
                t[PHASE] = LEAVE
            else:
                _enter(b, scanner, m)
        elif t[PHASE] == NEXT:
            _next(b, m)
        elif t[PLY] == 0:
            return DONE
        else:
            _hand_over(b, m)
