"""The turn unit by its two streams, with both held back at random, over whole games."""

from __future__ import annotations

import random

import pytest
from amaranth.lib import data

from loopline.game import (
    LOOP,
    STANDARD,
    ForcedPlayError,
    Position,
    Shape,
    parse_turn,
    variant_named,
)
from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import rules_of
from loopline.hdl.core.types import ShapeCode, Status, TurnOp, command_layout
from loopline.hdl.core.unit import TurnUnit
from tests.game.positions import chosen_positions
from tests.hdl.core.unit.games import Start, check_made, random_turns, start_of
from tests.hdl.support import Stalls, pulse, simulate, stream_get, stream_put

GRID = GridConfig(size=16, frontier_entries=64, journal=256)


class Unit:
    """A turn unit within one simulation, in coordinates of the plane."""

    def __init__(self, ctx, dut, grid, stalls):
        self.ctx, self.dut, self.stalls = ctx, dut, stalls
        self.layout = command_layout(grid)
        self.mask = grid.size - 1

    async def do(self, op, **fields):
        """One command; its outcome."""
        # As bits: a cursor's ``symbol`` may be 3, which is no shape.
        bits = op.value
        for name, value in fields.items():
            bits |= value << self.layout[name].offset
        command = data.Const(self.layout, bits)
        await stream_put(self.ctx, self.dut.commands, command, stalls=self.stalls)
        return await stream_get(self.ctx, self.dut.outcomes, stalls=self.stalls)

    async def make(self, start):
        """Make a turn."""
        x, y = start.x & self.mask, start.y & self.mask
        return await self.do(TurnOp.MAKE, symbol=start.shape.code, x=x, y=y)

    async def candidates(self):
        """All candidates: place and shape code."""
        found, index, symbol = [], 0, 0
        while (outcome := await self.do(TurnOp.NEXT, index=index, symbol=symbol)).status == (
            Status.LEGAL
        ):
            turn = outcome.turn
            index, symbol = turn.index, turn.symbol.value
            found.append((turn.x, turn.y, symbol))
            symbol += 1
        assert outcome.status == Status.END
        return found

    def box(self, outcome):
        """The box, or none."""
        box = outcome.box
        return None if box.empty else (box.west, box.north, box.east, box.south)


def run(testbench, *, grid=GRID, seed=None, variant=STANDARD):
    dut = TurnUnit(grid)

    async def play(ctx):
        ctx.set(dut.rules, rules_of(variant, grid))
        await testbench(Unit(ctx, dut, grid, None if seed is None else Stalls(seed)))

    simulate(dut, play, check=[dut.commands, dut.outcomes], cycles=50_000)


def box_of(position, mask):
    edges = position.west, position.north, position.east, position.south
    return tuple(edge & mask for edge in edges) if position.turns else None


def candidates_of(position, mask):
    """Every shape that fits the sockets of every frontier space."""
    if not position.turns:
        return [(0, 0, 0), (0, 0, 1)]
    found = []
    for x, y in position.frontier():
        sockets = position.sockets(x, y).items()
        found += [
            (x & mask, y & mask, shape.code)
            for shape in Shape
            if any(
                all(tile.colour(side) is colour for side, colour in sockets) for tile in shape.tiles
            )
        ]
    return sorted(found)


@pytest.mark.parametrize("seed", [20, 21, pytest.param(22, marks=pytest.mark.slow)])
def test_random_game(seed):
    rng = random.Random(seed)
    turns = random_turns(seed, most=16, limit=GRID.limit, finish=seed % 2 == 0)

    async def play(unit):
        position = Position()
        for turn in turns:
            if rng.random() < 0.2:
                assert sorted(await unit.candidates()) == candidates_of(position, unit.mask)
            outcome = await unit.make(start_of(position, turn))
            played = position.play(turn)
            check_made(outcome, played)
            assert unit.box(outcome) == box_of(position, unit.mask)
        # All the way back, with the same position at each step as on the way there.
        while position.turns:
            outcome = await unit.do(TurnOp.UNMAKE)
            position.undo()
            assert outcome.status == Status.LEGAL
            assert unit.box(outcome) == box_of(position, unit.mask)
            if position.turns % 4 == 0:
                assert sorted(await unit.candidates()) == candidates_of(position, unit.mask)
        assert (await unit.do(TurnOp.UNMAKE)).status == Status.END

    run(play, seed=seed)


CHOSEN = [
    chosen
    for chosen in chosen_positions("illegal", "both", "opponent", "lines", "growth", "full")
    if len(chosen.turns) < 17 and max(chosen.width, chosen.height) <= GRID.limit
]


FIRST = {chosen.file: chosen for chosen in reversed(CHOSEN)}
"""Of each file one; the others are slow."""


@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param(
            chosen,
            marks=[] if FIRST[chosen.file] is chosen else pytest.mark.slow,
            id=f"{chosen.file}: {chosen.name}",
        )
        for chosen in CHOSEN
    ],
)
def test_chosen_positions(chosen):
    """With both streams held back at random. (All of them: ``tests/sim/probe``.)"""
    variant = variant_named(chosen.variant)

    async def play(unit):
        position = Position(variant)
        for turn in map(parse_turn, chosen.turns):
            outcome = await unit.make(start_of(position, turn))
            try:
                played = position.play(turn)
            except ForcedPlayError:
                assert outcome.status == Status.FORCED
                assert chosen.illegal
                continue
            check_made(outcome, played)
            assert unit.box(outcome) == box_of(position, unit.mask)
        # Whatever fits and lies in the area is listed.
        inside = [
            candidate
            for candidate in candidates_of(position, unit.mask)
            if fits_area(position, candidate, unit.mask)
        ]
        assert sorted(await unit.candidates()) == inside
        # Nothing is left of the last turn: another one has its own loops and lines.
        if not chosen.illegal:
            assert (await unit.do(TurnOp.UNMAKE)).status == Status.LEGAL
            position.undo()
            turn = position.legal_turns()[0]
            check_made(await unit.make(start_of(position, turn)), position.play(turn))

    run(play, seed=len(chosen.turns), variant=variant)


def fits_area(position, candidate, mask):
    """Whether the formation is small enough with a tile there."""
    if position.variant.size is None:
        return True
    x, y, _ = candidate
    columns = {x - position.west & mask, position.east - position.west}
    rows = {y - position.north & mask, position.south - position.north}
    # A space to the west or north is the last one on the torus, seen from there.
    width = position.width + 1 if mask in columns else max(columns) + 1
    height = position.height + 1 if mask in rows else max(rows) + 1
    return max(width, height) <= position.variant.size


def test_where_lines_do_not_count_there_is_none():
    async def play(unit):
        position = Position(LOOP)
        for x in range(12):
            outcome = await unit.make(Start(x, 0, Shape.CROSS))
            position.play("@0+" if x == 0 else f"{'@ABCDEFGHIJKL'[x + 1]}1+")
            assert (outcome.loops, outcome.lines) == (0, 0)
        assert not position.result

    run(play, variant=LOOP)


def test_clear_between_games_and_commit_within_one():
    first, second = (random_turns(seed, most=6, limit=14, finish=False) for seed in (31, 32))

    async def play(unit):
        for turns in (first, second):
            position = Position()
            assert await unit.candidates() == [(0, 0, 0), (0, 0, 1)]
            for turn in turns:
                assert (await unit.make(start_of(position, turn))).status == Status.LEGAL
                position.play(turn)
                assert (await unit.do(TurnOp.COMMIT)).status == Status.LEGAL
                assert (await unit.do(TurnOp.UNMAKE)).status == Status.END
            assert sorted(await unit.candidates()) == candidates_of(position, unit.mask)
            outcome = await unit.do(TurnOp.CLEAR)
            assert outcome.status == Status.LEGAL
            assert unit.box(outcome) is None
        assert (await unit.do(TurnOp.UNMAKE)).status == Status.END

    run(play, seed=5)


def test_clear_gives_all_memories_back():
    """Rows of tiles that fill a small table and a small journal, game after game."""
    grid = GridConfig(size=16, frontier_entries=16, journal=32)

    async def play(unit):
        for _ in range(6):
            for x in range(5):
                outcome = await unit.make(Start(x, 0, Shape.CROSS))
                assert outcome.status == Status.LEGAL
            # In the order of a table that has never been used.
            assert (await unit.do(TurnOp.NEXT, index=0, symbol=0)).turn.index == 0
            await unit.do(TurnOp.CLEAR)

    run(play, grid=grid)


@pytest.mark.parametrize(
    "grid",
    [
        GRID,
        GridConfig(size=16, frontier_entries=16, journal=32),
        GridConfig(size=8, frontier_entries=64, journal=32),
    ],
)
def test_latencies(grid):
    async def play(unit):
        ctx, dut = unit.ctx, unit.dut

        async def cycles(**command):
            ctx.set(dut.commands.payload, command)
            ctx.set(dut.commands.valid, 1)
            assert ctx.get(dut.commands.ready)
            await ctx.tick()
            ctx.set(dut.commands.valid, 0)
            count = 1
            while not ctx.get(dut.outcomes.valid):
                await ctx.tick()
                count += 1
            await pulse(ctx, dut.outcomes.ready)
            return count

        assert await cycles(op=TurnOp.CLEAR) == max(grid.size**2 // 4, grid.frontier_entries) + 1
        assert await cycles(op=TurnOp.COMMIT) == 1
        assert await cycles(op=TurnOp.NEXT, index=0, symbol=ShapeCode.CROSS) == 2
        # One tile with four open sides; the second join is ready one cycle after the first.
        place = {"symbol": ShapeCode.CROSS, "x": 0, "y": 0}
        assert await cycles(op=TurnOp.MAKE, **place) == 3 + 6 + 4 + 3 + 1
        assert await cycles(op=TurnOp.NEXT, index=1, symbol=ShapeCode.CROSS) == 4
        # Behind the last entry that was ever used.
        assert await cycles(op=TurnOp.NEXT, index=4, symbol=ShapeCode.CROSS) == 2
        assert await cycles(op=TurnOp.UNMAKE) == 2 + 3 + 4

    run(play, grid=grid)
