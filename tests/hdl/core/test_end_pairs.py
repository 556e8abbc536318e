"""What lies around a tile: the ends that it connects."""

from __future__ import annotations

import itertools

import pytest

from loopline.game import Colour, Side, Tile
from loopline.hdl.config import GridConfig
from loopline.hdl.core.joiner import EndPairs
from tests.hdl.support import pulse, simulate

GRID = GridConfig(size=16, frontier_entries=64)


@pytest.mark.parametrize("tile", Tile, ids=lambda tile: tile.name)
def test_ends_of_a_tile(tile):
    """All sets of open sides, and each neighbour with or without a track; one tile after another,
    so that nothing is left of the one before."""
    dut = EndPairs(GRID)
    own, beside = 40, [10, 11, 12, 13]

    async def driver(ctx):
        for open_sides, attached in itertools.product(range(16), range(16)):
            sockets = [tile.edges(colour) & ~open_sides for colour in Colour]
            ctx.set(dut.cell, {"white": sockets[0], "red": sockets[1], "index": own})
            await pulse(ctx, dut.start)
            joins = {}
            for side in (side for side in Side if open_sides & side.bit):
                colour = tile.colour(side)
                ctx.set(dut.colour, colour)
                ctx.set(dut.index, beside[side])
                ctx.set(dut.attached, attached >> side & 1)
                # The end is on offer for a while, as the joiner may not be ready.
                await ctx.tick()
                if ctx.get(dut.complete):
                    assert colour not in joins
                    joins[colour] = ctx.get(dut.join)
                    assert joins[colour].colour == colour
                await pulse(ctx, dut.serve)
            for colour in Colour:
                leaving = [side for side in Side if tile.edges(colour) & open_sides & side.bit]
                assert bool(leaving) == (colour in joins)
                if leaving:
                    ends = [(beside[side], attached >> side & 1) for side in leaving]
                    if len(ends) == 1:
                        ends.append((own, 1))
                    join = joins[colour]
                    found = [(end.index, end.attached) for end in (join.a, join.b)]
                    assert sorted(found) == sorted(ends), (tile, open_sides, attached)

    simulate(dut, driver, cycles=20_000)
