"""The variations of all plies against lists."""

from __future__ import annotations

import random

import pytest

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import ShapeCode
from loopline.hdl.search.config import SearchConfig
from loopline.hdl.search.types import move_layout
from loopline.hdl.search.variation import Variation, VariationOp
from tests.hdl.support import Stalls, simulate, stream_get, stream_put

GRID = GridConfig(size=16)
MOVE = move_layout(GRID)


def some_move(chance: random.Random) -> dict:
    place = {"x": chance.randrange(16), "y": chance.randrange(16)}
    return {"place": place, "symbol": chance.choice(list(ShapeCode))}


@pytest.mark.parametrize("line", [4, 6, 16])
@pytest.mark.parametrize("stalled", [False, True])
def test_variations(line: int, stalled: bool) -> None:
    config = SearchConfig(grid=GRID, line=line, plies=20)
    dut, chance = Variation(config), random.Random(line)
    stalls = Stalls(line) if stalled else None
    lines: list[list[int]] = [[] for _ in range(config.plies + 2)]

    async def driver(ctx) -> None:
        async def do(op: VariationOp, ply: int, number: int = 0) -> None:
            move = some_move(chance)
            payload = {"op": op, "ply": ply, "number": number, "move": move}
            await stream_put(ctx, dut.ops, payload, stalls=stalls)
            if op is VariationOp.EMPTY:
                lines[ply] = []
            elif op is VariationOp.PUT:
                lines[ply] = [MOVE.const(move).as_bits(), *lines[ply + 1]][: config.line]

        longest = 0
        for ply in reversed(range(config.plies + 1)):
            await do(VariationOp.EMPTY, ply)
        for _ in range(60):
            # As in a search: down, and up again, from a node whose variation is empty.
            deep = chance.randint(1, config.plies)
            await do(VariationOp.EMPTY, deep)
            for ply in reversed(range(chance.choice([0, 0, deep]), deep)):
                await do(VariationOp.PUT if chance.random() < 0.95 else VariationOp.EMPTY, ply)
            ply = chance.choice([0, chance.randrange(line)])
            longest = max(longest, len(lines[0]))
            for number in range(min(line - ply, len(lines[ply]) + 1)):
                await do(VariationOp.READ, ply, number)
                result = await stream_get(ctx, dut.results, stalls=stalls)
                assert result.valid == (number < len(lines[ply]))
                if result.valid:
                    assert result.move.as_bits() == lines[ply][number]
        assert longest == line

    simulate(dut, driver, check=[dut.ops, dut.results])


def test_a_result_waits() -> None:
    """The next operation is on offer while a result is."""
    dut, stalls, chance = Variation(SearchConfig(grid=GRID, line=4)), Stalls(2), random.Random(2)
    expected = [chance.randrange(16) for _ in range(50)]

    async def do(ctx) -> None:
        for x in expected:
            move = {"place": {"x": x}, "symbol": ShapeCode.CROSS}
            for op in (VariationOp.EMPTY, VariationOp.PUT, VariationOp.READ):
                payload = {"op": op, "ply": op is VariationOp.EMPTY, "move": move}
                await stream_put(ctx, dut.ops, payload)

    async def receive(ctx) -> None:
        for x in expected:
            result = await stream_get(ctx, dut.results, stalls=stalls)
            assert (result.valid, result.move.place.x) == (1, x)

    simulate(dut, do, receive, check=[dut.ops, dut.results], cycles=5000)


def test_latency() -> None:
    config = SearchConfig(grid=GRID, line=4, plies=8)
    dut = Variation(config)

    async def driver(ctx) -> None:
        async def cycles(op: VariationOp, ply: int) -> int:
            ctx.set(dut.ops.payload, {"op": op, "ply": ply, "number": 0})
            ctx.set(dut.ops.valid, 1)
            count = 1
            while not ctx.get(dut.ops.ready):
                count += 1
                await ctx.tick()
            await ctx.tick()
            ctx.set(dut.ops.valid, 0)
            return count

        assert await cycles(VariationOp.EMPTY, 3) == 1
        for ply, length in ((2, 1), (1, 2), (0, 3)):
            assert await cycles(VariationOp.PUT, ply) == length + 1
        assert await cycles(VariationOp.PUT, 4) == 1
        for ply in reversed(range(4)):
            spent = await cycles(VariationOp.PUT, ply)
        assert spent == 4
        assert await cycles(VariationOp.READ, 0) == 1
        assert ctx.get(dut.results.valid)

    simulate(dut, driver)


def test_turns_that_another_lane_has_found() -> None:
    """What is read at a ply is written at it, or at a deeper one, with the mark at its end."""
    config = SearchConfig(grid=GRID, line=6, plies=20, lanes=2)
    dut, chance = Variation(config), random.Random(4)
    lengths = set()

    async def driver(ctx) -> None:
        async def do(op: VariationOp, ply: int, number: int = 0, move=None) -> None:
            move = some_move(chance) if move is None else move
            payload = {"op": op, "ply": ply, "number": number, "move": move}
            await stream_put(ctx, dut.ops, payload)

        async def read(ply: int, number: int):
            await do(VariationOp.READ, ply, number)
            return await stream_get(ctx, dut.results)

        for _ in range(300):
            ply = chance.randrange(config.line)
            other = chance.randrange(ply, config.line)
            deepest = chance.randrange(ply, config.line + 1)
            await do(VariationOp.EMPTY, deepest)
            for above in reversed(range(ply, deepest)):
                await do(VariationOp.PUT, above)
            turns = []
            for number in range(config.line - other):
                result = await read(ply, number)
                await do(VariationOp.WRITE, other, number, result.move)
                turns.append(result.as_bits())
                if not result.valid:
                    break
            lengths.add(len(turns))
            assert [(await read(other, n)).as_bits() for n in range(len(turns))] == turns
        assert lengths == set(range(1, config.line + 1))

    simulate(dut, driver, check=[dut.ops, dut.results])
