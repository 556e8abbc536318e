"""The rules that differ from variant to variant, as values that the gateware is given.

Everything that the gateware does differently is decided here and in these places: the candidates
(``moves``), the growth of the box and what is a line (``box``), first tiles that are tried
(``evaluator.first.evaluate``), lines in the evaluation (``score``), and by :class:`Verdict` what a
completed turn is worth (``search``, ``player``).
"""

from __future__ import annotations

from amaranth.hdl import Value
from amaranth.lib import data

from loopline.game import LINE_LENGTH, Variant
from loopline.hdl.config import GridConfig

__all__ = ["Verdict", "is_limited", "rules_layout", "rules_of"]


def rules_layout(grid: GridConfig) -> data.StructLayout:
    """The rules of a variant.

    ``area``: the most columns, and the most rows, that the formation may have; 0 for no limit but
    the grid's. Where there is a limit, a game without a legal turn is over.
    ``lines``: a line wins. ``both_draws``: a loop or line of both colours on one turn is a draw;
    else the player who moved wins. They may change only while the board is empty.
    """
    return data.StructLayout({"area": grid.coord_bits, "lines": 1, "both_draws": 1})


def rules_of(variant: Variant, grid: GridConfig) -> data.Const:
    """The rules of this variant on this grid.

    An area that is larger than what the grid holds limits nothing: the formation gets as far as
    the grid lets it.

    Raises
    ------
    ValueError
        The variant has lines of another length than the gateware knows.
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


class Verdict:
    """What a completed turn means to a player.

    Parameters
    ----------
    rules : view of rules_layout
        The variant's.
    completed : Value, 2 bits
        The colours that have completed a loop or line on this turn, bit 0 white, bit 1 red.
    colour : Value, 1 bit
        The player.

    Attributes
    ----------
    wins : Value
        The player's colour has completed something, and it is no draw. If the other one has, too,
        this is a win only if the player is the one who moved.
    loses : Value
        The same of the other colour.
    draws : Value
        Both have, and that is a draw.
    """

    def __init__(self, rules: data.View, completed: Value, colour: Value):
        self.draws = rules.both_draws & completed.all()
        self.wins = completed.bit_select(colour, 1) & ~self.draws
        self.loses = completed.bit_select(~colour, 1) & ~self.draws
