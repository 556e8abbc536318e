"""The scores of a lane: as those of the engine, but in fewer bits."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Mux, Value, signed

from loopline.hdl.search.config import MATE, SearchConfig

__all__ = ["Scores"]

_PLY_BITS = 7
"""Width of the number of turns to a forced win or loss."""


class Scores:
    """The scores that a lane compares.

    Evaluations are as they are. Forced wins and losses, of which the engine's scores are far away
    from all evaluations, follow them closely, in the same order. Points of variety are added to
    evaluations, and a window may be one point beside a score, so there is some room between::

        -infinite  losses ...  -bound ... evaluations ... bound  ... wins, up to mate  infinite

    Parameters
    ----------
    config : SearchConfig
        The width of an evaluation.

    Attributes
    ----------
    mate, infinite : int
        A win in n turns is ``mate - n``. No score is as large as ``infinite``.
    shape : Shape
        Holds all of them, also with points of variety.
    """

    def __init__(self, config: SearchConfig) -> None:
        self._bits = config.widths.evaluation
        self.mate = (1 << (self._bits - 1)) + (2 << _PLY_BITS)
        self.infinite = self.mate + (1 << (_PLY_BITS - 1))
        self.shape = signed(self._bits + 1)

    def loss(self, turns: Value) -> Value:
        """Return a loss in so many turns, fewer than 128. Its complement is a win in one more."""
        width = self.shape.width - _PLY_BITS
        high = Const(-self.mate >> _PLY_BITS, signed(width))
        low = Cat(turns, Const(0, _PLY_BITS))[:_PLY_BITS]
        return Cat(low, high.as_unsigned()).as_signed()

    def forced(self, score: Value) -> tuple[Value, Value]:
        """Return whether a score is that of a forced win, or of a forced loss."""
        sign, large = score[-1], score[self._bits - 1] ^ score[-1]
        far = Cat(score[_PLY_BITS : self._bits - 1])
        wins = ~sign & large & far.any()
        loses = sign & (large & ~far.all())
        return wins, loses

    def points(self, score: Value) -> Value:
        """Return the score as the engine has it."""
        wins, loses = self.forced(score)
        more = MATE - self.mate
        return score + Mux(wins, more, Mux(loses, -more, 0))
