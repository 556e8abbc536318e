"""Jobs and answers of a search, and what its parts keep of turns."""

from __future__ import annotations

from amaranth.hdl import signed
from amaranth.lib import data, enum

from loopline.hdl.config import SEED_BITS, GridConfig
from loopline.hdl.core.types import SCORE_BITS, ShapeCode, place_layout, turn_layout

__all__ = [
    "BOUND_BITS",
    "DEPTH",
    "DEPTH_BITS",
    "NODE_BITS",
    "NOISE_BITS",
    "TURN_BITS",
    "Bound",
    "Rank",
    "answer_layout",
    "best_layout",
    "job_layout",
    "line_layout",
    "move_layout",
    "optional_move_layout",
    "search_layout",
    "search_limits_layout",
    "span_layout",
]

DEPTH = 2
"""The number of turns that the look-ahead looks ahead."""

DEPTH_BITS = 6
"""Width of the depth of an iteration."""

TURN_BITS = 16
"""Width of the number of turns of a game."""

NODE_BITS = 32
"""Width of the number of turns that a search tries."""

NOISE_BITS = 2
"""Random points, 0 to 3, on top of each evaluation: equal turns are not always played alike."""


BOUND_BITS = 2
"""Width of a bound."""


class Bound(enum.Enum, shape=BOUND_BITS):
    """What an entry of the transposition table says of a position's score."""

    NONE = 0
    """Nothing: the entry was never written."""
    EXACT = 1
    AT_LEAST = 2
    AT_MOST = 3


class Rank(enum.Enum, shape=3):
    """How good a candidate is, before any evaluation. Larger is better."""

    NONE = 0
    """No candidate was found yet."""
    SUICIDE = 1
    """It completes a track of the opponent's and none of the player's own."""
    LOSING = 2
    """The opponent can win with the next turn."""
    UNKNOWN = 3
    """Time ran out before all replies were tried."""
    DRAW = 4
    """It ends the game as a draw, as some variants have it."""
    SAFE = 5
    """The opponent cannot win with the next turn."""
    WIN = 6
    """It completes a track of the player's own."""


def job_layout() -> data.StructLayout:
    """A job: find the best turn of a colour.

    ``probe``
        Only find out whether there is a legal turn.
    ``shallow``
        Do not look at the replies.
    ``exact``
        Add no random points.
    """
    return data.StructLayout({"colour": 1, "probe": 1, "shallow": 1, "exact": 1})


def answer_layout(grid: GridConfig) -> data.StructLayout:
    """The best turn and its rank; ``Rank.NONE`` if there is no legal turn that fits the grid.

    ``score``
        The evaluation after the turn, from the player's side; 0 if it was not evaluated.
    ``reply``
        The reply that refutes the turn, if it is ``LOSING``.
    ``depth``
        How many turns ahead all were tried; 1 also for a win in one.

    Only ``rank`` of the answer to a probe is valid.
    """
    return data.StructLayout(
        {
            "turn": turn_layout(grid),
            "rank": Rank,
            "score": signed(SCORE_BITS),
            "reply": turn_layout(grid),
            "depth": range(DEPTH + 1),
        }
    )


def move_layout(grid: GridConfig) -> data.StructLayout:
    """A turn as the tables of the search keep it: the place and the shape of its first tile."""
    return data.StructLayout({"place": place_layout(grid), "symbol": ShapeCode})


def optional_move_layout(grid: GridConfig) -> data.StructLayout:
    """A move, or none: ``move`` counts only if ``valid``."""
    return data.StructLayout({"valid": 1, "move": move_layout(grid)})


def search_layout() -> data.StructLayout:
    """A job of the lane: find the best turn of the side to move.

    ``mover``
        The side to move.
    ``probe``
        Only find out whether there is a legal turn.
    ``timed``
        Time is limited: an only turn is the answer after one iteration.
    ``seeded``, ``seed``, ``turns``
        Vary the opening by this seed; the game has so many turns.
    """
    return data.StructLayout(
        {"mover": 1, "probe": 1, "timed": 1, "seeded": 1, "seed": SEED_BITS, "turns": TURN_BITS}
    )


def search_limits_layout() -> data.StructLayout:
    """Limits of a search: the deepest iteration, and the most nodes; 0 for none."""
    return data.StructLayout({"depth": DEPTH_BITS, "nodes": NODE_BITS})


def best_layout(grid: GridConfig) -> data.StructLayout:
    """The best turn, if one is ``found``: the place and shape of its first tile; its score for the
    side that makes it; the last complete iteration."""
    turn = data.StructLayout({"x": grid.coord_bits, "y": grid.coord_bits, "symbol": ShapeCode})
    return data.StructLayout(
        {"found": 1, "turn": turn, "score": signed(SCORE_BITS), "depth": DEPTH_BITS}
    )


def line_layout(grid: GridConfig) -> data.StructLayout:
    """A turn in notation, in the position in which it is made: ``column`` and ``row`` are 0 for
    those beside the formation."""
    return data.StructLayout(
        {"column": grid.coord_bits, "row": grid.coord_bits, "symbol": ShapeCode}
    )


def span_layout(grid: GridConfig) -> data.StructLayout:
    """The smallest rectangle around the tiles of a turn, or none if not ``valid``.

    ``west`` and ``north`` are its first column and row on the torus; ``width`` and ``height`` are
    the numbers of further columns and rows, 0 for a single tile.
    """
    bits = grid.coord_bits
    return data.StructLayout(
        {"valid": 1, "west": bits, "north": bits, "width": bits, "height": bits}
    )
