"""Contracts: each observer finds what it looks for, and says nothing of what is allowed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from amaranth.lib import wiring

from loopline.hdl.config import GridConfig
from loopline.hdl.search.config import SHARED_NODES, SearchConfig
from loopline.hdl.search.lanes.turnstile import BEAT_BITS
from loopline.hdl.search.table import TableOp
from tests.hdl.search.lanes.contracts import (
    DOOMS,
    TABLE,
    TURNSTILE,
    Contracts,
    ObservedDooms,
    ObservedTable,
    ObservedTurnstile,
)
from tests.hdl.support import simulate, stream_put

CONFIG = SearchConfig(grid=GridConfig(size=16), table_bits=6, lanes=2)
BEHIND = (1 << BEAT_BITS) - 1
"""A clock just before 0."""
STORE, CLEAR = TableOp.STORE, TableOp.CLEAR


def broken(dut: wiring.Component, cycles: list[dict[str, int]], names: tuple[str, ...]) -> set[str]:
    """Return the rules that are broken by these inputs, cycle by cycle; others stay as they are."""
    found: set[str] = set()

    async def drive(ctx) -> None:
        for inputs in cycles:
            for path, value in inputs.items():
                port = dut
                for name in path.split("."):
                    port = port[int(name)] if name.isdigit() else getattr(port, name)
                ctx.set(port, value)
            await ctx.tick()
        await ctx.tick()
        bits = ctx.get(dut._broken)
        found.update(name for n, name in enumerate(names) if bits >> n & 1)

    simulate(dut, drive)
    return found


def grant_to(lane: int, clock: int, **done: int) -> Iterator[dict[str, int]]:
    """A lane has the grant, with which this is done."""
    yield {"asks": 1 << lane, f"clocks.{lane}": clock}
    yield from [{}] * 6
    yield {"asks": 0, **done}


GRANTS = [{"active": 1}, *grant_to(0, 5, active=3, **{"clocks.1": 9}), {}]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ([{"clocks.0": 8}, *grant_to(0, 8, active=2), {}, {"active": 0}], None),
        ([{"asks": 1}, {"clocks.0": 6}], 0),
        ([{"clocks.0": 4}], 1),
        ([{"asks": 2}, {"asks": 0}], 2),
        ([{"active": 2}], 3),
        ([{"active": 1}], 3),
        ([{}] * 8 + [{"clocks.0": 1000}, {"clocks.0": 2500}], 5),
    ],
)
def test_turnstile(more: list[dict[str, int]], expected: int | None) -> None:
    dut = ObservedTurnstile(2, Contracts(2).turnstile)
    names = set() if expected is None else {TURNSTILE[expected]}
    assert broken(dut, [*GRANTS, *more], TURNSTILE) == names


@pytest.mark.parametrize(
    "cycles",
    [
        [{"active": 1}, {}, {"active": 3}],
        [{"active": 1}, *grant_to(0, 5, active=3, **{"clocks.1": 4})],
    ],
)
def test_a_lane_that_is_woken(cycles: list[dict[str, int]]) -> None:
    dut = ObservedTurnstile(2, Contracts(2).turnstile)
    assert broken(dut, cycles, TURNSTILE) == {TURNSTILE[4]}


def request(lane: int, op: TableOp, beat: int) -> dict[str, int]:
    """A lane offers a request."""
    port = f"ports.{lane}.requests"
    return {f"{port}.valid": 1, f"{port}.payload.op": op.value, f"{port}.payload.beat": beat}


@pytest.mark.parametrize(
    ("cycles", "expected"),
    [
        ([request(0, STORE, 7), {"ports.0.requests.valid": 0}], 0),
        ([request(0, STORE, 7), request(0, STORE, 8)], 0),
        ([request(0, STORE, 7), *[{}] * 8, request(0, STORE, 6)], 1),
        ([{"known": 1, "least": 9}, request(1, STORE, 8)], 2),
        ([request(1, CLEAR, 0)], 3),
        ([request(1, STORE, 0) | request(0, CLEAR, 0)], 3),
    ],
)
def test_table(cycles: list[dict[str, int]], expected: int) -> None:
    dut = ObservedTable(CONFIG, 2, Contracts(2).table)
    assert TABLE[expected] in broken(dut, cycles, TABLE)


def test_a_table_that_is_used_as_it_may_be() -> None:
    dut = ObservedTable(CONFIG, 2, Contracts(2).table)

    async def drive(ctx) -> None:
        for lane, beat in ((0, 7), (1, 5), (0, 7), (1, 9)):
            await stream_put(ctx, dut.ports[lane].requests, {"op": STORE, "beat": beat})
            await ctx.tick()
            assert ctx.get(dut._broken) == 0

    simulate(dut, drive, cycles=1000)


def doom(ply: int, beat: int = 100) -> dict[str, int]:
    """What is below a ply is to be given up."""
    return {"add": 1, "home": ply, "beat": beat}


@pytest.mark.parametrize(
    ("cycles", "expected"),
    [
        ([doom(9), doom(8), {"add": 0, "forget": 1, "left": 8}, {"forget": 0}, doom(9)], None),
        ([{"now": 850}, doom(5, 68)], None),
        ([doom(5), {"add": 0}, doom(5)], 0),
        ([{"now": 850}, doom(5, 67)], 1),
        ([doom(40 - n) for n in range(SHARED_NODES + 3)], 2),
        ([doom(5), {"add": 0, "now": BEHIND}], 3),
    ],
)
def test_dooms(cycles: list[dict[str, int]], expected: int | None) -> None:
    dut = ObservedDooms(64, 3, Contracts(1).dooms[0])
    names = set() if expected is None else {DOOMS[expected]}
    assert broken(dut, [*cycles, {"add": 0}], DOOMS) == names


def test_rules_have_names() -> None:
    both = Contracts(2)
    assert both.broken((1 << len(both.watched)) - 1) == [*TURNSTILE, *TABLE, *DOOMS]
    assert both.broken(0) == []
