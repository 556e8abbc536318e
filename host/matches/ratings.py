"""Elo ratings of several players, from the pairs that they played with each other.

The likeliest ratings of mean 0 under the logistic law, a drawn game counting as half a win, found
by Newton's method. The two games of a pair depend on each other: error bars come from the spread of
whole pairs (the "sandwich" covariance). See ``docs/matches.md``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final, NamedTuple

from loopline.host.matches.elo import SLOPE, TWO_SIDED_95, Estimate, Pentanomial, score_of

__all__ = ["Ratings", "ranking", "ratings"]

_ROUNDS: Final = 200
_LONGEST: Final = 200.0
"""The longest of Newton's steps, in Elo."""

_ENOUGH: Final = 1e-10

Vector = list[float]
Matrix = list[Vector]


@dataclass(frozen=True)
class Ratings:
    """The ratings of all players.

    Attributes
    ----------
    players : tuple of Estimate or None
        The ratings in Elo by the player's number, with intervals of 95 %; None for a player
        without games. Where no games connect two groups of players, each group has the mean 0.
    bounded : bool
        Whether some players have made all points against the rest, or none. Their distance has no
        bound then; one drawn game, added to each pairing, makes it finite.
    """

    players: tuple[Estimate | None, ...]
    bounded: bool


def ratings(count: int, results: Mapping[tuple[int, int], Pentanomial]) -> Ratings:
    """Rate ``count`` players by the results of each pairing.

    A key is two different players' numbers, from 0; its value counts their pairs by the points of
    the first one.
    """
    met = {players: result for players, result in results.items() if result.pairs}
    rated: list[Estimate | None] = [None] * count
    bounded = False
    for group in _groups(met):
        among = {players: result for players, result in met.items() if players[0] in group}
        games = {players: 2.0 * result.pairs for players, result in among.items()}
        points = {players: games[players] * result.score for players, result in among.items()}
        if not _comparable(group, games, points):
            bounded = True
            points = {players: made + 0.5 for players, made in points.items()}
            games = {players: made + 1 for players, made in games.items()}
        place = {player: n for n, player in enumerate(group)}
        played = [
            _Pairing(place[a], place[b], games[a, b], points[a, b], result)
            for (a, b), result in among.items()
        ]
        values = _likeliest(len(group), played)
        for player, value, deviation in zip(
            group, values, _deviations(values, played), strict=True
        ):
            reach = TWO_SIDED_95 * deviation
            rated[player] = Estimate(value, value - reach, value + reach)
    return Ratings(tuple(rated), bounded)


def ranking(rated: Ratings) -> list[int]:
    """Return the players' numbers, the best one first, players without games last."""
    return sorted(
        range(len(rated.players)),
        key=lambda player: -estimate.value if (estimate := rated.players[player]) else math.inf,
    )


class _Pairing(NamedTuple):
    """Two players by their places in a group, their games, the first one's points, their pairs."""

    a: int
    b: int
    games: float
    points: float
    result: Pentanomial


def _groups(met: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return the groups of players that games connect, each in order."""
    edges: dict[int, set[int]] = {}
    for a, b in met:
        edges.setdefault(a, set()).add(b)
        edges.setdefault(b, set()).add(a)
    groups: list[list[int]] = []
    for player in sorted(edges):
        if not any(player in group for group in groups):
            groups.append(sorted(_reached(player, edges)))
    return groups


def _comparable(
    players: Sequence[int],
    games: Mapping[tuple[int, int], float],
    points: Mapping[tuple[int, int], float],
) -> bool:
    """Whether every group of players has made a point against the rest (Ford's condition)."""
    scored: dict[int, set[int]] = {player: set() for player in players}
    for (a, b), made in points.items():
        if made:
            scored[a].add(b)
        if made < games[a, b]:
            scored[b].add(a)
    conceded = {a: {b for b in players if a in scored[b]} for a in players}
    return all(len(_reached(players[0], edges)) == len(players) for edges in (scored, conceded))


def _reached(player: int, edges: Mapping[int, Iterable[int]]) -> set[int]:
    """Return all players that can be reached from a player, itself included."""
    found, waiting = {player}, [player]
    while waiting:
        for neighbour in edges[waiting.pop()]:
            if neighbour not in found:
                found.add(neighbour)
                waiting.append(neighbour)
    return found


def _add_difference(matrix: Matrix, a: int, b: int, weight: float) -> None:
    """Add the weight of the difference between two players' ratings."""
    for row, column, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
        matrix[row][column] += sign * weight


def _information(values: Vector, met: Sequence[_Pairing]) -> Matrix:
    """Return Fisher's information, with the mean of the ratings, which is free, held at 0."""
    count = len(values)
    matrix = [[1 / count] * count for _ in values]
    for a, b, games, _, _ in met:
        share = score_of(values[a] - values[b])
        _add_difference(matrix, a, b, SLOPE**2 * games * share * (1 - share))
    return matrix


def _inverse(matrix: Matrix) -> Matrix:
    """Return the inverse of a positive definite matrix, by Gauss and Jordan's method."""
    count = len(matrix)
    rows = [[*row, *(float(n == place) for n in range(count))] for place, row in enumerate(matrix)]
    for place in range(count):
        pivot = rows[place] = [value / rows[place][place] for value in rows[place]]
        for n, row in enumerate(rows):
            if n != place:
                factor = row[place]
                rows[n] = [a - factor * b for a, b in zip(row, pivot, strict=True)]
    return [row[count:] for row in rows]


def _dot(one: Vector, other: Vector) -> float:
    return math.fsum(a * b for a, b in zip(one, other, strict=True))


def _likeliest(count: int, met: Sequence[_Pairing]) -> Vector:
    """Return the ratings of highest likelihood, of mean 0."""
    values = [0.0] * count
    for _ in range(_ROUNDS):
        gradient = [0.0] * count
        for a, b, games, points, _ in met:
            surplus = SLOPE * (points - games * score_of(values[a] - values[b]))
            gradient[a] += surplus
            gradient[b] -= surplus
        steps = [_dot(row, gradient) for row in _inverse(_information(values, met))]
        longest = max(map(abs, steps))
        # A long step, from where the likelihood is flat, may overshoot.
        part = min(1.0, _LONGEST / max(longest, _LONGEST))
        values = [value + part * step for value, step in zip(values, steps, strict=True)]
        if longest < _ENOUGH:
            break
    mean = fmean(values)
    return [value - mean for value in values]


def _deviations(values: Vector, met: Sequence[_Pairing]) -> Vector:
    """Return the standard deviation of each rating about the mean of all."""
    count = len(values)
    spread = [[0.0] * count for _ in values]
    for a, b, games, points, result in met:
        # A pair's points are twice its score per game. Pairs of one kind show no spread: they get
        # that of two independent games.
        mean = points / games
        variance = 4 * result.variance or 2 * mean * (1 - mean) or 0.5
        _add_difference(spread, a, b, SLOPE**2 * result.pairs * variance)
    deviations = []
    for row in _inverse(_information(values, met)):
        # Among ratings of mean 0 the inverse is that of the held matrix less a constant.
        row = [value - 1 / count for value in row]
        variance = _dot(row, [_dot(other, row) for other in spread])
        deviations.append(math.sqrt(max(0.0, variance)))
    return deviations
