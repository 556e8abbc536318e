"""Placer with its memories over whole random games, and back; refused turns leave no trace."""

from __future__ import annotations

import random

import pytest

from loopline.game import IllegalTurnError, Position, Shape, Turn
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import ShapeCode, Status
from tests.hdl.core.unit.games import CROWDED, Start, after, check_made, random_turns, start_of
from tests.hdl.core.unit.placer_harness import PlacerHarness, Session
from tests.hdl.core.unit.resources import Resources
from tests.hdl.support import Stalls, pulse, simulate

GRIDS = {
    8: GridConfig(size=8, frontier_entries=32, journal=256),
    16: GridConfig(size=16, frontier_entries=64, journal=256),
}


def run(grid, testbench, *, stalls=None):
    dut = PlacerHarness(grid)

    async def play(ctx):
        await testbench(Session(ctx, dut, stalls=stalls))

    simulate(dut, play, check=dut.streams, cycles=50_000)


@pytest.mark.parametrize(("size", "seed"), [(8, 0), (8, 1), (8, 2), (16, 10), (16, 11)])
def test_random_game_and_back(size, seed):
    grid = GRIDS[size]
    turns = random_turns(seed, most=16 if size == 16 else 12, limit=grid.limit, finish=seed % 3 > 0)
    assert len(turns) > 3

    async def play(session):
        position = Position()
        before = [await session.check(position)]
        for turn in turns:
            result = await session.make(start_of(position, turn))
            check_made(result, position.play(turn))
            before.append(await session.check(position, whole=len(turns) == position.turns))
        before[-1] = await session.snapshot()
        while position.turns:
            assert await session.snapshot() == before.pop()
            assert (await session.unmake()).status == Status.LEGAL
            position.undo()
        assert await session.check(position, whole=True) == before.pop()
        assert (await session.unmake()).status == Status.END

    run(grid, play, stalls=Stalls(seed))


@pytest.mark.parametrize("seed", range(3))
def test_refused_turns_leave_no_trace(seed):
    """Any cell and shape at all: refused exactly when the rules do."""
    grid = GRIDS[16]
    rng = random.Random(seed)
    position = Position()
    for turn in random_turns(seed, most=9, limit=grid.limit, finish=False):
        position.play(turn)
    refused = 0

    async def play(session):
        nonlocal refused
        replay = Position()
        for played in position.history:
            await session.make(start_of(replay, played.turn))
            replay.play(played.turn)
        before = await session.check(position)
        for _ in range(30):
            column = rng.randint(0, position.width + 1)
            row = rng.randint(0, position.height + 1)
            turn = Turn(column, row, rng.choice(list(Shape)))
            result = await session.make(start_of(position, turn))
            try:
                check_made(result, position.play(turn))
            except IllegalTurnError:
                assert result.status == Status.MISMATCH
                refused += 1
            else:
                assert (await session.unmake()).status == Status.LEGAL
                position.undo()
        assert await session.snapshot() == before

    run(grid, play)
    assert refused > 5


@pytest.mark.parametrize("shape", Shape)
@pytest.mark.parametrize("place", [(0, 0), (5, 3), (15, 15)])
def test_first_turn(shape, place):
    """Two shapes, and in any cell of the torus."""

    async def play(session):
        result = await session.make(Start(*place, shape))
        if shape is Shape.BACKSLASH:
            assert result.status == Status.MISMATCH
            assert session.box() is None
            assert (await session.unmake()).status == Status.END
        else:
            assert result.status == Status.LEGAL
            assert session.box() == (*place, *place)
            assert (await session.unmake()).status == Status.LEGAL
            assert (await session.snapshot())[0] == {}

    run(GRIDS[16], play)


def test_turn_with_an_impossible_forced_play_is_taken_back():
    position = after(CROWDED)

    async def play(session):
        replay = Position()
        for played in position.history:
            await session.make(start_of(replay, played.turn))
            replay.play(played.turn)
        before = await session.check(position)
        illegal = Turn(2, 3, Shape.BACKSLASH)
        with pytest.raises(IllegalTurnError):
            position.play(illegal)
        result = await session.make(start_of(position, illegal))
        assert result.status == Status.FORCED
        assert await session.check(position) == before
        # The game goes on from there as if nothing had been tried.
        turn = position.legal_turns()[0]
        start = start_of(position, turn)
        check_made(await session.make(start), position.play(turn))
        await session.check(position)

    run(GRIDS[16], play)


def test_final_turns_cannot_be_taken_back():
    turns = random_turns(4, most=6, limit=14, finish=False)

    async def play(session):
        position = Position()
        for number, turn in enumerate(turns):
            start = start_of(position, turn)
            check_made(await session.make(start), position.play(turn))
            if number == 3:
                session.ctx.set(session.dut.commit, 1)
                await session.ctx.tick()
                session.ctx.set(session.dut.commit, 0)
        for _ in turns[4:]:
            assert (await session.unmake()).status == Status.LEGAL
            position.undo()
        assert (await session.unmake()).status == Status.END
        await session.check(position)

    run(GRIDS[16], play)


def cycles_of_turn(laid):
    """For each tile 6 and one for each open side; a join waits for the last one to be written."""
    cycle, join = 1, -4
    for tile in laid:
        cycle += 4
        # With two open sides, or one and a socket in the space, a colour has both its ends.
        left = {colour: 2 if tile.colours.count(colour) == 2 else 1 for colour in tile.colours}
        for colour in tile.colours:
            left[colour] -= 1
            if not left[colour]:
                cycle = join = max(cycle, join + 4)
            cycle += 1
        cycle += 2
    return max(cycle, join + 6)


def cycles_of_undo(laid):
    """For each tile 3 and one for each open side, for each track one; they wait for each other."""
    cycle, join = 1, -4
    for tile in reversed(laid):
        for _ in range(tile.tracks):
            cycle = join = max(cycle, join + 4)
            cycle += 1
        cycle += 3 + len(tile.colours)
    return max(cycle + 1, join + 6)


def test_latency_of_a_turn_and_of_its_undo():
    turns = random_turns(10, most=12, limit=14, finish=False)

    async def cycles(session, job):
        ctx, dut = session.ctx, session.dut
        ctx.set(dut.results.ready, 1)
        ctx.set(dut.jobs.payload, job)
        await pulse(ctx, dut.jobs.valid)
        count = 1
        while not ctx.get(dut.results.valid):
            await ctx.tick()
            count += 1
        await ctx.tick()
        return count

    async def play(session):
        position, resources = Position(), Resources(GRIDS[16])
        for turn in turns:
            start = start_of(position, turn)
            place = {"x": start.x & 15, "y": start.y & 15}
            job = {"unmake": 0, "symbol": ShapeCode(start.shape.code), "place": place}
            played = position.play(turn)
            resources.make(played)
            assert await cycles(session, job) == cycles_of_turn(resources.laid[-1])
        while resources.laid:
            assert await cycles(session, {"unmake": 1}) == cycles_of_undo(resources.laid[-1])
            resources.undo()

    run(GRIDS[16], play)
