"""The sequential test of a match: play until one of two hypotheses about Elo is accepted.

Wald's sequential probability ratio test with the generalised likelihood ratio of the pentanomial
distribution. A hypothesis states the mean score only. Its distribution is the likeliest one of that
mean, given the pairs seen. See ``docs/matches.md``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from loopline.host.matches.elo import KINDS, Pentanomial, score_of

__all__ = ["LARGEST_ELO", "Sprt", "Verdict", "log_likelihood_ratio"]

LARGEST_ELO: Final = 2000
"""The largest difference of a hypothesis; beyond 6400 a score is 1 to the last bit."""

_UNSEEN: Final = 1e-3
"""The count of a kind of pair that was not seen yet, so that no likelihood is zero."""

_STEPS: Final = 100
_ENOUGH: Final = 1e-13


class Verdict(Enum):
    """The state of a test."""

    OPEN = "open"
    H0 = "H0"
    H1 = "H1"


@dataclass(frozen=True)
class Sprt:
    """A test of H0, a difference of ``elo0``, against H1, a difference of ``elo1``.

    Parameters
    ----------
    elo0, elo1 : float
        The differences of the hypotheses, ``elo0`` being the smaller one; each is at most
        :data:`LARGEST_ELO`, in either direction.
    alpha, beta : float
        The probability of accepting H1 where H0 is true, and of H0 where H1 is; below ½ each.

    Raises :exc:`ValueError`, with a text of one line, for other values.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Check the parameters."""
        for elo in self.elo0, self.elo1:
            if not abs(elo) <= LARGEST_ELO:
                raise ValueError(f"Elo lies between -{LARGEST_ELO} and {LARGEST_ELO}, not {elo:g}")
        if self.elo0 >= self.elo1:
            raise ValueError(f"ELO0 has to be less than ELO1, not {self.elo0:g} and {self.elo1:g}")
        for name, share in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < share < 0.5:
                raise ValueError(f"{name} lies between 0 and 0.5, not {share:g}")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at or below which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at or above which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def ratio(self, results: Pentanomial) -> float:
        """Return the log-likelihood ratio of H1 against H0."""
        return log_likelihood_ratio(results, score_of(self.elo0), score_of(self.elo1))

    def verdict(self, results: Pentanomial) -> Verdict:
        """Return which hypothesis the results accept, if any."""
        ratio = self.ratio(results)
        if ratio <= self.lower:
            return Verdict.H0
        return Verdict.H1 if ratio >= self.upper else Verdict.OPEN


def log_likelihood_ratio(results: Pentanomial, score0: float, score1: float) -> float:
    """Return the generalised log-likelihood ratio of a mean score ``score1`` against ``score0``.

    It is 0 before the first pair. Both scores lie between 0 and 1, exclusively.
    """
    if not results.pairs:
        return 0.0
    counts = [count or _UNSEEN for count in results.counts]
    tilt0, tilt1 = _tilt(counts, score0), _tilt(counts, score1)
    return sum(
        count
        * math.log(
            (1 + tilt0 * (kind / (KINDS - 1) - score0))
            / (1 + tilt1 * (kind / (KINDS - 1) - score1))
        )
        for kind, count in enumerate(counts)
    )


def _tilt(counts: Sequence[float], score: float) -> float:
    """Return the multiplier x of the likeliest distribution of a given mean.

    Its probabilities are proportional to ``count / (1 + x * (value - score))``; x is the zero of
    the falling function below, found by Newton's steps, or by bisection where a step leaves the
    interval.
    """
    values = [kind / (KINDS - 1) - score for kind in range(KINDS)]
    low, high = -1 / values[-1], -1 / values[0]
    x = 0.0
    for _ in range(_STEPS):
        terms = [value / (1 + x * value) for value in values]
        excess = sum(count * term for count, term in zip(counts, terms, strict=True))
        slope = sum(count * term * term for count, term in zip(counts, terms, strict=True))
        if excess > 0:
            low = x
        else:
            high = x
        step = x + excess / slope
        if not low < step < high:
            step = (low + high) / 2
        if abs(step - x) <= _ENOUGH * max(1.0, abs(x)):
            return step
        x = step
    return x
