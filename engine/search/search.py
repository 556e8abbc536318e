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
    LARGEST,
    OTHER_ATTACKS,
    OWN_ATTACKS,
    TRACKS,
    scan,
)
from loopline.engine.jit import compiled, inlined
from loopline.engine.search.frames import (
    AGAIN,
    ALPHA,
    BASE,
    BEATS,
    BEGIN,
    BEST,
    BEST_MOVE,
    BETA,
    CHILD_DEPTH,
    COMPLETED,
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
    DEPTH,
    DONE,
    END,
    ENTER,
    EVALUATED,
    EXACT,
    EXTENSIONS,
    FINISH,
    FLOOR,
    FROM,
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
    NUMBER,
    PATTERNS,
    PAUSE_AT,
    PAUSED,
    PHASE,
    PLIES,
    PLY,
    PROBE,
    QUIESCENCE_RADIUS,
    REDUCE_AFTER,
    REDUCE_DEPTH,
    REDUCE_MORE_AFTER,
    REDUCE_MORE_DEPTH,
    REDUCED,
    REVERSE_FUTILITY_DEPTH,
    REVERSE_FUTILITY_MARGIN,
    ROOT_MOVER,
    SHARED,
    STOP,
    TABLE,
    TRIED,
    UNDER,
    VALUE,
    ZERO_WINDOW,
    ZERO_WINDOWS,
)
from loopline.engine.search.hashing import entry_of, probe, store
from loopline.engine.search.order import count_walk, list_placements, note_killer
from loopline.hdl.search.config import BEATS_ATTACK, BEATS_EXPAND, BEATS_TILE, BEATS_TURN

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
def enter(b, scanner, m):
    """Begin a node: leave it with a value that is known without the table."""
    t, f, settings = m.totals, m.frames, m.settings
    ply = t[PLY]
    mover = (t[ROOT_MOVER] + ply) & 1
    t[NODES] += 1
    m.line[ply, settings[LINE_LENGTH_KEPT]] = 0
    scan_counted(b, scanner, m, mover, False)
    t[BEATS] += BEATS_ATTACK if scanner.found[OWN_ATTACKS] else scanner.found[TRACKS]
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
    f[ply, DEPTH], f[ply, EXTENSIONS], f[ply, UNDER], f[ply, LEAF] = depth, extensions, under, leaf
    f[ply, ALPHA], f[ply, BETA], f[ply, FLOOR] = alpha, beta, alpha
    t[PHASE] = PROBE


@inlined
def expand(b, scanner, m, home):
    """Leave a node with the value that the table has for it, or list its placements."""
    t, f, settings = m.totals, m.frames, m.settings
    ply = t[PLY]
    hashed = np.int64(NO_MOVE)
    if settings[TABLE]:
        hashed, value = probe(
            m, home, b.state[HASH_NOW], ply, f[ply, DEPTH], f[ply, ALPHA], f[ply, BETA]
        )
        if value != INFINITE:
            _leave(m, value)
            return
    t[CYCLES] += settings[COST_EXPAND]
    t[BEATS] += BEATS_EXPAND
    base, leaf = f[ply - 1, END], f[ply, LEAF]
    radius = settings[QUIESCENCE_RADIUS] if leaf else np.int64(0)
    # Under attack in quiescence, every turn that is not tried loses at the opponent's next turn.
    f[ply, BEST] = -MATE + ply + 2 if leaf else -INFINITE
    f[ply, BEST_MOVE] = NO_MOVE
    f[ply, COUNT] = f[ply, AGAIN] = 0
    f[ply, BASE] = f[ply, CURRENT] = base
    f[ply, END] = list_placements(b, scanner, m, ply, base, hashed, radius)
    t[PHASE] = NEXT


@inlined
def finish(b, m):
    """Leave a node after a cutoff, or when all its turns have been made. Return its entry of the
    transposition table; 0 if there is none.

    Then the gateware waits for the table; after a cutoff, it unmakes the turn meanwhile.
    """
    f, settings, ply = m.frames, m.settings, m.totals[PLY]
    best, entry = f[ply, BEST], np.int64(0)
    if best == -INFINITE:
        best = f[ply, EVALUATED]
    elif settings[TABLE] and not f[ply, LEAF] and ply:
        if best < f[ply, BETA]:
            m.totals[CYCLES] += settings[COST_STORE]
        entry = entry_of(m, b.state[HASH_NOW], ply)
    _leave(m, best)
    return entry


@inlined
def note_line(m, o, ply, move):
    """Note the variation of a node of ``o``: this turn, and the variation below it, of ``m``."""
    kept = m.settings[LINE_LENGTH_KEPT]
    length = min(kept - 1, np.int64(m.line[ply + 1, kept]))
    o.line[ply, 0] = move
    for n in range(length):
        o.line[ply, n + 1] = m.line[ply + 1, n]
    o.line[ply, kept] = length + 1


@inlined
def _take(m, o, ply, value, move):
    """Take the value of a turn: note the best one so far. Return whether it reaches beta."""
    f = o.frames
    m.totals[PHASE] = NEXT
    m.totals[PLY] = ply
    if value > f[ply, BEST]:
        f[ply, BEST], f[ply, BEST_MOVE] = value, move
    if value <= f[ply, ALPHA]:
        return False
    f[ply, ALPHA] = value
    if value < f[ply, BETA]:
        note_line(m, o, ply, move)
        return False
    if not f[ply, LEAF] and not f[ply, SHARED]:
        note_killer(o, ply, move)
    return True


@inlined
def _begin_child(m, o, ply, depth, zero_window):
    """Set up the frame of a child: its depth and its window."""
    t, f, own = m.totals, o.frames, m.frames
    alpha, beta = own[ply, FROM], f[ply, BETA]
    if ply == 0:
        alpha -= np.int64(o.noise[own[0, NUMBER]])
    own[ply, ZERO_WINDOW] = zero_window
    own[ply + 1, DEPTH] = depth
    own[ply + 1, ALPHA] = -alpha - 1 if zero_window else -beta
    own[ply + 1, BETA] = -alpha
    own[ply + 1, EXTENSIONS] = f[ply, EXTENSIONS]
    t[PLY] = ply + 1
    t[PHASE] = ENTER


@inlined
def choose(b, m, o):
    """Make the next turn of a node, if there is one and it is legal."""
    t, f, settings, own = m.totals, o.frames, m.settings, m.frames
    ply = t[PLY]
    current, end = f[ply, CURRENT], f[ply, END]
    if ply:
        count_walk(b, m, o, f[ply, BASE], current, end)
    else:
        t[CYCLES] += settings[COST_CHOOSE]
    if current == end:
        t[CYCLES] += settings[COST_FINISH]
        t[PHASE] = FINISH
        return
    chosen = np.int64(o.listed[current])
    f[ply, CURRENT] = current + 1
    if not own[ply, AGAIN]:
        own[ply, TRIED] = f[ply, COUNT]
        f[ply, COUNT] += 1
    own[ply, FROM] = f[ply, ALPHA]
    index, shape = chosen >> 2 & 0xFF, chosen & 3
    cell = np.int64(b.place[index])
    outcome = make_counted(b, m, cell, TILE_OF_SHAPE[b.sockets[index], shape])
    t[BEATS] += BEATS_TURN
    own[ply, AGAIN] = np.int64(outcome & REFUSED != 0)
    if own[ply, AGAIN]:
        return
    t[BEATS] += BEATS_TILE * (b.state[WORK] & _WORK_MASK)
    own[ply, MOVE], own[ply, NUMBER] = cell << 2 | shape, current
    t[COMPLETED] = outcome >> LOOPS_AT
    t[PHASE] = BEGIN


@inlined
def begin(b, m, o):
    """Begin the child after a turn; return whether a turn that ends the game reaches beta."""
    t, f, settings = m.totals, o.frames, m.settings
    ply, completed = t[PLY], t[COMPLETED]
    count = m.frames[ply, TRIED]
    if completed:
        t[CYCLES] += settings[COST_COMPLETE] + settings[COST_LEAVE]
        unmake_counted(b, m)
        mover = (t[ROOT_MOVER] + ply) & 1
        m.line[ply + 1, settings[LINE_LENGTH_KEPT]] = 0
        if completed == 3 and b.state[BOTH_DRAWS]:
            value = np.int64(0 if ply else o.noise[m.frames[0, NUMBER]])
        elif completed >> mover & 1:
            value = MATE - ply - 1
        else:
            value = -MATE + ply + 1
        return _take(m, o, ply, value, m.frames[ply, MOVE])
    depth = f[ply, DEPTH]
    child = np.int64(0) if f[ply, LEAF] else depth - 1
    reduced = np.int64(0)
    if ply and settings[REDUCE_AFTER] and not f[ply, UNDER]:
        if depth >= settings[REDUCE_DEPTH] and count >= settings[REDUCE_AFTER]:
            reduced = np.int64(1)
        if depth >= settings[REDUCE_MORE_DEPTH] and count >= settings[REDUCE_MORE_AFTER] > 0:
            reduced = np.int64(2)
    m.frames[ply, CHILD_DEPTH], m.frames[ply, REDUCED] = child, reduced
    zero_window = np.int64(settings[ZERO_WINDOWS] and count > 0 and depth > 1)
    _begin_child(m, o, ply, child - reduced, zero_window)
    return False


@inlined
def hand_over(b, m, o):
    """Return a node's value to the one above, or search it again with a larger window or depth.

    Return whether the value reaches beta there.
    """
    t, own = m.totals, m.frames
    ply = t[PLY] - 1
    t[CYCLES] += m.settings[COST_LEAVE]
    value = -t[VALUE]
    if ply == 0 and abs(value) < MATE_BOUND:
        value += np.int64(o.noise[own[0, NUMBER]])
    good = value > own[ply, FROM]
    if own[ply, ZERO_WINDOW] and good and (own[ply, REDUCED] or value < o.frames[ply, BETA]):
        own[ply, FROM] = o.frames[ply, ALPHA]
        _begin_child(m, o, ply, own[ply, CHILD_DEPTH], np.int64(0))
        return False
    unmake_counted(b, m)
    return _take(m, o, ply, value, own[ply, MOVE])


@inlined
def unwind(b, m):
    """Unmake the turn before a node that is given up."""
    m.totals[CYCLES] += m.settings[COST_LEAVE]
    unmake_counted(b, m)
    m.totals[PLY] -= 1


@inlined
def _prefer_better(scanner, m):
    """Make the turn of the root under way the best one, if a search that has been stopped knows
    that it is: its zero window has failed, and it is searched again.

    By how much is not known. If the score that it has beaten is a forced loss, it need not lose:
    its score is the least evaluation.
    """
    f, settings = m.frames, m.settings
    first = f[0, NUMBER] == 0 or f[0, DEPTH] == 1
    if m.totals[STOP] and settings[ZERO_WINDOWS] and not (first or f[0, ZERO_WINDOW]):
        f[0, BEST_MOVE] = m.line[0, 0] = f[0, MOVE]
        m.line[0, settings[LINE_LENGTH_KEPT]] = 1
        if f[0, BEST] <= -MATE_BOUND:
            f[0, BEST] = -scanner.found[LARGEST]


@compiled
def run(b, scanner, m):
    """Run until the root's value is known or a limit is reached: ``DONE``.

    Return ``PAUSED`` when the number of nodes reaches ``PAUSE_AT``. Limits are checked before each
    node: the one that would exceed them is not begun.
    """
    t = m.totals
    while True:
        phase, cut = t[PHASE], False
        if phase == ENTER:
            if t[NODES] >= t[PAUSE_AT] and not t[STOP]:
                return PAUSED
            if t[NODES] >= t[NODE_LIMIT] or t[CYCLES] >= t[CYCLE_LIMIT]:
                t[STOP] = 1
            if t[STOP]:
                t[PHASE] = LEAVE
            else:
                enter(b, scanner, m)
        elif phase == PROBE:
            expand(b, scanner, m, m)
        elif phase == NEXT:
            if t[STOP]:
                t[PHASE] = LEAVE
            else:
                choose(b, m, m)
        elif phase == BEGIN:
            cut = begin(b, m, m)
        elif phase == FINISH:
            entry = finish(b, m)
            if entry:
                store(m, b.state[HASH_NOW], entry)
        elif t[PLY] == 0:
            _prefer_better(scanner, m)
            told = m.settings[COST_TELL] * m.line[0, m.settings[LINE_LENGTH_KEPT]]
            t[CYCLES] += m.settings[COST_ITERATE] + told
            return DONE
        elif t[STOP]:
            unwind(b, m)
        else:
            cut = hand_over(b, m, m)
        if cut:
            t[PHASE] = FINISH
