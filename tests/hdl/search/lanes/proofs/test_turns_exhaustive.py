"""No turn is lost in all states that few lanes with few shared nodes can come to.

::

    choose, tell, cut, offer, leave, give up ... ──► states of lanes, nodes, turns, and cuts that
                                                     are not heard yet
                               what holds in each ◄──┘
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import partial

import pytest

from tests.hdl.search.lanes.proofs.graphs import may_end
from tests.hdl.search.lanes.proofs.nodes_model import FINISHES, Model
from tests.hdl.search.lanes.proofs.turns_model import Node, Search, Step, Turns, steps


def explore(
    lanes: int, slots: int, stops: bool = False
) -> tuple[set[tuple], dict[tuple, set[tuple]]]:
    """The states in which no node is shared, and all states with those that may follow."""
    start = Search(Model(lanes), [Turns()] * lanes)
    searches, ends = {start.key(): start}, set()
    leads: dict[tuple, set[tuple]] = {}
    waiting = deque(searches)
    while waiting:
        here = waiting.popleft()
        search = searches.pop(here)
        leads[here] = set()
        if search.stops == stops and not any(map(search.path, range(lanes))):
            ends.add(here)
        for step in steps(search, slots, stops):
            after = search.copy()
            step(after)
            after.settle()
            there = after.key()
            leads[here].add(there)
            if there not in leads and there not in searches:
                searches[there] = after
                waiting.append(there)
        assert leads[here] or here in ends, "all lanes wait"
    return ends, leads


@pytest.mark.parametrize(
    "size",
    [
        (2, 2, True),
        pytest.param((2, 4, False), marks=pytest.mark.slow),
        pytest.param((3, 1, True), marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_what_holds_in_all_states(size: tuple[int, int, bool]) -> None:
    """No value lacks a turn, no turn loses its node, and any state may come to an end."""
    ends, leads = explore(*size)
    assert ends
    assert may_end(leads, ends) == set(leads)


def test_help_that_is_left_too_soon_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a lane that gives up help below a node of its own before the lane there hears of it."""
    unwind_to = Search.unwind_to

    def at_once(search: Search, i: int, node: Node) -> None:
        unwind_to(search, i, node)
        search.change(i, hears=0)

    monkeypatch.setattr(Search, "unwind_to", at_once)
    with pytest.raises(AssertionError, match="a value lacks a turn"):
        explore(3, 1)


def test_a_lane_that_does_not_hear_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cut that does not concern who waits for helpers."""
    cut = Model.cut

    def deaf(model: Model, node: Node) -> set[int]:
        for lane in model.lanes:
            lane.heeds &= lane.rest != FINISHES
        return cut(model, node)

    monkeypatch.setattr(Model, "cut", deaf)
    with pytest.raises(AssertionError, match="a value lacks a turn"):
        explore(2, 2)


def test_an_owner_that_does_not_stop_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends a node at which a helper has left a turn undone as it stopped."""
    all_steps = steps

    def deaf(search: Search, slots: int, stops: bool) -> Iterator[Step]:
        yield from all_steps(search, slots, stops)
        model, node = search.model, (0, 0)
        busy = node in search.turns[0].under_way or model.helpers(node)
        if search.stops and node in model.over and not busy:
            yield partial(Search.finish, i=0)

    monkeypatch.setitem(globals(), "steps", deaf)
    with pytest.raises(AssertionError, match="a value lacks a turn"):
        explore(2, 1, stops=True)
