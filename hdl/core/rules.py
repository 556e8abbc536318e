"""The rules that differ from variant to variant, as inputs of the gateware.

Besides this module, these depend on the variant: the candidates (``moves``), the growth of the box
and lines (``box``), first tiles in the evaluator (``evaluator.first``), the worth of a completed
turn in the search (:class:`TurnWorth`), and search and player where no turn may be left
(:func:`is_limited`).
"""

from __future__ import annotations

from amaranth.hdl import Value
from amaranth.lib import data

from loopline.game import LINE_LENGTH, Variant
from loopline.hdl.config import GridConfig

__all__ = ["TurnWorth", "is_limited", "rules_layout", "rules_of"]


def rules_layout(grid: GridConfig) -> data.StructLayout:
    """The rules of a variant. They may change only while the board is empty.

    - ``area``: the most columns, and the most rows, of a formation; 0 for no limit but the grid's.
      With a limit, a game without a legal turn is over.
    - ``lines``: a line wins.
    - ``both_draws``: a loop or line of both colours on one turn is a draw. Otherwise the player
      who moved wins.
    """
    return data.StructLayout({"area": grid.coord_bits, "lines": 1, "both_draws": 1})


def rules_of(variant: Variant, grid: GridConfig) -> data.Const:
    """Return the rules of a variant on a grid. An area that is larger than the grid is no limit.

    Raises
    ------
    ValueError
        The length of the variant's lines is not the gateware's.
    """
    if variant.line_length not in (None, LINE_LENGTH):
        raise ValueError(
            f"the gateware knows lines of {LINE_LENGTH} or none, "
            f"and variant {variant} has lines of {variant.line_length}"
        )
    unlimited = variant.size is None or variant.size > grid.limit
    return rules_layout(grid).const(
        {
            "area": 0 if unlimited else variant.size,
            "lines": variant.line_length is not None,
            "both_draws": variant.both == "draw",
        }
    )


def is_limited(rules: data.View) -> Value:
    """Whether the area is smaller than what the grid holds."""
    return rules.area.any()


class TurnWorth:
    """The worth of a completed turn to a player.

    Parameters
    ----------
    rules : view of rules_layout
        The variant's.
    completed : Value, 2 bits
        The colours that completed a loop or line on this turn, bit 0 white, bit 1 red.
    colour : Value, 1 bit
        The player.

    Attributes
    ----------
    wins : Value
        The player's colour completed a loop or line, and it is no draw. If both colours did, the
        player wins only if the turn was the player's own.
    loses : Value
        The same for the other colour.
    draws : Value
        Both colours did, and that is a draw.
    """

    def __init__(self, rules: data.View, completed: Value, colour: Value):
        self.draws = rules.both_draws & completed.all()
        self.wins = completed.bit_select(colour, 1) & ~self.draws
        self.loses = completed.bit_select(~colour, 1) & ~self.draws
