"""Forced wins by attacks alone: a proof-number search, depth first, on a stack of frames.

The *attacker* makes only turns that leave him an attack; the *defender* may make any turn. A node's
*proof number* says how many positions still have to be shown lost for the defender until it is
proved, its *disproof number* how many must be shown to hold until it is refuted. The search goes to
the child by which that is nearest, and stays below it until another one is nearer.

::

    OPEN ──► list attacks, or answers ──► PICK ──► CLOSE ──► to the node above: its numbers ──► PICK
     ▲                                     │
     └── a turn made, with thresholds ◄────┘

What it proves is so: attacks by pattern only say which turns are looked at, but every win is made
on the board, and no answer is left out. A turn that is refused for lack of room counts as an answer
that holds. What it refutes may be won in another way.
"""

from __future__ import annotations

import numpy as np

from loopline.engine.board.board import AREA, BOTH_DRAWS, HASH_NOW, HIGH, LOOPS_AT, REFUSED, inside
from loopline.engine.board.tables import HASH_HALF, NO_MOVE, SHAPES, TILE_OF_SHAPE
from loopline.engine.evaluation.scan import NOTED, OTHER_ATTACKS, OWN_ATTACKS
from loopline.engine.jit import compiled, inlined
from loopline.engine.search.frames import (
    ATTACKER,
    COST_CHOOSE,
    COST_CHOOSE_PLACEMENT,
    COST_LIST_PLACEMENT,
    COST_LIST_SPACE,
    COST_PROBE,
    COST_STORE,
    CYCLE_LIMIT,
    CYCLES,
    DONE,
    KEY_BITS,
    LINE_LENGTH_KEPT,
    LISTED,
    NODE_LIMIT,
    NODES,
    NUMBER_TOP,
    PAUSE_AT,
    PAUSED,
    PLACEMENTS,
    PLIES,
    PROOF_BASE,
    PROOF_LENGTH,
    PROOF_LIMIT,
    PROOF_NEAR,
    PROOF_PHASE,
    PROOF_PLIES,
    PROOF_PLY,
    STOP,
    TABLE,
    TABLE_BITS,
)
from loopline.engine.search.order import is_near
from loopline.engine.search.search import has_turn, lay_counted, lift_counted, scan_counted
from loopline.hdl.core.types import Status

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
) = range(10)
"""Fields of a frame: the thresholds; the numbers; the node's part of the list: where it begins, the
child under way, its end; whether answers beyond reach are listed, too; how many turns the game goes
on at most; the turn that wins."""

OPEN, PICK, CLOSE = range(3)
"""Phases: list the children; go to one of them; hand the numbers to the node above."""

_BOUNDS = REFUSED | Status.BOUNDS.value

# An entry of the transposition table: key, move, proof and disproof number, and a mark in the
# place of the bound, whose two bits are 0: no entry of the other search. The disproof number of
# what is proved is how many turns the game goes on.
_DISPROOF_AT = 4
_MARK = 1 << 2
_NUMBER_BITS = 10
_PROOF_AT = _DISPROOF_AT + _NUMBER_BITS
_MOVE_AT = _PROOF_AT + _NUMBER_BITS
_KEY_AT = 38
_NUMBER = (1 << _NUMBER_BITS) - 1
_HASH_BITS = 2 * HASH_HALF
_BY_WHITE, _BY_RED = 0x3C6EF_372FE, 0x94F82_B7A19
"""What the hash is changed by, for each attacker."""


@inlined
def _position(b, m):
    return b.state[HASH_NOW] ^ (_BY_RED if m.totals[ATTACKER] else _BY_WHITE)


@inlined
def _known(b, m):
    """The entry of the position, or 0."""
    if not m.settings[TABLE]:
        return np.int64(0)
    position = _position(b, m)
    m.totals[CYCLES] += m.settings[COST_PROBE]
    entry = m.table[position & ((1 << m.settings[TABLE_BITS]) - 1)]
    key = position >> (_HASH_BITS - m.settings[KEY_BITS])
    return entry if entry & 7 == _MARK and entry >> _KEY_AT == key else np.int64(0)


@inlined
def _keep(b, m, ply):
    """Write the entry of the position of a node that is left."""
    if not m.settings[TABLE]:
        return
    p, position = m.proof, _position(b, m)
    m.totals[CYCLES] += m.settings[COST_STORE]
    second = p[ply, LONGEST] if p[ply, PROOF] == 0 else p[ply, DISPROOF]
    entry = position >> (_HASH_BITS - m.settings[KEY_BITS]) << _KEY_AT
    entry |= p[ply, ANSWER] << _MOVE_AT | p[ply, PROOF] << _PROOF_AT | second << _DISPROOF_AT
    m.table[position & ((1 << m.settings[TABLE_BITS]) - 1)] = entry | _MARK


@inlined
def _list(b, scanner, m, start, reach, rest):
    """List placements: all, or only those within reach of all noted attacks, or only the others.

    Returns the end of the list, which is where it starts if there is no room.
    """
    area, end, settings = b.state[AREA], start, m.settings
    for index in range(b.state[HIGH]):
        sockets, cell = np.int64(b.sockets[index]), np.int64(b.place[index])
        if sockets == 0 or (area and not inside(b, cell, area)):
            continue
        if reach and is_near(scanner, cell, reach) == (rest != 0):
            continue
        for shape in range(SHAPES):
            if TILE_OF_SHAPE[sockets, shape]:
                if end == settings[LISTED] or end - start == settings[PLACEMENTS]:
                    return np.int64(-1)
                m.listed[end] = index << 2 | shape
                end += 1
    m.totals[CYCLES] += settings[COST_LIST_SPACE] * b.state[HIGH]
    m.totals[CYCLES] += settings[COST_LIST_PLACEMENT] * (end - start)
    return end


@inlined
def _settle(m, ply, proof, disproof):
    """A node's numbers are final for now."""
    m.proof[ply, PROOF], m.proof[ply, DISPROOF] = proof, disproof
    m.totals[PROOF_PHASE] = CLOSE


@inlined
def _proved(m, ply, turns, move):
    """The node is won, in so many turns of both sides."""
    m.proof[ply, LONGEST], m.proof[ply, ANSWER] = turns, move
    _settle(m, ply, np.int64(0), m.settings[NUMBER_TOP])


@inlined
def _refuted(m, ply):
    """The node is not won by attacks."""
    _settle(m, ply, m.settings[NUMBER_TOP], np.int64(0))


@inlined
def _out_of_nodes(m):
    """Whether another turn would be one too many."""
    t = m.totals
    if t[NODES] >= min(t[PROOF_LIMIT], t[NODE_LIMIT]) or t[CYCLES] >= t[CYCLE_LIMIT]:
        t[STOP] = 1
    return t[STOP] != 0


@compiled
def wins_by_attack(b, scanner, m, colour):
    """Whether a turn wins for a colour of which the scan has found attacks: those are tried first,
    in the cells that are noted."""
    for attack in range(scanner.found[NOTED]):
        for number in range(3):
            cell = np.int64(scanner.cells[attack, number])
            index = np.int64(b.cells[cell]) >> 8
            for shape in range(SHAPES):
                tile = TILE_OF_SHAPE[b.sockets[index], shape]
                if tile == 0:
                    continue
                outcome = lay_counted(b, m, cell, tile)
                if outcome & REFUSED:
                    continue
                lift_counted(b, m)
                completed = outcome >> LOOPS_AT
                if completed >> colour & 1 and not (completed == 3 and b.state[BOTH_DRAWS]):
                    return True
    return has_turn(b, m, 1 << colour)


@inlined
def _list_attacks(b, scanner, m, ply, start):
    """List the attacker's turns that leave an attack to him and none to the defender."""
    t, p = m.totals, m.proof
    attacker = t[ATTACKER]
    end = _list(b, scanner, m, start, np.int64(0), np.int64(0))
    kept = start
    for n in range(start, end):
        if _out_of_nodes(m):
            return
        index, shape = np.int64(m.listed[n]) >> 2, np.int64(m.listed[n]) & 3
        cell = np.int64(b.place[index])
        outcome = lay_counted(b, m, cell, TILE_OF_SHAPE[b.sockets[index], shape])
        if outcome & REFUSED:
            continue
        completed, move = outcome >> LOOPS_AT, cell << 2 | shape
        if completed:
            lift_counted(b, m)
            if completed >> attacker & 1 and not (completed == 3 and b.state[BOTH_DRAWS]):
                m.line[ply, 0], m.line[ply, m.settings[LINE_LENGTH_KEPT]] = move, 1
                _proved(m, ply, np.int64(1), move)
                return
            continue
        t[NODES] += 1
        scan_counted(b, scanner, m, attacker ^ 1)
        attacks = scanner.found[OTHER_ATTACKS]
        looked_at = attacks > 0 and scanner.found[OWN_ATTACKS] == 0 and ply + 3 <= t[PROOF_PLIES]
        entry = _known(b, m) if looked_at else np.int64(0)
        lift_counted(b, m)
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
    """List the defender's turns after which the attacker does not win at once."""
    t, p, settings = m.totals, m.proof, m.settings
    attacker = t[ATTACKER]
    reach = settings[PROOF_NEAR]
    scan_counted(b, scanner, m, attacker ^ 1)
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
        outcome = lay_counted(b, m, cell, TILE_OF_SHAPE[b.sockets[index], shape])
        if outcome & REFUSED:
            if outcome == _BOUNDS:
                _refuted(m, ply)
                return
            continue
        completed = outcome >> LOOPS_AT
        if completed:
            lift_counted(b, m)
            if completed != 1 << attacker:
                _refuted(m, ply)
                return
            p[ply, LONGEST] = max(p[ply, LONGEST], 1)
            continue
        t[NODES] += 1
        scan_counted(b, scanner, m, attacker ^ 1)
        if scanner.found[OTHER_ATTACKS] and wins_by_attack(b, scanner, m, attacker):
            lift_counted(b, m)
            p[ply, LONGEST] = max(p[ply, LONGEST], 2)
            continue
        entry = _known(b, m)
        lift_counted(b, m)
        proof = disproof = np.int64(1)
        if entry:
            proof, disproof = entry >> _PROOF_AT & _NUMBER, entry >> _DISPROOF_AT & _NUMBER
            if proof == 0 and ply + 1 + disproof <= t[PROOF_PLIES]:
                p[ply, LONGEST] = max(p[ply, LONGEST], disproof + 1)
                continue
        # Three more turns at least: an attack, an answer, the win.
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
    start = t[PROOF_BASE] if ply == 0 else p[ply - 1, LAST]
    p[ply, FIRST] = p[ply, LAST] = start
    p[ply, ANSWER] = NO_MOVE
    if ply & 1:
        _list_answers(b, scanner, m, ply, start)
    else:
        _list_attacks(b, scanner, m, ply, start)


@inlined
def _pick(b, m):
    """Go to the child by which the node is nearest to be settled, unless another node is nearer."""
    t, p, top = m.totals, m.proof, m.settings[NUMBER_TOP]
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
    m.totals[CYCLES] += m.settings[COST_CHOOSE] + m.settings[COST_CHOOSE_PLACEMENT] * (last - first)
    if by_proof and least == top:
        _refuted(m, ply)
        return
    if not by_proof and total == 0:
        if p[ply, REST] == 0 and m.settings[PROOF_NEAR]:
            # Whatever was near is answered: now the others, which are seldom any good.
            p[ply, REST] = 1
            t[PROOF_PHASE] = OPEN
        elif p[ply, LONGEST] == 0:
            # No turn is left at all: a draw.
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
    # Until the second best is better by half: else two lines would be opened in turns.
    near = min(top, second + (second >> 1) + 1)
    if by_proof:
        p[ply + 1, PROOF_TOP] = min(p[ply, PROOF_TOP], near)
        p[ply + 1, DISPROOF_TOP] = max(other + 1, min(top, p[ply, DISPROOF_TOP] - total + other))
    else:
        p[ply + 1, DISPROOF_TOP] = min(p[ply, DISPROOF_TOP], near)
        p[ply + 1, PROOF_TOP] = max(own + 1, min(top, p[ply, PROOF_TOP] - total + own))
    index, shape = entry >> 2 & 0xFF, entry & 3
    cell = np.int64(b.place[index])
    lay_counted(b, m, cell, TILE_OF_SHAPE[b.sockets[index], shape])
    p[ply, ANSWER] = cell << 2 | shape
    p[ply + 1, REST] = p[ply + 1, LONGEST] = 0
    m.line[ply + 1, m.settings[LINE_LENGTH_KEPT]] = 0
    t[PROOF_PLY] = ply + 1
    t[PROOF_PHASE] = OPEN


@inlined
def _extend_line(m, ply, move):
    """The longest resistance so far goes on with this turn, and as below it."""
    kept = m.settings[LINE_LENGTH_KEPT]
    length = min(kept - 1, np.int64(m.line[ply + 1, kept]))
    m.line[ply, 0] = move
    for n in range(length):
        m.line[ply, n + 1] = m.line[ply + 1, n]
    m.line[ply, kept] = length + 1


@inlined
def _close(b, m):
    """Hand a node's numbers to the one above."""
    t, p = m.totals, m.proof
    below = t[PROOF_PLY]
    proof, disproof = p[below, PROOF], p[below, DISPROOF]
    _keep(b, m, below)
    lift_counted(b, m)
    ply = below - 1
    t[PROOF_PLY] = ply
    t[PROOF_PHASE] = PICK
    picked, move = p[ply, PICKED], p[ply, ANSWER]
    entry = np.int64(m.listed[picked])
    m.listed[picked] = (proof << _NUMBER_BITS | disproof) << 10 | (entry & 0x3FF)
    if proof == 0:
        turns = p[below, LONGEST] + 1
        if ply & 1 == 0:
            _extend_line(m, ply, move)
            _proved(m, ply, turns, move)
        elif turns > p[ply, LONGEST]:
            p[ply, LONGEST] = turns
            _extend_line(m, ply, move)
    elif disproof == 0 and ply & 1:
        _refuted(m, ply)


@compiled
def open_proof(m, attacker, base, plies):
    """Set up a proof that this colour, which is to move, wins within so many turns of both sides.

    The list of placements is free from ``base`` on.
    """
    t, p = m.totals, m.proof
    t[ATTACKER], t[PROOF_BASE] = attacker, base
    t[PROOF_PLIES] = min(plies, m.settings[PLIES] - 4)
    t[PROOF_PLY] = t[STOP] = t[PROOF_LENGTH] = 0
    t[PROOF_PHASE] = OPEN
    p[0, PROOF_TOP] = p[0, DISPROOF_TOP] = m.settings[NUMBER_TOP]
    p[0, REST] = p[0, LONGEST] = 0
    p[0, PROOF] = p[0, DISPROOF] = 1
    m.line[0, m.settings[LINE_LENGTH_KEPT]] = 0


@compiled
def prove(b, scanner, m):
    """Go on until it is settled or the limits are reached (``DONE``), or the number of nodes at
    which to pause (``PAUSED``). The board is as before at the end, but not in a pause.

    Then ``PROOF_LENGTH`` says in how many turns of both sides the win comes, at most; 0 for none.
    The first row of the variation begins with the turn that wins.
    """
    t, p = m.totals, m.proof
    while True:
        if t[STOP]:
            while t[PROOF_PLY]:
                lift_counted(b, m)
                t[PROOF_PLY] -= 1
            return DONE
        if t[PROOF_PHASE] == OPEN:
            if t[NODES] >= t[PAUSE_AT]:
                return PAUSED
            _open(b, scanner, m)
        elif t[PROOF_PHASE] == PICK:
            _pick(b, m)
        elif t[PROOF_PLY]:
            _close(b, m)
        else:
            if p[0, PROOF] == 0:
                t[PROOF_LENGTH] = p[0, LONGEST]
            _keep(b, m, 0)
            return DONE
