"""The journal of turns: tiles and tracks, last first, and what an entry tells them apart by."""

from __future__ import annotations

import random

import pytest

from loopline.hdl.config import GridConfig
from loopline.hdl.core.memory import WithMemories
from loopline.hdl.core.undo import EntryKind, Undo
from tests.hdl.support import simulate

GRID = GridConfig(size=16, spaces=64, journal=32)


@pytest.mark.parametrize("seed", range(4))
def test_entries_come_back_last_first(seed):
    dut = WithMemories(Undo(GRID))
    rng = random.Random(seed)
    fullest = 0

    async def bench(ctx):
        nonlocal fullest
        entries = []
        for number in range(400):
            await ctx.tick()
            assert ctx.get(dut.level) == len(entries)
            fullest = max(fullest, len(entries))
            kind = rng.random()
            if entries:
                expected_kind, body = entries[-1]
                top = ctx.get(dut.top)
                assert top.kind == expected_kind
                part = top.body.track if expected_kind is EntryKind.TRACK else top.body.tile
                for name, value in body.items():
                    found = part[name]
                    assert (found if name != "place" else {"x": found.x, "y": found.y}) == value
            signal = None
            if kind < 0.03:
                signal = dut.forget
                entries.clear()
            elif entries and kind < (0.2 if number % 100 < 70 else 0.8):
                signal = dut.pop
                entries.pop()
            elif len(entries) < GRID.journal and kind < 0.7:
                body = {"colour": rng.randrange(2), "near": rng.randrange(64)}
                body["far"] = rng.randrange(64)
                ctx.set(dut.track, body)
                signal = dut.records
                entries.append((EntryKind.TRACK, body))
            elif len(entries) < GRID.journal:
                body = {
                    "place": {"x": rng.randrange(16), "y": rng.randrange(16)},
                    "tile": rng.randrange(16),
                    "open": rng.randrange(16),
                    "index": rng.randrange(64),
                }
                of = rng.choice([EntryKind.FORCED, EntryKind.FIRST, EntryKind.GROWN])
                ctx.set(dut.tile, body)
                ctx.set(dut.kind, of)
                signal = dut.lays
                entries.append((of, body))
            if signal is not None:
                ctx.set(signal, 1)
                await ctx.tick()
                ctx.set(signal, 0)

    simulate(dut, bench)
    assert fullest == GRID.journal
