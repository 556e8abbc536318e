"""A memory that two requesters share, and a unit with a memory of its own."""

from __future__ import annotations

import random

import pytest
from amaranth.hdl import Module, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.core.memory import MemoryPort, SharedMemory, WithMemories
from tests.hdl.support import simulate

LOW = MemoryPort(data.StructLayout({"a": 3, "b": 2}), 12)
HIGH = MemoryPort(4, 4)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("overlap", [False, True], ids=["apart", "overlapping"])
def test_random_use(seed, overlap):
    """Each requester reads what the one that was granted last has written to the row."""
    low = MemoryPort(LOW.shape, 16) if overlap else LOW
    dut, rng = SharedMemory(low, HIGH, depth=16), random.Random(seed)
    reads = {"low": 0, "high": 0}

    async def driver(ctx):
        words: dict[int, int] = {}
        for _ in range(400):
            grant = rng.randrange(2)
            ctx.set(dut.grant, grant)
            # The rows of ``high`` are the words 12 to 15.
            name, first = ("high", 12) if grant else ("low", 0)
            for _ in range(rng.randint(1, 6)):
                for user in (dut.low, dut.high):
                    # The ports of the requester without the grant change, too.
                    ctx.set(user.r_addr, rng.randrange(user.signature.depth))
                    ctx.set(user.w_addr, rng.randrange(user.signature.depth))
                    ctx.set(user.w_en, rng.randrange(2))
                    ctx.set(user.r_en, 1)
                    bits, shape = rng.randrange(16), user.signature.shape
                    ctx.set(user.w_data, bits if shape == 4 else shape.from_bits(bits))
                user = getattr(dut, name)
                r_addr, w_addr = ctx.get(user.r_addr) + first, ctx.get(user.w_addr) + first
                w_en, w_data = ctx.get(user.w_en), _bits(ctx.get(user.w_data))
                expected = words.get(r_addr)
                await ctx.tick()
                if expected is not None:
                    expected &= 0b1111 if grant else ~0
                    assert _bits(ctx.get(user.r_data)) == expected, f"{name}, row {r_addr}"
                    reads[name] += 1
                    # What was read stays until the next read.
                    ctx.set(user.r_en, 0)
                    ctx.set(user.w_en, 0)
                    await ctx.tick()
                    assert _bits(ctx.get(user.r_data)) == expected, f"{name}, row {r_addr} again"
                if w_en:
                    words[w_addr] = w_data

    simulate(dut, driver, cycles=10_000)
    assert min(reads.values()) > 200


def _bits(value) -> int:
    return value if isinstance(value, int) else value.as_bits()


class Delay(wiring.Component):
    """Returns each word four cycles later, from a memory port."""

    def __init__(self):
        super().__init__(
            {
                "word": In(8),
                "counts": Out(8).array(2),
                "delayed": Out(8),
                "memory": Out(MemoryPort(8, 4)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        count = Signal(2)
        m.d.sync += count.eq(count + 1)
        m.d.comb += [
            self.memory.w_en.eq(1),
            self.memory.w_addr.eq(count),
            self.memory.w_data.eq(self.word),
            self.memory.r_addr.eq(count + 1),
            self.delayed.eq(self.memory.r_data),
            self.counts[1].eq(count),
        ]
        return m


def test_a_unit_alone_has_its_memory():
    dut = WithMemories(Delay())
    assert set(dut.signature.members) == {"word", "counts", "delayed"}

    async def driver(ctx):
        for cycle in range(40):
            ctx.set(dut.word, 100 + cycle)
            assert ctx.get(dut.counts[1]) == cycle % 4
            await ctx.tick()
            if cycle >= 4:
                assert ctx.get(dut.delayed) == 100 + cycle - 3, f"cycle {cycle}"

    simulate(dut, driver)
