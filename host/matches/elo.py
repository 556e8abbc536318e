"""Score and Elo of two players, with error bars, from pairs of games with exchanged colours.

The two games of a pair share an opening, so their results depend on each other. Pairs are counted
by the first player's points, from 0 to 2 in halves (the "pentanomial" count): the advantage of an
opening cancels out, and error bars are narrower than those of single games. The formulas and their
sources are in ``docs/matches.md``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

__all__ = ["KINDS", "SLOPE", "TWO_SIDED_95", "Estimate", "Pentanomial", "elo_of", "score_of"]

KINDS: Final = 5
"""The kinds of pairs: 0, ½, 1, 1½ and 2 points."""

_SCALE: Final = 400.0
_NORMAL: Final = NormalDist()
_CONFIDENCE: Final = 0.975
"""The quantile at either end of an interval of 95 %."""

TWO_SIDED_95: Final = _NORMAL.inv_cdf(_CONFIDENCE)
"""Half of that interval, in standard deviations."""

SLOPE: Final = math.log(10) / _SCALE
"""What a point of Elo adds to the logarithm of the odds."""

_NORMALISED: Final = 2 / SLOPE
"""The slope of the Elo scale at equality, in Elo per point of a game's score."""


def score_of(elo: float) -> float:
    """Return the expected score per game, from 0 to 1, of a difference in Elo."""
    return 1 / (1 + 10 ** (-elo / _SCALE))


def elo_of(score: float) -> float:
    """Return the difference in Elo of a score per game; infinite for 0 and 1, and beyond them."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else _SCALE * math.log10(score / (1 - score))


@dataclass(frozen=True)
class Estimate:
    """A value with its interval of 95 %.

    Attributes
    ----------
    value, low, high : float
        The value and the ends of the interval; each may be infinite.
    """

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval; infinite if an end is."""
        return (self.high - self.low) / 2 if math.isfinite(self.high - self.low) else math.inf


@dataclass(frozen=True)
class Pentanomial:
    """The numbers of pairs with 0, ½, 1, 1½ and 2 points of the first player.

    Raises :exc:`ValueError` for anything but five counts.
    """

    counts: tuple[int, ...] = (0,) * KINDS

    def __post_init__(self) -> None:
        """Check the counts."""
        if len(self.counts) != KINDS or min(self.counts) < 0:
            raise ValueError(f"the kinds of pairs are {KINDS} counts from 0, not {self.counts}")

    @classmethod
    def of(cls, points: Iterable[float]) -> Pentanomial:
        """Count pairs by the first player's points, each 0, 0.5, 1, 1.5 or 2."""
        counts = Counter(round(2 * point) for point in points)
        return cls(tuple(counts[kind] for kind in range(KINDS)))

    def plus(self, points: float) -> Pentanomial:
        """Return the counts with one more pair, of so many points of the first player."""
        kind = round(2 * points)
        return Pentanomial((*self.counts[:kind], self.counts[kind] + 1, *self.counts[kind + 1 :]))

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return sum(self.counts)

    @property
    def reversed(self) -> Pentanomial:
        """The same pairs from the other player's side."""
        return Pentanomial(self.counts[::-1])

    @property
    def score(self) -> float:
        """The first player's mean score per game, from 0 to 1; ½ before the first pair."""
        if not self.pairs:
            return 0.5
        return sum(kind * count for kind, count in enumerate(self.counts)) / (4 * self.pairs)

    @property
    def variance(self) -> float:
        """The variance of a pair's score per game about its mean."""
        if not self.pairs:
            return 0.0
        mean = self.score
        return (
            sum(count * (kind / 4 - mean) ** 2 for kind, count in enumerate(self.counts))
            / self.pairs
        )

    @property
    def deviation(self) -> float:
        """The standard deviation of :attr:`score`; infinite before the first pair."""
        return math.sqrt(self.variance / self.pairs) if self.pairs else math.inf

    @property
    def elo(self) -> Estimate:
        """The first player's Elo minus the second's."""
        if not self.pairs:
            return Estimate(0.0, -math.inf, math.inf)
        reach = TWO_SIDED_95 * self.deviation
        if not self.variance:
            # All pairs are of one kind, which shows no spread. The share of other kinds is bounded
            # all the same: a larger share would have shown a pair. Those bring 0 to 2 points.
            others = 1 - (1 - _CONFIDENCE) ** (1 / self.pairs)
            low, high = self.score * (1 - others), self.score + (1 - self.score) * others
            return Estimate(elo_of(self.score), elo_of(low), elo_of(high))
        return Estimate(elo_of(self.score), elo_of(self.score - reach), elo_of(self.score + reach))

    @property
    def normalised_elo(self) -> Estimate | None:
        """Elo in units of a game's spread; None while all pairs are of one kind.

        It tells how many games show the difference, whatever the share of drawn or one-sided
        openings: the usual Elo measures points, this one evidence.
        """
        if not self.variance:
            return None
        value = (self.score - 0.5) / math.sqrt(2 * self.variance) * _NORMALISED
        reach = TWO_SIDED_95 * _NORMALISED / math.sqrt(2 * self.pairs)
        return Estimate(value, value - reach, value + reach)

    @property
    def superiority(self) -> float:
        """The likelihood, from 0 to 1, that the first player is the stronger one.

        While all pairs are of one kind, their distance from equality replaces the spread.
        """
        lead = self.score - 0.5
        if not lead:
            return 0.5
        spread = math.sqrt(self.variance) or abs(lead)
        return _NORMAL.cdf(lead / spread * math.sqrt(self.pairs))
