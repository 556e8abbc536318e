"""Open edges and tiles around a token, against plain coordinates."""

import random

import pytest

from loopline.game import Colour, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.evaluator.neighbourhood import Neighbourhood
from loopline.hdl.evaluator.types import WINDOW_BITS, Mode
from tests.hdl.support import simulate


def bank(x: int, y: int) -> int:
    """The bank of a cell; see ``CellMap``."""
    return ((x >> 1 ^ y >> 1) & 1) << 1 | x & 1


@pytest.mark.parametrize("size", [8, 16, 32, 64])
def test_neighbourhood(size):
    grid = GridConfig(size=size, frontier_entries=64)
    dut, chance = Neighbourhood(grid), random.Random(size)
    window = (1 << min(WINDOW_BITS, grid.coord_bits)) - 1
    seen = dict.fromkeys(("one edge", "two edges", "revisit", "second pair", "far"), 0)

    async def driver(ctx):
        token = dut.token
        for _ in range(400):
            mode = chance.choice((Mode.CHAIN, Mode.CHAIN, Mode.REVISIT, Mode.RESOLVE, Mode.FETCH))
            x, y = chance.randrange(size), chance.randrange(size)
            a, b, other = chance.sample(list(Side), 3)
            there, both, second = chance.random() < 0.5, chance.random() < 0.2, 0
            if mode is Mode.CHAIN and not both:
                second = chance.random() < 0.2
            colour, outside = chance.choice(list(Colour)), chance.randrange(16)
            origin = [chance.randrange(8) for _ in range(2)]
            ctx.set(token.mode, mode)
            ctx.set(token.place, {"x": x, "y": y})
            ctx.set(token.colour, colour)
            ctx.set(token.a, a)
            ctx.set(token.b, b)
            ctx.set(token.other, {"valid": there, "side": other})
            ctx.set(token.both, both)
            ctx.set(token.second, second)
            ctx.set(dut.outside, outside)
            if size > 1 << WINDOW_BITS:
                ctx.set(token.origin, {"x": origin[0], "y": origin[1]})

            case = f"{mode} at {x}, {y}: {a}, {b}, {other} {there}, {both} {second}"
            edges = []
            if mode is Mode.CHAIN and not both and not second:
                edges = [side for side in Side if side not in (a, b, *([other] * there))]
                seen[("one edge", "two edges")[len(edges) - 1]] += 1
            for n in range(2):
                edge = dut.edges[n]
                assert ctx.get(edge.valid) == (n < len(edges)), case
                revisit = mode is Mode.REVISIT and n == 0
                if n >= len(edges) and not revisit:
                    continue
                side = a if revisit else edges[n]
                seen["revisit"] += revisit
                across, down = side.step
                assert ctx.get(edge.side) == side, case
                assert ctx.get(edge.outside) == outside >> side & 1, case
                assert ctx.get(edge.bank) == bank((x + across) % size, (y + down) % size), case

            assert ctx.get(dut.cell) == dut.cell.shape().const({"x": x & window, "y": y & window})
            for each in Colour:
                side = other
                if each is colour:
                    side = a if mode is Mode.RESOLVE else b
                    seen["second pair"] += mode is Mode.RESOLVE
                # In mode REVISIT the token is at that tile.
                stays = mode is Mode.REVISIT and each is colour
                across, down = (0, 0) if stays else side.step
                cell = {"x": x + across & window, "y": y + down & window}
                assert ctx.get(dut.tiles[each]) == dut.cell.shape().const(cell), case

            # Of the eight blocks of two cells in the window, the one opposite the first tile's.
            far = size > 1 << WINDOW_BITS and any(
                (at >> 1 & 7) == (block ^ 4) for at, block in zip((x, y), origin, strict=True)
            )
            assert ctx.get(dut.beyond_window) == (far and mode is Mode.CHAIN), case
            seen["far"] += far and mode is Mode.CHAIN

    simulate(dut, driver)
    if size <= 1 << WINDOW_BITS:
        assert seen.pop("far") == 0
    assert min(seen.values()) > 5, seen
