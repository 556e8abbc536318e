"""Undo against a list of turns: what is written back, in which order, and when."""

from __future__ import annotations

import random

import pytest
from amaranth.hdl import Value

from loopline.hdl.config import GridConfig
from loopline.hdl.core.undo import EntryKind, Undo
from tests.hdl.support import simulate

GRID = GridConfig(size=16, spaces=64, journal=32)


def random_change(rng):
    """A journal entry as fields, and what taking it back does, as ``effects`` reads it."""
    kind = rng.choice([EntryKind.TILE, EntryKind.SOCKET])
    place = {"x": rng.randrange(16), "y": rng.randrange(16)}
    blank = rng.random() < 0.4
    cell = {
        "white": 0 if blank else rng.randint(1, 15),
        "red": 0 if blank else rng.randrange(16),
        "index": rng.randrange(64),
    }
    # A blank cell has no index; a tile releases one, and a fresh space is given one.
    word = cell["white"] | cell["red"] << 4 | (0 if blank else cell["index"] << 8)
    effects = {"write": (place["x"] | place["y"] << 4, word)}
    if kind is EntryKind.TILE and not blank:
        effects["ungive"] = True
        effects["spaces"] = (cell["index"], place["x"] | place["y"] << 4)
    if kind is EntryKind.SOCKET and blank:
        effects["give"] = cell["index"]
    return {"kind": kind, "body": {"was": {"place": place, "cell": cell}}}, effects


def effects(ctx, dut):
    """What the component does in this cycle."""
    found = {}
    if ctx.get(dut.write.en):
        place = ctx.get(dut.write.x) | ctx.get(dut.write.y) << 4
        found["write"] = (place, ctx.get(Value.cast(dut.write.cell)))
    if ctx.get(dut.spaces.en):
        found["spaces"] = (ctx.get(dut.spaces.index), ctx.get(Value.cast(dut.spaces.place)))
    if ctx.get(dut.ungive):
        found["ungive"] = True
    if ctx.get(dut.give):
        found["give"] = ctx.get(dut.given)
    if ctx.get(dut.restore):
        found["box"] = ctx.get(Value.cast(dut.box))
    return found


async def pulse(ctx, signal):
    ctx.set(signal, 1)
    await ctx.tick()
    ctx.set(signal, 0)


@pytest.mark.parametrize("seed", range(4))
def test_turns_are_taken_back_change_by_change(seed):
    dut = Undo(GRID)
    rng = random.Random(seed)
    counts = {"undone": 0, "full": 0}

    async def record(ctx, entry):
        ctx.set(dut.entry, entry)
        await pulse(ctx, dut.record)

    async def bench(ctx):
        turns = []
        for _ in range(60):
            level = sum(len(turn) for turn in turns)
            assert ctx.get(dut.level) == level
            assert effects(ctx, dut) == {}
            kind = rng.random()
            if kind < 0.05:
                await pulse(ctx, dut.forget)
                turns.clear()
            elif turns and (kind < 0.5 or level > 24):
                counts["full"] += level == GRID.journal
                await ctx.tick()
                await pulse(ctx, dut.start)
                for expected in reversed(turns.pop()):
                    assert ctx.get(dut.busy)
                    assert effects(ctx, dut) == expected
                    await ctx.tick()
                assert not ctx.get(dut.busy)
                counts["undone"] += 1
            else:
                box = {name: rng.randrange(16) for name in ("west", "north", "east", "south")}
                box["empty"] = rng.randrange(2)
                await record(ctx, {"kind": EntryKind.MARK, "body": {"box": box}})
                bits = box["west"] | box["north"] << 4 | box["east"] << 8 | box["south"] << 12
                turn = [{"box": bits | box["empty"] << 16}]
                # Some turns fill the journal to its last entry.
                left = GRID.journal - level - 1
                for _ in range(rng.choice([rng.randint(0, min(left, 9)), left])):
                    entry, expected = random_change(rng)
                    await record(ctx, entry)
                    turn.append(expected)
                turns.append(turn)

    simulate(dut, bench)
    assert counts["undone"] > 10
    assert counts["full"] > 1
