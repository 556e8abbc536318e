"""A random session with the turn unit: turns, evaluations and interruptions against the rules.

A seed decides everything: the grid, the variant, where on the torus the first tile lies, when the
streams stall, and what is done. So a session that finds a difference finds it again.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import NamedTuple

from loopline.bench.measure.candidates import Candidate
from loopline.bench.torture.checked_unit import CheckedUnit, DifferenceError
from loopline.game import DELUXE, LIMITED, LOOP, MINI, STANDARD, Tile, limited
from loopline.game.grid import coordinates
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status, TurnOp
from loopline.sim.probe.evaluator import NativeEvaluator
from loopline.sim.probe.probe import ProbeTimeoutError

__all__ = ["GRIDS", "POSITIONS", "VARIANTS", "Outcome", "grid_of", "run_session"]

POSITIONS = 20
"""Positions of a session in which all candidates are compared."""

GRIDS = (
    GridConfig(size=8),
    GridConfig(size=16),
    GridConfig(size=32),
    GridConfig(size=64),
    GridConfig(size=16, frontier_entries=32, journal=64),
)
"""All sizes, and a grid whose memories soon fill up; sessions take them in turn."""

VARIANTS = (STANDARD, LOOP, LIMITED, DELUXE, STANDARD, MINI, limited(5), limited(13))
"""The variants, taken in turn."""


class Outcome(NamedTuple):
    """The outcome of a session.

    ``seen``, ``deepest`` and ``longest`` as :class:`CheckedUnit` has them; ``wrong`` says what
    differed first, and is empty if nothing did.
    """

    seed: int
    seen: Counter[str]
    deepest: int
    longest: int
    wrong: str


def grid_of(seed: int) -> GridConfig:
    """Return the grid of a session."""
    return GRIDS[seed % len(GRIDS)]


def run_session(unit: NativeEvaluator, seed: int) -> Outcome:
    """Run a session on a unit with :func:`grid_of` this seed."""
    checked = CheckedUnit(unit)
    wrong = ""
    try:
        _Session(checked, seed).run()
    except (DifferenceError, ProbeTimeoutError) as error:
        wrong = str(error)
    return Outcome(seed, checked.seen, checked.deepest, checked.longest, wrong)


class _Session:
    def __init__(self, checked: CheckedUnit, seed: int) -> None:
        self._checked = checked
        self._rng = random.Random(seed)
        self._variant = VARIANTS[seed // len(GRIDS) % len(VARIANTS)]
        self._stalls = self._rng.random() < 0.5
        self._begin()

    def run(self) -> None:
        rng, checked = self._rng, self._checked
        actions = {
            self._some_turns: 60,
            self._any_turn: 8,
            self._unmake_some: 14,
            self._remake: 3,
            checked.commit: 4,
            self._stall: 6,
            self._another_game: 2,
            self._interrupt: 3,
        }
        while checked.seen["positions"] < POSITIONS:
            (action,) = rng.choices([*actions], [*actions.values()])
            action()
            if not checked.compared and rng.random() < 0.6:
                checked.compare((rng.randrange(checked.grid.frontier_entries), rng.randrange(4)))
        if checked.position.tiles and rng.random() < 0.1:
            checked.use_up_epochs()
        self._unmake(checked.depth)
        checked.unmake_nothing()

    def _begin(self) -> None:
        """Begin a game somewhere on the torus: in which style, and with how many turns."""
        rng, size = self._rng, self._checked.grid.size
        self._checked.clear(self._variant, (rng.randrange(size), rng.randrange(size)))
        self._style = rng.choice(("anywhere", "corner", "row", "chains", "dense", "dense"))
        self._direction = rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1)))
        # How many turns are kept until they are made final: more than fit, for some.
        self._keep = rng.choice((1, 4, 16, 40, 999))
        self._make(rng.choice((0, 4, 30, 80, 140)))

    def _another_game(self) -> None:
        self._variant = self._rng.choice(VARIANTS)
        self._begin()

    def _some_turns(self) -> None:
        self._make(self._rng.choice((1, 1, 1, 3, 10)))

    def _make(self, count: int) -> None:
        """Make up to ``count`` turns."""
        for _ in range(count):
            if self._checked.depth >= self._keep:
                self._checked.commit()
            if not self._turn():
                self._leave()
                break

    def _turn(self) -> bool:
        """Make a turn in the game's style, and unmake it if it ends the game. Return false if none
        was found."""
        position, rng = self._checked.position, self._rng
        found = position.candidates()
        rng.shuffle(found)
        if self._style == "dense":
            found.sort(key=self._openness)
        elif self._style in ("row", "corner"):
            found.sort(key=self._along)
        turns = [position.named(*turn) for turn in found[:12]]
        if self._style == "chains":
            turns.sort(key=self._tiles)
        for turn in turns:
            evaluation, _ = position.evaluate(turn)
            ends = bool(evaluation.loops or evaluation.lines)
            if ends and rng.random() < 0.7:
                continue
            if self._checked.make(turn) is Status.LEGAL:
                self._unmake(ends)
                return True
        return False

    def _along(self, turn: tuple[int, Tile]) -> float:
        """Return a turn's sort key, lower for a place farther in the game's direction."""
        x, y = coordinates(turn[0])
        along, down = self._direction
        return -(along * x + down * y) + self._rng.random() * (4 if self._style == "corner" else 0)

    def _openness(self, turn: tuple[int, Tile]) -> float:
        """Return a random sort key, lower for a space with more sockets."""
        sockets = self._checked.position.board.sockets.get(turn[0], 0)
        return self._rng.random() * 2 - sockets.bit_count()

    def _tiles(self, turn: Candidate) -> int:
        """Return a turn's sort key, lower for a turn of more tiles."""
        return -self._checked.position.evaluate(turn)[0].tiles

    def _leave(self) -> None:
        """Go on in another way after a position in which no turn could be made."""
        choice = self._rng.random()
        if self._checked.depth and choice < 0.7:
            self._unmake_some()
        elif self._checked.depth and choice < 0.85:
            self._checked.commit()
        else:
            self._another_game()

    def _any_turn(self) -> None:
        """Try any shape in any cell, where most often it does not fit; half of them near a tile."""
        rng, position, size = self._rng, self._checked.position, self._checked.grid.size
        x, y, shape = rng.randrange(size), rng.randrange(size), rng.randrange(3)
        if position.tiles and rng.random() < 0.5:
            x, y, _ = position.named(*rng.choice(position.candidates()))
        evaluation, _ = position.evaluate(Candidate(x, y, shape))
        if self._checked.make(Candidate(x, y, shape)) is Status.LEGAL:
            self._unmake(bool(evaluation.loops or evaluation.lines))

    def _unmake(self, count: int) -> None:
        for _ in range(count):
            self._checked.unmake()

    def _unmake_some(self) -> None:
        self._unmake(min(self._checked.depth, self._rng.choice((1, 1, 2, 5, 40))))
        if not self._checked.depth:
            self._checked.unmake_nothing()

    def _remake(self) -> None:
        if self._checked.depth:
            self._checked.remake()

    def _stall(self) -> None:
        """Begin to hold back the streams, or end it."""
        if self._stalls:
            self._checked.unit.stall(self._rng.choice((0, self._rng.getrandbits(60) | 1)))

    def _interrupt(self) -> None:
        """Pulse the reset in the middle of any command, and begin another game."""
        rng, position = self._rng, self._checked.position
        op = rng.choice([*TurnOp, TurnOp.EVALUATE, TurnOp.MAKE])
        fields = {}
        if op is TurnOp.MAKE and position.tiles:
            turns = [position.named(*turn) for turn in position.candidates()]
            turn = min(rng.sample(turns, min(6, len(turns))), key=self._tiles)
            fields = {"x": turn.x, "y": turn.y, "symbol": turn.shape}
        after = rng.choice((1, 2, rng.randrange(1, 16), rng.randrange(1, 200)))
        self._checked.interrupt(op, after, outcomes=rng.choice((0, 1, 5, 30)), **fields)
        self._another_game()
