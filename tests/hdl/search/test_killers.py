"""The killers of each ply against the engine's."""

from __future__ import annotations

import random
from dataclasses import replace

from amaranth.asserts import AnyConst
from amaranth.hdl import Assert, Assume, Signal

from loopline.engine.board.tables import NO_MOVE
from loopline.engine.search.frames import new_memory
from loopline.engine.search.order import note_killer
from loopline.hdl.config import GridConfig
from loopline.hdl.search.config import Pruning, SearchConfig
from loopline.hdl.search.killers import KillerTable
from tests.hdl.support import pulse, simulate, ticks
from tests.hdl.support_formal import module, proof_and_faults, prove

CONFIG = SearchConfig()
SMALL = SearchConfig(grid=GridConfig(size=8, frontier_entries=16, journal=32), plies=8)


async def until_ready(ctx, dut) -> int:
    """Wait until the killers are there; return the cycles that it took."""
    cycles = 0
    while not ctx.get(dut.ready):
        await ctx.tick()
        cycles += 1
        assert cycles < 10
    return cycles


def read(ctx, port) -> int:
    """A move as the engine has it."""
    found = ctx.get(port)
    if not found.valid:
        return NO_MOVE
    place = found.move.place
    return place.y << 8 | place.x << 2 | found.move.symbol.value


def as_move(move: int) -> dict:
    return {"place": {"x": move >> 2 & 63, "y": move >> 8}, "symbol": move & 3}


def test_killers_are_those_of_the_engine():
    dut, m = KillerTable(CONFIG), new_memory(CONFIG)
    chance = random.Random(4)

    async def testbench(ctx):
        for number in range(3000):
            if number % 1000 == 999:
                m.killers[:] = NO_MOVE
                await pulse(ctx, dut.clear)
                assert not ctx.get(dut.ready)
                cycles = 0
                while ctx.get(dut.busy):
                    assert not ctx.get(dut.ready)
                    await ctx.tick()
                    cycles += 1
                assert cycles == 2 * CONFIG.plies
            before = ctx.get(dut.ply)
            ply = min(63, max(0, before + chance.choice((-1, 0, 1, chance.randint(-63, 63)))))
            ctx.set(dut.ply, ply)
            cycles = await until_ready(ctx, dut)
            assert ply == before or cycles == 2
            await ticks(ctx, chance.choice((0, 0, 1, 3)))
            assert ctx.get(dut.ready)
            kept = m.killers[ply].tolist()
            assert [read(ctx, port) for port in (dut.first, dut.second)] == kept
            if chance.random() < 0.6:
                others = [move for move in kept if move != NO_MOVE]
                new = chance.randrange(1 << 12) << 2 | chance.randrange(3)
                move = chance.choice([new, *others])
                note_killer(m, ply, move)
                ctx.set(dut.move, as_move(move))
                await pulse(ctx, dut.note)
                ctx.set(dut.move, as_move(0))
                if chance.random() < 0.5:
                    assert await until_ready(ctx, dut) == (0 if move == kept[0] else 2)

    simulate(dut, testbench)


def test_without_killers():
    dut = KillerTable(replace(CONFIG, pruning=Pruning(killers=0)))

    async def testbench(ctx):
        for _ in range(5):
            ctx.set(dut.move, as_move(4))
            await pulse(ctx, dut.note)
            assert ctx.get(dut.ready)
            assert not ctx.get(dut.busy)
            assert read(ctx, dut.first) == read(ctx, dut.second) == NO_MOVE

    simulate(dut, testbench)


def small() -> KillerTable:
    return KillerTable(SMALL)


def killers_are_kept(dut) -> None:
    """Of a ply that may be any, whatever is noted before and between, the killers are those of the
    last two different notes."""
    m = module(dut)
    ply = AnyConst(3)
    watched = dut.ply == ply
    first, second = Signal(dut.first.shape()), Signal(dut.first.shape())
    m.d.comb += [Assume(~dut.note | dut.ready), Assume(~dut.clear)]
    with m.If(dut.ready & watched):
        m.d.comb += [
            Assert(dut.first.as_value() == first.as_value()),
            Assert(dut.second.as_value() == second.as_value()),
        ]
    with m.If(dut.note & watched & ~(first.valid & (first.move == dut.move))):
        m.d.sync += [first.valid.eq(1), first.move.eq(dut.move), second.eq(first)]
    # It is ready in time.
    shown, stays = Signal(3), Signal(2)
    m.d.sync += [shown.eq(dut.ply), stays.eq(stays + (stays != 3))]
    with m.If((dut.ply != shown) | dut.note):
        m.d.sync += stays.eq(0)
    m.d.comb += Assert(dut.ready | (stays < 2) | (dut.ply != shown))
    prove(m, cycles=12)


def first_changes(m, dut):
    m.d.sync += dut.first.move.place.x.eq(0)


def second_is_a_move(m, dut):
    m.d.comb += dut.second.valid.eq(1)


def always_ready(m, dut):
    m.d.comb += dut.ready.eq(1)


test_killers_are_kept, test_a_fault_of_the_killers = proof_and_faults(
    killers_are_kept, small, [first_changes, second_is_a_move, always_ready]
)
