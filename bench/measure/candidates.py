"""Every candidate of every position of a game, evaluated by the gateware and by the rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from loopline.bench.makers.games import Game
from loopline.game import Tile, parse_turn
from loopline.game.board import Board
from loopline.game.chain import FITTING, Chain, make_chain
from loopline.game.grid import coordinates
from loopline.game.legality import chain_of
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status
from loopline.sim.probe.evaluator import CycleUse, NativeEvaluator
from loopline.sim.probe.turn_unit import Evaluation, colour_mask

__all__ = [
    "Candidate",
    "Tally",
    "evaluate",
    "evaluate_game",
    "evaluate_position",
]

_EXAMPLES = 5
"""The most differences of one game that are described; further ones are counted."""


class Candidate(NamedTuple):
    """A tile's shape code, and its space by coordinates on the torus."""

    x: int
    y: int
    shape: int


def evaluate(
    board: Board, grid: GridConfig, space: int, tile: Tile
) -> tuple[Evaluation, Chain | None]:
    """Return the rules' evaluation of a tile that fits, and the tiles that a legal one lays."""
    mask = grid.size - 1
    x, y = coordinates(space)
    before = board.box
    box = before.including(x, y)
    on_torus = box.west & mask, box.north & mask, box.east & mask, box.south & mask
    # An area that is larger than what the grid holds limits nothing.
    area = board.variant.size
    if area is not None and area <= grid.limit and not box.is_within(area):
        return Evaluation(Status.AREA, 0, 0, 0, on_torus), None
    if not box.is_within(grid.limit):
        return Evaluation(Status.BOUNDS, 0, 0, 0, on_torus), None
    chain = make_chain(board.sockets, space, tile)
    if chain.conflict:
        return Evaluation(Status.FORCED, 0, 0, 0, on_torus), None
    loops, lines = board.lay(chain)
    board.lift(chain)
    board.box = before
    done = Evaluation(
        Status.LEGAL, len(chain.steps), colour_mask(loops), colour_mask(lines), on_torus
    )
    return done, chain


def evaluate_position(board: Board, grid: GridConfig) -> dict[Candidate, Evaluation]:
    """Return the rules' evaluation of every candidate of a position, made and unmade one by one."""
    mask = grid.size - 1
    evaluations = {}
    for space, sockets in list(board.sockets.items()):
        x, y = coordinates(space)
        for tile in FITTING[sockets]:
            candidate = Candidate(x & mask, y & mask, tile.shape.code)
            evaluations[candidate] = evaluate(board, grid, space, tile)[0]
    return evaluations


@dataclass
class Tally:
    """Sums over games.

    Attributes
    ----------
    games, positions, candidates : int
        Numbers of games replayed, positions visited and candidates evaluated.
    cut : int
        Games that outgrew the grid; they were replayed up to there.
    wrong : int
        Candidates and turns of games on which the unit and the rules differ.
    slow : int
        Candidates that took the slow path.
    by_tiles, rounds : Counter
        Candidates, and the rounds of their tokens through the chain, by the number of tiles; 0
        stands for illegal ones.
    cycles_by_use : Counter
        Cycles by the name of their :class:`CycleUse`.
    examples : list of str
        Some of the differences.
    """

    games: int = 0
    positions: int = 0
    candidates: int = 0
    cut: int = 0
    wrong: int = 0
    slow: int = 0
    by_tiles: Counter[int] = field(default_factory=Counter)
    rounds: Counter[int] = field(default_factory=Counter)
    cycles_by_use: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    @property
    def cycles(self) -> int:
        """All cycles."""
        return self.cycles_by_use.total()

    @property
    def cycles_per_candidate(self) -> float:
        """The mean number of cycles; 0 without candidates."""
        return self.cycles / self.candidates if self.candidates else 0.0

    def add(self, other: Tally) -> None:
        """Add the sums of another tally."""
        self.games += other.games
        self.positions += other.positions
        self.candidates += other.candidates
        self.cut += other.cut
        self.wrong += other.wrong
        self.slow += other.slow
        self.by_tiles += other.by_tiles
        self.rounds += other.rounds
        self.cycles_by_use += other.cycles_by_use
        self.examples += other.examples

    def note(self, what: str) -> None:
        """Count a difference, and keep the description of the first few."""
        self.wrong += 1
        if len(self.examples) < _EXAMPLES:
            self.examples.append(what)


def evaluate_game(unit: NativeEvaluator, game: Game) -> Tally:
    """Evaluate every candidate of every position before the end of a game."""
    tally, board = Tally(games=1), Board(game.variant)
    before = unit.cycles_by_use()
    unit.clear(game.variant)
    for number, text in enumerate(game.turns, 1):
        chain = chain_of(board, turn := parse_turn(text))
        status = Status(unit.make(*coordinates(chain.steps[0].space), turn.shape).status)
        if status is not Status.LEGAL:
            if status is Status.BOUNDS:
                tally.cut += 1
            else:
                tally.note(f"{game.name}: {status.name} for a turn of the game")
            break
        unit.commit()
        completed = board.lay(chain)
        if completed.loops or completed.lines:
            break
        _compare_position(unit, board, tally, f"{game.name}, after turn {number}")
    after = unit.cycles_by_use()
    tally.cycles_by_use.update({use.name: after[use] - before[use] for use in CycleUse})
    return tally


def _compare_position(unit: NativeEvaluator, board: Board, tally: Tally, where: str) -> None:
    """Compare the unit's evaluations of a position's candidates with those of the rules."""
    expected = evaluate_position(board, unit.grid)
    tally.positions += 1
    tally.candidates += len(expected)
    found = list(unit.evaluate_all())
    spaces = unit.spaces()
    for evaluated in found:
        tally.slow += evaluated.slow
        tally.by_tiles[evaluated.evaluation.tiles] += 1
        tally.rounds[evaluated.evaluation.tiles] += evaluated.rounds
        place = spaces.get(evaluated.index)
        if place is None:
            tally.note(f"{where}: {evaluated} is in no space that has candidates")
            continue
        candidate = Candidate(*place, evaluated.shape)
        by_rules = expected.pop(candidate, None)
        if evaluated.evaluation != by_rules:
            found = evaluated.evaluation
            tally.note(f"{where}: of {candidate} the unit says {found}, the rules {by_rules}")
    for candidate in expected:
        tally.note(f"{where}: of {candidate} the unit says nothing")
