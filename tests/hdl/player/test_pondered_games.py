"""A player that ponders, with the lane itself: games at native speed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from loopline.engine.options import Limits
from loopline.engine.search.searcher import Searcher
from loopline.game import LIMITED, STANDARD
from loopline.hdl.config import GridConfig
from loopline.hdl.design import DesignConfig
from loopline.hdl.search.config import SearchConfig
from tests.hdl.player.reference_session import ReferenceSession, random_line
from tests.hdl.player.session_driver import SessionDriver

CONFIG = DesignConfig(
    clock_hz=1_000_000,
    baud=62_500,
    search=SearchConfig(GridConfig(size=16), table_bits=6),
    think_ms=10,
    ponder=True,
)
"""Thinks for 10,000 cycles: about a hundred nodes."""

LATEST = CONFIG.think_cycles + 3_000
"""The most cycles from a turn to its answer."""

pytestmark = [pytest.mark.xdist_group("pondering player"), pytest.mark.slow]  # Compiled once.


@pytest.fixture(scope="module", params=[1, 2], ids=["one lane", "two lanes"])
def compiled(request) -> Iterator[SessionDriver]:
    search = replace(CONFIG.search, lanes=request.param)
    player = SessionDriver(replace(CONFIG, search=search))
    yield player
    player.close()


@pytest.fixture
def player(compiled) -> SessionDriver:
    compiled.restart()
    return compiled


@pytest.fixture
def one_lane(request) -> bool:
    """Nodes tell where a search of one lane was stopped; of several, each is somewhere else."""
    return "one lane" in request.node.name


def test_turns_come_in_time_and_a_hit_is_the_same_search_with_more_time(player, one_lane):
    """The opponent's turns come at any time: before the search for the expected turn has begun, in
    its middle, and when it has ended. A turn of one lane is the engine's with as many nodes."""
    engine, rng = Searcher(CONFIG.search), random.Random(5)
    hits = misses = latest = 0
    most = {True: 0, False: 0}
    for _ in range(60):
        session = ReferenceSession(player.grid.limit)
        session.step("-B", player.send("-B", wait=2_000))
        line, hit = "@0/", False
        while line:
            wait = CONFIG.think_cycles + rng.choice([600, 2_500, rng.randrange(30_000), 50_000])
            outcome = player.send(line, wait=wait)
            session.step(line, outcome)
            if session.state == "thinking":
                # The end of it: whatever was to be awaited is.
                outcome = player.send("J9+", wait=4_000)
                session.step("J9+", outcome)
            position = session.position
            if outcome.after and line != "@0/":
                latest = max(latest, outcome.cycles)
                if position.turns > 9:
                    most[hit] = max(most[hit], outcome.nodes)
                    if one_lane:
                        before = position.copy()
                        before.undo()
                        found = engine.search(before, Limits(nodes=outcome.nodes))
                        assert outcome.after == found.turn
            if session.state != "awaited":
                break
            hit = bool(outcome.expected and outcome.after and rng.random() < 0.6)
            turns = [turn for turn in position.legal_turns() if turn != outcome.expected]
            line = str(outcome.expected if hit else rng.choice(turns))
            hits, misses = hits + hit, misses + (not hit)
    assert hits > 50
    assert misses > 50
    assert most[True] > 3 * most[False]
    assert latest < LATEST


@pytest.mark.parametrize("variant", [STANDARD, LIMITED], ids=str)
def test_random_scripts(player, variant):
    """Sessions, games, set-ups and nonsense, with pauses of any length."""
    rng = random.Random(str(variant))
    session = ReferenceSession(player.grid.limit)
    expected, hits = None, 0
    for _ in range(1_500):
        line = random_line(rng, session, expected)
        hits += session.state == "awaited" and line == str(expected)
        wait = rng.choice([14_000, 20_000, rng.randrange(400), rng.randrange(14_000)])
        outcome = player.send(line, variant=variant, wait=wait)
        session.step(line, outcome, variant)
        expected = outcome.expected if outcome.after else None
    assert session.answers > 120
    assert (hits > 30) == (variant is STANDARD)
