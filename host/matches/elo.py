"""What the results of colour-swapped pairs say about two players: score, Elo, and how sure it is.

The two games of a pair share an opening, so that their results depend on each other. Counting pairs
by the points that the first player made of them, five kinds from 0 to 2 in halves, keeps what games
taken one by one would lose; the opening's own advantage cancels out, and error bars get narrower.
The formulas and their sources are in ``docs/matches.md``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

__all__ = ["KINDS", "Estimate", "Pentanomial", "elo_of", "score_of"]

KINDS: Final = 5
"""The kinds of pairs: 0, ½, 1, 1½ and 2 points."""

_SCALE: Final = 400.0
_NORMAL: Final = NormalDist()
_CONFIDENCE: Final = 0.975
"""On each side, for an interval of 95 %."""

_TWO_SIDED_95: Final = _NORMAL.inv_cdf(_CONFIDENCE)
_NORMALISED: Final = 2 * _SCALE / math.log(10)
"""The slope of the Elo scale at equality, in Elo per point of a game's score."""


def score_of(elo: float) -> float:
    """The score per game, from 0 to 1, that a difference in Elo promises."""
    return 1 / (1 + 10 ** (-elo / _SCALE))


def elo_of(score: float) -> float:
    """The difference in Elo that a score per game shows; infinite where all or no points are made.

    A score beyond 0 or 1, such as the end of an interval, counts as 0 or 1.
    """
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else _SCALE * math.log10(score / (1 - score))


@dataclass(frozen=True)
class Estimate:
    """A value with its interval of 95 %.

    Attributes
    ----------
    value, low, high : float
        The value and the ends of the interval; all may be infinite.
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
    """How many pairs ended with 0, ½, 1, 1½ and 2 points of the first player.

    Raises :exc:`ValueError` for anything but five counts.
    """

    counts: tuple[int, ...] = (0,) * KINDS

    def __post_init__(self) -> None:
        """Refuse what is no such table."""
        if len(self.counts) != KINDS or min(self.counts) < 0:
            raise ValueError(f"the kinds of pairs are {KINDS} counts from 0, not {self.counts}")

    @classmethod
    def of(cls, points: Iterable[float]) -> Pentanomial:
        """Count pairs by the first player's points, each 0, 0.5, 1, 1.5 or 2."""
        counts = [0] * KINDS
        for point in points:
            counts[round(2 * point)] += 1
        return cls(tuple(counts))

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
        reach = _TWO_SIDED_95 * self.deviation
        if not self.variance:
            # Pairs of one kind show no spread. But if others were more frequent than this, one
            # would have come; and at worst they bring no points, at best all.
            others = 1 - (1 - _CONFIDENCE) ** (1 / self.pairs)
            low, high = self.score * (1 - others), self.score + (1 - self.score) * others
            return Estimate(elo_of(self.score), elo_of(low), elo_of(high))
        return Estimate(elo_of(self.score), elo_of(self.score - reach), elo_of(self.score + reach))

    @property
    def normalised_elo(self) -> Estimate | None:
        """Elo in units of a game's spread; none while all pairs are of one kind.

        It says how many games it takes to see the difference, whatever the share of drawn or
        one-sided openings: the usual Elo measures points, this one evidence.
        """
        if not self.variance:
            return None
        value = (self.score - 0.5) / math.sqrt(2 * self.variance) * _NORMALISED
        reach = _TWO_SIDED_95 * _NORMALISED / math.sqrt(2 * self.pairs)
        return Estimate(value, value - reach, value + reach)

    @property
    def superiority(self) -> float:
        """The likelihood, from 0 to 1, that the first player is the stronger one.

        While all pairs are of one kind, their distance from equality stands for the spread.
        """
        lead = self.score - 0.5
        if not lead:
            return 0.5
        spread = math.sqrt(self.variance) or abs(lead)
        return _NORMAL.cdf(lead / spread * math.sqrt(self.pairs))
