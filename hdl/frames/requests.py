"""Requests of frames to the player, and its replies: encodings and the port for them."""

from __future__ import annotations

from amaranth.hdl import signed
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import rules_layout
from loopline.hdl.core.types import TILE_COUNT_BITS
from loopline.hdl.link.types import turn_label_layout
from loopline.hdl.search.config import SearchConfig
from loopline.hdl.search.types import DEPTH_BITS, NODE_BITS, SCORE_BITS, TURN_BITS

__all__ = [
    "CYCLE_BITS",
    "HISTORY",
    "RequestOp",
    "found_layout",
    "game_layout",
    "limits_layout",
    "player_port",
    "request_layout",
    "result_layout",
]

HISTORY = 256
"""The longest game whose turns can be taken back: what one iCE40 block RAM holds."""

CYCLE_BITS = 32
"""Width of a search's time in clock cycles."""


class RequestOp(enum.Enum, shape=3):
    """A request to the player."""

    NEW = 0
    """End the game, and begin a set-up: the turns of both sides come in. Always obeyed."""
    STOP = 1
    """End the game. Always obeyed."""
    TURN = 2
    """Make a turn of the side to move."""
    TAKE_BACK = 3
    """Take ``count`` turns back."""
    SEARCH = 4
    """Find the best turn of the side to move, without making it."""
    GRANT = 5
    """Grant the turn unit to a requester."""
    GRANT_OPEN = 6
    """As ``GRANT``, but only in a game that has not ended."""


def request_layout(grid: GridConfig) -> data.StructLayout:
    """A request; an operation ignores the fields that it does not name."""
    return data.StructLayout({"op": RequestOp, "turn": turn_label_layout(grid), "count": 8})


def limits_layout() -> data.StructLayout:
    """Limits of a search: ``depth``, its last iteration, ``nodes``, and ``cycles``, the clock
    cycles; 0 for none. Without ``limited`` all are 0, and the search takes as long as a turn of a
    contest."""
    return data.StructLayout(
        {"limited": 1, "depth": DEPTH_BITS, "nodes": NODE_BITS, "cycles": CYCLE_BITS}
    )


def result_layout() -> data.StructLayout:
    """The result of a request.

    ``error``
        0, or an :class:`~loopline.game.wire.ErrorCode`.
    ``status``
        Of ``TURN``: a :class:`~loopline.game.wire.TurnStatus`.
    ``tiles``, ``completed``
        Of a turn that was made: how many tiles it placed, and the loops and lines that it
        completed, a :class:`~loopline.game.wire.Completed`; else 0.
    """
    return data.StructLayout({"error": 4, "status": 3, "tiles": TILE_COUNT_BITS, "completed": 4})


def found_layout(config: SearchConfig) -> data.StructLayout:
    """The result of a search so far: whether a turn was ``found``, its score for the side to move,
    the last complete iteration, the nodes, the clock cycles, and how many turns the principal
    variation has."""
    return data.StructLayout(
        {
            "found": 1,
            "score": signed(SCORE_BITS),
            "depth": DEPTH_BITS,
            "nodes": NODE_BITS,
            "cycles": CYCLE_BITS,
            "line_count": range(config.line + 1),
        }
    )


def game_layout() -> data.StructLayout:
    """The state of the game, the bits of :class:`~loopline.game.wire.GameFlag` in their order."""
    return data.StructLayout({"on": 1, "over": 1, "red_to_move": 1, "contest": 1, "thinking": 1})


def player_port(config: SearchConfig) -> wiring.Signature:
    """The player, from the commander.

    ``requests`` : Out(stream of request_layout, always ready)
        One at a time: the next one follows when the last one is done. ``NEW`` and ``STOP`` may come
        at any time; they drop the request before them, which is never done then.
    ``done`` : In(1), ``result`` : In(result_layout)
        Pulses when a request is done. ``result`` stays until the next request.
    ``new_rules`` : Out(rules_layout)
        The variant of a game that ``NEW`` begins; from ``STOP`` on also that of the empty board.
    ``limits`` : Out(limits_layout), ``stop`` : Out(1)
        Limits of a ``SEARCH``, and its early end; both stay until it is done.
    ``found`` : In(found_layout), ``iteration`` : In(1)
        What the search has found so far, or at its end. ``iteration`` pulses when a deeper
        iteration is complete.
    ``line_index`` : Out, ``line_turn`` : In(turn_label_layout)
        The turn of the principal variation with this number, from 0 on, one cycle later.
    ``freeze`` : Out(1), ``frozen`` : In(1)
        Let the search stand still, so that ``found`` and ``line_turn`` can be read as a whole; they
        may be read once ``frozen`` is high. A search that ends meanwhile is ``done`` as usual.
    ``hold`` : Out(1)
        Take no turn and no ``-G`` from contest lines.
    ``unread`` : Out(1)
        What the last search has found has not been read yet: begin no other one.
    ``reseed`` : Out(1)
        Take a new seed for contest games with the next contest line.
    ``game`` : In(game_layout), ``turns`` : In(TURN_BITS), ``rules`` : In(rules_layout)
        The state of the game, how many turns it has, and its variant.
    """
    grid = config.grid
    return wiring.Signature(
        {
            "requests": Out(stream.Signature(request_layout(grid), always_ready=True)),
            "done": In(1),
            "result": In(result_layout()),
            "new_rules": Out(rules_layout(grid)),
            "limits": Out(limits_layout()),
            "stop": Out(1),
            "found": In(found_layout(config)),
            "iteration": In(1),
            "line_index": Out(range(config.line)),
            "line_turn": In(turn_label_layout(grid)),
            "freeze": Out(1),
            "frozen": In(1),
            "hold": Out(1),
            "unread": Out(1),
            "reseed": Out(1),
            "game": In(game_layout()),
            "turns": In(TURN_BITS),
            "rules": In(rules_layout(grid)),
        }
    )
