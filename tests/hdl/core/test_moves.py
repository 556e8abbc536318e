"""Move generator over frontier tables made up at random, against the game's tiles."""

from __future__ import annotations

import random

import pytest

from loopline.game import Colour, Shape, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.moves import MoveGenerator
from tests.hdl.core.edges import edges_of
from tests.hdl.core.memories import memory
from tests.hdl.support import Stalls, StreamChecker, pulse, simulate, stream_get, stream_put

GRID = GridConfig(size=8, frontier_entries=16)
BOX = (2, 1, 5, 5)
NEXT_INDEX = 3
"""The shape code behind the last shape: a cursor at the next index."""


class Board:
    """A frontier table with live and free entries."""

    def __init__(self, seed, high, area=0):
        rng = random.Random(seed)
        self.high = high
        self.area = area
        self.places = [rng.randrange(GRID.size**2) for _ in range(GRID.frontier_entries)]
        self.live = {}
        free = rng.sample(range(GRID.size**2), GRID.frontier_entries)
        for index, place in enumerate(free[:high]):
            kind = rng.random()
            self.places[index] = place
            if kind < 0.5:
                sides = rng.sample(list(Side), rng.randint(1, 3))
                sockets = {side: rng.choice(list(Colour)) for side in sides}
                self.live[index] = sockets

    def entry(self, index):
        """An entry as a word."""
        sockets = self.live.get(index, {})
        masks = [
            sum(side.bit for side, entering in sockets.items() if entering is colour)
            for colour in Colour
        ]
        white, red = (mask << 2 * GRID.coord_bits for mask in masks)
        return self.places[index] | white | red << 4

    def is_inside(self, place):
        """Whether a tile there keeps the formation within the area."""
        x, y = place % GRID.size, place // GRID.size
        west, north, east, south = BOX
        beside = x in (west - 1, east + 1) and east - west + 1 == self.area
        above = y in (north - 1, south + 1) and south - north + 1 == self.area
        return not (beside or above)

    def candidates(self):
        """All candidates in order: index, shape code, place."""
        if not self.high:
            return [(0, 0, 0), (0, 1, 0)]
        return [
            (index, shape.code, self.places[index])
            for index in sorted(self.live)
            if self.is_inside(self.places[index])
            for shape in sorted(Shape, key=lambda shape: shape.code)
            if any(
                all(tile.colour(side) is colour for side, colour in self.live[index].items())
                for tile in shape.tiles
            )
        ]


def run(board, driver, *, checkers=()):
    dut = board.dut
    entries = memory(dut.index, dut.entry, board.entry)

    async def play(ctx):
        ctx.set(dut.empty, board.high == 0)
        ctx.set(dut.edges, edges_of(BOX, GRID, area=board.area))
        ctx.set(dut.high, board.high)
        await driver(ctx)

    simulate(dut, play, background=[entries], check=checkers, cycles=20_000)


@pytest.mark.parametrize("high", [0, 1, 9, GRID.frontier_entries])
@pytest.mark.parametrize("area", [0, 4, 5, 6])
@pytest.mark.parametrize("seed", range(3))
def test_walk_meets_every_candidate_in_order(seed, high, area):
    """An area of 4 or 5 is that of the box in one direction: there it ends."""
    board = Board(seed, high, area)
    board.dut = dut = MoveGenerator(GRID)
    found = []

    async def driver(ctx):
        stalls = Stalls(seed)
        cursor = {"index": 0, "symbol": 0}
        while True:
            await stream_put(ctx, dut.cursors, cursor, stalls=stalls)
            candidate = await stream_get(ctx, dut.candidates, stalls=stalls)
            if candidate.end:
                break
            turn = candidate.turn
            shape = turn.symbol.value
            found.append((turn.index, shape, turn.x | turn.y << GRID.coord_bits))
            cursor = {"index": turn.index, "symbol": shape + 1}

    run(board, driver, checkers=[dut.cursors, dut.candidates])
    assert found == board.candidates()
    assert high < 9 or area in (4, 5) or len(found) > 3
    assert high < GRID.frontier_entries or all(map(board.is_inside, board.places)) == (
        area not in (4, 5)
    )


@pytest.mark.parametrize("seed", range(3))
def test_any_cursor_finds_the_next_candidate_in_time(seed):
    board = Board(seed, 13)
    board.dut = dut = MoveGenerator(GRID)
    candidates = board.candidates()
    checker = StreamChecker(dut.candidates)

    async def driver(ctx):
        for index in range(GRID.frontier_entries):
            for shape in range(NEXT_INDEX + 1):
                expected = next((it for it in candidates if it[:2] >= (index, shape)), None)
                ctx.set(dut.cursors.payload, {"index": index, "symbol": shape})
                await pulse(ctx, dut.cursors.valid)
                cycles = 1
                while not ctx.get(dut.candidates.valid):
                    await ctx.tick()
                    cycles += 1
                found = ctx.get(dut.candidates.payload)
                assert found.end == (expected is None), (index, shape)
                if expected:
                    turn = found.turn
                    place = turn.x | turn.y << GRID.coord_bits
                    assert (turn.index, turn.symbol.value, place) == expected
                    assert cycles == 4 + 3 * (expected[0] - index)
                else:
                    assert cycles <= 4 + 3 * max(0, board.high - index)
                await pulse(ctx, dut.candidates.ready)

    run(board, driver, checkers=[checker])
    assert any(payload.end for payload in checker.payloads)
