"""The transposition table: rows of two entries of 64 bits.

The first entry of a row is the one searched deepest, the second the latest one.
"""

from __future__ import annotations

import numpy as np

from loopline.engine.board.tables import NO_MOVE
from loopline.engine.jit import inlined
from loopline.engine.search.frames import (
    BEST,
    BEST_MOVE,
    BETA,
    COST_PROBE,
    COST_PROBE_SECOND,
    CYCLES,
    DEPTH,
    FLOOR,
    INFINITE,
    KEY_BITS,
    MATE_BOUND,
    TABLE_BITS,
)
from loopline.hdl.search.config import SearchConfig
from loopline.hdl.search.hashing import HASH_BITS
from loopline.hdl.search.types import BOUND_BITS, ENTRY_DEPTH_BITS, SCORE_BITS, Bound

__all__ = ["entry_of", "probe", "store"]

_EXACT, _AT_LEAST, _AT_MOST = Bound.EXACT.value, Bound.AT_LEAST.value, Bound.AT_MOST.value

_MOVE_BITS = SearchConfig().move_bits
_DEPTH_AT = BOUND_BITS
_MOVE_AT = _DEPTH_AT + ENTRY_DEPTH_BITS
_SCORE_AT = _MOVE_AT + _MOVE_BITS
_KEY_AT = _SCORE_AT + SCORE_BITS
_ZERO = 1 << (SCORE_BITS - 1)
_LARGEST_DEPTH = (1 << ENTRY_DEPTH_BITS) - 1


@inlined
def _is_of(entry, key):
    """Return whether this entry was written for this key."""
    return entry & 3 != 0 and entry >> _KEY_AT == key


@inlined
def probe(m, home, position, ply, depth, alpha, beta):
    """Return the move of a position's entry, and its value if that settles the node.

    ``home`` has the table. Otherwise the value is ``INFINITE``. A value settles the node if it is
    exact, or a bound outside of the window, and if it was found at this depth or a larger one or is
    a forced win or loss. Forced wins are stored relative to the position; ``ply`` makes them
    relative to the root.
    """
    settings = m.settings
    m.totals[CYCLES] += settings[COST_PROBE]
    first = position & ((1 << settings[TABLE_BITS]) - 2)
    key = position >> (HASH_BITS - settings[KEY_BITS])
    entry = home.table[first]
    if not _is_of(entry, key):
        m.totals[CYCLES] += settings[COST_PROBE_SECOND]
        entry = home.table[first + 1]
        if not _is_of(entry, key):
            return np.int64(NO_MOVE), np.int64(INFINITE)
    move = entry >> _MOVE_AT & ((1 << _MOVE_BITS) - 1)
    value = (entry >> _SCORE_AT & (2 * _ZERO - 1)) - _ZERO
    forced = abs(value) >= MATE_BOUND
    if value >= MATE_BOUND:
        value -= ply
    elif value <= -MATE_BOUND:
        value += ply
    if entry >> _DEPTH_AT & _LARGEST_DEPTH >= min(depth, _LARGEST_DEPTH) or forced:
        bound = entry & 3
        if (
            bound == _EXACT
            or (bound == _AT_LEAST and value >= beta)
            or (bound == _AT_MOST and value <= alpha)
        ):
            return move, value
    return move, np.int64(INFINITE)


@inlined
def entry_of(m, position, ply):
    """Return the entry of a node that has been searched."""
    settings, f = m.settings, m.frames
    value = f[ply, BEST]
    bound = _EXACT
    if value >= f[ply, BETA]:
        bound = _AT_LEAST
    elif value <= f[ply, FLOOR]:
        bound = _AT_MOST
    if value >= MATE_BOUND:
        value += ply
    elif value <= -MATE_BOUND:
        value -= ply
    depth = min(_LARGEST_DEPTH, f[ply, DEPTH])
    entry = position >> (HASH_BITS - settings[KEY_BITS]) << _KEY_AT
    entry |= (value + _ZERO) << _SCORE_AT | f[ply, BEST_MOVE] << _MOVE_AT
    return entry | depth << _DEPTH_AT | bound


@inlined
def store(home, position, entry):
    """Write an entry.

    It replaces the first entry of its row if that is free or of the same position. If that was not
    searched deeper, it moves to the second place, and the new entry takes its place. Otherwise the
    new entry takes the second place.
    """
    first = position & ((1 << home.settings[TABLE_BITS]) - 2)
    there = home.table[first]
    if _is_of(there, entry >> _KEY_AT) or there & 3 == 0:
        home.table[first] = entry
    elif there >> _DEPTH_AT & _LARGEST_DEPTH <= entry >> _DEPTH_AT & _LARGEST_DEPTH:
        home.table[first], home.table[first + 1] = entry, there
    else:
        home.table[first + 1] = entry
