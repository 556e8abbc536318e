"""What lies around a tile: its neighbours' sockets and the ends that it connects."""

from __future__ import annotations

import itertools
import random

import pytest

from loopline.game import Colour, Side, Tile
from loopline.hdl.config import GridConfig
from loopline.hdl.core.around import EndsOfTile, SocketsOfTile
from tests.hdl.support import simulate

GRID = GridConfig(size=16, spaces=64)


def random_sockets(rng, chance):
    """The masks of white and red sockets of a space."""
    sockets = {side: rng.choice(list(Colour)) for side in Side if rng.random() < chance}
    return [
        sum(side.bit for side, entering in sockets.items() if entering is colour)
        for colour in Colour
    ]


@pytest.mark.parametrize("seed", range(3))
def test_sockets_of_a_tile(seed):
    dut = SocketsOfTile(GRID)
    rng = random.Random(seed)
    seen = {"illegal": 0, "forced": 0, "fresh": 0}

    async def bench(ctx):
        for _ in range(400):
            tile = rng.choice(list(Tile))
            open_sides = rng.choice([*range(1, 16)])
            x, y = rng.choice([0, 15, rng.randrange(16)]), rng.choice([0, 15, rng.randrange(16)])
            # The space's sockets match the tile; a neighbour that is a tile has no open side here.
            own = [tile.edges(colour) & ~open_sides for colour in Colour]
            near, after, illegal = [], [], False
            for side in Side:
                if not open_sides & side.bit:
                    near.append((0b1111, 0b1111, rng.choice(list(Tile))))
                    after.append(None)
                    continue
                masks = random_sockets(rng, 0.4)
                # The tile's own side is empty yet, so that nothing enters from there.
                masks = [mask & ~side.opposite.bit for mask in masks]
                near.append((*masks, rng.randrange(64)))
                masks[tile.colour(side)] |= side.opposite.bit
                after.append(masks)
                illegal |= max(mask.bit_count() for mask in masks) >= 3
            fresh_index = rng.randrange(64)
            ctx.set(dut.place, {"x": x, "y": y})
            ctx.set(dut.cell, {"white": own[0], "red": own[1], "index": rng.randrange(64)})
            ctx.set(dut.tile, tile)
            ctx.set(
                dut.near,
                [{"white": white, "red": red, "index": index} for white, red, index in near],
            )
            ctx.set(dut.fresh_index, fresh_index)
            assert ctx.get(dut.open_sides) == open_sides
            assert ctx.get(dut.illegal) == illegal
            seen["illegal"] += illegal
            for side in Side:
                if not open_sides & side.bit:
                    continue
                *before, index = near[side]
                ctx.set(dut.side, side)
                fresh = before == [0, 0]
                forced = max(mask.bit_count() for mask in after[side]) >= 2
                forced &= max(mask.bit_count() for mask in before) < 2
                seen["fresh"] += fresh
                seen["forced"] += forced
                attached = ctx.get(dut.attached) >> side & 1
                assert attached == (before[tile.colour(side)] != 0)
                assert ctx.get(dut.fresh) == fresh
                assert ctx.get(dut.forced) == forced
                beyond = ctx.get(dut.beyond)
                columns, rows = side.step
                assert (beyond.x, beyond.y) == ((x + columns) % 16, (y + rows) % 16)
                index = fresh_index if fresh else index
                word = ctx.get(dut.before)
                assert [word.white, word.red, word.index] == [*before, index]
                word = ctx.get(dut.after)
                assert [word.white, word.red, word.index] == [*after[side], index]

    simulate(dut, bench)
    assert min(seen.values()) > 5, seen


def test_ends_of_a_tile():
    """All tiles, all sets of open sides, and each neighbour with or without a track."""
    dut = EndsOfTile(GRID)
    own, beside = 40, [10, 11, 12, 13]

    async def bench(ctx):
        ctx.set(dut.own, own)
        ctx.set(dut.ends, beside)
        for tile, open_sides, attached in itertools.product(Tile, range(16), range(16)):
            ctx.set(dut.edges, tile)
            ctx.set(dut.open_sides, open_sides)
            ctx.set(dut.attached, attached)
            leaving = [side for side in Side if tile & open_sides & side.bit]
            assert ctx.get(dut.needed) == bool(leaving)
            if leaving:
                ends = [(beside[side], attached >> side & 1) for side in leaving]
                if len(ends) == 1:
                    ends.append((own, 1))
                join = ctx.get(dut.join)
                found = [(end.index, end.attached) for end in (join.a, join.b)]
                assert sorted(found) == sorted(ends), (tile, open_sides, attached)

    simulate(dut, bench)
