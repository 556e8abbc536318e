"""Several lanes: a node's first turn is searched by one, its others by all that are free.

::

    ENTER ─► PROBE ─► NEXT ─► BEGIN ─► ENTER ...        a lane at work, as in search.py
                       │ ▲
        a shared node: │ │ the next turn of the one list, the one alpha
                       ▼ │
    FREE ──────────► helps until none is left or one reaches beta ──► FREE

A lane *offers* a node whose first turn it has searched. It is the node's *owner*. Others come as
its *helpers*, replay the path, and take turns from the same list until that is at its end or a
value reaches beta. Then the owner waits for its helpers; meanwhile it may help one of them in turn.
So each node that a lane has offered and not left yet is *shared*, and of a lane's path there are
``SHARED_NODES`` at most.

Each lane has a clock of its own, in beats. What lanes have in common, that is the table, shared
nodes and who is free, they use in the order of their clocks, and of their numbers at the same beat.
Beats follow from the search alone, so that any two implementations that keep this order agree in
all results, whatever time their steps take. What is of no use any more is given up ``BEATS_DELAY``
later, so that a lane needs to know of it only then, and entries of the table are written so much
later.
"""

from __future__ import annotations

import numpy as np

from loopline.engine.board.board import HASH_NOW
from loopline.engine.board.tables import TILE_OF_SHAPE
from loopline.engine.jit import compiled, inlined
from loopline.engine.search.frames import (
    ABORT_AT,
    ABORT_TO,
    AGAIN,
    BEATS,
    BEGAN,
    BEGIN,
    BEST_MOVE,
    COMPLETED,
    COST_ITERATE,
    COST_TELL,
    CYCLE_LIMIT,
    CYCLES,
    DELAYED,
    DELAYED_END,
    DELAYED_FIRST,
    DEPTH,
    DONE,
    ENTER,
    FINISH,
    FRAME_FIELDS,
    FREE,
    HELD_UP,
    HELPERS,
    HOME,
    JOBS,
    LEAF,
    LEAVE,
    LINE_LENGTH_KEPT,
    MOVE,
    NEXT,
    NODES_LEFT,
    OFFERED,
    OTHER_HOME,
    OTHER_OWNER,
    OVER,
    OWNER,
    PAUSED,
    PHASE,
    PLIES,
    PLY,
    PROBE,
    QUOTA_LEFT,
    RESTED,
    RESTING,
    ROOT_MOVER,
    SHARED,
    SHARES,
    STOP,
    STOP_AT,
    STORES,
    TRIED,
    UNWIND_TO,
    WAITED,
)
from loopline.engine.search.hashing import store
from loopline.engine.search.order import note_killer
from loopline.engine.search.search import (
    begin,
    choose,
    enter,
    expand,
    finish,
    hand_over,
    make_counted,
    unmake_counted,
    unwind,
)
from loopline.hdl.search.config import (
    BEATS_DELAY,
    BEATS_JOIN,
    DELAYED_STORES,
    QUOTA,
    SHARED_NODES,
    SPLIT_DEPTH,
)

__all__ = ["begin_lanes", "run_lanes"]

STUCK = 2
"""A result of :func:`run_lanes`: all lanes wait for each other, which none may."""

NEVER = 1 << 62
"""A beat that does not come."""

WORKS, WAITS, IDLE = range(3)
"""``RESTING``: a lane works; it waits until its helpers are done; it waits for an offer."""

NO_TURN, CUT = 1, 2
"""``OVER``: a lane has found no more turns of a shared node; or a value that reaches beta."""

NOWHERE = -1
"""No ply, or no lane."""

_JOIN_CYCLES = 40
"""Cycles in which a helper reads what it has to know of a node. The path is counted as made."""


@compiled
def begin_lanes(lanes):
    """Set all lanes up for an iteration that lane 0 begins."""
    for i in range(len(lanes)):
        t = lanes[i].totals
        t[OFFERED] = t[UNWIND_TO] = t[OTHER_OWNER] = t[OTHER_HOME] = NOWHERE
        t[ABORT_TO] = lanes[i].settings[PLIES]
        t[STOP] = t[SHARES] = 0
        for ply in range(lanes[i].settings[PLIES]):
            lanes[i].frames[ply, SHARED], lanes[i].frames[ply, ABORT_AT] = 0, NEVER
        if i:
            t[RESTING], t[PHASE], t[OWNER], t[HOME] = IDLE, FREE, i, NOWHERE
            t[ROOT_MOVER] = lanes[0].totals[ROOT_MOVER]
            t[CYCLE_LIMIT] = lanes[0].totals[CYCLE_LIMIT]
        else:
            t[RESTING], t[OWNER], t[HOME] = WORKS, 0, 0


@inlined
def _await_grant(lanes, i):
    """Count the cycles for which a lane waits for the grant.

    It has the grant once the clocks of all others have passed its own. A clock goes on as soon as
    it is known what the step under way takes.
    """
    t = lanes[i].totals
    latest = np.int64(t[CYCLES])
    for k in range(len(lanes)):
        if k != i and lanes[k].totals[RESTING] == WORKS:
            latest = max(latest, lanes[k].totals[BEGAN])
    t[HELD_UP] += latest - t[CYCLES]
    t[CYCLES] = latest


@inlined
def _store_delayed(lanes, beat):
    """Write all entries of the table that are due at a beat."""
    home = lanes[0]
    t = home.totals
    while t[DELAYED_FIRST] < t[DELAYED_END]:
        n = t[DELAYED_FIRST] & DELAYED - 1
        if home.delayed[n, 1] + BEATS_DELAY > beat:
            return
        store(home, home.delayed[n, 2], home.delayed[n, 3])
        lanes[home.delayed[n, 0]].totals[STORES] -= 1
        t[DELAYED_FIRST] += 1


@inlined
def _store_later(lanes, i, position, entry):
    """Let an entry be written ``BEATS_DELAY`` later, unless too many of the lane's wait.

    Entries of one beat are written in the order of the lanes' numbers: a lane that has waited for
    another one may store at the same beat, but later.
    """
    home, t = lanes[0], lanes[i].totals
    _store_delayed(lanes, t[BEATS])
    if t[STORES] == DELAYED_STORES:
        return
    at = home.totals[DELAYED_END]
    while at > home.totals[DELAYED_FIRST]:
        n, before = at & DELAYED - 1, at - 1 & DELAYED - 1
        if home.delayed[before, 1] < t[BEATS] or home.delayed[before, 0] <= i:
            break
        for k in range(4):
            home.delayed[n, k] = home.delayed[before, k]
        at -= 1
    n = at & DELAYED - 1
    home.delayed[n, 0], home.delayed[n, 1] = i, t[BEATS]
    home.delayed[n, 2], home.delayed[n, 3] = position, entry
    home.totals[DELAYED_END] += 1
    t[STORES] += 1


@inlined
def _wake(t, beat, cycles, idle):
    """Let a lane that rests go on at a beat, or later if its clock is ahead."""
    waited = max(np.int64(0), cycles - t[CYCLES])
    t[RESTED if idle else WAITED] += waited
    t[CYCLES] += waited
    t[BEATS] = max(t[BEATS], beat)
    t[RESTING] = WORKS


@inlined
def _forget_abort(m, ply):
    """Forget that what is below this ply, or deeper, is to be given up: the lane has left it."""
    t, plies = m.totals, m.settings[PLIES]
    if t[ABORT_TO] < plies:
        for k in range(ply, plies):
            m.frames[k, ABORT_AT] = NEVER
        if t[ABORT_TO] >= ply:
            t[ABORT_TO] = plies


@inlined
def _give_up(m, ply, beat, cycles):
    """Let a lane give up what is below a ply at a beat, unless that is below another such ply.

    What it had to give up before is farther down: it does so at the beat for that, which is no
    later.
    """
    t = m.totals
    if ply < t[ABORT_TO]:
        m.frames[ply, ABORT_AT], t[ABORT_TO] = beat, ply
        if t[RESTING] == WAITS and t[PHASE] == NEXT:
            _wake(t, beat, cycles, False)


@inlined
def _given_up(m):
    """Return the least ply below which a lane has to give up now, above its own; or ``NOWHERE``."""
    t = m.totals
    for ply in range(t[ABORT_TO], t[PLY]):
        if t[BEATS] >= m.frames[ply, ABORT_AT]:
            return np.int64(ply)
    return np.int64(NOWHERE)


@inlined
def _end_shared(lanes, owner, ply, by):
    """Close a shared node: no lane takes another of its turns.

    Its owner and its helpers give up what is below it ``BEATS_DELAY`` later.
    """
    now = lanes[by].totals
    beat, cycles = now[BEATS] + BEATS_DELAY, np.int64(now[CYCLES])
    o = lanes[owner]
    o.frames[ply, OVER] = CUT
    if o.totals[PLY] > ply or o.totals[RESTING] == WORKS:
        _give_up(o, ply, beat, cycles)
    for i in range(len(lanes)):
        t = lanes[i].totals
        helps = (t[OWNER] == owner and t[HOME] == ply) or (
            t[OTHER_OWNER] == owner and t[OTHER_HOME] == ply
        )
        if i != owner and helps and (t[PLY] > ply or t[RESTING] == WORKS):
            _give_up(lanes[i], ply, beat, cycles)


@inlined
def _unwind_to(lanes, i, ply):
    """Begin to unmake all turns from this ply on.

    If a lane thereby gives up its help below a node of its own, it leaves ``BEATS_DELAY`` later.
    The lane that it helps hears no later that its node, which lacks this lane's turn, is given up.
    """
    t, f = lanes[i].totals, lanes[i].frames
    t[UNWIND_TO], t[PHASE] = ply, LEAVE
    _forget_abort(lanes[i], ply)
    for k in range(ply + 1, t[PLY] + 1):
        if f[k, SHARED] and f[k, OVER] != CUT:
            _end_shared(lanes, i, k, i)
    if t[OTHER_OWNER] != NOWHERE and ply < t[HOME]:
        t[BEATS] += BEATS_DELAY


@inlined
def _may_help_below(lanes, i, owner):
    """Return whether a lane waits for another one that helps it, and may help that one."""
    t, o = lanes[i].totals, lanes[owner].totals
    waits = t[RESTING] == WAITS and t[PHASE] == NEXT and t[OTHER_OWNER] == NOWHERE
    return waits and o[OTHER_OWNER] == NOWHERE and o[OWNER] == i != owner and o[HOME] == t[PLY]


@inlined
def _join(boards, lanes, i, owner, by):
    """Let a lane help at the node that another one offers.

    A lane that waits for helpers goes on from its own node, which is on the path.
    """
    m, o, b = lanes[i], lanes[owner], boards[i]
    t, now = m.totals, lanes[by].totals
    ply, above, idle = o.totals[OFFERED], np.int64(0), t[RESTING] != WAITS
    if idle:
        t[OFFERED] = t[UNWIND_TO] = t[OTHER_OWNER] = t[OTHER_HOME] = NOWHERE
        t[ABORT_TO], t[SHARES] = m.settings[PLIES], 0
    else:
        above = t[PLY]
        t[OTHER_OWNER], t[OTHER_HOME] = t[OWNER], t[HOME]
    _wake(t, now[BEATS] + BEATS_JOIN, now[CYCLES] + _JOIN_CYCLES, idle)
    t[JOBS] += 1
    t[OWNER], t[HOME], t[PLY], t[PHASE] = owner, ply, ply, NEXT
    for k in range(above, ply + 1):
        if k > above or idle:
            for n in range(FRAME_FIELDS):
                m.frames[k, n] = o.frames[k, n]
            m.frames[k, SHARED] = m.frames[k, AGAIN] = 0
            m.frames[k, ABORT_AT] = NEVER
        move = o.frames[k, MOVE]
        m.frames[k, MOVE] = move
        if k < ply:
            cell = move >> 2
            make_counted(b, m, cell, TILE_OF_SHAPE[np.int64(b.cells[cell]) & 255, move & 3])
    o.frames[ply, HELPERS] += 1


@inlined
def _is_open(o):
    """Return whether a lane offers a node of which turns may be left."""
    ply = o.totals[OFFERED]
    return ply >= 0 and o.frames[ply, OVER] == 0


@inlined
def _may_offer(m):
    """Return whether a lane may offer the node at which it is."""
    t, f = m.totals, m.frames
    ply = t[PLY]
    deep = f[ply, DEPTH] >= SPLIT_DEPTH and not f[ply, LEAF]
    return deep and f[ply, TRIED] > 0 and t[SHARES] < SHARED_NODES and not _is_open(m)


@inlined
def _offer(boards, lanes, owner):
    """Offer the node at which a lane is; lanes without work come."""
    o = lanes[owner]
    t, ply = o.totals, o.totals[PLY]
    t[OFFERED] = ply
    t[SHARES] += 1
    o.frames[ply, SHARED], o.frames[ply, OVER], o.frames[ply, HELPERS] = 1, 0, 0
    for i in range(len(lanes)):
        if lanes[i].totals[RESTING] == IDLE or _may_help_below(lanes, i, owner):
            _join(boards, lanes, i, owner, owner)


@inlined
def _is_at_shared(m):
    """Return whether lane 0 is at a shared node: one of its own, or that at which it helps."""
    t = m.totals
    return m.frames[t[PLY], SHARED] or (t[OWNER] != 0 and t[PLY] == t[HOME])


@inlined
def _withdraw(m, ply):
    """Let a node without helpers be shared no more."""
    t = m.totals
    m.frames[ply, SHARED] = 0
    t[SHARES] -= 1
    if t[OFFERED] == ply:
        t[OFFERED] = NOWHERE


@inlined
def _look_for_work(boards, lanes, i, resting):
    """Help at the deepest node, by depth left, that is offered. If there is none, rest so.

    A lane that waits for its helpers may help these only.
    """
    best, depth = np.int64(NOWHERE), np.int64(NOWHERE)
    lanes[i].totals[RESTING] = resting
    for k in range(len(lanes)):
        o = lanes[k]
        allowed = k != i and (resting == IDLE or _may_help_below(lanes, i, k))
        if allowed and _is_open(o) and o.frames[o.totals[OFFERED], DEPTH] > depth:
            best, depth = np.int64(k), o.frames[o.totals[OFFERED], DEPTH]
    if best >= 0:
        _join(boards, lanes, i, best, i)


@inlined
def _leave_home(lanes, i):
    """End a lane's help. The owner goes on if it waits for this lane."""
    t = lanes[i].totals
    o, ply = lanes[t[OWNER]], t[HOME]
    _forget_abort(lanes[i], ply)
    o.frames[ply, HELPERS] -= 1
    if o.totals[RESTING] == WAITS and o.totals[PLY] == ply and o.frames[ply, HELPERS] == 0:
        _wake(o.totals, t[BEATS], t[CYCLES], False)
    t[OWNER], t[HOME] = t[OTHER_OWNER], t[OTHER_HOME]
    t[OTHER_OWNER] = t[OTHER_HOME] = NOWHERE


@inlined
def _go_back(boards, lanes, i):
    """Unmake the path to the node at which a lane has helped, up to its own one, if it has one."""
    m = lanes[i]
    t = m.totals
    while t[PLY] and not (t[OWNER] != NOWHERE and m.frames[t[PLY], SHARED]):
        unmake_counted(boards[i], m)
        t[PLY] -= 1
    t[PHASE] = NEXT
    if t[OWNER] == NOWHERE:
        lanes[0].totals[NODES_LEFT] += t[QUOTA_LEFT]
        t[QUOTA_LEFT] = 0
        t[OWNER], t[PHASE] = i, FREE


@inlined
def _end_at(lanes, beat):
    """End the search at a beat, unless it ends before."""
    for i in range(len(lanes)):
        t = lanes[i].totals
        t[STOP_AT] = min(t[STOP_AT], beat)


@inlined
def _step_enter(b, scanner, lanes, i):
    """Begin a node, unless the lane has to give up or to stop."""
    m = lanes[i]
    t, first = m.totals, lanes[0].totals
    if t[QUOTA_LEFT] == 0 and not t[STOP]:
        _await_grant(lanes, i)
        t[QUOTA_LEFT] = min(QUOTA, (first[NODES_LEFT] + 15) >> 4)
        first[NODES_LEFT] -= t[QUOTA_LEFT]
        if t[QUOTA_LEFT] == 0:
            # Here it ends with all others: those above it must not count what it leaves undone.
            t[BEATS] += BEATS_DELAY
            _end_at(lanes, t[BEATS])
            return
    abort_to = _given_up(m)
    if t[STOP]:
        _unwind_to(lanes, i, t[HOME])
    elif abort_to != NOWHERE:
        _unwind_to(lanes, i, abort_to)
    else:
        t[QUOTA_LEFT] -= 1
        enter(b, scanner, m)
        m.frames[t[PLY], SHARED] = 0


@inlined
def _step_next(boards, lanes, i):
    """Make the next turn of a node; or leave it."""
    m = lanes[i]
    t, f, ply = m.totals, m.frames, m.totals[PLY]
    helps = t[OWNER] != i and ply == t[HOME]
    o = lanes[t[OWNER]] if helps else m
    shared = helps or f[ply, SHARED]
    if shared:
        _await_grant(lanes, i)
        _forget_abort(m, ply)
    over = o.frames[ply, OVER] if shared else np.int64(0)
    abort_to = _given_up(m)
    if abort_to != NOWHERE:
        _unwind_to(lanes, i, abort_to)
    elif helps and (over or t[STOP]):
        _leave_home(lanes, i)
        _go_back(boards, lanes, i)
    elif t[STOP]:
        _unwind_to(lanes, i, t[HOME])
    elif not over:
        choose(boards[i], m, o)
        if shared and t[PHASE] == FINISH:
            o.frames[ply, OVER], t[PHASE] = NO_TURN, NEXT
    elif f[ply, HELPERS]:
        _look_for_work(boards, lanes, i, WAITS)
    else:
        if over == CUT:
            note_killer(m, ply, f[ply, BEST_MOVE])
        _withdraw(m, ply)
        _forget_abort(m, ply)
        t[PHASE] = FINISH


@inlined
def _step_begin(boards, lanes, i):
    """Begin the child after a turn, which may be the time to offer the node."""
    m = lanes[i]
    t, ply = m.totals, m.totals[PLY]
    helps = t[OWNER] != i and ply == t[HOME]
    o = lanes[t[OWNER]] if helps else m
    offers = not helps and not m.frames[ply, SHARED] and _may_offer(m)
    if offers:
        _await_grant(lanes, i)
        _offer(boards, lanes, i)
    shared = (helps or m.frames[ply, SHARED]) and t[COMPLETED]
    if shared:
        _await_grant(lanes, i)
    if shared and o.frames[ply, OVER] == CUT:
        unmake_counted(boards[i], m)
        t[PHASE] = NEXT
    elif begin(boards[i], m, o):
        if shared:
            _end_shared(lanes, t[OWNER] if helps else i, ply, i)
        else:
            t[PHASE] = FINISH


@inlined
def _step_unwind(b, lanes, i):
    """Unmake a turn that is given up, once the helpers at its node have left."""
    m = lanes[i]
    t, f, ply = m.totals, m.frames, m.totals[PLY]
    if t[OTHER_OWNER] != NOWHERE and ply == t[HOME] and ply > t[UNWIND_TO]:
        _await_grant(lanes, i)
        _leave_home(lanes, i)
    if f[ply, SHARED]:
        _await_grant(lanes, i)
    if f[ply, SHARED] and f[ply, HELPERS]:
        if f[ply, OVER] != CUT:
            _end_shared(lanes, i, ply, i)
        t[RESTING] = WAITS
        return
    if f[ply, SHARED] and (ply > t[UNWIND_TO] or t[STOP]):
        _withdraw(m, ply)
    if ply > t[UNWIND_TO]:
        unwind(b, m)
    else:
        _forget_abort(m, ply)
        t[UNWIND_TO], t[PHASE] = NOWHERE, NEXT


@inlined
def _step_leave(b, lanes, i):
    """Return a node's value to the one above."""
    m = lanes[i]
    t, ply = m.totals, m.totals[PLY] - 1
    helps = t[OWNER] != i and ply == t[HOME]
    o = lanes[t[OWNER]] if helps else m
    shared = helps or m.frames[ply, SHARED]
    if shared:
        _await_grant(lanes, i)
    if shared and o.frames[ply, OVER] == CUT:
        unwind(b, m)
        t[PHASE] = NEXT
    elif hand_over(b, m, o):
        if shared:
            _end_shared(lanes, t[OWNER] if helps else i, ply, i)
        else:
            t[PHASE] = FINISH


@compiled
def run_lanes(boards, scanners, lanes, pause):
    """Run until the root's value is known or a limit is reached, ``DONE``; or for ``pause`` nodes.

    The lane whose clock is behind goes on by one step.
    """
    m = lanes[0]
    while True:
        i, least = np.int64(NOWHERE), np.int64(NEVER)
        for k in range(len(lanes)):
            if lanes[k].totals[RESTING] == WORKS and lanes[k].totals[BEATS] < least:
                i, least = np.int64(k), lanes[k].totals[BEATS]
        if i == NOWHERE:
            return STUCK
        t = lanes[i].totals
        phase = t[PHASE]
        t[BEGAN] = t[CYCLES]
        if t[CYCLES] >= t[CYCLE_LIMIT]:
            _end_at(lanes, t[BEATS])
        if t[BEATS] >= t[STOP_AT] and (i or phase == ENTER or (phase == NEXT and _is_at_shared(m))):
            t[STOP] = 1
        if phase == ENTER:
            if pause == 0 and not m.totals[STOP]:
                return PAUSED
            pause -= 1
            _step_enter(boards[i], scanners[i], lanes, i)
        elif phase == PROBE:
            _store_delayed(lanes, t[BEATS])
            expand(boards[i], scanners[i], lanes[i], m)
        elif phase == NEXT:
            if i == 0 and t[STOP] and t[PLY] == 0 and not m.frames[0, SHARED]:
                t[PHASE] = LEAVE
            else:
                _step_next(boards, lanes, i)
        elif phase == BEGIN:
            _step_begin(boards, lanes, i)
        elif phase == FINISH:
            entry = finish(boards[i], lanes[i])
            if entry:
                _store_later(lanes, i, boards[i].state[HASH_NOW], entry)
        elif phase == FREE:
            _await_grant(lanes, i)
            if t[STOP]:
                t[RESTING] = IDLE
            else:
                _look_for_work(boards, lanes, i, IDLE)
        elif t[UNWIND_TO] != NOWHERE:
            _step_unwind(boards[i], lanes, i)
        elif t[PLY]:
            _step_leave(boards[i], lanes, i)
        else:
            told = m.settings[COST_TELL] * m.line[0, m.settings[LINE_LENGTH_KEPT]]
            t[CYCLES] += m.settings[COST_ITERATE] + told
            return DONE
