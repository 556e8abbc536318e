"""A comparison in twos, against the plain one."""

import random

import pytest
from amaranth.hdl import Module, Signal

from loopline.hdl.evaluator.sides import equal
from tests.hdl.support import simulate


@pytest.mark.parametrize("width", range(1, 12))
def test_words_are_equal_if_all_their_bits_are(width):
    left, right, same = Signal(width), Signal(width), Signal()
    m = Module()
    m.d.comb += same.eq(equal(m, left, right, "pairs"))
    rng = random.Random(width)

    async def check(ctx):
        for _ in range(200):
            word = rng.getrandbits(width)
            other = word ^ rng.choice([0, 1 << rng.randrange(width), rng.getrandbits(width)])
            ctx.set(left, word)
            ctx.set(right, other)
            assert ctx.get(same) == (word == other)

    simulate(m, check)
