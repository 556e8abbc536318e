"""Several lanes: each turn that is chosen at a node is told there once, or left undone for cause.

``run_lanes`` runs as plain Python here, so that its steps can be watched.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest

from loopline.bench.measure.search import positions
from loopline.engine.options import Limits
from loopline.engine.search import lanes as steps
from loopline.engine.search import search as single
from loopline.engine.search import searcher as searching
from loopline.engine.search.frames import (
    ABORT_AT,
    ABORT_TO,
    AGAIN,
    BASE,
    BEATS,
    BEGIN,
    BEST,
    CURRENT,
    DONE,
    END,
    HOME,
    MOVE,
    NEXT,
    OTHER_OWNER,
    OVER,
    OWNER,
    PHASE,
    PLY,
    SHARED,
    TRIED,
    UNWIND_TO,
)
from loopline.engine.search.searcher import Found, Searcher
from loopline.game import DELUXE, LIMITED, LOOP, MINI, STANDARD, Position
from loopline.game.position import play_game
from loopline.hdl.search.config import SearchConfig
from tests.engine.reference import random_position

pytestmark = pytest.mark.xdist_group("engine")

Case = tuple[Position, Limits, int]
"""A search: its limits, and how many hundreds of nodes pass before it is stopped."""

VARIANTS = (STANDARD, LOOP, LIMITED, MINI, DELUXE)

COUNTED = ("told by helpers", "chosen below", "undone after a cut", "undone at the end")


@dataclass
class Node:
    """A node whose turns are tried, from the list of its turns to its end, and what it was told."""

    best: int
    cut: bool = False
    """A value has reached beta, or the node is given up: nothing else counts."""
    chosen: set[int] = field(default_factory=set)
    """The places in the list of all turns that were chosen."""
    numbers: set[int] = field(default_factory=set)
    told: int = 0
    refused: int = 0
    undone: int = 0
    under_way: dict[int, int] = field(default_factory=dict)
    """By lane: the move that it has chosen, and not told."""


def gives_up_help(lanes, i: int) -> bool:
    """Return whether a lane that leaves a node gives it up, for a cut above a node of its own.

    Then it may leave a turn undone, so that the node must get no value from now on.
    """
    t = lanes[i].totals
    owner, home = lanes[t[OWNER]], t[HOME]
    o = owner.totals
    if t[UNWIND_TO] < 0:
        return False
    heard = owner.frames[o[ABORT_TO] : home, ABORT_AT] <= t[BEATS]
    given_up = owner.frames[home, OVER] == steps.CUT or 0 <= o[UNWIND_TO] < home
    assert given_up or heard.any(), "a node that lacks a turn may get a value"
    return True


class Watch:
    """Watches searches of several lanes, and asserts what holds for all of their nodes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, searcher: Searcher) -> None:
        self.counts: Counter[str] = Counter()
        self.nodes: dict[tuple[int, int], Node] = {}
        self.made: dict[int, int] = {}
        """By lane that gives up help: the ply from which on it has made a path, no turns chosen."""
        memories = [memory.totals.ctypes.data for memory in searcher.memories]
        self._lanes = {address: lane for lane, address in enumerate(memories)}
        for module, name, watched in (
            (steps, "expand", self._expand),
            (steps, "choose", self._choose),
            (single, "_take", self._take),
            (steps, "unmake_counted", self._unmake),
            (steps, "unwind", self._unwind),
            (steps, "finish", self._finish),
            (steps, "_end_shared", self._end_shared),
            (steps, "_leave_home", self._leave_home),
            (steps, "_withdraw", self._withdraw),
            (searching, "begin_lanes", self._begin),
            (searching, "run_lanes", self._run),
        ):
            monkeypatch.setattr(module, name, self._plain(getattr(module, name), watched))

    @staticmethod
    def _plain(step: Any, watched: Callable) -> Callable:
        plain = getattr(step, "py_func", step)
        return lambda *values: watched(plain, *values)

    def _lane(self, memory) -> int:
        return self._lanes[memory.totals.ctypes.data]

    def _at(self, memory, ply: int) -> Node:
        """The node at this ply of a lane's path: its own, or that at which it helps."""
        lane, t = self._lane(memory), memory.totals
        helps = t[OWNER] != lane and t[HOME] == ply
        return self.nodes[int(t[OWNER]) if helps else lane, int(ply)]

    def _begin(self, begin_lanes, lanes) -> None:
        begin_lanes(lanes)
        self.nodes = {(0, 0): Node(int(lanes[0].frames[0, BEST]))}
        self.made = {}

    def _run(self, run_lanes, *memories) -> int:
        end = run_lanes(*memories)
        if end == DONE:
            assert not any(node.under_way for node in self.nodes.values())
        return end

    def _expand(self, expand, b, scanner, m, home) -> None:
        expand(b, scanner, m, home)
        ply = int(m.totals[PLY])
        if m.totals[PHASE] == NEXT:
            assert (self._lane(m), ply) not in self.nodes
            self.nodes[self._lane(m), ply] = Node(int(m.frames[ply, BEST]))

    def _choose(self, choose, b, m, o) -> None:
        ply, lane = m.totals[PLY], self._lane(m)
        node, current = self.nodes[self._lane(o), int(ply)], int(o.frames[ply, CURRENT])
        choose(b, m, o)
        if o.frames[ply, CURRENT] == current:
            return
        assert lane not in node.under_way, "the turn before has not been told"
        assert not node.cut, "chosen after a cut"
        assert current not in node.chosen, "chosen twice"
        node.chosen.add(current)
        self.counts["chosen below"] += int(m.totals[OTHER_OWNER] >= 0)
        if m.frames[ply, AGAIN]:
            node.refused += 1
            return
        number = int(m.frames[ply, TRIED])
        assert number not in node.numbers, "two turns have one number"
        node.numbers.add(number)
        node.under_way[lane] = int(m.frames[ply, MOVE])

    def _take(self, take, m, o, ply, value, move) -> bool:
        node, lane = self.nodes.get((self._lane(o), int(ply))), self._lane(m)
        assert node, "told to a node that is gone"
        assert node.under_way.pop(lane, None) == move, "told what has not been chosen"
        assert not node.cut, "told after a cut"
        node.told += 1
        self.counts["told by helpers"] += self._lane(o) != lane
        node.best = max(node.best, int(value))
        node.cut = take(m, o, ply, value, move)
        return node.cut

    def _leave_undone(self, memory, ply: int) -> None:
        node = self._at(memory, ply)
        assert node.under_way.pop(self._lane(memory), None) is not None, "nothing was under way"
        node.undone += 1
        self.counts["undone after a cut" if node.cut else "undone at the end"] += 1

    def _unmake(self, unmake, b, m) -> None:
        """The turn has ended the game; it is not told after a cut. Others are of a path."""
        if m.totals[PHASE] == BEGIN:
            assert self._at(m, m.totals[PLY]).cut, "left undone without a cut"
            self._leave_undone(m, m.totals[PLY])
        unmake(b, m)

    def _unwind(self, unwind, b, m) -> None:
        ply = int(m.totals[PLY])
        gone = self.nodes.pop((self._lane(m), ply), None)
        assert not (gone and gone.under_way), "who is to tell a value has no node"
        if self._lane(m) not in self.made:
            self._leave_undone(m, ply - 1)
        elif self.made[self._lane(m)] == ply - 1:
            del self.made[self._lane(m)]
        unwind(b, m)

    def _end_shared(self, end, lanes, owner, ply, by) -> None:
        self.nodes[int(owner), int(ply)].cut = True
        end(lanes, owner, ply, by)

    def _leave_home(self, leave, lanes, i) -> None:
        if gives_up_help(lanes, i):
            home = lanes[i].totals[HOME]
            self.made[i] = max(ply for ply in range(home) if lanes[i].frames[ply, SHARED])
        leave(lanes, i)

    def _withdraw(self, withdraw, m, ply) -> None:
        others = self.nodes[self._lane(m), int(ply)].under_way.keys() - {self._lane(m)}
        assert not others, "who is to tell a value has no node"
        withdraw(m, ply)

    def _finish(self, finish, b, m) -> int:
        """A node has a value: all of its turns count, unless a value has reached beta."""
        ply = int(m.totals[PLY])
        node, f = self.nodes.pop((self._lane(m), ply)), m.frames[ply]
        assert f[BEST] == node.best, "a value is lost"
        assert not node.under_way, "a turn is neither told nor left undone"
        assert len(node.chosen) == node.told + node.refused + node.undone
        if not node.cut:
            assert not node.undone, "a node that lacks a turn has a value"
            assert len(node.chosen) == f[END] - f[BASE], "a turn was not chosen"
        return finish(b, m)


def compare(monkeypatch: pytest.MonkeyPatch, lanes: int, cases: list[Case]) -> Counter[str]:
    """Watch these searches, which have the results of those that are not watched. Return counts."""
    monkeypatch.setattr(searching, "_CHUNK", 100)
    searcher = Searcher(SearchConfig(lanes=lanes))

    def found(position: Position, limits: Limits, pauses: int) -> Found:
        stopped = iter([False] * pauses + [True] * 1000)
        return searcher.search(position, limits, stopped=partial(next, stopped))._replace(seconds=0)

    expected = [found(*case) for case in cases]
    watch = Watch(monkeypatch, searcher)
    assert [found(*case) for case in cases] == expected
    return watch.counts


@pytest.mark.parametrize("lanes", [2, 3, 4])
def test_each_turn_is_told_once(monkeypatch, lanes):
    """Some searches end by themselves, by each of the limits, and as they are stopped."""
    small = [play_game(game.split(), LIMITED) for game in ("@0/", "@0/ B1+")]
    cases: list[Case] = [
        (next(iter(positions())), Limits(depth=2), 1000),
        *((each, Limits(depth=4, nodes=800), 1000) for each in small),
        (small[0], Limits(cycles=30_000), 1000),
        (small[1], Limits(depth=3), 2),
    ]
    counts = compare(monkeypatch, lanes, cases)
    assert all(counts[each] for each in COUNTED), counts


def test_a_search_of_many_lanes_that_ends(monkeypatch):
    """Eight lanes end with turns under way at nodes of each other."""
    counts = compare(monkeypatch, 8, [(list(positions())[20], Limits(nodes=1281), 1000)])
    assert counts["undone at the end"]


def test_who_gives_up_help_leaves_when_the_owner_has_heard(monkeypatch):
    """Below a node of its own, which it closes; who owns the other one hears 64 beats later."""
    game = play_game("@0/ @1+ A2\\ C2+ B0\\ @2+ D1+".split(), LIMITED)
    run_lanes, leave_home = searching.run_lanes, steps._leave_home.py_func
    chunks, given_up = itertools.count(), []

    def run(*memories: Any) -> int:
        return (run_lanes if next(chunks) < 70 else run_lanes.py_func)(*memories)

    def leave(lanes, i: int) -> None:
        given_up.append(gives_up_help(lanes, i))
        leave_home(lanes, i)

    monkeypatch.setattr(searching, "_CHUNK", 100)
    monkeypatch.setattr(searching, "run_lanes", run)
    monkeypatch.setattr(steps, "_leave_home", leave)
    Searcher(SearchConfig(lanes=4, table_bits=8)).search(game, Limits(depth=7, nodes=7910))
    assert any(given_up)


@pytest.mark.slow
@pytest.mark.parametrize("lanes", [2, 3, 4, 8])
def test_each_turn_is_told_once_in_many_searches(monkeypatch, lanes):
    rng = random.Random(lanes)
    cases: list[Case] = [(each, Limits(depth=2), 1000) for each in list(positions())[::25]]
    for _ in range(12):
        variant = rng.choice(VARIANTS)
        # No game of mini Trax goes on for long.
        position = random_position(rng, rng.randrange(1, 3 if variant == MINI else 14), variant)
        limits = Limits(rng.choice((2, 4)), rng.randrange(100, 2000))
        cases.append((position, limits, rng.choice((3, 1000))))
    compare(monkeypatch, lanes, cases)
