"""Forced wins by attacks alone: a depth-first proof-number search (df-pn) on a stack of frames.

The *attacker* makes only turns that leave an attack of the own side; the *defender* may make any
turn. A node's *proof number* is the least number of positions that have to be proved to prove the
node, its *disproof number* the least number that have to be refuted to refute it. The search
descends to the child of the least number, and stays below it while that number is the least.

::

    OPEN ──► list attacks, or answers ──► PICK ──► CLOSE ──► to the node above: its numbers ──► PICK
     ▲                                     │
     └── a turn made, with thresholds ◄────┘

A proof is exact: patterns of attacks only select the attacker's turns, every win is made on the
board, and no answer is left out. A turn that is refused for lack of room counts as an answer that
refutes. A refuted position may still be won in another way.
"""

from __future__ import annotations

import numpy as np

from loopline.engine.board.board import AREA, BOTH_DRAWS, HASH_NOW, HIGH, LOOPS_AT, REFUSED, inside
from loopline.engine.board.tables import NO_MOVE, SHAPES, TILE_OF_SHAPE
from loopline.engine.evaluation.scan import OTHER_ATTACKS, OWN_ATTACKS
from loopline.engine.jit import compiled, inlined
from loopline.engine.search.frames import (
    ATTACKER,
    COST_PROBE,
    COST_STORE,
    CYCLES,
    KEY_BITS,
    LINE_LENGTH_KEPT,
    NODE_LIMIT,
    NODES,
    PLIES,
    PROOF_FIELDS,
    PROOF_LENGTH,
    PROOF_PHASE,
    PROOF_PLIES,
    PROOF_PLY,
    QUIESCENCE_RADIUS,
    STOP,
    TABLE,
    TABLE_BITS,
)
from loopline.engine.search.order import is_near
from loopline.engine.search.search import (
    has_turn,
    make_counted,
    note_line,
    scan_counted,
    unmake_counted,
)
from loopline.hdl.core.types import Status
from loopline.hdl.search.hashing import HASH_BITS

__all__ = ["open_proof", "prove"]

(
    PROOF_TOP,
    DISPROOF_TOP,
    PROOF,
    DISPROOF,
    FIRST,
    PICKED,
    LAST,
    REST,
    LONGEST,
    ANSWER,
) = range(PROOF_FIELDS)
"""Fields of a frame: the thresholds; the numbers; the node's part of the list: its begin, the child
under way, its end; whether the answers beyond the radius are listed, too; the most turns until the
win; the turn that wins."""

OPEN, PICK, CLOSE = range(3)
"""Phases: list the children; descend to one of them; return the numbers to the node above."""

_BOUNDS = REFUSED | Status.BOUNDS.value

# An entry of the transposition table: key, move, proof and disproof number, and a mark above the
# place of the bound, whose two bits are 0: the search does not take it for one of its own. A proved
# entry has the turns until the win in place of the disproof number.
_DISPROOF_AT = 4
_MARK = 1 << 2
_NUMBER_BITS = 10
_PROOF_AT = _DISPROOF_AT + _NUMBER_BITS
_MOVE_AT = _PROOF_AT + _NUMBER_BITS
_KEY_AT = 38
_NUMBER = (1 << _NUMBER_BITS) - 1  # the largest one, which stands for infinity
_BY_WHITE, _BY_RED = 0x3C6EF_372FE, 0x94F82_B7A19
"""The change of the hash for each attacker."""


@inlined
def _position(b, m):
    return b.state[HASH_NOW] ^ (_BY_RED if m.totals[ATTACKER] else _BY_WHITE)


@inlined
def _known(b, m):
    """Return the entry of the position, or 0."""
    if not m.settings[TABLE]:
        return np.int64(0)
    position = _position(b, m)
    m.totals[CYCLES] += m.settings[COST_PROBE]
    entry = m.table[position & ((1 << m.settings[TABLE_BITS]) - 1)]
    key = position >> (HASH_BITS - m.settings[KEY_BITS])
    return entry if entry & 7 == _MARK and entry >> _KEY_AT == key else np.int64(0)


@inlined
def _keep(b, m, ply):
    """Write the entry of a node that is left."""
    if not m.settings[TABLE]:
        return
    p, position = m.proof, _position(b, m)
    m.totals[CYCLES] += m.settings[COST_STORE]
    second = p[ply, LONGEST] if p[ply, PROOF] == 0 else p[ply, DISPROOF]
    entry = position >> (HASH_BITS - m.settings[KEY_BITS]) << _KEY_AT
    entry |= p[ply, ANSWER] << _MOVE_AT | p[ply, PROOF] << _PROOF_AT | second << _DISPROOF_AT
    m.table[position & ((1 << m.settings[TABLE_BITS]) - 1)] = entry | _MARK


@inlined
def _list(b, scanner, m, start, reach, rest):
    """List placements: all if ``reach`` is 0, else those within ``reach`` of all noted attacks.

    With ``rest`` the others instead. Return the end of the list, or -1 if there is no room.
    """
    area, end, room = b.state[AREA], start, len(m.listed)
    for index in range(b.state[HIGH]):
        sockets, cell = np.int64(b.sockets[index]), np.int64(b.place[index])
        if sockets == 0 or (area and not inside(b, cell, area)):
            continue
        if reach and is_near(b, scanner, cell, reach) == (rest != 0):
            continue
        for shape in range(SHAPES):
            if TILE_OF_SHAPE[sockets, shape]:
                if end == room:
                    return np.int64(-1)
                m.listed[end] = index << 2 | shape
                end += 1
    return end


@inlined
def _settle(m, ply, proof, disproof):
    """Leave the node with these numbers."""
    m.proof[ply, PROOF], m.proof[ply, DISPROOF] = proof, disproof
    m.totals[PROOF_PHASE] = CLOSE


@inlined
def _proved(m, ply, turns, move):
    """Leave the node as proved, with the turns of both sides until the win."""
    m.proof[ply, LONGEST], m.proof[ply, ANSWER] = turns, move
    _settle(m, ply, np.int64(0), np.int64(_NUMBER))


@inlined
def _refuted(m, ply):
    """Leave the node as refuted."""
    _settle(m, ply, np.int64(_NUMBER), np.int64(0))


@inlined
def _out_of_nodes(m):
    """Return whether a limit is reached, and if so end the search."""
    t = m.totals
    if t[NODES] >= t[NODE_LIMIT]:
        t[STOP] = 1
    return t[STOP] != 0


@inlined
def _list_attacks(b, scanner, m, ply, start):
    """List the attacker's turns that leave an attack of the attacker and none of the defender."""
    t, p = m.totals, m.proof
    attacker = t[ATTACKER]
    end = _list(b, scanner, m, start, np.int64(0), np.int64(0))
    kept = start
    for n in range(start, end):
        if _out_of_nodes(m):
            return
        index, shape = np.int64(m.listed[n]) >> 2, np.int64(m.listed[n]) & 3
        cell = np.int64(b.place[index])
        outcome = make_counted(b, m, cell, TILE_OF_SHAPE[b.sockets[index], shape])
        if outcome & REFUSED:
            continue
        completed, move = outcome >> LOOPS_AT, cell << 2 | shape
        if completed:
            unmake_counted(b, m)
            if completed >> attacker & 1 and not (completed == 3 and b.state[BOTH_DRAWS]):
                m.line[ply, 0], m.line[ply, m.settings[LINE_LENGTH_KEPT]] = move, 1
                _proved(m, ply, np.int64(1), move)
                return
            continue
        t[NODES] += 1
        scan_counted(b, scanner, m, attacker ^ 1, True)
        attacks = scanner.found[OTHER_ATTACKS]
        looked_at = attacks > 0 and scanner.found[OWN_ATTACKS] == 0 and ply + 3 <= t[PROOF_PLIES]
        entry = _known(b, m) if looked_at else np.int64(0)
        unmake_counted(b, m)
        if not looked_at:
            continue
        proof, disproof = np.int64(1 if attacks > 1 else 4), np.int64(1)
        if entry:
            proof, disproof = entry >> _PROOF_AT & _NUMBER, entry >> _DISPROOF_AT & _NUMBER
            if proof == 0 and ply + 1 + disproof <= t[PROOF_PLIES]:
                m.line[ply, 0], m.line[ply, m.settings[LINE_LENGTH_KEPT]] = move, 1
                _proved(m, ply, disproof + 1, move)
                return
        if disproof and proof:
            m.listed[kept] = (proof << _NUMBER_BITS | disproof) << 10 | index << 2 | shape
            kept += 1
    p[ply, LAST] = kept
    t[PROOF_PHASE] = PICK


@inlined
def _list_answers(b, scanner, m, ply, start):
    """List the defender's turns after which the attacker has no turn that wins."""
    t, p, settings = m.totals, m.proof, m.settings
    attacker = t[ATTACKER]
    reach = settings[QUIESCENCE_RADIUS]
    scan_counted(b, scanner, m, attacker ^ 1, True)
    end = _list(b, scanner, m, start, reach, p[ply, REST])
    if end < 0:
        _refuted(m, ply)
        return
    kept = start
    for n in range(start, end):
        if _out_of_nodes(m):
            return
        index, shape = np.int64(m.listed[n]) >> 2, np.int64(m.listed[n]) & 3
        cell = np.int64(b.place[index])
        outcome = make_counted(b, m, cell, TILE_OF_SHAPE[b.sockets[index], shape])
        if outcome & REFUSED:
            if outcome == _BOUNDS:
                _refuted(m, ply)
                return
            continue
        completed = outcome >> LOOPS_AT
        if completed:
            unmake_counted(b, m)
            if completed != 1 << attacker:
                _refuted(m, ply)
                return
            p[ply, LONGEST] = max(p[ply, LONGEST], 1)
            continue
        t[NODES] += 1
        scan_counted(b, scanner, m, attacker ^ 1, True)
        if scanner.found[OTHER_ATTACKS] and has_turn(b, m, 1 << attacker):
            unmake_counted(b, m)
            p[ply, LONGEST] = max(p[ply, LONGEST], 2)
            continue
        entry = _known(b, m)
        unmake_counted(b, m)
        proof = disproof = np.int64(1)
        if entry:
            proof, disproof = entry >> _PROOF_AT & _NUMBER, entry >> _DISPROOF_AT & _NUMBER
            if proof == 0 and ply + 1 + disproof <= t[PROOF_PLIES]:
                p[ply, LONGEST] = max(p[ply, LONGEST], disproof + 1)
                continue
        # A win needs three more turns at least: an attack, an answer, the win.
        if disproof == 0 or proof == 0 or ply + 4 > t[PROOF_PLIES]:
            _refuted(m, ply)
            return
        m.listed[kept] = (proof << _NUMBER_BITS | disproof) << 10 | index << 2 | shape
        kept += 1
    p[ply, LAST] = kept
    t[PROOF_PHASE] = PICK
    if kept == start and p[ply, REST] == 0 and reach:
        p[ply, REST] = 1
        t[PROOF_PHASE] = OPEN


@inlined
def _open(b, scanner, m):
    """List a node's children."""
    t, p = m.totals, m.proof
    ply = t[PROOF_PLY]
    start = np.int64(0) if ply == 0 else p[ply - 1, LAST]
    p[ply, FIRST] = p[ply, LAST] = start
    p[ply, ANSWER] = NO_MOVE
    if ply & 1:
        _list_answers(b, scanner, m, ply, start)
    else:
        _list_attacks(b, scanner, m, ply, start)


@inlined
def _pick(b, m):
    """Descend to the child of the least number, or leave the node if a threshold is reached."""
    t, p, top = m.totals, m.proof, _NUMBER
    ply = t[PROOF_PLY]
    first, last = p[ply, FIRST], p[ply, LAST]
    by_proof = ply & 1 == 0
    least = second = top
    picked, total = first, np.int64(0)
    for n in range(first, last):
        entry = np.int64(m.listed[n])
        one, other = entry >> 20, entry >> 10 & _NUMBER
        if not by_proof:
            one, other = other, one
        total = min(top - 1, total + other)
        if one < least:
            least, second, picked = one, least, n
        elif one < second:
            second = one
    if by_proof and least == top:
        _refuted(m, ply)
        return
    if not by_proof and total == 0:
        if p[ply, REST] == 0 and m.settings[QUIESCENCE_RADIUS]:
            # All answers within the radius lose: list the others, which are seldom any better.
            p[ply, REST] = 1
            t[PROOF_PHASE] = OPEN
        elif p[ply, LONGEST] == 0:
            # The defender has no legal turn: a draw.
            _refuted(m, ply)
        else:
            _proved(m, ply, p[ply, LONGEST], np.int64(NO_MOVE))
        return
    proof, disproof = (least, total) if by_proof else (total, least)
    if disproof == 0 or proof >= p[ply, PROOF_TOP] or disproof >= p[ply, DISPROOF_TOP]:
        _settle(m, ply, proof, disproof)
        return
    entry = np.int64(m.listed[picked])
    own, other = entry >> 20, entry >> 10 & _NUMBER
    p[ply, PICKED] = picked
    # The margin of a half keeps two children from being searched in turns.
    threshold = min(top, second + (second >> 1) + 1)
    if by_proof:
        p[ply + 1, PROOF_TOP] = min(p[ply, PROOF_TOP], threshold)
        p[ply + 1, DISPROOF_TOP] = max(other + 1, min(top, p[ply, DISPROOF_TOP] - total + other))
    else:
        p[ply + 1, DISPROOF_TOP] = min(p[ply, DISPROOF_TOP], threshold)
        p[ply + 1, PROOF_TOP] = max(own + 1, min(top, p[ply, PROOF_TOP] - total + own))
    index, shape = entry >> 2 & 0xFF, entry & 3
    cell = np.int64(b.place[index])
    make_counted(b, m, cell, TILE_OF_SHAPE[b.sockets[index], shape])
    p[ply, ANSWER] = cell << 2 | shape
    p[ply + 1, REST] = p[ply + 1, LONGEST] = 0
    m.line[ply + 1, m.settings[LINE_LENGTH_KEPT]] = 0
    t[PROOF_PLY] = ply + 1
    t[PROOF_PHASE] = OPEN


@inlined
def _close(b, m):
    """Return a node's numbers to the one above."""
    t, p = m.totals, m.proof
    below = t[PROOF_PLY]
    proof, disproof = p[below, PROOF], p[below, DISPROOF]
    _keep(b, m, below)
    unmake_counted(b, m)
    ply = below - 1
    t[PROOF_PLY] = ply
    t[PROOF_PHASE] = PICK
    picked, move = p[ply, PICKED], p[ply, ANSWER]
    entry = np.int64(m.listed[picked])
    m.listed[picked] = (proof << _NUMBER_BITS | disproof) << 10 | (entry & 0x3FF)
    if proof == 0:
        turns = p[below, LONGEST] + 1
        if ply & 1 == 0:
            note_line(m, m, ply, move)
            _proved(m, ply, turns, move)
        elif turns > p[ply, LONGEST]:
            # The longest resistance so far.
            p[ply, LONGEST] = turns
            note_line(m, m, ply, move)
    elif disproof == 0 and ply & 1:
        _refuted(m, ply)


@compiled
def open_proof(m, attacker, plies):
    """Set up a proof: the attacker is to move and wins within ``plies`` turns of both sides."""
    t, p = m.totals, m.proof
    t[ATTACKER] = attacker
    t[PROOF_PLIES] = min(plies, m.settings[PLIES] - 4)
    t[PROOF_PLY] = t[STOP] = t[PROOF_LENGTH] = 0
    t[PROOF_PHASE] = OPEN
    p[0, PROOF_TOP] = p[0, DISPROOF_TOP] = _NUMBER
    p[0, REST] = p[0, LONGEST] = 0
    p[0, PROOF] = p[0, DISPROOF] = 1
    m.line[0, m.settings[LINE_LENGTH_KEPT]] = 0


@compiled
def prove(b, scanner, m):
    """Run until the root is proved or refuted, or the limit of nodes is reached.

    In the end the board is as before, ``PROOF_LENGTH`` is the most turns of both sides until
    the win, 0 for none, and the first row of the variation begins with the turn that wins.
    """
    t, p = m.totals, m.proof
    while True:
        if t[STOP]:
            while t[PROOF_PLY]:
                unmake_counted(b, m)
                t[PROOF_PLY] -= 1
            return
        if t[PROOF_PHASE] == OPEN:
            _open(b, scanner, m)
        elif t[PROOF_PHASE] == PICK:
            _pick(b, m)
        elif t[PROOF_PLY]:
            _close(b, m)
        else:
            if p[0, PROOF] == 0:
                t[PROOF_LENGTH] = p[0, LONGEST]
            _keep(b, m, 0)
            return
