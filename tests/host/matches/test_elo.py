"""Pentanomial statistics, against published and hand-computed values and against simulation."""

import math
import random

import pytest

from loopline.host.matches.elo import Pentanomial, elo_of, score_of

FISHTEST = Pentanomial((13, 37, 50, 25, 3))
"""256 games of a test of Monty, with the figures of its page of raw statistics on montytest."""


def test_the_logistic_scale() -> None:
    assert score_of(0) == 0.5
    assert score_of(400) == pytest.approx(10 / 11)
    assert elo_of(0.5) == 0
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(0.75) == pytest.approx(400 * math.log10(3))
    assert elo_of(score_of(-123.4)) == pytest.approx(-123.4)
    assert (elo_of(0), elo_of(-0.1), elo_of(1), elo_of(1.1)) == (
        -math.inf,
        -math.inf,
        math.inf,
        math.inf,
    )


def test_published_values() -> None:
    assert FISHTEST.pairs == 128
    assert FISHTEST.score == 0.4375
    assert FISHTEST.variance == pytest.approx(0.05762, abs=5e-6)
    assert math.sqrt(2 * FISHTEST.variance) == pytest.approx(0.33946, abs=5e-6)
    assert FISHTEST.elo.value == pytest.approx(-43.6578, abs=5e-5)
    assert FISHTEST.normalised_elo is not None
    assert FISHTEST.normalised_elo.value == pytest.approx(-63.97, abs=5e-3)


def test_what_fastchess_prints() -> None:
    # "Elo: 631.91 +/- nan, nElo: 1056.68 +/- 77.10" for Ptnml(0-2): [0, 0, 2, 0, 37]
    results = Pentanomial((0, 0, 2, 0, 37))
    assert results.elo.value == pytest.approx(631.91, abs=5e-3)
    assert results.elo.error == math.inf
    assert results.normalised_elo is not None
    assert results.normalised_elo.value == pytest.approx(1056.68, abs=5e-3)
    assert results.normalised_elo.error == pytest.approx(77.10, abs=5e-3)


def test_values_computed_by_hand() -> None:
    results = Pentanomial((1, 0, 2, 0, 5))
    # Scores per game 0, 1/2 and 1: mean 6/8, mean square (2/4 + 5) / 8 = 11/16.
    assert results.score == 0.75
    assert results.variance == pytest.approx(11 / 16 - 9 / 16)
    assert results.deviation == pytest.approx(1 / 8)
    assert results.elo.value == pytest.approx(400 * math.log10(3))
    reach = 1.959964 / 8
    assert results.elo.low == pytest.approx(elo_of(0.75 - reach), abs=1e-4)
    assert results.elo.high == pytest.approx(elo_of(0.75 + reach), abs=1e-3)
    assert results.superiority == pytest.approx(0.5 * (1 + math.erf(2 / math.sqrt(2))))


def test_the_other_players_side() -> None:
    other = FISHTEST.reversed
    assert other.counts == (3, 25, 50, 37, 13)
    assert other.score == 1 - FISHTEST.score
    assert other.elo.value == pytest.approx(-FISHTEST.elo.value)
    assert other.elo.low == pytest.approx(-FISHTEST.elo.high)
    assert other.superiority == pytest.approx(1 - FISHTEST.superiority)


def test_counting() -> None:
    assert Pentanomial.of([0, 2, 1.5, 1, 0.5, 2]) == Pentanomial((1, 1, 1, 1, 2))
    for counts in (1, 2, 3), (0, 0, 0, 0, -1):
        with pytest.raises(ValueError, match="are 5 counts from 0, not"):
            Pentanomial(counts)


def test_before_the_first_pair_nothing_is_known() -> None:
    nothing = Pentanomial()
    assert (nothing.pairs, nothing.score, nothing.variance) == (0, 0.5, 0.0)
    assert (nothing.elo.value, nothing.elo.error) == (0, math.inf)
    assert nothing.normalised_elo is None
    assert nothing.superiority == 0.5


def test_pairs_of_one_kind_bound_the_others() -> None:
    won = Pentanomial((0, 0, 0, 0, 20))
    assert won.elo.value == won.elo.high == math.inf
    # A share of other pairs that 20 pairs in a row avoid with a probability of 2.5 %.
    assert score_of(won.elo.low) ** 20 == pytest.approx(0.025)
    assert won.superiority > 0.9999
    assert won.normalised_elo is None
    assert won.reversed.elo.high == pytest.approx(-won.elo.low)
    assert Pentanomial((0, 0, 0, 0, 1)).superiority == pytest.approx(0.8413, abs=1e-4)
    even = Pentanomial((0, 0, 50, 0, 0))
    assert even.elo.value == 0
    assert even.elo.low == pytest.approx(-even.elo.high)
    assert 20 < even.elo.error < 30
    assert even.superiority == 0.5


def test_intervals_hold_the_true_value_as_often_as_they_say() -> None:
    choice = random.Random(1)
    shares = (0.1, 0.15, 0.35, 0.25, 0.15)
    truth = elo_of(sum(kind * share for kind, share in enumerate(shares)) / 4)
    held = stronger = 0
    for _ in range(400):
        kinds = choice.choices(range(5), shares, k=150)
        results = Pentanomial.of(kind / 2 for kind in kinds)
        held += results.elo.low <= truth <= results.elo.high
        stronger += results.superiority > 0.95
    # 95 % of 400 are 380, with a standard deviation of 4.4.
    assert 365 <= held <= 395
    assert stronger > 200
