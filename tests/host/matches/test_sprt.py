"""The sequential test, against published and hand-computed values and against simulation."""

import math
import random

import pytest

from loopline.host.matches.elo import Pentanomial, score_of
from loopline.host.matches.sprt import Sprt, Verdict, log_likelihood_ratio

FISHTEST = Pentanomial((13, 37, 50, 25, 3))


def test_a_published_ratio() -> None:
    # montytest: H0 0 and H1 2.716 logistic Elo, "Logistic (exact) -0.53772".
    assert Sprt(0, 2.716).ratio(FISHTEST) == pytest.approx(-0.53772, abs=1e-4)


def test_the_ratio_of_two_kinds_by_hand() -> None:
    # With wins and losses alone, the likeliest distribution of a mean is the mean itself.
    results = Pentanomial((30, 0, 0, 0, 70))
    by_hand = 70 * math.log(0.6 / 0.5) + 30 * math.log(0.4 / 0.5)
    assert log_likelihood_ratio(results, 0.5, 0.6) == pytest.approx(by_hand, abs=0.01)


def test_the_likeliest_distribution_has_the_mean_and_no_other_is_likelier() -> None:
    # The derivative of the ratio by score1, at the mean that was seen, is zero.
    seen = FISHTEST.score
    best = log_likelihood_ratio(FISHTEST, 0.5, seen)
    for other in (seen - 0.01, seen + 0.01, 0.3, 0.5, 0.7):
        assert log_likelihood_ratio(FISHTEST, 0.5, other) < best


def test_the_ratio_is_a_difference() -> None:
    first = log_likelihood_ratio(FISHTEST, 0.4, 0.45)
    second = log_likelihood_ratio(FISHTEST, 0.45, 0.6)
    assert log_likelihood_ratio(FISHTEST, 0.4, 0.6) == pytest.approx(first + second)
    assert log_likelihood_ratio(FISHTEST, 0.6, 0.4) == pytest.approx(-first - second)
    other = log_likelihood_ratio(FISHTEST.reversed, 0.6, 0.4)
    assert other == pytest.approx(log_likelihood_ratio(FISHTEST, 0.4, 0.6))


@pytest.mark.parametrize(
    "counts",
    [(0, 0, 0, 0, 1), (500, 0, 0, 0, 0), (0, 0, 3, 0, 0), (1, 0, 0, 0, 0), (0, 9, 0, 0, 0)],
)
@pytest.mark.parametrize("elo", [(0, 10), (-2000, 2000), (-3, 0)])
def test_pairs_of_one_kind_have_a_ratio(counts: tuple[int, ...], elo: tuple[float, float]) -> None:
    ratio = Sprt(*elo).ratio(Pentanomial(counts))
    assert math.isfinite(ratio)
    score = Pentanomial(counts).score
    if score == 1:
        assert ratio > 0
    if score == 0:
        assert ratio < 0


def test_bounds() -> None:
    test = Sprt(0, 5)
    assert test.lower == pytest.approx(-2.9444, abs=1e-4)
    assert test.upper == pytest.approx(2.9444, abs=1e-4)
    test = Sprt(0, 5, alpha=0.01, beta=0.1)
    assert test.lower == pytest.approx(math.log(0.1 / 0.99))
    assert test.upper == pytest.approx(math.log(90))
    assert test.ratio(Pentanomial()) == 0
    assert test.verdict(Pentanomial()) is Verdict.OPEN


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ((5, 5), "ELO0 has to be less than ELO1, not 5 and 5"),
        ((5, 0), "ELO0 has to be less than ELO1, not 5 and 0"),
        ((0, math.inf), "Elo lies between -2000 and 2000, not inf"),
        ((math.nan, 1), "Elo lies between -2000 and 2000, not nan"),
        ((0, 10_000), "Elo lies between -2000 and 2000, not 10000"),
        ((-2001, 0), "Elo lies between -2000 and 2000, not -2001"),
        ((0, 5, 0), "alpha lies between 0 and 0.5, not 0"),
        ((0, 5, 0.05, 0.5), "beta lies between 0 and 0.5, not 0.5"),
    ],
)
def test_what_is_no_test(parameters: tuple[float, ...], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        Sprt(*parameters)


def shares_of(elo: float) -> list[float]:
    """Kinds of pairs whose mean score is that of a difference in Elo, the draws of a real match."""
    won = score_of(elo)
    drawn = 0.2
    win, loss = won - drawn / 2, 1 - won - drawn / 2
    return [loss**2, 2 * loss * drawn, drawn**2 + 2 * win * loss, 2 * win * drawn, win**2]


@pytest.mark.parametrize(("elo", "wanted"), [(0, Verdict.H0), (60, Verdict.H1)])
def test_players_of_known_strength(elo: float, wanted: Verdict) -> None:
    choice = random.Random(elo)
    test = Sprt(0, 60, alpha=0.1, beta=0.1)
    right, runs, pairs = 0, 150, 0
    for _ in range(runs):
        counts = [0] * 5
        verdict = Verdict.OPEN
        while verdict is Verdict.OPEN:
            for kind in choice.choices(range(5), shares_of(elo), k=4):
                counts[kind] += 1
            verdict = test.verdict(Pentanomial(tuple(counts)))
        pairs += sum(counts)
        right += verdict is wanted
    # Nine of ten are 135, with a standard deviation of 3.7.
    assert right >= 120
    # A match of fixed length takes 90 pairs to err as rarely: (2 * 1.28)**2 * 0.1 / 0.0855**2.
    assert pairs / runs < 75
