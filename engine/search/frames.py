"""The memories of the search and the names of their fields."""

from __future__ import annotations

from dataclasses import astuple
from typing import Protocol

import numpy as np

from loopline.engine.board.tables import NO_MOVE, SHAPES
from loopline.engine.jit import record
from loopline.hdl.search.config import (
    COSTS,
    DELAYED_STORES,
    INFINITE,
    MATE,
    MATE_BOUND,
    MOST_LANES,
    SearchConfig,
)

__all__ = ["DELAYED", "INFINITE", "MATE", "MATE_BOUND", "Memory", "new_memory"]

FRAME_FIELDS = 26
(
    DEPTH,
    ALPHA,
    BETA,
    FLOOR,
    BEST,
    BEST_MOVE,
    EVALUATED,
    EXTENSIONS,
    UNDER,
    LEAF,
    COUNT,
    BASE,
    CURRENT,
    END,
    MOVE,
    CHILD_DEPTH,
    REDUCED,
    ZERO_WINDOW,
    NUMBER,
    FROM,
    TRIED,
    AGAIN,
    SHARED,
    HELPERS,
    OVER,
    ABORT_AT,
) = range(FRAME_FIELDS)
"""Fields of a frame:

- ``DEPTH``: the depth that is left;
- ``ALPHA``, ``BETA``, ``FLOOR``: the window, and alpha at the beginning of the node;
- ``BEST``, ``BEST_MOVE``: the best score so far, and its move;
- ``EVALUATED``: the evaluation;
- ``EXTENSIONS``: the extensions that the path may still have;
- ``UNDER``, ``LEAF``: whether the node is under attack; whether it is a quiescence node, which
  tries only answers to attacks;
- ``COUNT``: the number of turns made, with the one under way;
- ``BASE``, ``CURRENT``, ``END``: the node's part of the list of placements: begin, next, end;
- ``MOVE``, ``CHILD_DEPTH``, ``REDUCED``, ``ZERO_WINDOW``: the turn under way, its depth without
  reduction, the reduction, whether it is searched with a zero window;
- ``NUMBER``, ``FROM``: its place in the list, and alpha when it was chosen;
- ``TRIED``, ``AGAIN``: the number of turns before it; it is that of the next one, too, as this one
  was refused;
- ``SHARED``, ``HELPERS``, ``OVER``: whether the node is shared with other lanes; how many help; and
  whether one has found no more turns, or a value that reaches beta;
- ``ABORT_AT``: the beat at which the lane gives up what is below; ``NEVER`` if it is of use."""

TOTAL_FIELDS = 38
(
    NODES,
    CYCLES,
    NODE_LIMIT,
    CYCLE_LIMIT,
    PAUSE_AT,
    PHASE,
    PLY,
    VALUE,
    STOP,
    ROOT_MOVER,
    ROOT_WIN,
    COMPLETED,
    ATTACKER,
    PROOF_PLIES,
    PROOF_PLY,
    PROOF_PHASE,
    PROOF_LENGTH,
    BEATS,
    RESTING,
    OWNER,
    HOME,
    OTHER_OWNER,
    OTHER_HOME,
    OFFERED,
    SHARES,
    ABORT_TO,
    STOP_AT,
    UNWIND_TO,
    QUOTA_LEFT,
    NODES_LEFT,
    JOBS,
    RESTED,
    WAITED,
    HELD_UP,
    BEGAN,
    DELAYED_FIRST,
    DELAYED_END,
    STORES,
) = range(TOTAL_FIELDS)
"""Indices of ``totals``:

- ``NODES``, ``CYCLES``, ``NODE_LIMIT``, ``CYCLE_LIMIT``, ``PAUSE_AT``: nodes and cycles so far, the
  limits of both, and the number of nodes at which the search pauses;
- ``PHASE``, ``PLY``, ``VALUE``: the next step, its ply, and the value of the last node for the side
  to move there;
- ``STOP``: whether the search is being ended;
- ``ROOT_MOVER``, ``ROOT_WIN``: the side to move at the root, and a turn that wins there;
- ``COMPLETED``: the mask of the colours that the turn under way completes;
- ``ATTACKER``, ``PROOF_PLIES``, ``PROOF_PLY``, ``PROOF_PHASE``, ``PROOF_LENGTH``: of the solver:
  the attacker, the most turns of a win, ply and phase, and the turns of the win that it proved;
- ``BEATS``: the clock of the lane;
- ``RESTING``: whether the lane works, waits for its helpers, or waits for an offer;
- ``OWNER``, ``HOME``: whose shared node it helps at, and that node's ply; at work on a node of its
  own, itself;
- ``OTHER_OWNER``, ``OTHER_HOME``: the same of the lane's own job, while it helps below a node of
  its own;
- ``OFFERED``, ``SHARES``: the ply of the node that it has offered last; how many it shares;
- ``ABORT_TO``: the least ply below which it is to give up, or as many as there are;
- ``STOP_AT``: the beat at which its search ends;
- ``UNWIND_TO``: the ply down to which it unmakes turns;
- ``QUOTA_LEFT``: the nodes that it has taken from ``NODES_LEFT``, which is lane 0's;
- ``JOBS``, ``RESTED``, ``WAITED``, ``HELD_UP``: how often it has helped; for how many cycles it had
  no work, waited for its helpers, and waited for other clocks;
- ``BEGAN``: the cycle in which its step began;
- ``DELAYED_FIRST``, ``DELAYED_END``: of lane 0: the entries of ``delayed`` that are not written;
- ``STORES``: how many of these are the lane's."""

PROOF_FIELDS = 10

DELAYED = MOST_LANES * DELAYED_STORES
"""The most entries of the table that wait, of all lanes."""

ENTER, PROBE, NEXT, BEGIN, FINISH, LEAVE, FREE = range(7)
"""Phases: begin a node; ask the table; make its next turn; begin the child after it; store the
node's entry; return its value to the node above. ``FREE``: a lane without work."""

DONE, PAUSED = range(2)
"""The results of :func:`.search.run`."""

(
    PATTERNS,
    EXACT,
    EXTEND,
    QUIESCENCE_RADIUS,
    TABLE,
    REDUCE_AFTER,
    REDUCE_DEPTH,
    REDUCE_MORE_AFTER,
    REDUCE_MORE_DEPTH,
    REVERSE_FUTILITY_MARGIN,
    REVERSE_FUTILITY_DEPTH,
    LOCALITY,
    KILLERS,
    ZERO_WINDOWS,
    TABLE_BITS,
    KEY_BITS,
    ROOT_ORDER_TOP,
    PLIES,
    ROOT_TURNS,
    LINE_LENGTH_KEPT,
    COST_CHOOSE,
    COST_CHOOSE_FIRST,
    COST_CHOOSE_ENTRY,
    COST_MAKE,
    COST_TILE,
    COST_OPENING,
    COST_UNMAKE,
    COST_UNMAKE_TILE,
    COST_UNMAKE_OPENING,
    COST_UNMAKE_TRACK,
    COST_UNMAKE_NEXT_TRACK,
    COST_COMPLETE,
    COST_ENTER,
    COST_SCAN,
    COST_SCAN_TRACK,
    COST_ATTACK,
    COST_ATTACK_ENTRY,
    COST_DECIDE,
    COST_EXPAND,
    COST_PROBE,
    COST_PROBE_SECOND,
    COST_LEAVE,
    COST_FINISH,
    COST_STORE,
    COST_ITERATE,
    COST_TELL,
) = range(46)
"""The configuration, as numbers."""


class Memory(Protocol):
    """What the search keeps besides the position.

    Attributes
    ----------
    table : int64
        The transposition table: key, score + 32768, move, depth and bound, from the highest bits.
    killers : int32 by ply, 2 columns
        Turns that were the last to be good at this ply.
    listed : int32
        Placements of all nodes of the path: stage (at the root: order number), frontier index and
        shape. The list is never full.
    stages : int8 by frontier index
        The stage of a space's placements, while they are listed.
    frames : int64 by ply
        The node stack.
    line : int32 by ply and number, 1 more column
        The best turns from each ply on, and in the last column how many.
    proof : int64 by ply
        The node stack of the proof of a forced win.
    delayed : int64
        Lane, beat, hash and entry of what is to be written to the table.
    noise : int32 by number
        What is added to the values of the turns of the root, by their place in the list.
    totals, settings : int64
        The numbers that this module names.
    """

    table: np.ndarray
    killers: np.ndarray
    listed: np.ndarray
    stages: np.ndarray
    frames: np.ndarray
    line: np.ndarray
    proof: np.ndarray
    delayed: np.ndarray
    noise: np.ndarray
    totals: np.ndarray
    settings: np.ndarray


def _settings(config: SearchConfig) -> list[int]:
    """Return the configuration in the order of the names above."""
    widths, pruning = config.widths, config.pruning
    return [
        pruning.attacks,
        pruning.exact_wins,
        pruning.extensions,
        pruning.quiescence_radius,
        pruning.table if config.table_bits else 0,
        pruning.reduce_after,
        pruning.reduce_depth,
        pruning.reduce_more_after,
        pruning.reduce_more_depth,
        pruning.reverse_futility_margin,
        pruning.reverse_futility_depth,
        pruning.locality,
        pruning.killers,
        pruning.zero_windows,
        config.table_bits,
        widths.key,
        (1 << widths.root_order) - 1,
        config.plies,
        config.root_turns,
        config.line,
        *astuple(COSTS)[1:],  # all but ``clear_ply``, in their order
    ]


def new_memory(config: SearchConfig) -> Memory:
    """Return empty memories."""
    entries = config.grid.frontier_entries
    memory: Memory = record(
        # One size for all, as record() demands.
        table=np.zeros(1 << SearchConfig().table_bits, np.int64),
        killers=np.full((config.plies + 1, 2), NO_MOVE, np.int32),
        listed=np.zeros((config.plies + 1) * SHAPES * entries, np.int32),
        stages=np.zeros(entries, np.int8),
        frames=np.zeros((config.plies + 1, FRAME_FIELDS), np.int64),
        line=np.zeros((config.plies + 2, config.line + 1), np.int32),
        proof=np.zeros((config.plies + 1, PROOF_FIELDS), np.int64),
        delayed=np.zeros((DELAYED, 4), np.int64),
        noise=np.zeros(config.root_turns, np.int32),
        totals=np.zeros(TOTAL_FIELDS, np.int64),
        settings=np.array(_settings(config), np.int64),
    )
    return memory
