"""The root's turns against a sorted list."""

from __future__ import annotations

import random

from amaranth.hdl import Array, Assert, Assume, Mux, Signal, Value

from loopline.hdl.config import GridConfig
from loopline.hdl.search.config import SearchConfig, Widths
from loopline.hdl.search.root_list import ListOp, RootList
from tests.hdl.support import Stalls, simulate, stream_get, stream_put
from tests.hdl.support_formal import assert_stream_contract, module, proof_and_faults, prove

CONFIG = SearchConfig(root_turns=64)
SMALL = SearchConfig(
    grid=GridConfig(size=8, frontier_entries=16, journal=32),
    root_turns=64,
    widths=Widths(evaluation=10, root_order=10),
)


def test_turns_are_sorted() -> None:
    dut, chance, stalls = RootList(CONFIG), random.Random(6), Stalls(2)

    async def testbench(ctx):
        async def operate(op: ListOp, **fields: int) -> None:
            await stream_put(ctx, dut.ops, {"op": op, **fields}, stalls=stalls)

        for most in (0, 1, 3, 20, 63, 64, 70):
            listed: list[tuple[int, int, int]] = []
            await operate(ListOp.CLEAR)
            assert ctx.get(dut.count) == 0
            for number in range(most):
                rank = chance.choice((0, 1, 8191, 8192, 16383, chance.randrange(1 << 14)))
                new = rank, number, chance.randrange(3)
                await operate(ListOp.INSERT, rank=rank, index=number, symbol=new[2])
                if len(listed) < CONFIG.root_turns:
                    at = sum(each[0] >= rank for each in listed)
                    listed.insert(at, new)
                assert ctx.get(dut.count) == len(listed)
            for _ in range(3):
                for number in range(len(listed)):
                    await operate(ListOp.READ, number=number)
                    found = await stream_get(ctx, dut.results, stalls=stalls)
                    assert (found.rank, found.index, found.symbol) == listed[number]
                if listed:
                    number = chance.choice((0, len(listed) - 1, chance.randrange(len(listed))))
                    await operate(ListOp.FRONT, number=number)
                    listed.insert(0, listed.pop(number))
                    assert ctx.get(dut.count) == len(listed)

    simulate(dut, testbench, check=[dut.ops, dut.results])


def test_cycles() -> None:
    dut = RootList(CONFIG)

    async def testbench(ctx):
        async def cycles(op: ListOp, **fields: int) -> int:
            await stream_put(ctx, dut.ops, {"op": op, **fields})
            for cycles in range(100):
                if ctx.get(dut.ops.ready):
                    return cycles
                await ctx.tick()
            raise AssertionError("never ready")

        assert await cycles(ListOp.INSERT, rank=5) == 2
        assert await cycles(ListOp.INSERT, rank=5) == 2
        assert await cycles(ListOp.INSERT, rank=6) == 4
        assert await cycles(ListOp.INSERT, rank=5) == 2
        assert await cycles(ListOp.FRONT, number=3) == 5
        assert await cycles(ListOp.FRONT, number=0) == 2
        assert await cycles(ListOp.CLEAR) == 0
        assert await cycles(ListOp.INSERT, rank=7) == 2
        await stream_put(ctx, dut.ops, {"op": ListOp.READ})
        assert ctx.get(dut.results.valid)

    simulate(dut, testbench)


def small() -> RootList:
    return RootList(SMALL)


def list_is_sorted(dut) -> None:
    """What is read, after any operations, is what a list of three turns would have there."""
    m = module(dut)
    op = dut.ops.payload
    most = 3
    word = len(Value.cast(dut.results.payload))
    listed = [Signal(word, name=f"listed{n}") for n in range(most)]
    count, read = Signal(range(most + 1)), Signal(range(most))
    rank_bits = len(op.rank)
    new = Signal(dut.results.payload.shape())
    m.d.comb += [
        new.rank.eq(op.rank),
        new.index.eq(op.index),
        new.symbol.eq(op.symbol),
        Assume((op.op != ListOp.INSERT) | (count != most) | ~dut.ops.valid),
        Assume(
            (op.op == ListOp.INSERT)
            | (op.op == ListOp.CLEAR)
            | (op.number < count)
            | ~dut.ops.valid
        ),
        Assert(dut.count == count),
    ]
    assert_stream_contract(m, dut.results)
    with m.If(dut.results.valid):
        m.d.comb += Assert(Value.cast(dut.results.payload) == Array(listed)[read])
    before = [(n < count) & (each[:rank_bits] >= op.rank) for n, each in enumerate(listed)]
    with m.If(dut.ops.valid & dut.ops.ready), m.Switch(op.op):
        with m.Case(ListOp.CLEAR):
            m.d.sync += count.eq(0)
        with m.Case(ListOp.INSERT):
            m.d.sync += count.eq(count + 1)
            # Sorted as it is, those before the new one come first; after FRONT it goes behind
            # the last one that has its rank or a larger one.
            for n, each in enumerate(listed):
                behind = Value.cast(0)
                for other in before[n:]:
                    behind = behind | other
                with m.If(~behind):
                    follows = before[n - 1] if n else 1
                    later = listed[n - 1] if n else new
                    m.d.sync += each.eq(Mux(follows, new, later))
        with m.Case(ListOp.READ):
            m.d.sync += read.eq(op.number)
        with m.Case(ListOp.FRONT):
            for n, each in enumerate(listed):
                with m.If(n <= op.number):
                    m.d.sync += each.eq(listed[n - 1] if n else Array(listed)[op.number])
    prove(m, cycles=10)


def count_is_one(m, dut):
    m.d.sync += dut.count.eq(1)


def rank_is_lost(m, dut):
    m.d.comb += dut.results.payload.rank.eq(0)


def always_ready(m, dut):
    m.d.comb += dut.ops.ready.eq(1)


test_list_is_sorted, test_a_fault_of_the_list = proof_and_faults(
    list_is_sorted, small, [count_is_one, rank_is_lost, always_ready]
)
