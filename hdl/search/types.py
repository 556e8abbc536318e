"""Jobs and answers of a search, and what its parts keep of turns."""

from __future__ import annotations

from amaranth.hdl import signed
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import SEED_BITS, GridConfig
from loopline.hdl.core.rules import rules_layout
from loopline.hdl.core.types import ShapeCode, place_layout
from loopline.hdl.search.config import SearchConfig

__all__ = [
    "BOUND_BITS",
    "DEPTH_BITS",
    "ENTRY_DEPTH_BITS",
    "NODE_BITS",
    "SCORE_BITS",
    "STAGE_BITS",
    "TURN_BITS",
    "Bound",
    "best_layout",
    "lane_port",
    "line_layout",
    "move_layout",
    "optional_move_layout",
    "search_layout",
    "search_limits_layout",
    "span_layout",
]

DEPTH_BITS = 6
"""Width of the depth of an iteration."""

TURN_BITS = 16
"""Width of the number of turns of a game."""

SCORE_BITS = 16
"""Width of a score: points, signed."""

NODE_BITS = 32
"""Width of the number of nodes of a search."""

STAGE_BITS = 3
"""Width of the stage in which a node's placements are tried."""


BOUND_BITS = 2
"""Width of a bound."""

ENTRY_DEPTH_BITS = 4
"""Width of the depth that an entry of the transposition table has."""


class Bound(enum.Enum, shape=BOUND_BITS):
    """What an entry of the transposition table says of a position's score."""

    NONE = 0
    """Nothing: the entry was never written."""
    EXACT = 1
    AT_LEAST = 2
    AT_MOST = 3


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
    ``seeded``, ``seed``, ``turns``
        Vary the opening by this seed; the game has so many turns.
    """
    return data.StructLayout(
        {"mover": 1, "probe": 1, "seeded": 1, "seed": SEED_BITS, "turns": TURN_BITS}
    )


def search_limits_layout() -> data.StructLayout:
    """Limits of a search: the deepest iteration, and the most nodes; 0 for none. With ``free``
    neither counts."""
    return data.StructLayout({"depth": DEPTH_BITS, "nodes": NODE_BITS, "free": 1})


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


def lane_port(config: SearchConfig) -> wiring.Signature:
    """The lane, from the component that has it search.

    ``jobs`` : Out(stream of search_layout), ``answers`` : In(stream of 1)
        One answer for each job that is not abandoned: 1 if there is a turn.
    ``limits`` : Out(search_limits_layout), ``stop`` : Out(1)
        Limits, and the early end of the search; they stay until the answer.
    ``abandon`` : Out(1), ``busy`` : In(1)
        Drop the job, which takes until ``busy`` is low; the position is undefined then. An answer
        that is offered already stays on offer, but for one of several lanes, whose taker has to be
        ready then.
    ``freeze`` : Out(1), ``frozen`` : In(1)
        Let the search stand still, which it does once ``frozen`` is high.
    ``best`` : In(best_layout), ``nodes`` : In(NODE_BITS)
        The best turn so far, and the nodes; both stay until the next job.
    ``iteration`` : In(1)
        Pulses when an iteration is complete.
    ``line_index`` : Out, ``line_turn`` : In(line_layout), ``line_count`` : In
        The principal variation: the turn of this number, one cycle later, and how many turns there
        are. Valid while ``frozen`` or not ``busy``.
    ``rules`` : Out(rules_layout)
        The variant that is played.
    """
    grid = config.grid
    return wiring.Signature(
        {
            "jobs": Out(stream.Signature(search_layout())),
            "answers": In(stream.Signature(1)),
            "limits": Out(search_limits_layout()),
            "stop": Out(1),
            "abandon": Out(1),
            "busy": In(1),
            "freeze": Out(1),
            "frozen": In(1),
            "best": In(best_layout(grid)),
            "nodes": In(NODE_BITS),
            "iteration": In(1),
            "line_index": Out(range(config.line)),
            "line_turn": In(line_layout(grid)),
            "line_count": In(range(config.line + 1)),
            "rules": Out(rules_layout(grid)),
        }
    )
