"""The weights of tracks and sockets against the tables that the engine reads."""

from __future__ import annotations

import random

import pytest

from loopline.engine.evaluation.classes import (
    DISTANCE_CLASS,
    END_CLASS,
    LINE_GAPS,
    WINDOW_CLASS,
)
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Meeting
from loopline.hdl.search.evaluation.classes import REACH, end_row, turned
from loopline.hdl.search.evaluation.perimeter_weigher import PerimeterWeigher
from loopline.hdl.search.evaluation.track_weigher import TrackWeigher
from loopline.hdl.search.evaluation.weights import SIDES, bits_of
from tests.hdl.search.evaluation.reader_harness import random_weights
from tests.hdl.support import Stalls, simulate, stream_put

GRID = GridConfig(size=32)
WEIGHTS = random_weights()


def test_bits_of_numbers() -> None:
    assert [bits_of(numbers) for numbers in ([0], [-1], [1], [-8, 7], [-8, 8])] == [1, 1, 2, 4, 5]


def random_track(chance: random.Random) -> dict:
    far = chance.choice((3, 8, 30))
    return {
        "colour": chance.randrange(2),
        **{
            end: {"side": chance.randrange(4), "meeting": Meeting(chance.randrange(1, 4))}
            for end in ("here", "there")
        },
        **{
            axis: {"cells": chance.randrange(far), "back": chance.randrange(2)}
            for axis in ("across", "down")
        },
    }


def weights_of(track: dict, mover: int, lines: int, last: dict) -> list[int]:
    """All weights of a track, in their order."""
    other = track["colour"] ^ mover
    side, name = track["here"]["side"], SIDES[other]
    x, y = (
        -track[axis]["cells"] if track[axis]["back"] else track[axis]["cells"]
        for axis in ("across", "down")
    )
    cut = [max(-REACH, min(REACH, offset)) for offset in (x, y)]
    row = end_row(*turned(*cut, side), (track["there"]["side"] - side) & 3)
    meetings = [track[end]["meeting"].value - 1 for end in ("here", "there")]
    distance = (min(REACH, abs(x) + abs(y)) * 3 + meetings[0]) * 3 + meetings[1]
    values = [
        WEIGHTS[f"{name} distances"][DISTANCE_CLASS[distance]],
        WEIGHTS[f"{name} ends"][END_CLASS[row]],
    ]
    for cells, end in ((abs(x), last["x"]), (abs(y), last["y"])):
        if lines and cells >= 5:
            row = (min(cells, 10) - 5) * LINE_GAPS + min(end - cells, 7)
            values.append(WEIGHTS[f"{name} lines"][row])
    return [-value if other else value for value in values]


@pytest.mark.parametrize("stalls", [None, Stalls(seed=2)], ids=["fast", "stalls"])
def test_tracks_have_the_weights_of_their_classes(stalls) -> None:
    dut, chance = TrackWeigher(GRID, WEIGHTS), random.Random(3)
    seen: list[int] = []
    expected: list[int] = []

    async def send(ctx) -> None:
        for _ in range(20):
            mover, lines = chance.randrange(2), chance.randrange(2)
            last = {axis: chance.randrange(30, 32) for axis in "xy"}
            ctx.set(dut.mover, mover)
            ctx.set(dut.lines, lines)
            ctx.set(dut.last, last)
            for _ in range(chance.randrange(1, 40)):
                track = random_track(chance)
                expected.extend(weights_of(track, mover, lines, last))
                await stream_put(ctx, dut.tracks, track, stalls=stalls)
            while not ctx.get(dut.idle):
                await ctx.tick()

    async def receive(ctx) -> None:
        async for _, _, valid, weight in ctx.tick().sample(dut.valid, dut.weight):
            if valid:
                seen.append(weight)

    simulate(dut, send, background=[receive])
    assert seen == expected


def test_a_track_that_is_dropped_has_no_weight() -> None:
    dut, chance = TrackWeigher(GRID, WEIGHTS), random.Random(4)

    async def testbench(ctx) -> None:
        for wait in range(4):
            await stream_put(ctx, dut.tracks, random_track(chance))
            for _ in range(wait):
                await ctx.tick()
            ctx.set(dut.drop, 1)
            await ctx.tick()
            ctx.set(dut.drop, 0)
            for _ in range(5):
                assert not ctx.get(dut.valid)
                assert ctx.get(dut.idle)
                await ctx.tick()

    simulate(dut, testbench)


def test_sockets_have_the_weights_of_their_windows() -> None:
    dut, chance = PerimeterWeigher(WEIGHTS), random.Random(5)
    seen: list[int] = []
    expected: list[int] = []

    async def send(ctx) -> None:
        for _ in range(4):
            mover = chance.randrange(2)
            ctx.set(dut.mover, mover)
            for _ in range(1000):
                colours, ends = chance.randrange(32), chance.randrange(4)
                shapes = sum(chance.randrange(3) << 2 * n for n in range(4))
                other = (colours >> 2 & 1) ^ mover
                weight = WEIGHTS[f"{SIDES[other]} rims"][
                    WINDOW_CLASS[ends << 13 | shapes << 5 | colours]
                ]
                expected.append(-weight if other else weight)
                window = {
                    "colours": colours,
                    "shapes": shapes,
                    "before": ends & 1,
                    "after": ends >> 1,
                }
                ctx.set(dut.window, {"valid": 1, "window": window})
                await ctx.tick()
                ctx.set(dut.window.valid, 0)
                if chance.random() < 0.2:
                    await ctx.tick()
            while not ctx.get(dut.idle):
                await ctx.tick()

    async def receive(ctx) -> None:
        async for _, _, valid, weight in ctx.tick().sample(dut.valid, dut.weight):
            if valid:
                seen.append(weight)

    simulate(dut, send, background=[receive])
    assert seen == expected


@pytest.mark.parametrize("late", [0, 1])
def test_a_window_that_is_dropped_has_no_weight(late: int) -> None:
    dut = PerimeterWeigher(WEIGHTS)

    async def testbench(ctx) -> None:
        ctx.set(dut.window.valid, 1)
        ctx.set(dut.drop, not late)
        await ctx.tick()
        ctx.set(dut.window.valid, 0)
        ctx.set(dut.drop, late)
        for _ in range(4):
            await ctx.tick()
            ctx.set(dut.drop, 0)
            assert not ctx.get(dut.valid)
            assert ctx.get(dut.idle)

    simulate(dut, testbench)
