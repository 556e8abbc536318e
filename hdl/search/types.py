"""Jobs and answers of a search, and what its parts keep of turns."""

from __future__ import annotations

from amaranth.hdl import signed
from amaranth.lib import data, enum

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import SCORE_BITS, ShapeCode, place_layout, turn_layout

__all__ = [
    "DEPTH",
    "NODE_BITS",
    "NOISE_BITS",
    "Rank",
    "answer_layout",
    "job_layout",
    "move_layout",
    "optional_move_layout",
    "span_layout",
]

DEPTH = 2
"""The number of turns that the look-ahead looks ahead."""

NODE_BITS = 32
"""Width of the number of turns that a search tries."""

NOISE_BITS = 2
"""Random points, 0 to 3, on top of each evaluation: equal turns are not always played alike."""


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


def span_layout(grid: GridConfig) -> data.StructLayout:
    """The smallest rectangle around the tiles of a turn, or none if not ``valid``.

    ``west`` and ``north`` are its first column and row on the torus; ``width`` and ``height`` are
    the numbers of further columns and rows, 0 for a single tile.
    """
    bits = grid.coord_bits
    return data.StructLayout(
        {"valid": 1, "west": bits, "north": bits, "width": bits, "height": bits}
    )
