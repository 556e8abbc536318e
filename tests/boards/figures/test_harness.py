"""The harness: in it a unit does what it does outside, on the bits that are shifted in."""

import random

import pytest
from amaranth.hdl import Cat, Module, Signal, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.sim import Simulator

from loopline.boards.figures.harness import Harness, harnessed
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import BoxGrowth
from loopline.hdl.core.forced import ForcedQueue
from loopline.hdl.core.tile import TileFit

GRID = GridConfig(size=8)


class Sink(wiring.Component):
    """Takes a stream at any time, so that one of its ports is a constant."""

    items: In(stream.Signature(4, always_ready=True))
    total: Out(8)

    def elaborate(self, platform):
        m = Module()
        with m.If(self.items.valid):
            m.d.sync += self.total.eq(self.total + self.items.payload)
        return m


def ports(unit, flow):
    values = [
        Value.cast(value)
        for _path, member, value in unit.signature.flatten(unit)
        if member.flow is flow
    ]
    return Cat(value for value in values if isinstance(value, Signal) or len(value) > 1)


@pytest.mark.parametrize(
    "make", [TileFit, lambda: BoxGrowth(GRID), lambda: ForcedQueue(GRID), Sink]
)
def test_a_unit_does_the_same_in_its_harness(make):
    harness, bare = Harness(make()), make()
    inputs, outputs = ports(bare, In), ports(bare, Out)
    assert (harness.inputs, harness.outputs) == (len(inputs), len(outputs))
    m = Module()
    m.submodules.harness, m.submodules.bare = harness, bare
    dice = random.Random(1)

    async def bench(ctx):
        window = [0] * harness.inputs
        for _ in range(40):
            for _cycle in range(harness.inputs + 3):
                # What the unit in the harness sees is computed here, bit by bit.
                ctx.set(inputs, sum(bit << n for n, bit in enumerate(window)))
                expected = ctx.get(outputs)
                bit = dice.getrandbits(1)
                ctx.set(harness.data_in, bit)
                window = [*window[1:], bit]
                await ctx.tick()
            ctx.set(harness.load, 1)
            ctx.set(inputs, sum(bit << n for n, bit in enumerate(window)))
            ctx.set(harness.data_in, 0)
            window = [*window[1:], 0]
            await ctx.tick()
            ctx.set(harness.load, 0)
            got = 0
            for number in range(harness.outputs):
                got |= ctx.get(harness.data_out) << number
                ctx.set(inputs, sum(bit << n for n, bit in enumerate(window)))
                window = [*window[1:], 0]
                await ctx.tick()
            assert got == expected

    simulator = Simulator(m)
    simulator.add_clock(1e-6)
    simulator.add_testbench(bench)
    simulator.run()


def test_the_same_design_is_the_same_text():
    first, second = (harnessed(ForcedQueue(GRID)) for _ in range(2))
    assert first == second
    assert first != harnessed(ForcedQueue(GridConfig(size=16)))
    assert "attribute \\src" not in first  # which would tell where it lies
