"""Elo ratings of several players, from the pairs that they played with each other.

The likeliest ratings under the logistic model, a drawn game counting as half a win, found by
Newton's method; their mean is 0. The error bars allow for the dependence of the two games of a
pair: they come from the spread of whole pairs (the "sandwich" covariance). See ``docs/matches.md``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final, NamedTuple

from loopline.host.matches.elo import Estimate, Pentanomial

__all__ = ["Ratings", "ranking", "ratings"]

_SLOPE: Final = math.log(10) / 400
_TWO_SIDED_95: Final = NormalDist().inv_cdf(0.975)
_ROUNDS: Final = 200
_ENOUGH: Final = 1e-10

Matrix = list[list[float]]


@dataclass(frozen=True)
class Ratings:
    """The ratings of all players.

    Attributes
    ----------
    players : tuple of Estimate or None
        By the player's number, in Elo, with intervals of 95 %; none for one who has not played.
        Where no games connect two groups of players, each group has the mean 0.
    bounded : bool
        Whether some players have made all points against the rest, or none. Nothing says then how
        far they are apart, so each pairing has been given one drawn game more.
    """

    players: tuple[Estimate | None, ...]
    bounded: bool


def ratings(count: int, results: Mapping[tuple[int, int], Pentanomial]) -> Ratings:
    """Rate ``count`` players by the results of each pairing.

    A key names two different players by their numbers, from 0; its value counts the pairs by the
    points of the first one.
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
            reach = _TWO_SIDED_95 * deviation
            rated[player] = Estimate(value, value - reach, value + reach)
    return Ratings(tuple(rated), bounded)


def ranking(rated: Ratings) -> list[int]:
    """The players by their numbers, the best one first; those who have not played last."""
    return sorted(
        range(len(rated.players)),
        key=lambda player: -estimate.value if (estimate := rated.players[player]) else math.inf,
    )


class _Pairing(NamedTuple):
    """Two players of a group by their places, their games, the points of the first, the pairs."""

    a: int
    b: int
    games: float
    points: float
    result: Pentanomial


def _groups(met: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The players that are connected by games, each group in order."""
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
    return all(len(_reached(players[0], way)) == len(players) for way in (scored, conceded))


def _reached(player: int, edges: Mapping[int, Iterable[int]]) -> set[int]:
    """All that can be reached from a player, who is among them."""
    found, waiting = {player}, [player]
    while waiting:
        for neighbour in edges[waiting.pop()]:
            if neighbour not in found:
                found.add(neighbour)
                waiting.append(neighbour)
    return found


def _expected(values: Sequence[float], a: int, b: int) -> float:
    return 1 / (1 + math.exp(-_SLOPE * (values[a] - values[b])))


def _likeliest(count: int, met: Sequence[_Pairing]) -> list[float]:
    """The ratings of highest likelihood, of mean 0."""
    values = [0.0] * count
    for _ in range(_ROUNDS):
        gradient = [0.0] * count
        information = _matrix(count)
        for a, b, games, points, _ in met:
            share = _expected(values, a, b)
            gradient[a] += _SLOPE * (points - games * share)
            gradient[b] -= _SLOPE * (points - games * share)
            _add_difference(information, a, b, _SLOPE**2 * games * share * (1 - share))
        steps = _solve(_grounded(information), [[part] for part in gradient])
        # A long step from a flat place may overshoot.
        longest = max(abs(step) for (step,) in steps)
        scale = min(1.0, 200 / longest) if longest else 1.0
        values = [value + scale * step for value, (step,) in zip(values, steps, strict=True)]
        if longest < _ENOUGH:
            break
    mean = sum(values) / count
    return [value - mean for value in values]


def _deviations(values: Sequence[float], met: Sequence[_Pairing]) -> list[float]:
    """The standard deviation of each rating about the mean of all."""
    count = len(values)
    information, spread = _matrix(count), _matrix(count)
    for a, b, games, points, result in met:
        share = _expected(values, a, b)
        _add_difference(information, a, b, _SLOPE**2 * games * share * (1 - share))
        # A pair's points are twice its score per game. Pairs of one kind show no spread of their
        # own: the model's then, as if games did not depend on each other.
        mean = points / games
        variance = 4 * result.variance or 2 * mean * (1 - mean) or 0.5
        _add_difference(spread, a, b, _SLOPE**2 * result.pairs * variance)
    unit = [[float(row == column) for column in range(count)] for row in range(count)]
    inverse = _solve(_grounded(information), unit)
    # On top of ratings of mean 0, the grounded inverse is the inverse plus a constant.
    inverse = [[entry - 1 / count for entry in row] for row in inverse]
    covariance = _product(_product(inverse, spread), inverse)
    return [math.sqrt(max(0.0, covariance[n][n])) for n in range(count)]


def _matrix(count: int) -> Matrix:
    return [[0.0] * count for _ in range(count)]


def _add_difference(matrix: Matrix, a: int, b: int, weight: float) -> None:
    """Add the weight of a difference between two players."""
    matrix[a][a] += weight
    matrix[b][b] += weight
    matrix[a][b] -= weight
    matrix[b][a] -= weight


def _grounded(matrix: Matrix) -> Matrix:
    """The matrix with the mean of the ratings held at 0, which no difference does."""
    count = len(matrix)
    return [[entry + 1 / count for entry in row] for row in matrix]


def _product(left: Matrix, right: Matrix) -> Matrix:
    columns = list(zip(*right, strict=True))
    return [
        [sum(x * y for x, y in zip(row, column, strict=True)) for column in columns] for row in left
    ]


def _solve(matrix: Matrix, right: Matrix) -> Matrix:
    """Solve a system of equations by Gauss's elimination with pivots."""
    count = len(matrix)
    rows = [[*left, *wanted] for left, wanted in zip(matrix, right, strict=True)]
    for column in range(count):
        pivot = max(range(column, count), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [entry / rows[column][column] for entry in rows[column]]
        for row in range(count):
            if row != column and (factor := rows[row][column]):
                rows[row] = [x - factor * y for x, y in zip(rows[row], rows[column], strict=True)]
    return [row[count:] for row in rows]
