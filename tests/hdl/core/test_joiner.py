"""Track joiner against a dictionary of ends: loops, lines, undo, and the time that it takes."""

from __future__ import annotations

import pytest

from loopline.game import Colour
from tests.hdl.core.joiner_driver import JoinerDriver
from tests.hdl.support import simulate


@pytest.mark.parametrize("seed", range(8))
def test_random_tracks(seed):
    driver = JoinerDriver(seed)
    dut = driver.dut

    async def play(ctx):
        await driver.show_box(ctx)
        for _ in range(120):
            kind = driver.rng.random()
            await driver.settle(ctx)
            if kind < 0.1:
                driver.journal.clear()
                driver.turns.clear()
            elif kind < 0.4 and driver.turns:
                await driver.undo(ctx)
            else:
                await driver.turn(ctx, driver.rng.randint(0, 4))
            await driver.check(ctx)
        while driver.turns:
            await driver.undo(ctx)
            await driver.check(ctx)

    background = [driver.listen, driver.frontier()]
    simulate(dut, play, background=background, check=[dut.port.joins], cycles=50_000)
    assert driver.found["turn"] >= 30
    assert driver.found["undo"] >= 20
    assert driver.found["loop"] >= 2
    assert driver.found["line"] >= 1


LINES = [
    # Box, the places of the two ends, and whether that is a line.
    pytest.param((0, 0, 7, 2), (-1, 1), (8, 2), True, id="eight columns"),
    pytest.param((0, 0, 6, 2), (-1, 1), (7, 2), False, id="seven columns"),
    pytest.param((0, 0, 2, 7), (1, 8), (0, -1), True, id="eight rows"),
    pytest.param((0, 0, 2, 6), (1, 7), (0, -1), False, id="seven rows"),
    pytest.param((0, 0, 7, 7), (-1, 1), (1, -1), False, id="adjacent sides"),
    pytest.param((0, 0, 7, 7), (-1, 1), (-1, 6), False, id="one side"),
    pytest.param((0, 0, 7, 7), (-1, 1), (7, 6), False, id="one end inside"),
    pytest.param((0, 0, 13, 2), (-1, 1), (14, 2), True, id="as wide as may be"),
    pytest.param((0, 0, 2, 13), (1, -1), (2, 14), True, id="as high as may be"),
    # Long enough in the other direction only.
    pytest.param((0, 0, 8, 4), (3, -1), (3, 5), False, id="rows too short"),
    pytest.param((0, 0, 4, 8), (-1, 3), (5, 3), False, id="columns too short"),
]


@pytest.mark.parametrize(("box", "one", "other", "line"), LINES)
@pytest.mark.parametrize("origin", [(0, 0), (12, 5), (15, 15)])
@pytest.mark.parametrize("colour", Colour, ids=str)
def test_line(box, one, other, line, origin, colour):
    driver = JoinerDriver(0)
    dx, dy = origin
    driver.tracks[0].box = (box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy)
    places = [(one[0] + dx, one[1] + dy), (other[0] + dx, other[1] + dy)]

    async def play(ctx):
        await driver.show_box(ctx)
        # Both as one tile's two edges, and from two halves that a third join connects.
        for pieces in ([(3, 9, 0)], [(3, 20, 0), (9, 21, 0), (20, 21, 1)]):
            await driver.pulse(ctx, driver.dut.port.begin)
            for end, place in zip((3, 9, 20, 21), [*places, places[0], places[0]], strict=True):
                driver.written[end] = place
            for a, b, attached in pieces:
                await driver.put(ctx, colour, a, b, (attached, attached))
            await driver.settle(ctx)
            assert ctx.get(driver.dut.port.lines) == line << colour
            assert not ctx.get(driver.dut.port.loops)

    simulate(driver.dut, play, background=[driver.frontier()])


def test_joins_take_four_cycles_and_three_for_a_loop():
    driver = JoinerDriver(0)
    new = [{"index": n, "attached": 0} for n in range(8)]
    old = [{"index": n, "attached": 1} for n in range(8)]
    joins = [(new[0], new[1]), (new[2], old[1]), (old[0], old[2]), (new[4], new[5])]
    times = []

    async def play(ctx):
        cycle = 0
        ctx.set(driver.dut.port.joins.valid, 1)
        for a, b in joins:
            ctx.set(driver.dut.port.joins.payload, {"colour": 1, "a": a, "b": b})
            while not ctx.get(driver.dut.port.joins.ready):
                await ctx.tick()
                cycle += 1
            times.append(cycle)
            await ctx.tick()
            cycle += 1

    simulate(driver.dut, play, background=[driver.listen], check=[driver.dut.port.joins])
    assert times == [0, 4, 8, 11]
    assert driver.journal == [(1, 1, 0), (1, 0, 2)]
