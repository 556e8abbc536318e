"""Ratings of several players: what is known exactly, and what was put in by simulation."""

import math
import random

import pytest

from loopline.host.matches.elo import Pentanomial, score_of
from loopline.host.matches.ratings import ratings

RESULTS = Pentanomial((13, 37, 50, 25, 3))


def test_of_two_players_they_are_the_elo_of_their_match() -> None:
    rated = ratings(2, {(0, 1): RESULTS})
    first, second = rated.players
    assert first is not None
    assert second is not None
    assert first.value == pytest.approx(-second.value)
    assert first.value - second.value == pytest.approx(RESULTS.elo.value)
    # The difference varies twice as much as each about their mean.
    assert 2 * first.error == pytest.approx(RESULTS.elo.error, rel=0.01)
    assert not rated.bounded


def test_three_players_in_a_row_by_hand() -> None:
    # Who only met one other player is as far from that one as their games say.
    nine_to_one, three_to_one = Pentanomial((1, 0, 0, 0, 9)), Pentanomial((2, 0, 0, 0, 6))
    rated = ratings(3, {(0, 1): nine_to_one, (1, 2): three_to_one})
    values = [player.value for player in rated.players if player]
    assert values[0] - values[1] == pytest.approx(400 * math.log10(9))
    assert values[1] - values[2] == pytest.approx(400 * math.log10(3))
    assert sum(values) == pytest.approx(0, abs=1e-6)


def test_the_order_of_players_does_not_matter() -> None:
    rated = ratings(3, {(0, 1): RESULTS, (0, 2): RESULTS, (1, 2): RESULTS})
    other = ratings(3, {(1, 0): RESULTS.reversed, (2, 0): RESULTS.reversed, (1, 2): RESULTS})
    for one, same in zip(rated.players, other.players, strict=True):
        assert one is not None
        assert same is not None
        assert (one.value, one.error) == pytest.approx((same.value, same.error), abs=1e-6)


def test_players_that_are_known() -> None:
    strengths = [150, 60, 0, -50, -160]
    choice = random.Random(1)
    results = {}
    for a in range(5):
        for b in range(a + 1, 5):
            won = score_of(strengths[a] - strengths[b])
            points = (sum(choice.random() < won for _ in range(2)) for _ in range(400))
            results[a, b] = Pentanomial.of(points)
    rated = ratings(5, results)
    for strength, player in zip(strengths, rated.players, strict=True):
        assert player is not None
        assert 8 < player.error < 20
        assert abs(player.value - strength) < 1.5 * player.error


def test_one_who_won_everything_is_bounded_and_the_rest_is_rated() -> None:
    won = Pentanomial((0, 0, 0, 0, 10))
    rated = ratings(4, {(0, 1): won, (0, 2): won, (1, 2): RESULTS})
    assert rated.bounded
    first, second, third, absent = rated.players
    assert first is not None
    assert second is not None
    assert third is not None
    assert absent is None
    assert 250 < first.value - second.value < 900
    assert second.value < third.value


def test_groups_that_did_not_meet_are_rated_by_themselves() -> None:
    rated = ratings(5, {(0, 3): RESULTS, (1, 4): RESULTS.reversed})
    values = [player.value if player else None for player in rated.players]
    half = RESULTS.elo.value / 2
    assert values == pytest.approx([half, -half, None, -half, half], abs=1e-6)


def test_nobody_has_played() -> None:
    assert ratings(3, {}).players == (None, None, None)
    assert ratings(2, {(0, 1): Pentanomial()}).players == (None, None)
