"""The switch of the turn units: each command and outcome goes where it belongs."""

from __future__ import annotations

import random

import pytest

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status, TurnOp
from loopline.hdl.search.lanes.units import UnitSwitch
from tests.hdl.support import Stalls, simulate, stream_get, stream_put

GRID = GridConfig(size=16)
OPS = (TurnOp.MAKE, TurnOp.UNMAKE, TurnOp.COMMIT, TurnOp.READ, TurnOp.EVALUATE)


@pytest.mark.parametrize("lanes", [1, 2, 3])
@pytest.mark.parametrize("stalled", [False, True])
def test_commands_and_outcomes(lanes: int, stalled: bool) -> None:
    """All units obey what comes from the others, but ``EVALUATE``, which the first one obeys, with
    several outcomes; and each one its lane while the lanes search."""
    dut, chance = UnitSwitch(GRID, lanes), random.Random(lanes)
    obeyed: list[list[int]] = [[] for _ in range(lanes)]
    ended: set[int] = set()

    def stalls(seed: int) -> Stalls | None:
        return Stalls(seed) if stalled else None

    def some_command() -> dict:
        fields = {name: chance.randrange(16) for name in ("x", "y", "index")}
        return {"op": chance.choice(OPS), **fields}

    def outcomes(command) -> list[dict]:
        count = 1 + command["y"] % 3 if command["op"] == TurnOp.EVALUATE else 1
        return [
            {"status": Status.LEGAL, "turn": {"x": number, "index": command["index"]}}
            for number in range(count)
        ]

    def unit(number: int):
        core, waits = dut.cores[number], stalls(number)

        async def obey(ctx) -> None:
            while True:
                command = await stream_get(ctx, core.commands, stalls=waits)
                obeyed[number].append(command.as_bits())
                for each in outcomes(command):
                    await stream_put(ctx, core.outcomes, each, stalls=waits)

        return obey

    async def use(ctx, port, waits: Stalls | None, units: list[int]) -> None:
        command = some_command()
        before = [len(each) for each in obeyed]
        await stream_put(ctx, port.commands, command, stalls=waits)
        for each in outcomes(command):
            turn = (await stream_get(ctx, port.outcomes, stalls=waits)).turn
            assert {"x": turn.x, "index": turn.index} == each["turn"]
        bits = port.commands.payload.shape().const(command).as_bits()
        alone = port is dut.common and command["op"] == TurnOp.EVALUATE
        for number in units:
            expected = [] if alone and number else [bits]
            assert obeyed[number][before[number] :] == expected

    async def others(ctx) -> None:
        waits = stalls(100)
        for _ in range(20):
            for _ in range(chance.randrange(6)):
                await use(ctx, dut.common, waits, list(range(lanes)))
            ended.clear()
            ctx.set(dut.searches, 1)
            # A lane has no share in commands that come from the others.
            while len(ended) < lanes:
                await ctx.tick()
            ctx.set(dut.searches, 0)

    def lane(number: int):
        waits = stalls(200 + number)

        async def search(ctx) -> None:
            for _ in range(20):
                while not ctx.get(dut.searches) or number in ended:
                    await ctx.tick()
                for _ in range(chance.randrange(6)):
                    await use(ctx, dut.lanes[number], waits, [number])
                ended.add(number)

        return search

    ports = (dut.common, *dut.lanes, *dut.cores)
    simulate(
        dut,
        others,
        *(lane(number) for number in range(lanes)),
        background=[unit(number) for number in range(lanes)],
        check=[each for port in ports for each in (port.commands, port.outcomes)],
        cycles=20_000,
    )
    assert all(obeyed)


def test_units_of_different_speed() -> None:
    """The next command waits until the slowest unit has the one before, and its outcome too."""
    dut = UnitSwitch(GRID, 2)

    async def driver(ctx) -> None:
        common, (quick, slow) = dut.common, dut.cores
        ctx.set(common.commands.valid, 1)
        ctx.set(quick.commands.ready, 1)
        assert ctx.get(common.commands.ready)
        await ctx.tick()
        assert (ctx.get(quick.commands.valid), ctx.get(slow.commands.valid)) == (1, 1)
        assert not ctx.get(common.commands.ready)
        await ctx.tick()
        # The quick one does not get it twice.
        assert (ctx.get(quick.commands.valid), ctx.get(slow.commands.valid)) == (0, 1)
        ctx.set(slow.commands.ready, 1)
        assert not ctx.get(common.commands.ready)
        await ctx.tick()
        assert ctx.get(common.commands.ready)
        ctx.set(common.commands.valid, 0)
        ctx.set(common.outcomes.ready, 1)
        ctx.set(quick.outcomes.valid, 1)
        assert not ctx.get(common.outcomes.valid)
        assert not ctx.get(quick.outcomes.ready)
        ctx.set(slow.outcomes.valid, 1)
        await ctx.tick()
        assert ctx.get(common.outcomes.valid)
        assert (ctx.get(quick.outcomes.ready), ctx.get(slow.outcomes.ready)) == (1, 1)

    simulate(dut, driver)
