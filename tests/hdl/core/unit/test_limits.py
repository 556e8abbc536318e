"""Turns that the grid, the frontier table or the journal cannot hold are refused without trace."""

from __future__ import annotations

import pytest

from loopline.game import IllegalTurnError, Position, Shape
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status
from tests.hdl.core.unit.games import Start, check_made, random_turns, start_of
from tests.hdl.core.unit.placer_harness import PlacerHarness, Session
from tests.hdl.core.unit.resources import Resources
from tests.hdl.support import simulate

SMALL = GridConfig(size=8, frontier_entries=32, journal=64)


def run(grid, testbench):
    dut = PlacerHarness(grid)

    async def play(ctx):
        await testbench(Session(ctx, dut))

    simulate(dut, play, check=dut.streams, cycles=50_000)


@pytest.mark.parametrize("origin", [(0, 0), (7, 7), (2, 5)])
@pytest.mark.parametrize("step", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_formation_grows_to_the_limit_and_no_further(step, origin):
    """A straight row of tiles, from any cell of the torus and in any direction."""

    async def play(session):
        x, y = origin
        for length in range(1, SMALL.limit + 1):
            assert (await session.make(Start(x, y, Shape.CROSS))).status == Status.LEGAL
            x, y = x + step[0], y + step[1]
            west, north, east, south = session.box()
            size = [(east - west) % 8 + 1, (south - north) % 8 + 1]
            assert sorted(size) == [1, length]
        before = await session.snapshot(whole=True)
        for shape in Shape:
            assert (await session.make(Start(x, y, shape))).status == Status.BOUNDS
            assert await session.snapshot(whole=True) == before
        # At the other end as well; but beside the row there is room.
        x, y = origin[0] - step[0], origin[1] - step[1]
        assert (await session.make(Start(x, y, Shape.CROSS))).status == Status.BOUNDS
        assert await session.snapshot(whole=True) == before
        beside = Start(origin[0] + step[1], origin[1] + step[0], Shape.CROSS)
        assert (await session.make(beside)).status == Status.LEGAL
        for _ in range(SMALL.limit + 1):
            assert (await session.unmake()).status == Status.LEGAL
        assert (await session.snapshot(whole=True))[0] == {}

    run(SMALL, play)


@pytest.mark.parametrize(
    ("grid", "seed", "keep"),
    [
        # The table is full, with the journal emptied after every turn; or the journal is.
        (GridConfig(size=16, frontier_entries=16, journal=256), 1, False),
        (GridConfig(size=16, frontier_entries=16, journal=256), 2, False),
        (GridConfig(size=16, frontier_entries=64, journal=32), 3, True),
        (GridConfig(size=16, frontier_entries=64, journal=32), 4, True),
        (GridConfig(size=16, frontier_entries=16, journal=32), 5, True),
    ],
)
def test_full_memories(grid, seed, keep):
    turns = random_turns(seed, most=14, limit=grid.limit, finish=False)

    async def play(session):
        position, resources = Position(), Resources(grid)
        refused = 0
        for turn in turns:
            before = await session.snapshot()
            start = start_of(position, turn)
            try:
                played = position.play(turn)
            except IllegalTurnError:
                continue
            result = await session.make(start)
            if resources.fits(played):
                check_made(result, played)
                resources.make(played)
                if not keep:
                    session.ctx.set(session.dut.commit, 1)
                    await session.ctx.tick()
                    session.ctx.set(session.dut.commit, 0)
                    resources.forget()
                await session.check(position)
            else:
                assert result.status == Status.BOUNDS
                position.undo()
                refused += 1
                assert await session.snapshot() == before
                await session.check(position)
                if refused == 4:
                    break
            if position.result:
                break
        assert refused
        if keep:
            while position.turns:
                assert (await session.unmake()).status == Status.LEGAL
                position.undo()
            await session.check(position, whole=True)

    run(grid, play)
