"""Every candidate of every position of a game, judged by the trials and by the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from loopline.bench.measure.recorded import RecordedGame
from loopline.game import STANDARD, Shape, Tile, TraxError, parse_turn
from loopline.game.board import Board
from loopline.game.chain import FITTING, Chain, make_chain
from loopline.game.grid import coordinates
from loopline.game.legality import chain_of
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status
from loopline.sim.probe.evaluator import NativeTrials, Spent, Trial
from loopline.sim.probe.turn_unit import ways

__all__ = [
    "Candidate",
    "GameError",
    "Judged",
    "Tally",
    "judge",
    "judge_game",
    "judged_by_model",
    "replay",
]

_EXAMPLES = 5
"""Differences of one game that are described; the others are only counted."""


class GameError(Exception):
    """A recorded game that cannot be replayed; the message names it."""


class Candidate(NamedTuple):
    """A tile's shape code, and its space by coordinates on the torus."""

    x: int
    y: int
    shape: int


class Judged(NamedTuple):
    """What is said of a candidate.

    ``tiles``, ``loops`` and ``lines`` (masks, bit 0 white) are those of a legal turn, 0 otherwise;
    ``box`` is the first column and row and the last ones with the first tile, on the torus.
    """

    status: Status
    tiles: int
    loops: int
    lines: int
    box: tuple[int, int, int, int]


def judge(board: Board, grid: GridConfig, space: int, tile: Tile) -> tuple[Judged, Chain | None]:
    """What the reference model says of a tile that fits, and what it lays if the turn is legal."""
    mask = grid.size - 1
    x, y = coordinates(space)
    before = board.box
    box = before.including(x, y)
    on_torus = box.west & mask, box.north & mask, box.east & mask, box.south & mask
    # An area that is larger than what the grid holds limits nothing.
    area = board.variant.size
    if area is not None and area <= grid.limit and not box.is_within(area):
        return Judged(Status.AREA, 0, 0, 0, on_torus), None
    if not box.is_within(grid.limit):
        return Judged(Status.BOUNDS, 0, 0, 0, on_torus), None
    chain = make_chain(board.sockets, space, tile)
    if chain.conflict:
        return Judged(Status.FORCED, 0, 0, 0, on_torus), None
    loops, lines = board.lay(chain)
    board.lift(chain)
    board.box = before
    done = Judged(Status.LEGAL, len(chain.steps), ways(loops), ways(lines), on_torus)
    return done, chain


def judged_by_model(board: Board, grid: GridConfig) -> dict[Candidate, Judged]:
    """Every candidate of a position, made and taken back by the reference model."""
    mask = grid.size - 1
    judged = {}
    for space, sockets in list(board.sockets.items()):
        x, y = coordinates(space)
        for tile in FITTING[sockets]:
            candidate = Candidate(x & mask, y & mask, tile.shape.code)
            judged[candidate] = judge(board, grid, space, tile)[0]
    return judged


@dataclass
class Tally:
    """Sums over games.

    Attributes
    ----------
    games, positions, candidates : int
        What was replayed, and judged.
    cut : int
        Games that outgrew the grid, replayed up to there.
    wrong : int
        Candidates, or turns of the game, of which the unit said anything else than the model.
    slow : int
        Candidates that took the slow path.
    by_tiles, rounds : Counter
        Candidates, and the rounds that their trials went through the pipeline, by the number of
        tiles; 0 stands for those that are illegal.
    spent : Counter
        Cycles by what they went to.
    examples : list of str
        Some of what was wrong.
    """

    games: int = 0
    positions: int = 0
    candidates: int = 0
    cut: int = 0
    wrong: int = 0
    slow: int = 0
    by_tiles: Counter[int] = field(default_factory=Counter)
    rounds: Counter[int] = field(default_factory=Counter)
    spent: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    @property
    def cycles(self) -> int:
        """All cycles."""
        return self.spent.total()

    @property
    def cycles_per_candidate(self) -> float:
        """The mean; 0 without candidates."""
        return self.cycles / self.candidates if self.candidates else 0.0

    def add(self, other: Tally) -> None:
        """Add another one's sums."""
        self.games += other.games
        self.positions += other.positions
        self.candidates += other.candidates
        self.cut += other.cut
        self.wrong += other.wrong
        self.slow += other.slow
        self.by_tiles += other.by_tiles
        self.rounds += other.rounds
        self.spent += other.spent
        self.examples += other.examples

    def note(self, what: str) -> None:
        """Count something as wrong, and describe it unless enough has been described."""
        self.wrong += 1
        if len(self.examples) < _EXAMPLES:
            self.examples.append(what)


def replay(
    game: RecordedGame, visit: Callable[[Board, int], None], make: Callable[[int, int, Shape], bool]
) -> None:
    """Play a game of standard Trax on the model and visit the positions in which it goes on.

    ``make`` is given each turn before the model makes it, and ends the replay by returning false;
    ``visit`` the board after each turn, and the turn's number. Raises :exc:`GameError`.
    """
    board = Board(STANDARD)
    for number, text in enumerate(game.turns, 1):
        try:
            chain = chain_of(board, turn := parse_turn(text))
        except TraxError as error:
            raise GameError(f"{game.name}, turn {number}: {error}") from None
        if not make(*coordinates(chain.steps[0].space), turn.shape):
            return
        completed = board.lay(chain)
        if completed.loops or completed.lines:
            return
        visit(board, number)


def judge_game(unit: NativeTrials, game: RecordedGame) -> Tally:
    """Judge every candidate of every position of a game of standard Trax.

    Raises :exc:`GameError`.
    """
    tally = Tally(games=1)
    before = unit.spent()
    unit.clear(STANDARD)

    def make(x: int, y: int, shape: Shape) -> bool:
        status = Status(unit.place(x, y, shape).status)
        if status is Status.LEGAL:
            unit.commit()
            return True
        if status is Status.BOUNDS:
            tally.cut += 1
        else:
            tally.note(f"{game.name}: {status.name} for a turn of the game")
        return False

    def visit(board: Board, number: int) -> None:
        _judge_position(unit, board, tally, f"{game.name}, after turn {number}")

    replay(game, visit, make)
    spent = unit.spent()
    tally.spent.update({what.name: spent[what] - before[what] for what in Spent})
    return tally


def _judge_position(unit: NativeTrials, board: Board, tally: Tally, where: str) -> None:
    """Compare what the unit says of a position's candidates with what the model says."""
    expected = judged_by_model(board, unit.grid)
    tally.positions += 1
    tally.candidates += len(expected)
    trials = list(unit.try_all())
    spaces = unit.spaces()
    for trial in trials:
        tally.slow += trial.slow
        tally.by_tiles[_tiles(trial)] += 1
        tally.rounds[_tiles(trial)] += trial.rounds
        place = spaces.get(trial.index)
        if place is None:
            tally.note(f"{where}: {trial} is in no space that has candidates")
            continue
        candidate = Candidate(*place, trial.shape)
        model = expected.pop(candidate, None)
        said = Judged(trial.status, *_completed(trial), trial.box)
        if said != model:
            tally.note(f"{where}: of {candidate} the unit says {said}, the model {model}")
    for candidate in expected:
        tally.note(f"{where}: of {candidate} the unit says nothing")


def _tiles(trial: Trial) -> int:
    return trial.tiles if trial.status is Status.LEGAL else 0


def _completed(trial: Trial) -> tuple[int, int, int]:
    """Tiles, loops and lines, which a trial leaves undefined unless it is legal."""
    legal = trial.status is Status.LEGAL
    return (trial.tiles, trial.loops, trial.lines) if legal else (0, 0, 0)
