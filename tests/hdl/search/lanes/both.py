"""The search in gateware and the engine's, which search the same positions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import cache
from multiprocessing import get_context

from loopline.bench.measure.lane import differences
from loopline.engine.options import Limits
from loopline.engine.search.searcher import Searcher
from loopline.game import DELUXE, LIMITED, LOOP, MINI, STANDARD, Position, Variant, limited
from loopline.game.position import play_game
from loopline.hdl.config import GridConfig
from loopline.hdl.search.config import Pruning, SearchConfig
from loopline.sim.probe.lane import NativeLane
from tests.hdl.search.lanes.contracts import Contracts

VARIANTS = (STANDARD, LOOP, LIMITED, MINI, DELUXE, limited(5))

SMALL = SearchConfig(
    grid=GridConfig(size=32, frontier_entries=64, journal=64), table_bits=0, plies=8
)
"""No table, and little room."""

BARE = SearchConfig(
    grid=GridConfig(size=16, journal=256),
    table_bits=6,
    line=4,
    root_turns=64,
    pruning=replace(
        Pruning(),
        killers=0,
        quiescence_radius=0,
        locality=1,
        reduce_more_after=0,
        reduce_more_depth=2,
    ),
)
"""Little that prunes."""

REPEATED = (
    play_game("@0/ B1+ C1+ A0+".split(), MINI),
    play_game(r"@0/ A0\ @1\ A0\ C3+ C2/ @2+".split()),
)
"""A node is searched again after a turn that ended the game."""

DRAWN = "@0/ B1\\ A2+ B0/ B0\\ @3\\ @3\\"
"""A game of deluxe Trax in which a turn completes lines of both colours."""


@cache
def _default_lane() -> NativeLane:
    return NativeLane(SearchConfig())


def default_lane() -> NativeLane:
    """The lane of the default configuration as after power-on. A process has only one."""
    lane = _default_lane()
    lane.probe.reset()
    return lane


class Both:
    """The lanes and the engine, which search the same positions. Several lanes are observed."""

    def __init__(self, config: SearchConfig, lane: NativeLane | None = None) -> None:
        self._contracts = Contracts(config.lanes)
        if lane is None:
            with self._contracts.observing():
                lane = NativeLane(config, watched=self._contracts.watched)
        self.lane = lane
        self.engine = Searcher(config)

    def compare(
        self, position: Position, *, nodes: int = 0, depth: int = 0, seed: int | None = None
    ) -> None:
        """Search with a limit, and compare all that both say."""
        self.lane.set_up(position)
        self.lane.limit(nodes=nodes, depth=depth, seed=seed)
        found = self.lane.search()
        expected = self.engine.search(position, Limits(depth or None, nodes or None), seed=seed)
        where = " ".join(str(played.turn) for played in position.history)
        assert differences(found, expected) == [], (position.variant, where, nodes, depth, seed)
        self.check_contracts()

    def check_contracts(self) -> None:
        """Fail if lanes have done what the contracts of their parts do not allow."""
        assert self._contracts.broken(self.lane.read_watched()) == []

    def compare_probes(self) -> None:
        """Ask in games whether there is a legal turn, until there has been none. The position stays
        as it was."""
        seen = set()
        rng = random.Random(8)
        while seen != {False, True}:
            position = Position(limited(3))
            while not position.ending:
                position.play(rng.choice(position.legal_turns()))
                if position.result:
                    break
                self.lane.set_up(position)
                legal = bool(position.legal_turns())
                assert self.lane.search(probe=True).found == legal
                seen.add(legal)
                if legal:
                    self.compare(position, depth=1)


def open_positions(number: int, seed: int, *variants: Variant) -> Iterator[Position]:
    """Positions of random games that are not over."""
    rng = random.Random(seed)
    for n in range(number):
        position = Position(variants[n % len(variants)])
        for _ in range(rng.randrange(1, 24)):
            position.play(rng.choice(position.legal_turns()))
            if position.ending:
                position.undo()
                break
        yield position


def some_nodes(rng: random.Random) -> int:
    """A limit: often below the number of the root's turns, or just above it."""
    return rng.choice((1, 30, 60, 100, 300, 1000, 3000)) + rng.randrange(rng.choice((1, 30, 400)))


def compare_apart(config: SearchConfig) -> None:
    """Compare searches of another configuration, in a process of their own: the engine's memories
    have one size in a process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        pool.submit(_compare_all, config).result()


def _compare_all(config: SearchConfig) -> None:
    rng = random.Random(6)
    both = Both(config)
    with closing(both.lane):
        for position in (*open_positions(40, 6, STANDARD), *REPEATED):
            if max(position.width, position.height) < config.grid.limit - 2:
                both.compare(position, depth=3)
                both.compare(position, nodes=some_nodes(rng))
