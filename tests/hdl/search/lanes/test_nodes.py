# amaranth: UnusedElaboratable=no
"""Shared nodes and jobs against a model in Python, under random operations of lanes."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from loopline.hdl.search.config import SHARED_NODES, SearchConfig
from loopline.hdl.search.lanes.nodes import (
    Over,
    SharedNodes,
    ShareOp,
    ShareResult,
    shared_node_layout,
    terms_layout,
)
from tests.hdl.search.lanes.proofs.nodes_model import (
    FINISHES,
    IDLE,
    UNWINDS,
    WORKS,
    Model,
    bits,
    compare,
)
from tests.hdl.support import simulate, ticks

CONFIG = SearchConfig(plies=16)
PLIES = 16
OPERATIONS = "offer put cut roused leave woken alone withdraw unwind rest".split() + [
    f"{name} {joins}" for name in ("finish", "look") for joins in (False, True)
]


@pytest.mark.parametrize(
    ("lanes", "seed"), [(2, 3), (3, 2), pytest.param(8, 5, marks=pytest.mark.slow)]
)
def test_random_operations(lanes: int, seed: int) -> None:
    dut, model, chance = SharedNodes(CONFIG, lanes), Model(lanes), random.Random(seed)
    layout = shared_node_layout(CONFIG)
    width = layout.size
    seen = Counter()

    async def driver(ctx) -> None:
        async def act(i: int, op: ShareOp, node=(0, 0), **values):
            ctx.set(dut.lane, i)
            ctx.set(dut.op, op)
            ctx.set(dut.node.owner, node[0])
            ctx.set(dut.node.slot, node[1])
            for name, value in values.items():
                ctx.set(getattr(dut, name), value)
            ctx.set(dut.heeds, bits(k for k, lane in enumerate(model.lanes) if lane.heeds))
            ctx.set(dut.valid, 1)
            cycles = 1
            while not ctx.get(dut.ready):
                events = (ctx.get(dut.joined), ctx.get(dut.woken), ctx.get(dut.gives_up))
                assert events == (0, 0, 0)
                await ctx.tick()
                cycles += 1
                assert cycles <= lanes + 2
            told = {
                name: ctx.get(getattr(dut, name))
                for name in ("joined", "woken", "gives_up", "home")
            }
            told["result"] = ctx.get(dut.result)
            told["read"], told["terms"] = ctx.get(dut.read), ctx.get(dut.terms)
            await ctx.tick()
            ctx.set(dut.valid, 0)
            await ticks(ctx, chance.choice([0, 0, 1, 3]))
            return told

        def check(what: str, told, joined=(), woken=(), gives_up=()) -> None:
            expected = (bits(joined), bits(woken), bits(gives_up))
            assert (told["joined"], told["woken"], told["gives_up"]) == expected, what
            seen[what] += 1
            seen["woken"] += bool(woken)
            compare(ctx, dut, model, f"after {what}")

        def content(over: Over):
            value = layout.from_bits(chance.getrandbits(width - 2))
            return layout.from_bits(value.as_bits() & ((1 << width) - 1) | over.value << width - 2)

        await act(0, ShareOp.CLEAR)
        for _ in range(2500):
            for lane in model.lanes:
                lane.heeds = chance.random() < 0.8
            working = [i for i, lane in enumerate(model.lanes) if lane.rest == WORKS]
            i = chance.choice(working)
            lane = model.lanes[i]
            own = [(i, slot) for slot in lane.slots if slot not in lane.above]
            nodes = [*own, *([lane.job] if lane.job else [])]
            doing = chance.random()
            if lane.job and not own and chance.random() < 0.3:
                told = await act(i, ShareOp.LEAVE)
                check("leave", told, woken=model.leave(i))
            elif doing < 0.25 and len(lane.slots) < SHARED_NODES:
                slot = chance.choice([n for n in range(SHARED_NODES) if n not in lane.slots])
                ply, depth = chance.randrange(PLIES), chance.randrange(PLIES)
                written = content(Over.OPEN)
                terms = {"depth": depth, "beta": 37 * ply - 200, "extensions": 5}
                told = await act(
                    i, ShareOp.OFFER, (i, slot), written=written, offered=terms, ply=ply
                )
                model.terms[i, slot] = terms_layout(CONFIG).const(terms).as_bits()
                model.words[i, slot] = written.as_bits()
                model.over.discard((i, slot))
                joined = model.offer(i, slot, ply, depth)
                check("offer", told, joined=joined)
                assert told["home"] == ply
            elif doing < 0.35 and nodes:
                node = chance.choice(nodes)
                told = await act(i, ShareOp.GET, node)
                assert told["read"].as_bits() == model.words[node]
                assert told["terms"].as_bits() == model.terms[node]
            elif doing < 0.45 and nodes:
                node = chance.choice(nodes)
                over = Over.NO_TURN if node in model.over or chance.random() < 0.3 else Over.OPEN
                written = content(over)
                told = await act(i, ShareOp.PUT, node, written=written)
                model.words[node] = written.as_bits()
                if over != Over.OPEN:
                    model.over.add(node)
                check("put", told)
            elif doing < 0.55 and nodes:
                waited_at = [node for node in nodes if model.is_waited_for_at(node)]
                node, ply = chance.choice(waited_at or nodes), chance.randrange(PLIES)
                written = content(Over.CUT)
                told = await act(i, ShareOp.CUT, node, written=written, ply=ply)
                model.words[node] = written.as_bits()
                waiting = [each.rest == FINISHES for each in model.lanes]
                hit = model.cut(node)
                seen["roused"] += any(waiting[k] for k in hit)
                check("cut", told, gives_up=hit)
                assert told["home"] == ply
            elif doing < 0.7 and own:
                node = chance.choice(own)
                op = chance.choice([ShareOp.FINISH, ShareOp.UNWIND])
                helpers = model.helpers(node)
                told = await act(i, op, node)
                if not helpers:
                    assert told["result"] == ShareResult.ALONE
                    check("alone", told)
                    told = await act(i, ShareOp.WITHDRAW, node)
                    del lane.slots[node[1]]
                    check("withdraw", told)
                elif op == ShareOp.UNWIND:
                    lane.rest, lane.waits = UNWINDS, node[1]
                    assert told["result"] == ShareResult.RESTS
                    check("unwind", told)
                else:
                    best = model.look(i, node[1])
                    expected = ShareResult.RESTS if best is None else ShareResult.JOINED
                    assert told["result"] == expected
                    check(f"finish {best is not None}", told, joined=[] if best is None else [i])
                    if best is not None:
                        assert told["home"] == model.lanes[best].slots[model.lanes[best].offered]
            elif i and not own and not lane.job and chance.random() < 0.2:
                lane.rest, lane.waits = IDLE, -1
                check("rest", await act(i, ShareOp.REST))
            elif i and not own and not lane.job:
                best = model.look(i, None)
                told = await act(i, ShareOp.LOOK)
                assert told["result"] == (ShareResult.RESTS if best is None else ShareResult.JOINED)
                check(f"look {best is not None}", told, joined=[] if best is None else [i])

    simulate(dut, driver)
    # Of many lanes there is always one that offers something.
    expected = [each for each in OPERATIONS if each != "look False" or lanes < 4]
    assert all(seen[each] for each in expected), seen


def test_lanes() -> None:
    for lanes in (1, 17):
        with pytest.raises(ValueError, match=f"2 to 16 lanes share nodes, not {lanes}"):
            SharedNodes(CONFIG, lanes)
