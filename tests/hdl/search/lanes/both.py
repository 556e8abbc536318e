"""The search in gateware and the engine's, which search the same positions."""

from __future__ import annotations

import random
from collections.abc import Iterator

from loopline.bench.measure.lane import differences
from loopline.engine.options import Limits
from loopline.engine.search.searcher import Searcher
from loopline.game import DELUXE, LIMITED, LOOP, MINI, STANDARD, Position, Variant, limited
from loopline.hdl.search.config import SearchConfig
from loopline.sim.probe.lane import NativeLane

VARIANTS = (STANDARD, LOOP, LIMITED, MINI, DELUXE, limited(5))


class Both:
    """The lanes and the engine, which search the same positions."""

    def __init__(self, config: SearchConfig) -> None:
        self.lane = NativeLane(config)
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
