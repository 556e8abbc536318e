"""A memory that two units share: each finds what it has put there while it was at work."""

from __future__ import annotations

import random

import pytest
from amaranth.hdl import Module, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.core.rows import Alone, Rows, SharedRows
from tests.hdl.support import simulate

HOST = Rows(data.StructLayout({"a": 3, "b": 2}), 12)
GUEST = Rows(4, 4)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("overlap", [False, True], ids=["apart", "overlapping"])
def test_random_use(seed, overlap):
    """With rows of their own, neither notices the other; else the guest's are the last ones."""
    host = Rows(HOST.shape, 16) if overlap else HOST
    dut, rng = SharedRows(host, GUEST, depth=16), random.Random(seed)
    found_by = {"host": 0, "guest": 0}

    async def bench(ctx):
        words: dict[int, int] = {}
        for _ in range(400):
            lent = rng.random() < 0.5
            ctx.set(dut.lent, lent)
            # The guest's rows are words 12 to 15.
            name, first = ("guest", 12) if lent else ("host", 0)
            for _ in range(rng.randint(1, 6)):
                for user in (dut.host, dut.guest):
                    # Whoever is not at work may say what it wants.
                    ctx.set(user.row, rng.randrange(user.signature.depth))
                    ctx.set(user.at, rng.randrange(user.signature.depth))
                    ctx.set(user.put, rng.randrange(2))
                    ctx.set(user.en, 1)
                    bits = rng.randrange(16)
                    shape = user.signature.shape
                    ctx.set(user.given, bits if shape == 4 else shape.from_bits(bits))
                user = getattr(dut, name)
                row, at = ctx.get(user.row) + first, ctx.get(user.at) + first
                put, given = ctx.get(user.put), ctx.get(user.given)
                given = given if isinstance(given, int) else given.as_bits()
                expected = words.get(row)
                await ctx.tick()
                if expected is not None:
                    found = ctx.get(user.found)
                    found = found if isinstance(found, int) else found.as_bits()
                    assert found == expected & 0b1111 if lent else found == expected
                    found_by[name] += 1
                    # What was read stays as long as nothing is.
                    ctx.set(user.en, 0)
                    ctx.set(user.put, 0)
                    await ctx.tick()
                    again = ctx.get(user.found)
                    assert again == found if lent else again.as_bits() == found
                if put:
                    words[at] = given

    simulate(dut, bench, cycles=10_000)
    assert min(found_by.values()) > 200


class Delay(wiring.Component):
    """Gives each word back four cycles later; it keeps them in rows."""

    def __init__(self):
        super().__init__(
            {"given": In(8), "places": Out(8).array(2), "found": Out(8), "rows": Out(Rows(8, 4))}
        )

    def elaborate(self, platform):
        m = Module()
        at = Signal(2)
        m.d.sync += at.eq(at + 1)
        m.d.comb += [
            self.rows.put.eq(1),
            self.rows.at.eq(at),
            self.rows.given.eq(self.given),
            self.rows.row.eq(at + 1),
            self.found.eq(self.rows.found),
            self.places[1].eq(at),
        ]
        return m


def test_a_unit_alone_has_its_memory():
    dut = Alone(Delay())
    assert set(dut.signature.members) == {"given", "places", "found"}

    async def bench(ctx):
        for cycle in range(40):
            ctx.set(dut.given, 100 + cycle)
            assert ctx.get(dut.places[1]) == cycle % 4
            await ctx.tick()
            if cycle >= 4:
                assert ctx.get(dut.found) == 100 + cycle - 3

    simulate(dut, bench)
