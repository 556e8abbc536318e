"""The slow path between evaluator and placer, with random delays on both sides."""

import random

import pytest

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import ShapeCode, Status
from loopline.hdl.evaluator.slow import SlowPath
from tests.hdl.support import Stalls, pulse, simulate, stream_get, stream_put

GRID = GridConfig(size=16)


def random_result(rng):
    """A result of the placer."""
    status = rng.choice([Status.LEGAL, Status.LEGAL, Status.FORCED, Status.BOUNDS])
    return {
        "status": status,
        "tiles": rng.randrange(1, 256),
        "loops": rng.randrange(4),
        "lines": rng.randrange(4),
    }


@pytest.mark.parametrize("seed", range(3))
def test_slow_path(seed):
    """Each candidate is made; only a legal one is unmade."""
    dut, rng, stalls = SlowPath(GRID), random.Random(seed), Stalls(seed)
    turns = [
        (rng.randrange(16), rng.randrange(16), rng.choice(list(ShapeCode)), random_result(rng))
        for _ in range(30)
    ]
    assert any(result["status"] is not Status.LEGAL for *_, result in turns)

    async def evaluator(ctx):
        for x, y, symbol, result in turns:
            for _ in range(stalls.cycles()):
                await ctx.tick()
                assert not ctx.get(dut.done)
            ctx.set(dut.place, {"x": x, "y": y})
            ctx.set(dut.symbol, symbol)
            ctx.set(dut.request, 1)
            while not ctx.get(dut.done):
                await ctx.tick()
            for _ in range(stalls.cycles() + 1):
                assert ctx.get(dut.done)
                assert {name: ctx.get(dut.outcome)[name] for name in result} == result
                await ctx.tick()
            await pulse(ctx, dut.ack)
            ctx.set(dut.request, 0)

    async def placer(ctx):
        for x, y, symbol, result in turns:
            job = await stream_get(ctx, dut.jobs, stalls=stalls)
            assert (job.unmake, job.symbol, job.place.x, job.place.y) == (0, symbol, x, y)
            await stream_put(ctx, dut.results, result, stalls=stalls)
            if result["status"] is Status.LEGAL:
                assert (await stream_get(ctx, dut.jobs, stalls=stalls)).unmake
                await stream_put(ctx, dut.results, result, stalls=stalls)

    simulate(dut, evaluator, placer, check=[dut.jobs, dut.results], cycles=10_000)
