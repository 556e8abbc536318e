"""What the framed link asks of the player, and what it is told, defined once."""

from __future__ import annotations

from amaranth.hdl import signed
from amaranth.lib import data, enum

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import SCORE_BITS, TILE_COUNT_BITS
from loopline.hdl.link.types import turn_label_layout
from loopline.hdl.search.types import DEPTH, NODE_BITS, Rank

__all__ = [
    "CYCLE_BITS",
    "HISTORY",
    "TURN_BITS",
    "RequestOp",
    "found_layout",
    "game_layout",
    "limits_layout",
    "request_layout",
    "result_layout",
]

HISTORY = 256
"""As long as a game has no more turns than this, they can be taken back: one iCE40 block RAM."""

TURN_BITS = 16
"""Width of the number of turns of a game."""

CYCLE_BITS = 32
"""Width of a search's time in clock cycles."""


class RequestOp(enum.Enum, shape=3):
    """What the player is asked to do."""

    NEW = 0
    """Drop the game, and begin one in which both sides' turns come in; always obeyed."""
    STOP = 1
    """Drop the game; always obeyed."""
    TURN = 2
    """Make a turn of the side to move."""
    TAKE_BACK = 3
    """Take ``count`` turns back."""
    SEARCH = 4
    """Find the best turn, and do not make it."""
    LEND = 5
    """Let the guest use the turn unit."""
    LEND_OPEN = 6
    """The same, in a game that has not ended only."""


def request_layout(grid: GridConfig) -> data.StructLayout:
    """A request; an operation ignores the fields that it does not name."""
    return data.StructLayout({"op": RequestOp, "turn": turn_label_layout(grid), "count": 8})


def limits_layout() -> data.StructLayout:
    """How far a search may go: tried turns and clock cycles, 0 for any number; ``shallow``: it
    looks one turn ahead only."""
    return data.StructLayout({"shallow": 1, "nodes": NODE_BITS, "cycles": CYCLE_BITS})


def result_layout() -> data.StructLayout:
    """What became of a request: ``error`` is 0 or an :class:`~loopline.game.wire.ErrorCode`.

    Of a turn also its ``status``, a :class:`~loopline.game.wire.TurnStatus`, and if it was made
    how many ``tiles`` it placed and what it ``completed``, a
    :class:`~loopline.game.wire.Completed`.
    """
    return data.StructLayout({"error": 4, "status": 3, "tiles": TILE_COUNT_BITS, "completed": 4})


def found_layout(grid: GridConfig) -> data.StructLayout:
    """What a search has found: see :func:`~loopline.hdl.search.types.answer_layout`.

    ``best`` is a turn in the position, ``reply`` one in the position after it.
    """
    label = turn_label_layout(grid)
    return data.StructLayout(
        {
            "rank": Rank,
            "score": signed(SCORE_BITS),
            "depth": range(DEPTH + 1),
            "nodes": NODE_BITS,
            "cycles": CYCLE_BITS,
            "best": label,
            "reply": label,
        }
    )


def game_layout() -> data.StructLayout:
    """The state of the game, the bits of :class:`~loopline.game.wire.GameFlag` in their order."""
    return data.StructLayout({"on": 1, "over": 1, "red_to_move": 1, "contest": 1, "thinking": 1})
