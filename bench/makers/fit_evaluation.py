"""Fit the weights of the engine's evaluation to games that it plays against itself.

    python -m loopline.bench.makers.fit_evaluation play --games 8000 --nodes 1500 --seed 1 games.npz
    python -m loopline.bench.makers.fit_evaluation fit games.npz weights.txt

``play`` begins each game with 4 to 10 random turns that leave no side an attack. One turn in 20 is
random; positions before it lose their result, since they did not lead to it. A position is kept if
it is quiet (neither side has an attack) and new. The file has the classes of all its tracks and
sockets, the search's score, and the winner. In seven turns of ten, ``play`` also keeps the position
after a random turn instead, with a score only: most positions that a search evaluates arise so.

``fit`` is a logistic regression with a penalty on the squares of the weights. The target of a
position is a probability between its result and that of its score. A position without a result has
the target of its score, and less weight. Equal positions count once. The weights of a class for
the two sides are fitted as a mean and a difference, with a higher penalty on the difference, so
that both are found from the positions of both sides. One game in ten is held out, and the log-loss
on these games tells the quality of the fit. The weights are rounded to integers, ``SCALE`` for a
factor of e in the odds.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from loopline.engine.board.board import EAST, HIGH, NORTH, SOUTH, WEST
from loopline.engine.board.position import EnginePosition
from loopline.engine.board.tables import COLUMN, ROW_BITS, SIDE_OF
from loopline.engine.evaluation.classes import (
    DISTANCE_CLASS,
    DISTANCE_CLASSES,
    END_CLASS,
    END_CLASSES,
    LINE_FROM,
    LINE_GAPS,
    LINE_ROWS,
    LINE_SPANS,
    MEETING,
    PERIMETER_CLASSES,
    REACH,
    TURNED,
    WINDOW_CLASS,
    WINDOW_OTHER,
)
from loopline.engine.evaluation.perimeter import walk
from loopline.engine.evaluation.scan import OTHER_ATTACKS, OWN_ATTACKS, scan
from loopline.engine.evaluation.weights import Weights, read_weights
from loopline.engine.jit import compiled
from loopline.engine.options import Limits
from loopline.engine.search.frames import MATE_BOUND
from loopline.engine.search.searcher import Searcher
from loopline.game import SHAPE_OF_CODE
from loopline.tools.arguments import Parser, decimal_number, whole_number

__all__ = ["FEATURES", "SCALE", "collect", "main"]

SCALE = 128
"""Points for a factor of e in the odds."""

LARGEST = 511
"""The largest weight; weights have ten bits."""

_OWN_ENDS = 1
_OWN_DISTANCES = _OWN_ENDS + 2 * END_CLASSES
_OWN_LINES = _OWN_DISTANCES + 2 * DISTANCE_CLASSES
_OWN_PERIMETER = _OWN_LINES + 2 * LINE_ROWS
FEATURES = _OWN_PERIMETER + 2 * PERIMETER_CLASSES
"""The number of features: the tempo, then for each kind the classes of tracks, or sockets, of the
side to move and those of the other side."""

_KINDS = (
    (_OWN_ENDS, END_CLASSES),
    (_OWN_DISTANCES, DISTANCE_CLASSES),
    (_OWN_LINES, LINE_ROWS),
    (_OWN_PERIMETER, PERIMETER_CLASSES),
)

_ROW = 2 * REACH + 1
_MOST_TURNS = 120
_RANDOM_SHARE = 0.05
_OTHER_SHARE = 0.7
_MOST_OTHERS = 4
_UNKNOWN = -1


@compiled
def collect(b, scanner, mover, lines, out):
    """Write the features of a position to ``out``, and return their number.

    A feature is stored as its place plus one, negative for the opponent's tracks.
    """
    s = b.state
    out[0] = 1
    count = 1
    width, height = ((s[EAST] - s[WEST]) & COLUMN) + 1, ((s[SOUTH] - s[NORTH]) & COLUMN) + 1
    for index in range(s[HIGH]):
        sockets, cell = np.int64(b.sockets[index]), np.int64(b.place[index])
        for colour in range(2):
            mask = sockets >> (4 * colour) & 15
            partner = np.int64(b.partner[colour, index])
            if mask == 0 or partner < index:
                continue
            there, far = np.int64(b.place[partner]), np.int64(b.sockets[partner])
            x, y = (cell - s[WEST] + 1) & COLUMN, ((cell >> ROW_BITS) - s[NORTH] + 1) & COLUMN
            x2, y2 = (there - s[WEST] + 1) & COLUMN, ((there >> ROW_BITS) - s[NORTH] + 1) & COLUMN
            across, down = x2 - x, y2 - y
            side, far_side = SIDE_OF[mask], SIDE_OF[far >> (4 * colour) & 15]
            other = colour ^ mover
            sign = 1 - 2 * other
            cut = (max(-REACH, min(REACH, down)) + REACH) * _ROW
            cut += max(-REACH, min(REACH, across)) + REACH
            row = np.int64(TURNED[side, cut]) + ((far_side - side) & 3)
            out[count] = sign * (1 + _OWN_ENDS + other * END_CLASSES + END_CLASS[row])
            distance = min(REACH, abs(across) + abs(down))
            row = (distance * 3 + MEETING[sockets]) * 3 + MEETING[far]
            place = _OWN_DISTANCES + other * DISTANCE_CLASSES + DISTANCE_CLASS[row]
            out[count + 1] = sign * (1 + place)
            count += 2
            for axis in range(2 * lines):
                span, low, high, size = abs(across), min(x, x2), max(x, x2), width
                if axis:
                    span, low, high, size = abs(down), min(y, y2), max(y, y2), height
                if span >= LINE_FROM:
                    gap = min(low + size + 1 - high, LINE_GAPS - 1)
                    row = min(span - LINE_FROM, LINE_SPANS - 1) * LINE_GAPS + gap
                    out[count] = sign * (1 + _OWN_LINES + other * LINE_ROWS + row)
                    count += 1
    for n in range(walk(b, scanner)):
        window = np.int64(scanner.windows[n]) ^ 31 * mover
        other = WINDOW_OTHER[window]
        place = _OWN_PERIMETER + other * PERIMETER_CLASSES + WINDOW_CLASS[window]
        out[count] = (1 - 2 * other) * (1 + place)
        count += 1
    return count


def _quiet(here: EnginePosition, searcher: Searcher, mover: int) -> bool:
    scan(here.board, searcher.scanner, mover)
    found = searcher.scanner.found
    return not found[OWN_ATTACKS] and not found[OTHER_ATTACKS]


def _random_turn(
    here: EnginePosition, searcher: Searcher, mover: int, chance: random.Random
) -> bool:
    """Make a random turn that neither ends the game nor leaves the opponent an attack."""
    candidates = list(here.candidates())
    for candidate in chance.sample(candidates, len(candidates)):
        outcome = here.make(candidate.cell, candidate.shape)
        if outcome.status.value:
            continue
        scan(here.board, searcher.scanner, mover ^ 1)
        if not outcome.completed and not searcher.scanner.found[OWN_ATTACKS]:
            here.commit()
            return True
        here.unmake()
    return False


@dataclass
class _Position:
    """A position for the file.

    Attributes
    ----------
    features : array
        As :func:`collect` writes them.
    mover, score : int
        The side to move, and the search's score for it.
    result : int
        1 if that side has won, 0 if it has not, or ``_UNKNOWN``.
    """

    features: np.ndarray
    mover: int
    score: int
    result: int = _UNKNOWN


class _Collector:
    """Plays games and keeps positions, each only once.

    Parameters
    ----------
    searcher : Searcher
        Plays both sides, and gives the scores.
    nodes : int
        The nodes for each turn.
    """

    def __init__(self, searcher: Searcher, nodes: int) -> None:
        self.kept: list[list[_Position]] = []
        self._searcher = searcher
        self._limits = Limits(nodes=nodes)
        self._seen: set[bytes] = set()
        self._out = np.zeros(1024, np.int16)

    def play(self, chance: random.Random) -> None:
        """Play a game."""
        here, turns = EnginePosition(grid=self._searcher.config.grid), 0
        opening = chance.randint(4, 10)
        kept: list[_Position] = []
        with_result: list[_Position] = []
        self.kept.append(kept)
        while turns < _MOST_TURNS:
            mover = turns & 1
            if turns == 0:
                first = chance.choice(list(here.candidates()))
                here.make(first.cell, first.shape)
                here.commit()
            elif turns < opening or (chance.random() < _RANDOM_SHARE and kept):
                with_result.clear()
                if not _random_turn(here, self._searcher, mover, chance):
                    return
            else:
                features = self._new_features(here, mover)
                best = self._searcher.think(here, turns, self._limits)
                if features is not None:
                    kept.append(_Position(features, mover, best.score))
                    with_result.append(kept[-1])
                if chance.random() < _OTHER_SHARE:
                    self._keep_another(here, turns, chance, kept)
                completed = here.make(best.move >> 2, SHAPE_OF_CODE[best.move & 3]).completed
                here.commit()
                if completed:
                    winner = mover if completed >> mover & 1 else mover ^ 1
                    for position in with_result:
                        position.result = int(winner == position.mover)
                    return
            turns += 1

    def _keep_another(
        self, here: EnginePosition, turns: int, chance: random.Random, kept: list[_Position]
    ) -> None:
        """Keep the position after a random turn, if it is quiet."""
        mover, candidates = turns & 1 ^ 1, list(here.candidates())
        for candidate in chance.sample(candidates, min(_MOST_OTHERS, len(candidates))):
            outcome = here.make(candidate.cell, candidate.shape)
            if outcome.status.value:
                continue
            features = None if outcome.completed else self._new_features(here, mover)
            if features is not None:
                best = self._searcher.think(here, turns + 1, self._limits)
                kept.append(_Position(features, mover, best.score))
            here.unmake()
            if features is not None:
                return

    def _new_features(self, here: EnginePosition, mover: int) -> np.ndarray | None:
        """Return the features of a position, or None if it is not quiet or was seen before."""
        if not _quiet(here, self._searcher, mover):
            return None
        count = collect(here.board, self._searcher.scanner, mover, 1, self._out)
        name = np.sort(self._out[:count]).tobytes()
        if name in self._seen:
            return None
        self._seen.add(name)
        return self._out[:count].copy()


def _play(options: argparse.Namespace) -> int:
    """Play games and write the file."""
    weights = read_weights(options.weights) if options.weights else read_weights()
    collector = _Collector(Searcher(weights=weights), options.nodes)
    start = time.monotonic()
    for number in range(options.games):
        collector.play(random.Random(f"{options.seed}:{number}"))
        if number % 500 == 499:
            print(f"{number + 1} games, {time.monotonic() - start:.0f} s", file=sys.stderr)
    kept = [(number, each) for number, game in enumerate(collector.kept) for each in game]
    np.savez_compressed(
        options.file,
        features=np.concatenate([each.features for _, each in kept]),
        ends=np.cumsum([len(each.features) for _, each in kept]),
        results=np.array([each.result for _, each in kept], np.int8),
        scores=np.array([each.score for _, each in kept], np.int16),
        games=np.array([number for number, _ in kept], np.int32),
    )
    known = sum(each.result != _UNKNOWN for _, each in kept)
    print(f"{options.games} games, {len(kept)} positions, {known} with a result: {options.file}")
    return 0


class _Positions(NamedTuple):
    """Positions to fit to.

    Attributes
    ----------
    features, ends : array
        The features of all positions, and the end of each position's features.
    targets, shares : array
        The probability that the side to move wins, and the weight of a position.
    """

    features: np.ndarray
    ends: np.ndarray
    targets: np.ndarray
    shares: np.ndarray


@compiled
def _slopes(positions, order, weights, slopes):
    """Return the summed log-loss of these positions, and add its slopes to ``slopes``."""
    loss = 0.0
    for k in range(len(order)):
        n = order[k]
        first, last = (positions.ends[n - 1] if n else 0), positions.ends[n]
        total = 0.0
        for i in range(first, last):
            place = abs(np.int64(positions.features[i])) - 1
            total += weights[place] if positions.features[i] > 0 else -weights[place]
        target, share = positions.targets[n], positions.shares[n]
        loss += share * (np.log(1.0 + np.exp(-abs(total))) + max(total, 0.0) - target * total)
        error = share * (1.0 / (1.0 + np.exp(-total)) - target)
        for i in range(first, last):
            place = abs(np.int64(positions.features[i])) - 1
            slopes[place] += error if positions.features[i] > 0 else -error
    return loss


def _loss(positions: _Positions, order: np.ndarray, weights: np.ndarray) -> float:
    """Return the mean log-loss of these positions."""
    loss = _slopes(positions, order, weights, np.zeros(FEATURES))
    return float(loss / positions.shares[order].sum())


def _as_weights(numbers: np.ndarray) -> Weights:
    """Return the numbers, which are in the order of the features, as a table of weights."""
    whole = np.clip(np.rint(numbers * SCALE), -LARGEST, LARGEST).astype(np.int64)
    tables = [whole[first : first + 2 * size].reshape(2, -1) for first, size in _KINDS]
    return Weights(int(whole[0]), *tables)


def _halves(numbers: np.ndarray) -> np.ndarray:
    """Replace each pair of numbers, of own and other tracks, by their sum and their difference.

    Twice applied, it doubles the numbers.
    """
    found = numbers.copy()
    for first, size in _KINDS:
        own, other = slice(first, first + size), slice(first + size, first + 2 * size)
        found[own], found[other] = numbers[own] + numbers[other], numbers[own] - numbers[other]
    return found


def _penalties(spreads: Sequence[float], apart: float) -> np.ndarray:
    """Return the penalty of each mean and each difference, by their expected spread."""
    parts = [np.array([1.0])]
    for spread, (_, size) in zip(spreads, _KINDS, strict=True):
        parts += [np.full(size, spread), np.full(size, spread * apart)]
    return np.concatenate(parts) ** -2.0


def _minimise(
    positions: _Positions, order: np.ndarray, penalties: np.ndarray, steps: int
) -> np.ndarray:
    """Return the numbers of the least log-loss and penalty, by Adam on all positions at once."""
    found = np.zeros(FEATURES)
    first, second = np.zeros(FEATURES), np.zeros(FEATURES)
    for step in range(1, steps + 1):
        slopes = np.zeros(FEATURES)
        _slopes(positions, order, _halves(found), slopes)
        slopes = _halves(slopes) + penalties * found
        first = 0.9 * first + 0.1 * slopes
        second = 0.99 * second + 0.01 * slopes * slopes
        rate = 0.05 * (1 - (step - 1) / steps)
        change = first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.99**step)) + 1e-9)
        found -= rate * change
    return _halves(found)


def _distinct(features: np.ndarray, ends: np.ndarray, results: np.ndarray) -> np.ndarray:
    """Return the places of distinct positions; of equal ones, rather one with a result."""
    names = np.random.default_rng(1).integers(0, 1 << 63, (2, FEATURES), np.uint64)
    summed = np.cumsum(names[(features < 0).astype(np.int64), abs(features.astype(np.int64)) - 1])
    sums = np.concatenate([np.zeros(1, np.uint64), summed])[ends]
    order = np.argsort(results == _UNKNOWN, kind="stable")
    keys = np.diff(sums, prepend=np.uint64(0))
    return np.sort(order[np.unique(keys[order], return_index=True)[1]])


def _fit(options: argparse.Namespace) -> int:
    """Fit, and write the weights."""
    parts = [np.load(path) for path in options.files]
    features = np.concatenate([part["features"] for part in parts])
    ends = np.cumsum(np.concatenate([np.diff(part["ends"], prepend=0) for part in parts]))
    results = np.concatenate([part["results"] for part in parts])
    scores = np.concatenate([part["scores"] for part in parts]).astype(float)
    games = np.concatenate([part["games"] for part in parts])
    known = results != _UNKNOWN
    chances = 1.0 / (1.0 + np.exp(-scores / SCALE))
    chances[scores > MATE_BOUND], chances[scores < -MATE_BOUND] = 1.0, 0.0
    mixed = options.result * results + (1 - options.result) * chances
    targets = np.where(known, mixed, chances)
    positions = _Positions(features, ends, targets, np.where(known, 1.0, options.others))
    once = _distinct(features, ends, results)
    held, used = once[games[once] % 10 == 0], once[games[once] % 10 != 0]
    weights = _minimise(positions, used, _penalties(options.spreads, options.apart), options.steps)
    by_results = positions._replace(targets=results.astype(float), shares=np.ones(len(ends)))
    ended = held[known[held]]
    print(
        f"{len(used)} positions, {known[used].sum()} with a result: log-loss "
        f"{_loss(positions, used, weights):.4f}; {len(held)} held out: "
        f"{_loss(positions, held, weights):.4f}, by the results of {len(ended)} "
        f"{_loss(by_results, ended, weights):.4f} "
        f"(without features {_loss(by_results, ended, np.zeros(FEATURES)):.4f})"
    )
    _as_weights(weights).save(options.weights)
    return 0


def main(words: Sequence[str] | None = None) -> int:
    """Run with these arguments and return the exit status."""
    parser = Parser(prog="python -m loopline.bench.makers.fit_evaluation", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    play = commands.add_parser("play", help="play games and keep their positions")
    play.add_value("--games", whole_number(), "the number of games", default=8000)
    play.add_value("--nodes", whole_number(), "the nodes for each turn", default=1500)
    play.add_value("--seed", whole_number(), "the seed of games", default=1)
    play.add_value("--weights", Path, "the weights of the players", metavar="FILE")
    play.add_argument("file", type=Path, help="the file for the positions")
    play.set_defaults(run=_play)
    fit = commands.add_parser("fit", help="fit weights to positions")
    fit.add_value("--steps", whole_number(), "the number of steps", default=300)
    fit.add_argument(
        "--spreads",
        type=decimal_number(0, 1000),
        nargs=4,
        default=(0.4, 0.4, 1.0, 0.4),
        metavar="X",
        help="the expected spread of the weights of ends, distances, lines and perimeter",
    )
    fit.add_argument(
        "--apart",
        type=decimal_number(0, 1000),
        default=0.5,
        metavar="X",
        help="the expected difference of both sides' weights, as a share of the spread",
    )
    fit.add_argument(
        "--result",
        type=decimal_number(0, 1000),
        default=0.6,
        metavar="X",
        help="the share of the result, beside the score, in a position's target",
    )
    fit.add_argument(
        "--others",
        type=decimal_number(0, 1000),
        default=0.3,
        metavar="X",
        help="the weight of a position that has a score only",
    )
    fit.add_argument("files", type=Path, nargs="+", help="files of positions")
    fit.add_argument("weights", type=Path, help="the file for the weights")
    fit.set_defaults(run=_fit)
    options = parser.parse_args(words)
    run: int = options.run(options)
    return run


if __name__ == "__main__":
    sys.exit(main())
