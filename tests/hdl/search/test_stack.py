"""The frame stack against a list."""

from __future__ import annotations

import random

import pytest
from amaranth.hdl import signed
from amaranth.lib import data

from loopline.hdl.search.stack import FrameStack
from tests.hdl.support import pulse, simulate, ticks

LAYOUT = data.StructLayout({"a": signed(7), "b": 3, "c": data.ArrayLayout(5, 5), "d": 6})


@pytest.mark.parametrize("word_bits", [1, 8, 16, 41, 64])
def test_the_last_frame_first(word_bits: int) -> None:
    chance, depth = random.Random(word_bits), 8
    dut = FrameStack(LAYOUT, depth, word_bits=word_bits)
    words = -(-41 // min(word_bits, 41))

    async def driver(ctx) -> None:
        async def wait() -> int:
            cycles = 0
            while ctx.get(dut.busy):
                cycles += 1
                await ctx.tick()
            return cycles

        frames: list[int] = []
        for _ in range(300):
            if frames and (len(frames) == depth or chance.random() < 0.5):
                # Also while another one is stored or read.
                await pulse(ctx, dut.pop)
                assert await wait() <= words + 1
                assert ctx.get(dut.top).as_bits() == frames.pop()
                await ctx.tick()
                if chance.randrange(2):
                    assert await wait() == words + 1
            else:
                await wait()
                frames.append(chance.getrandbits(41))
                ctx.set(dut.frame, LAYOUT.from_bits(frames[-1]))
                await pulse(ctx, dut.push)
                ctx.set(dut.frame, LAYOUT.from_bits(chance.getrandbits(41)))
                if chance.randrange(2):
                    assert await wait() == words
            await ticks(ctx, chance.choice([0, 0, 1, 40]))

    simulate(dut, driver)
