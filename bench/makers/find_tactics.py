"""Find positions with a forced win, and write them for ``loopline bench tactics`` and ``puzzle``.

    python -m loopline.bench.makers.find_tactics host/puzzles/tactics.txt

The program goes through games of the engine against itself. It takes a position if attacks win for
the side to move in 2 to 7 of its own turns, and provably not faster. The df-pn solver looks for
wins in 3, 5, ... turns of both sides, each time with empty tables, until it proves one; it has to
refute all shorter ones. A second solver, without a table and with all answers at once instead of
those near the attacks first, has to prove the win again.

A line of the file has the number of own turns, then all turns that lead to the position.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from loopline.engine.board.position import EnginePosition
from loopline.engine.options import Limits
from loopline.engine.search.searcher import Searcher
from loopline.engine.solver.solver import Solver
from loopline.game import Position
from loopline.hdl.search.config import Pruning, SearchConfig
from loopline.tools.arguments import Parser, whole_number

__all__ = ["LEAST", "MOST", "Prover", "main"]

LEAST, MOST = 2, 7
"""The fewest and the most own turns of a win."""

_HEAD = """\
# Positions in which the side to move wins by attacks in so many own turns, and attacks do not win
# faster. Written and verified by bench/makers/find_tactics.py.
#
# own turns | all turns of a game that the search has played against itself
"""
_FIRST_LOOK = 100_000
_EACH = 400_000
_PROOF = 20_000_000
_PER_GAME = 2
_SELF_NODES = 1_500
_RANDOM_TURNS = (3, 6)
_FROM_TURN = 6


class Candidate(NamedTuple):
    """A position: its game's number, its text in the file, and the position."""

    game: int
    text: str
    position: Position


class Prover:
    """Proves the fewest own turns in which attacks win."""

    def __init__(self) -> None:
        self._searcher = Searcher()
        plain = Pruning(table=0, quiescence_radius=0)
        self._plain = Searcher(SearchConfig(pruning=plain, table_bits=0))

    def _attempt(self, searcher: Searcher, position: Position, nodes: int, turns: int | None):
        here = EnginePosition(position.variant, searcher.config.grid)
        here.follow(position)
        return Solver(searcher).settle(here.board, position.turns & 1, nodes, turns)

    def own_turns(self, position: Position) -> int:
        """Return the proved least number of own turns to a win.

        0 means that no win was found, or that the number could not be proved.
        """
        first = self._attempt(self._searcher, position, _FIRST_LOOK, 2 * MOST - 1)
        for turns in range(1, first.turns + 1, 2):
            found = self._attempt(self._searcher, position, _EACH, turns)
            if found.turns:
                return (turns + 1) // 2 if self.wins(position, turns) else 0
            if not found.settled:
                return 0
        return 0

    def wins(self, position: Position, turns: int) -> bool:
        """Return whether the plain solver, without table and order of answers, proves the win."""
        return bool(self._attempt(self._plain, position, _PROOF, turns).turns)


def _played(seed: int) -> Iterator[Candidate]:
    searcher = Searcher()
    for number in range(1_000_000):
        chance = random.Random(f"{seed}:{number}")
        position, opening = Position(), chance.randint(*_RANDOM_TURNS)
        while not position.ending and position.turns < 60:
            if position.turns < opening:
                turn = chance.choice(position.legal_turns())
            else:
                turn = searcher.search(position, Limits(nodes=_SELF_NODES)).turn
            position.play(turn)
            if not position.ending and position.turns >= _FROM_TURN:
                moves = " ".join(str(played.turn) for played in position.history)
                yield Candidate(number, moves, position)


def _take(seed: int, prover: Prover, wanted: int, give_up_after: int) -> Iterator[str]:
    """Yield lines of up to ``wanted`` positions of each number of own turns.

    Ends when more than ``give_up_after`` games in a row have given no position.
    """
    found: Counter[int] = Counter()
    of_game: Counter[tuple[int, int]] = Counter()
    last_of_use = 0
    for candidate in _played(seed):
        complete = all(found[own] >= wanted for own in range(LEAST, MOST + 1))
        if complete or candidate.game - last_of_use > give_up_after:
            break
        own, of = prover.own_turns(candidate.position), candidate.game
        if own < LEAST or found[own] >= wanted or of_game[of, own] >= _PER_GAME:
            continue
        found[own] += 1
        of_game[of, own] += 1
        last_of_use = of
        yield f"{own} | {candidate.text}"


def main(words: Sequence[str] | None = None) -> int:
    """Run with these arguments and return the exit status."""
    parser = Parser(prog="python -m loopline.bench.makers.find_tactics", description=__doc__)
    parser.add_value("--wanted", whole_number(), "positions of each kind", default=25)
    parser.add_value(
        "--give-up-after",
        whole_number(),
        "the most games in a row without a new position",
        default=60,
        metavar="GAMES",
    )
    parser.add_value("--seed", whole_number(), "the seed of games", default=1)
    parser.add_argument("file", type=Path, help="the file to write")
    options = parser.parse_args(words)
    lines = []
    for line in _take(options.seed, Prover(), options.wanted, options.give_up_after):
        print(line, file=sys.stderr, flush=True)
        lines.append(line)
    lines.sort(key=lambda line: int(line.split()[0]))
    options.file.write_text(_HEAD + "\n".join(lines) + "\n", encoding="ascii")
    print(f"{len(lines)} positions: {options.file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
