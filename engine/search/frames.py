"""The memories of the search and the names of their fields."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from loopline.engine.board.tables import NO_MOVE
from loopline.game.wire.codes import WIN_BOUND, WIN_SCORE
from loopline.hdl.search.config import SearchConfig

__all__ = ["INFINITE", "MATE", "MATE_BOUND", "Memory", "new_memory"]

MATE = WIN_SCORE
"""The score of a won position: a win in n turns of both sides has this less n."""

MATE_BOUND = WIN_BOUND
"""Scores of at least this are forced wins."""

INFINITE = 32_000

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
    NARROW,
    HASHED,
) = range(19)
"""Fields of a frame: the depth that is left; the window, and alpha at the beginning; the best score
so far and its placement; the evaluation; how many extensions the path may still have; whether the
node is under attack, and whether only answers to attacks are tried; how many turns were made; the
node's part of the list of placements: where it begins, the next one, its end; the placement under
way, the depth at which it is searched if it is not reduced, whether it is, and whether its window
is empty; the move of the transposition table."""

FRAME_FIELDS = 19

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
    DEEPEST,
    ATTACKER,
    PROOF_BASE,
    PROOF_LIMIT,
    PROOF_PLIES,
    PROOF_PLY,
    PROOF_PHASE,
    PROOF_LENGTH,
) = range(19)
"""Numbers of the search under way: nodes and cycles so far, at which of each it ends, at how many
nodes it pauses; what is to be done next, at which ply, and the value that the last node had for the
side to move there; whether the search is being ended; who moves at the root; whether a turn wins
there; the largest ply reached. Of the proof under way: who attacks, from where on the list is free,
at how many nodes it ends, how many turns a win may take, the ply, the phase, how many turns the win
takes."""

TOTAL_FIELDS = 19

PROOF_FIELDS = 10

ENTER, NEXT, LEAVE = range(3)
"""Phases: begin the node; make the next of its turns; hand its value to the node above."""

DONE, PAUSED = range(2)
"""What :func:`.search.run` returns."""

(
    PATTERNS,
    EXACT,
    EXTEND,
    NEAR_LEAF,
    TABLE,
    REDUCE_AFTER,
    REDUCE_DEPTH,
    REDUCE_MORE_AFTER,
    REDUCE_MORE_DEPTH,
    HIGH_MARGIN,
    HIGH_DEPTH,
    LOW_MARGIN,
    LOW_DEPTH,
    LOCALITY,
    LOCALITY_WEIGHT,
    HISTORY,
    FOLLOW,
    KILLERS,
    WINDOWS,
    TABLE_BITS,
    KEY_BITS,
    HISTORY_TOP,
    HISTORY_CELL,
    HISTORY_OFFSET,
    ORDER_TOP,
    ROOT_ORDER_TOP,
    PLIES,
    PLACEMENTS,
    LISTED,
    LINE_LENGTH_KEPT,
    PROOF_NEAR,
    NUMBER_TOP,
    COST_PLACE,
    COST_TILE,
    COST_OPENING,
    COST_UNDO,
    COST_UNDO_TILE,
    COST_UNDO_OPENING,
    COST_UNDO_TRACK,
    COST_UNDO_NEXT_TRACK,
    COST_SCAN,
    COST_SCAN_SPACE,
    COST_RIM,
    COST_PROBE,
    COST_STORE,
    COST_LIST_SPACE,
    COST_LIST_PLACEMENT,
    COST_CHOOSE,
    COST_CHOOSE_PLACEMENT,
    COST_CREDIT,
    COST_CREDIT_PLACEMENT,
    COST_ENTER,
    COST_LEAVE,
) = range(53)
"""The configuration, as numbers."""


class Memory(NamedTuple):
    """What the search keeps besides the position.

    Attributes
    ----------
    table : int64
        The transposition table: key, score + 32768, move, depth and bound, from the highest bits.
    history : int32 by colour, row, column and shape
        Counters of turns that were good before.
    follow : int32 by colour, shape and offset from the turn before
        The same for turns as answers.
    killers : int32 by ply, 2 columns
        Turns that were the last to be good at this ply.
    listed : int32
        Placements of all nodes of the path: order, frontier index and shape.
    frames : int64 by ply
        The node stack.
    line : int32 by ply and number, 1 more column
        The best turns from each ply on, and in the last column how many.
    proof : int64 by ply
        The node stack of the proof of a forced win.
    noise : int32 by number
        What is added to the values of the turns of the root, by their place in the list.
    totals, settings : int64
        The numbers that this module names.
    """

    table: np.ndarray
    history: np.ndarray
    follow: np.ndarray
    killers: np.ndarray
    listed: np.ndarray
    frames: np.ndarray
    line: np.ndarray
    proof: np.ndarray
    noise: np.ndarray
    totals: np.ndarray
    settings: np.ndarray


def _settings(config: SearchConfig) -> list[int]:
    """The configuration in the order of the names above."""
    widths, pruning, costs = config.widths, config.pruning, config.costs
    return [
        pruning.attacks,
        pruning.exact_wins,
        pruning.extensions,
        pruning.near,
        pruning.table if config.table_bits else 0,
        pruning.reduce_after,
        pruning.reduce_depth,
        pruning.reduce_more_after,
        pruning.reduce_more_depth,
        pruning.high_margin,
        pruning.high_depth,
        pruning.low_margin,
        pruning.low_depth,
        pruning.locality,
        pruning.locality_weight,
        pruning.history,
        pruning.follow,
        pruning.killers,
        pruning.windows,
        config.table_bits,
        widths.key,
        (1 << widths.history) - 1,
        widths.history_cell,
        widths.history_offset,
        (1 << widths.order) - 1,
        (1 << widths.root_order) - 1,
        config.plies,
        config.placements,
        config.listed,
        config.line,
        pruning.near,
        (1 << widths.number) - 1,
        costs.place,
        costs.tile,
        costs.opening,
        costs.undo,
        costs.undo_tile,
        costs.undo_opening,
        costs.undo_track,
        costs.undo_next_track,
        costs.scan,
        costs.scan_space,
        costs.rim,
        costs.probe,
        costs.store,
        costs.list_space,
        costs.list_placement,
        costs.choose,
        costs.choose_placement,
        costs.credit,
        costs.credit_placement,
        costs.enter,
        costs.leave,
    ]


def new_memory(config: SearchConfig) -> Memory:
    """Empty memories."""
    memory = Memory(
        table=np.zeros(1 << config.table_bits, np.int64),
        history=np.zeros(config.history_counters, np.int32),
        follow=np.zeros(config.follow_counters, np.int32),
        killers=np.full((config.plies + 1, 2), NO_MOVE, np.int32),
        listed=np.zeros(config.listed, np.int32),
        frames=np.zeros((config.plies + 1, FRAME_FIELDS), np.int64),
        line=np.zeros((config.plies + 2, config.line + 1), np.int32),
        proof=np.zeros((config.plies + 1, PROOF_FIELDS), np.int64),
        noise=np.zeros(config.placements, np.int32),
        totals=np.zeros(TOTAL_FIELDS, np.int64),
        settings=np.array(_settings(config), np.int64),
    )
    return memory
