"""Fit the weights of the twin's evaluation to the results of games that it plays against itself.

    python -m loopline.bench.fit_evaluation play --games 8000 --nodes 1500 --seed 1 games.npz
    python -m loopline.bench.fit_evaluation fit games.npz weights.txt

``play`` begins each game after 2 to 7 random turns that leave nobody an attack. One turn in 25 is a
random one; positions before it are dropped, as they did not lead to the result. Of each quiet
position (no attack of either side) it keeps the classes of all tracks and who has won.

``fit`` is a logistic regression with a penalty on the squares of the weights. The weights of a
class for the side to move and for the other are taken as a mean and a difference, and the
difference is believed to be small: two numbers that are nearly the same are found from the
positions of both. One game in ten is left out, and the log-loss on these says how good the fit is.
The weights are rounded to integers, ``SCALE`` for a factor of e in the odds.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numba import njit

from loopline.bench.options import Parser
from loopline.game import Shape
from loopline.sim.twin.board import EAST, HIGH, NORTH, SOUTH, WEST
from loopline.sim.twin.classes import (
    DISTANCE_CLASS,
    DISTANCE_CLASSES,
    END_CLASS,
    END_CLASSES,
    LINE_FROM,
    LINE_GAPS,
    LINE_ROWS,
    LINE_SPANS,
    MEETING,
    REACH,
    TURNED,
)
from loopline.sim.twin.config import SearchConfig
from loopline.sim.twin.options import config_of
from loopline.sim.twin.position import TwinPosition
from loopline.sim.twin.scan import OTHER_ATTACKS, OWN_ATTACKS, scan
from loopline.sim.twin.searcher import Limits, Searcher
from loopline.sim.twin.tables import COLUMN, ROW_BITS, SIDE_OF
from loopline.sim.twin.weights import Weights, read_weights

__all__ = ["FEATURES", "SCALE", "collect", "main"]

SCALE = 128
"""Points for a factor of e in the odds."""

LARGEST = 511
"""Weights have ten bits."""

_OWN_ENDS = 1
_OWN_DISTANCES = _OWN_ENDS + 2 * END_CLASSES
_OWN_LINES = _OWN_DISTANCES + 2 * DISTANCE_CLASSES
FEATURES = _OWN_LINES + 2 * LINE_ROWS
"""The tempo, then by kind the classes of the side to move's tracks and those of the other's."""

_ROW = 2 * REACH + 1
_MOST_TURNS = 120
_RANDOM_SHARE = 0.04
_SHAPES = sorted(Shape, key=lambda shape: shape.code)


@njit(cache=True)
def collect(b, mover, lines, out):
    """The features of a position, those of the opponent's tracks with a minus; how many.

    A feature's number is one more than its place, so that each has a sign.
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
    return count


def _quiet(here: TwinPosition, searcher: Searcher, mover: int) -> bool:
    scan(here.board, searcher.scanner, mover)
    found = searcher.scanner.found
    return not found[OWN_ATTACKS] and not found[OTHER_ATTACKS]


def _random_turn(here: TwinPosition, searcher: Searcher, mover: int, chance: random.Random) -> bool:
    """Make a random turn that neither ends the game nor leaves the opponent an attack."""
    candidates = list(here.candidates())
    for candidate in chance.sample(candidates, len(candidates)):
        outcome = here.play(candidate.cell, candidate.shape)
        if outcome.status.value:
            continue
        scan(here.board, searcher.scanner, mover ^ 1)
        if not outcome.completed and not searcher.scanner.found[OWN_ATTACKS]:
            here.commit()
            return True
        here.undo()
    return False


def _game(searchers: Sequence[Searcher], limits: Limits, chance: random.Random):
    """Play a game: the features of its quiet positions and whether the side to move has won."""
    here, turns, kept = TwinPosition(grid=searchers[0].config.grid), 0, []
    opening = chance.randint(2, 7)
    out = np.zeros(512, np.int16)
    while turns < _MOST_TURNS:
        mover, searcher = turns & 1, searchers[turns & 1]
        if turns == 0:
            first = chance.choice(list(here.candidates()))
            here.play(first.cell, first.shape)
            here.commit()
        elif turns < opening or (chance.random() < _RANDOM_SHARE and kept):
            kept.clear()
            if not _random_turn(here, searcher, mover, chance):
                return []
        else:
            if _quiet(here, searcher, mover):
                kept.append((mover, out[: collect(here.board, mover, 1, out)].copy()))
            best = searcher.think(here, turns, limits)
            completed = here.play(best.move >> 2, _SHAPES[best.move & 3]).completed
            here.commit()
            if completed:
                winner = mover if completed >> mover & 1 else mover ^ 1
                return [(features, int(winner == mover)) for mover, features in kept]
        turns += 1
    return []


def _play(options: argparse.Namespace) -> int:
    """Play games and write the file."""
    config: SearchConfig = config_of([])
    weights = read_weights(options.weights) if options.weights else read_weights()
    searchers = [Searcher(config, weights) for _ in range(2)]
    limits, start = Limits(nodes=options.nodes), time.monotonic()
    rows: list[np.ndarray] = []
    results: list[int] = []
    games: list[int] = []
    for number in range(options.games):
        chance = random.Random(f"{options.seed}:{number}")
        for features, won in _game(searchers, limits, chance):
            rows.append(features)
            results.append(won)
            games.append(number)
        if number % 500 == 499:
            seconds = time.monotonic() - start
            print(f"{number + 1} games, {len(rows)} positions, {seconds:.0f} s", file=sys.stderr)
    ends = np.cumsum([len(row) for row in rows])
    np.savez_compressed(
        options.file,
        features=np.concatenate(rows),
        ends=ends,
        results=np.array(results, np.int8),
        games=np.array(games, np.int32),
    )
    print(f"{options.games} games, {len(rows)} positions: {options.file}")
    return 0


@njit(cache=True)
def _slopes(features, ends, results, order, weights, slopes):
    """Add up the slopes of the log-loss of these positions."""
    for k in range(len(order)):
        n = order[k]
        first, last = (ends[n - 1] if n else 0), ends[n]
        total = 0.0
        for i in range(first, last):
            place = abs(np.int64(features[i])) - 1
            total += weights[place] if features[i] > 0 else -weights[place]
        error = 1.0 / (1.0 + np.exp(-total)) - results[n]
        for i in range(first, last):
            place = abs(np.int64(features[i])) - 1
            slopes[place] += error if features[i] > 0 else -error


@njit(cache=True)
def _loss(features, ends, results, order, weights):
    """The mean log-loss of the positions in this order."""
    loss = 0.0
    for k in range(len(order)):
        n = order[k]
        first, last = (ends[n - 1] if n else 0), ends[n]
        total = 0.0
        for i in range(first, last):
            place = abs(np.int64(features[i])) - 1
            total += weights[place] if features[i] > 0 else -weights[place]
        loss += np.log(1.0 + np.exp(-total if results[n] else total))
    return loss / len(order)


def _as_weights(numbers: np.ndarray) -> Weights:
    """The numbers in the order of the features as a table of weights."""
    whole = np.clip(np.rint(numbers * SCALE), -LARGEST, LARGEST).astype(np.int64)
    ends, distances, lines = np.split(whole[_OWN_ENDS:], [2 * END_CLASSES, _OWN_LINES - _OWN_ENDS])
    return Weights(
        int(whole[0]), ends.reshape(2, -1), distances.reshape(2, -1), lines.reshape(2, -1)
    )


def _halves(numbers: np.ndarray) -> np.ndarray:
    """Of each pair of an own and another track's number the mean and half the difference; applied
    twice, and halved, it gives the numbers back."""
    found = numbers.copy()
    for first, size in (
        (_OWN_ENDS, END_CLASSES),
        (_OWN_DISTANCES, DISTANCE_CLASSES),
        (_OWN_LINES, LINE_ROWS),
    ):
        own, other = slice(first, first + size), slice(first + size, first + 2 * size)
        found[own], found[other] = numbers[own] + numbers[other], numbers[own] - numbers[other]
    return found


def _penalties(spreads: Sequence[float], apart: float) -> np.ndarray:
    """The penalty of each mean and half difference, by how far they are believed to spread."""
    sizes = (END_CLASSES, DISTANCE_CLASSES, LINE_ROWS)
    parts = [np.array([1.0])]
    for spread, size in zip(spreads, sizes, strict=True):
        parts += [np.full(size, spread), np.full(size, spread * apart)]
    return np.concatenate(parts) ** -2.0


def _minimise(features, ends, results, order, penalties: np.ndarray, steps: int) -> np.ndarray:
    """The numbers of the smallest log-loss and penalty, by Adam on all positions at once."""
    found = np.zeros(FEATURES)
    first, second = np.zeros(FEATURES), np.zeros(FEATURES)
    for step in range(1, steps + 1):
        slopes = np.zeros(FEATURES)
        _slopes(features, ends, results, order, _halves(found), slopes)
        slopes = _halves(slopes) + penalties * found
        first = 0.9 * first + 0.1 * slopes
        second = 0.99 * second + 0.01 * slopes * slopes
        rate = 0.05 * (1 - (step - 1) / steps)
        change = first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.99**step)) + 1e-9)
        found -= rate * change
    return _halves(found)


def _fit(options: argparse.Namespace) -> int:
    """Fit, and write the weights."""
    parts = [np.load(path) for path in options.files]
    features = np.concatenate([part["features"] for part in parts])
    sizes = [np.diff(part["ends"], prepend=0) for part in parts]
    ends = np.cumsum(np.concatenate(sizes))
    results = np.concatenate([part["results"] for part in parts])
    games = np.concatenate([part["games"] for part in parts])
    held = np.flatnonzero(games % 10 == 0)
    used = np.flatnonzero(games % 10)
    penalties = _penalties(options.spreads, options.apart)
    weights = _minimise(features, ends, results, used, penalties, options.steps)
    share = results[held].mean()
    alone = -share * np.log(share) - (1 - share) * np.log(1 - share)
    print(
        f"{len(used)} positions, log-loss {_loss(features, ends, results, used, weights):.4f}; "
        f"{len(held)} held out, {_loss(features, ends, results, held, weights):.4f} "
        f"(by the share of wins alone {alone:.4f})"
    )
    _as_weights(weights).save(options.weights)
    return 0


def main(words: Sequence[str] | None = None) -> int:
    """Run with these arguments; the exit status."""
    parser = Parser(prog="python -m loopline.bench.fit_evaluation", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    play = commands.add_parser("play", help="play games and keep their positions")
    play.add_argument("--games", type=int, default=8000, metavar="N")
    play.add_argument("--nodes", type=int, default=1500, metavar="N", help="for each turn")
    play.add_argument("--seed", type=int, default=1, metavar="N")
    play.add_argument("--weights", type=Path, metavar="FILE", help="of the players")
    play.add_argument("file", type=Path, help="for the positions")
    play.set_defaults(run=_play)
    fit = commands.add_parser("fit", help="fit weights to positions")
    fit.add_argument("--steps", type=int, default=300, metavar="N")
    fit.add_argument(
        "--spreads",
        type=float,
        nargs=3,
        default=(0.3, 0.5, 1.5),
        metavar="X",
        help="how far weights of ends, distances and lines are believed to spread",
    )
    fit.add_argument(
        "--apart",
        type=float,
        default=0.5,
        metavar="X",
        help="how far those of both sides differ, as a share of that",
    )
    fit.add_argument("files", type=Path, nargs="+", help="of positions")
    fit.add_argument("weights", type=Path, help="for the weights")
    fit.set_defaults(run=_fit)
    options = parser.parse_args(words)
    run: int = options.run(options)
    return run


if __name__ == "__main__":
    sys.exit(main())
