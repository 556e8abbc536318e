"""The search: a state machine on a stack of frames, as hardware has it.

::

                        ┌────────── a turn that goes on ◄──────────────────┐
                        ▼                                                  │
    root ──► NEXT    ENTER ──► patterns, table ──► list placements ──► NEXT ──► cutoff, or
                        │        │ value known                             ▲       all made
                        ▼        ▼                                         │          │
                    at a limit ► LEAVE ◄───────────────────────────────────┼── value ◄┘
                                 │                                         │
                                 └── to the node above ────────────────────┘
                                     (again with the whole window, if a zero window failed)

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
    make,
    unmake,
)
from loopline.engine.board.tables import NO_MOVE, SHAPES, TILE_OF_SHAPE
from loopline.engine.evaluation.evaluation import evaluate
from loopline.engine.evaluation.scan import (
    ENTRIES_TO_OWN,
    EVALUATION,
    OTHER_ATTACKS,
    OWN_ATTACKS,
    TRACKS,
    scan,
)
from loopline.engine.jit import compiled, inlined
from loopline.engine.search.frames import (
    ALPHA,
    BASE,
    BEST,
    BEST_MOVE,
    BETA,
    CHILD_DEPTH,
    COST_ATTACK,
    COST_ATTACK_ENTRY,
    COST_CHOOSE,
    COST_COMPLETE,
    COST_DECIDE,
    COST_ENTER,
    COST_EXPAND,
    COST_FINISH,
    COST_ITERATE,
    COST_LEAVE,
    COST_MAKE,
    COST_OPENING,
    COST_SCAN,
    COST_SCAN_TRACK,
    COST_STORE,
    COST_TELL,
    COST_TILE,
    COST_UNMAKE,
    COST_UNMAKE_NEXT_TRACK,
    COST_UNMAKE_OPENING,
    COST_UNMAKE_TILE,
    COST_UNMAKE_TRACK,
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
    INFINITE,
    LEAF,
    LEAVE,
    LINE_LENGTH_KEPT,
    MATE,
    MATE_BOUND,
    MOVE,
    NEXT,
    NODE_LIMIT,
    NODES,
    PATTERNS,
    PAUSE_AT,
    PAUSED,
    PHASE,
    PLIES,
    PLY,
    QUIESCENCE_RADIUS,
    REDUCE_AFTER,
    REDUCE_DEPTH,
    REDUCE_MORE_AFTER,
    REDUCE_MORE_DEPTH,
    REDUCED,
    REVERSE_FUTILITY_DEPTH,
    REVERSE_FUTILITY_MARGIN,
    ROOT_MOVER,
    STOP,
    TABLE,
    UNDER,
    VALUE,
    ZERO_WINDOW,
    ZERO_WINDOWS,
)
from loopline.engine.search.hashing import probe, store
from loopline.engine.search.order import count_walk, list_placements, note_killer

__all__ = ["has_turn", "make_counted", "run", "scan_counted", "unmake_counted"]


_WORK_MASK = (1 << WORK_BITS) - 1


@inlined
def _count_unmaking(b, m):
    """Count the cycles of unmaking the tiles of the last turn."""
    work, settings = b.state[WORK], m.settings
    changing = work >> 3 * WORK_BITS
    m.totals[CYCLES] += (
        settings[COST_UNMAKE_TILE] * (work & _WORK_MASK)
        + settings[COST_UNMAKE_OPENING] * (work >> WORK_BITS & _WORK_MASK)
        + settings[COST_UNMAKE_TRACK] * changing
        + settings[COST_UNMAKE_NEXT_TRACK] * ((work >> 2 * WORK_BITS & _WORK_MASK) - changing)
    )


@inlined
def make_counted(b, m, cell, tile):
    """Make a turn, and count its cycles; for a refused one also those of unmaking it."""
    outcome = make(b, cell, tile)
    work, settings = b.state[WORK], m.settings
    m.totals[CYCLES] += (
        settings[COST_MAKE]
        + settings[COST_TILE] * (work & _WORK_MASK)
        + settings[COST_OPENING] * (work >> WORK_BITS & _WORK_MASK)
    )
    if outcome & REFUSED:
        _count_unmaking(b, m)
    return outcome


@inlined
def unmake_counted(b, m):
    """Unmake a turn, and count its cycles."""
    unmake(b)
    m.totals[CYCLES] += m.settings[COST_UNMAKE]
    _count_unmaking(b, m)


@inlined
def scan_counted(b, scanner, m, mover, whole):
    """Scan all tracks, and count the cycles of scan and evaluation.

    Unless it is to be ``whole``, the gateware ends with the first attack of the side to move.
    """
    scan(b, scanner, mover)
    found, settings = scanner.found, m.settings
    cycles = settings[COST_ENTER]
    if found[OWN_ATTACKS] and not whole:
        cycles += settings[COST_ATTACK] + settings[COST_ATTACK_ENTRY] * found[ENTRIES_TO_OWN]
    else:
        cycles += settings[COST_SCAN] + settings[COST_SCAN_TRACK] * found[TRACKS]
    m.totals[CYCLES] += cycles


@compiled
def has_turn(b, m, winner):
    """Return whether there is a legal turn; with ``winner``, a mask of colours, one that wins."""
    area = b.state[AREA]
    for index in range(b.state[HIGH]):
        sockets, cell = np.int64(b.sockets[index]), np.int64(b.place[index])
        if sockets == 0 or (area and not inside(b, cell, area)):
            continue
        for shape in range(SHAPES):
            tile = TILE_OF_SHAPE[sockets, shape]
            if tile == 0:
                continue
            m.totals[CYCLES] += m.settings[COST_CHOOSE]
            outcome = make_counted(b, m, cell, tile)
            if outcome & REFUSED:
                continue
            unmake_counted(b, m)
            completed = outcome >> LOOPS_AT
            drawn = completed == 3 and b.state[BOTH_DRAWS] != 0
            if winner == 0 or (completed & winner and not drawn):
                return True
    return False


@inlined
def _leave(m, value):
    """Leave the node with this value."""
    m.totals[VALUE] = value
    m.totals[PHASE] = LEAVE


@inlined
def _enter(b, scanner, m):
    """Begin a node: leave it with a value that is known, or list its placements."""
    t, f, settings = m.totals, m.frames, m.settings
    ply = t[PLY]
    mover = (t[ROOT_MOVER] + ply) & 1
    t[NODES] += 1
    t[DEEPEST] = max(t[DEEPEST], ply)
    m.line[ply, settings[LINE_LENGTH_KEPT]] = 0
    scan_counted(b, scanner, m, mover, False)
    depth = f[ply, DEPTH]
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
    if b.state[AREA] and not has_turn(b, m, np.int64(0)):
        _leave(m, 0)
        return
    t[CYCLES] += settings[COST_DECIDE]
    evaluate(b, scanner, mover)
    evaluated = scanner.found[EVALUATION]
    f[ply, EVALUATED] = evaluated
    extensions = f[ply, EXTENSIONS]
    leaf = np.int64(depth <= 0)
    if (leaf and (not under or extensions == 0)) or ply >= settings[PLIES] - 1:
        _leave(m, evaluated)
        return
    # No win is nearer than the next turn, and no loss nearer than the turn after that.
    alpha, beta = max(f[ply, ALPHA], -MATE + ply + 1), min(f[ply, BETA], MATE - ply - 1)
    if alpha >= beta:
        _leave(m, alpha)
        return
    if not under:
        margin = settings[REVERSE_FUTILITY_MARGIN] * depth
        if depth <= settings[REVERSE_FUTILITY_DEPTH] and evaluated - margin >= beta:
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
    t[CYCLES] += settings[COST_EXPAND]
    base = f[ply - 1, END]
    radius = settings[QUIESCENCE_RADIUS] if leaf else np.int64(0)
    end = list_placements(b, scanner, m, ply, base, hashed, radius)
    f[ply, DEPTH], f[ply, EXTENSIONS], f[ply, UNDER], f[ply, LEAF] = depth, extensions, under, leaf
    f[ply, ALPHA], f[ply, BETA], f[ply, FLOOR] = alpha, beta, alpha
    # Under attack in quiescence, every turn that is not tried loses at the opponent's next turn.
    f[ply, BEST] = -MATE + ply + 2 if leaf else -INFINITE
    f[ply, BEST_MOVE] = NO_MOVE
    f[ply, COUNT] = 0
    f[ply, BASE] = f[ply, CURRENT] = base
    f[ply, END] = end
    t[PHASE] = NEXT


@inlined
def _finish(b, m, ply, waits):
    """Leave a node after a cutoff, or when all its turns have been made.

    Then the gateware ``waits`` for the table; after a cutoff, it unmakes the turn meanwhile.
    """
    f, settings = m.frames, m.settings
    best = f[ply, BEST]
    if best == -INFINITE:
        best = f[ply, EVALUATED]
    elif settings[TABLE] and not f[ply, LEAF] and ply:
        m.totals[CYCLES] += settings[COST_STORE] * waits
        store(m, b.state[HASH_NOW], ply)
    _leave(m, best)


@inlined
def _take(b, m, ply, value, move):
    """Take the value of a turn: note the best one so far, and leave the node at a cutoff."""
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
        note_killer(m, ply, move)
    _finish(b, m, ply, np.int64(0))


@inlined
def _begin_child(m, ply, depth, zero_window):
    """Set up the frame of a child: its depth and its window."""
    t, f = m.totals, m.frames
    alpha, beta = f[ply, ALPHA], f[ply, BETA]
    if ply == 0:
        alpha -= np.int64(m.noise[f[0, CURRENT] - 1])
    f[ply, ZERO_WINDOW] = zero_window
    f[ply + 1, DEPTH] = depth
    f[ply + 1, ALPHA] = -alpha - 1 if zero_window else -beta
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
    if t[STOP]:
        _finish(b, m, ply, np.int64(0))
        return
    if ply:
        count_walk(b, m, f[ply, BASE], current, end)
    else:
        t[CYCLES] += settings[COST_CHOOSE]
    if current == end:
        t[CYCLES] += settings[COST_FINISH]
        _finish(b, m, ply, np.int64(1))
        return
    chosen = np.int64(m.listed[current])
    f[ply, CURRENT] = current + 1
    index, shape = chosen >> 2 & 0xFF, chosen & 3
    cell = np.int64(b.place[index])
    outcome = make_counted(b, m, cell, TILE_OF_SHAPE[b.sockets[index], shape])
    if outcome & REFUSED:
        return
    move = cell << 2 | shape
    f[ply, MOVE] = move
    count = f[ply, COUNT]
    f[ply, COUNT] = count + 1
    completed = outcome >> LOOPS_AT
    if completed:
        t[CYCLES] += settings[COST_COMPLETE] + settings[COST_LEAVE]
        unmake_counted(b, m)
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
    zero_window = np.int64(settings[ZERO_WINDOWS] and count > 0 and depth > 1)
    _begin_child(m, ply, child - reduced, zero_window)


@inlined
def _hand_over(b, m):
    """Return a node's value to the one above, or search it again with a larger window or depth."""
    t, f = m.totals, m.frames
    ply = t[PLY] - 1
    t[CYCLES] += m.settings[COST_LEAVE]
    if t[STOP]:
        unmake_counted(b, m)
        t[PLY] = ply
        return
    value = -t[VALUE]
    if ply == 0 and abs(value) < MATE_BOUND:
        value += np.int64(m.noise[f[0, CURRENT] - 1])
    good = value > f[ply, ALPHA]
    if f[ply, ZERO_WINDOW] and good and (f[ply, REDUCED] or value < f[ply, BETA]):
        _begin_child(m, ply, f[ply, CHILD_DEPTH], np.int64(0))
        return
    unmake_counted(b, m)
    _take(b, m, ply, value, f[ply, MOVE])


@compiled
def run(b, scanner, m):
    """Run until the root's value is known or a limit is reached: ``DONE``.

    Return ``PAUSED`` when the number of nodes reaches ``PAUSE_AT``. Limits are checked before each
    node: the one that would exceed them is not begun.
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
            told = m.settings[COST_TELL] * m.line[0, m.settings[LINE_LENGTH_KEPT]]
            t[CYCLES] += m.settings[COST_ITERATE] + told
            return DONE
        else:
            _hand_over(b, m)
