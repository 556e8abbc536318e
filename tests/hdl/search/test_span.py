"""The rectangle around a turn against the engine's."""

from __future__ import annotations

import random

import pytest

from loopline.engine.board.board import SPAN_HEIGHT, SPAN_NORTH, SPAN_WEST, SPAN_WIDTH, TURNS
from loopline.engine.board.position import EnginePosition
from loopline.game import LOOP
from loopline.hdl.config import GridConfig
from loopline.hdl.search.span import TurnSpan
from tests.engine.reference import random_position
from tests.hdl.support import pulse, simulate, ticks

GRID = GridConfig()


async def follow(ctx, dut, tiles: list[tuple[int, int]], chance: random.Random, size: int) -> tuple:
    """Lay the tiles of a turn; return the rectangle."""
    await pulse(ctx, dut.start)
    assert not ctx.get(dut.span.valid)
    for x, y in tiles:
        await ticks(ctx, chance.choice((0, 0, 2)))
        ctx.set(dut.laid.place, {"x": x % size, "y": y % size})
        await pulse(ctx, dut.laid.valid)
        ctx.set(dut.laid.place, {"x": chance.randrange(size), "y": chance.randrange(size)})
    span = ctx.get(dut.span)
    assert span.valid
    return span.west, span.north, span.width, span.height


def test_rectangles_are_those_of_the_engine() -> None:
    dut, chance, longest = TurnSpan(GRID), random.Random(8), [0]

    async def testbench(ctx):
        for number in range(60):
            position, here = random_position(chance, 30, LOOP), EnginePosition(LOOP, GRID)
            # Somewhere else on the torus.
            east, south = (chance.randrange(64) if number else 0 for _ in range(2))
            for turn in position.history:
                first = turn.tiles[0]
                here.make((first.y & 63) << 6 | first.x & 63, first.tile.shape)
                row = here.board.turns[here.board.state[TURNS] - 1]
                tiles = [(tile.x + east, tile.y + south) for tile in turn.tiles]
                expected = (
                    (row[SPAN_WEST] + east) % 64,
                    (row[SPAN_NORTH] + south) % 64,
                    row[SPAN_WIDTH],
                    row[SPAN_HEIGHT],
                )
                assert await follow(ctx, dut, tiles, chance, 64) == expected
                longest[0] = max(longest[0], len(tiles))
                here.commit()

    simulate(dut, testbench)
    assert longest[0] > 6


@pytest.mark.parametrize("size", [8, 32, 64])
def test_a_turn_may_be_as_large_as_the_grid_holds(size: int) -> None:
    """Tiles next to each other, from anywhere on the torus, up to two columns and rows less."""
    dut, chance, widest = TurnSpan(GridConfig(size=size)), random.Random(size), [0, 0]
    limit = size - 2

    async def testbench(ctx):
        for _ in range(12):
            x, y = chance.randrange(size), chance.randrange(size)
            tiles, drift = [(x, y)], [chance.choice((-1, 0, 1)) for _ in range(2)]
            for _ in range(6 * size):
                x, y = tiles[-1]
                step = chance.choice(
                    ((-1, 0), (1, 0), (0, -1), (0, 1), (drift[0], 0), (0, drift[1]))
                )
                x, y = x + step[0], y + step[1]
                columns, rows = ([tile[axis] for tile in tiles] for axis in range(2))
                if max(*columns, x) - min(*columns, x) < limit > max(*rows, y) - min(*rows, y):
                    tiles.append((x, y))
            columns, rows = ([tile[axis] for tile in tiles] for axis in range(2))
            width, height = max(columns) - min(columns), max(rows) - min(rows)
            expected = (min(columns) % size, min(rows) % size, width, height)
            assert await follow(ctx, dut, tiles, chance, size) == expected
            widest[:] = max(widest[0], width), max(widest[1], height)

    simulate(dut, testbench)
    assert widest == [limit - 1, limit - 1]
