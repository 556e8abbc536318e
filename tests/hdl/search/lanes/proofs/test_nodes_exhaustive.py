# amaranth: UnusedElaboratable=no
"""Shared nodes in all states that few lanes with few nodes can come to.

::

    all operations, from the state after CLEAR on ──► states and steps between them
                                                        │
                             what holds in each ◄───────┤
              a walk along all steps, on the gateware ◄─┘

Lanes keep to what they do: only one that works acts; it leaves its deepest node first, and helps on
until it has none of its own below. The turns of the nodes are left out: any step may come at any
time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import pytest

from loopline.hdl.search.config import SearchConfig
from loopline.hdl.search.lanes.nodes import Over, SharedNodes, ShareOp
from tests.hdl.search.lanes.proofs.graphs import may_end
from tests.hdl.search.lanes.proofs.nodes_model import (
    FINISHES,
    IDLE,
    UNWINDS,
    WORKS,
    Model,
    bits,
    compare,
)
from tests.hdl.support import simulate

CONFIG = SearchConfig(plies=16)


class Step(NamedTuple):
    """An operation of a lane: ``lane``, ``op``, the owner and slot of its node, and the depth left
    of an offer, or who heeds a cut."""

    lane: int
    op: ShareOp
    node: tuple[int, int] = (0, 0)
    more: int | tuple[int, ...] = 0


class Told(NamedTuple):
    """The lanes to which an operation gives a job, that need not wait, and that give up."""

    joined: set[int]
    woken: set[int]
    gives_up: set[int]


def copy(model: Model) -> Model:
    found = Model(len(model.lanes))
    found.lanes = [replace(lane, slots=dict(lane.slots)) for lane in model.lanes]
    found.over = set(model.over)
    return found


def key(model: Model) -> tuple:
    """The state: what is known of nodes that are shared no more does not count."""
    lanes = (
        (
            *(lane.rest, lane.waits if lane.rest in (FINISHES, UNWINDS) else -1),
            *(lane.job, lane.former, lane.below, tuple(lane.slots), lane.above),
            *((lane.offered, lane.depth) if model.is_open(i) else ()),
        )
        for i, lane in enumerate(model.lanes)
    )
    return (*lanes, frozenset(node for node in model.over if node[1] in model.lanes[node[0]].slots))


def steps(model: Model, slots: int, depths: range) -> Iterator[Step]:
    """All that lanes may do."""
    for i, lane in enumerate(model.lanes):
        if lane.rest != WORKS:
            continue
        below = [slot for slot in lane.slots if slot not in lane.above]
        nodes = [(i, slot) for slot in below[-1:]]
        if lane.job and not below:
            nodes.append(lane.job)
            yield Step(i, ShareOp.LEAVE)
        if not model.is_open(i):
            for slot in range(slots):
                if slot not in lane.slots:
                    for depth in depths:
                        yield Step(i, ShareOp.OFFER, (i, slot), depth)
                    break
        for node in nodes:
            if node not in model.over:
                yield Step(i, ShareOp.PUT, node)
            concerned = sorted({*model.helpers(node), node[0]})
            for chosen in range(1 << len(concerned)):
                yield Step(
                    i,
                    ShareOp.CUT,
                    node,
                    tuple(k for n, k in enumerate(concerned) if chosen >> n & 1),
                )
        if below:
            for op in (ShareOp.FINISH, ShareOp.UNWIND):
                yield Step(i, op, (i, below[-1]))
        elif i and not lane.job:
            yield Step(i, ShareOp.LOOK)
            yield Step(i, ShareOp.REST)


def take(model: Model, step: Step) -> Told:
    """Change the model; a node of its own that has no helpers is withdrawn at once."""
    i, lane, slot = step.lane, model.lanes[step.lane], step.node[1]
    joined, woken, gives_up = set(), set(), set()
    match step.op:
        case ShareOp.LEAVE:
            woken = model.leave(i)
        case ShareOp.OFFER:
            model.over.discard(step.node)
            joined = model.offer(i, slot, 0, step.more)
        case ShareOp.PUT:
            model.over.add(step.node)
        case ShareOp.CUT:
            for k, each in enumerate(model.lanes):
                each.heeds = k in step.more
            gives_up = model.cut(step.node)
        case ShareOp.FINISH | ShareOp.UNWIND if not model.helpers(step.node):
            del lane.slots[slot]
        case ShareOp.UNWIND:
            lane.rest, lane.waits = UNWINDS, slot
        case ShareOp.FINISH:
            joined = {i} if model.look(i, slot) is not None else set()
        case ShareOp.LOOK:
            joined = {i} if model.look(i, None) is not None else set()
        case ShareOp.REST:
            lane.rest, lane.waits = IDLE, -1
    return Told(joined, woken, gives_up)


def check(model: Model) -> None:
    """Each lane that waits for helpers has one, and no job is at a node that is gone."""
    lanes = model.lanes
    assert any(lane.rest == WORKS for lane in lanes), "all lanes wait"
    for i, lane in enumerate(lanes):
        if lane.rest in (FINISHES, UNWINDS):
            assert lane.waits in lane.slots
            assert model.helpers((i, lane.waits)), f"lane {i} waits for nobody"
        if lane.rest == IDLE:
            assert (lane.job, lane.slots) == (None, {})
        for owner, slot in lane.helps_at:
            assert owner != i
            assert slot in lanes[owner].slots, f"lane {i} helps at a node that is gone"


def explore(lanes: int, slots: int, depths: range) -> tuple[dict, dict]:
    """All states, each with its steps and where they lead."""
    start = Model(lanes)
    models, graph = {key(start): start}, {}
    waiting = deque(models)
    while waiting:
        here = waiting.popleft()
        check(models[here])
        graph[here] = {}
        for step in steps(models[here], slots, depths):
            model = copy(models[here])
            take(model, step)
            there = key(model)
            graph[here][step] = there
            if there not in models:
                models[there] = model
                waiting.append(there)
    return models, graph


def walk(graph: dict[tuple, dict[Step, tuple]], here: tuple) -> Iterator[Step]:
    """A way along all steps: to the nearest one that is left, again and again."""
    left = {state: list(leads) for state, leads in graph.items()}
    while True:
        ways: dict[tuple, list[Step]] = {here: []}
        waiting = deque(ways)
        while waiting and not left[waiting[0]]:
            state = waiting.popleft()
            for step, there in graph[state].items():
                if there not in ways:
                    ways[there] = [*ways[state], step]
                    waiting.append(there)
        if not waiting:
            return
        here = waiting[0]
        yield from ways[here]
        step = left[here].pop()
        yield step
        here = graph[here][step]


SIZES = [
    (2, 2, range(1)),
    (3, 1, range(1)),
    pytest.param((2, 4, range(2)), marks=pytest.mark.slow),
    pytest.param((3, 1, range(2)), marks=pytest.mark.slow),
    pytest.param((3, 2, range(1)), marks=pytest.mark.slow),
    pytest.param((4, 1, range(1)), marks=pytest.mark.slow),
]
"""Lanes, nodes that each may share, and depths of these."""


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_what_holds_in_all_states(size: tuple[int, int, range]) -> None:
    """``check``, and all nodes can be left from any state."""
    models, graph = explore(*size)
    leads = {here: after.values() for here, after in graph.items()}
    assert may_end(leads, [key(Model(size[0]))]) == set(models)


def test_a_lane_that_is_not_woken_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def leave(model: Model, i: int) -> set[int]:
        lane = model.lanes[i]
        lane.job, lane.former, lane.below = lane.former if lane.below else None, None, False
        lane.above = frozenset()
        return set()

    monkeypatch.setattr(Model, "leave", leave)
    with pytest.raises(AssertionError, match="waits for nobody|all lanes wait"):
        explore(*SIZES[0])


def test_a_node_that_is_left_too_early_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One whose owner does not see a helper that helps below a node of its own, too."""
    monkeypatch.setattr(
        Model,
        "helpers",
        lambda model, node: [i for i, lane in enumerate(model.lanes) if lane.job == node],
    )
    with pytest.raises(AssertionError, match="waits for nobody|is gone"):
        explore(*SIZES[1])


@pytest.mark.parametrize(
    "size", [SIZES[0], pytest.param(SIZES[1], marks=pytest.mark.slow)], ids=str
)
def test_the_gateware_along_all_steps(size: tuple[int, int, range]) -> None:
    lanes = size[0]
    _, graph = explore(*size)
    model = Model(lanes)
    dut = SharedNodes(CONFIG, lanes)

    async def driver(ctx) -> None:
        async def act(step: Step) -> tuple[int, int, int]:
            ctx.set(dut.lane, step.lane)
            ctx.set(dut.op, step.op)
            ctx.set(dut.node.owner, step.node[0])
            ctx.set(dut.node.slot, step.node[1])
            if step.op is ShareOp.OFFER:
                ctx.set(dut.offered.depth, step.more)
            if step.op is ShareOp.CUT:
                ctx.set(dut.heeds, bits(step.more))
            over = {ShareOp.PUT: Over.NO_TURN, ShareOp.CUT: Over.CUT}.get(step.op, Over.OPEN)
            ctx.set(dut.written.over, over)
            ctx.set(dut.valid, 1)
            for _ in range(lanes + 2):
                told = ctx.get(dut.joined), ctx.get(dut.woken), ctx.get(dut.gives_up)
                ready = ctx.get(dut.ready)
                await ctx.tick()
                if ready:
                    break
                assert told == (0, 0, 0)
            ctx.set(dut.valid, 0)
            assert ready
            return told

        await act(Step(0, ShareOp.CLEAR))
        seen = set()
        for step in walk(graph, key(model)):
            where = f"{key(model)}: {step}"
            seen.add((key(model), step))
            ends = step.op in (ShareOp.FINISH, ShareOp.UNWIND) and not model.helpers(step.node)
            expected = take(model, step)
            found = await act(step)
            assert found == tuple(map(bits, expected)), where
            if ends:
                await act(step._replace(op=ShareOp.WITHDRAW))
            compare(ctx, dut, model, where)
        assert len(seen) == sum(map(len, graph.values()))

    simulate(dut, driver)
