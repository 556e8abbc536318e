"""The checker of streams catches every kind of violation; failures show what was found."""

from types import SimpleNamespace

import pytest
from amaranth.hdl import Module
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Position
from tests.hdl.core.unit.games import check_made
from tests.hdl.support import (
    SimulationTimeoutError,
    Stalls,
    StreamChecker,
    StreamViolationError,
    simulate,
    stream_get,
    stream_put,
)

PAIR = data.StructLayout({"x": 4, "y": 4})


class Register(wiring.Component):
    """A register between two streams, with a fault to choose."""

    def __init__(self, fault=None):
        self._fault = fault
        super().__init__({"i": In(stream.Signature(PAIR)), "o": Out(stream.Signature(PAIR))})

    def elaborate(self, platform):
        m = Module()
        m.d.comb += self.i.ready.eq(~self.o.valid | self.o.ready)
        with m.If(self.i.ready):
            m.d.sync += [self.o.valid.eq(self.i.valid), self.o.payload.eq(self.i.payload)]
        with m.Elif(self._fault == "withdraws"):
            m.d.sync += self.o.valid.eq(0)
        with m.Elif(self._fault == "changes"):
            m.d.sync += self.o.payload.y.eq(self.o.payload.y + 1)
        return m


class Waiting(wiring.Component):
    """A constant stream that shows ``valid`` only to a receiver that is ready."""

    def __init__(self):
        super().__init__({"o": Out(stream.Signature(4))})

    def elaborate(self, platform):
        m = Module()
        m.d.comb += self.o.valid.eq(self.o.ready)
        return m


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("withdraws", "^o: valid withdrawn before the transfer of 0x"),
        ("changes", "^o: payload changed from 0x"),
    ],
)
def test_violation_is_caught(fault, message):
    dut = Register(fault)

    async def send(ctx):
        for n in range(4):
            await stream_put(ctx, dut.i, {"x": n, "y": n})

    async def receive(ctx):
        stalls = Stalls(1)
        while True:
            await stream_get(ctx, dut.o, stalls=stalls)

    with pytest.raises(StreamViolationError, match=message):
        simulate(dut, send, receive, check=[StreamChecker(dut.o, name="o")])


def test_stream_that_waits_for_ready_hangs_and_fails():
    dut = Waiting()

    async def receive(ctx):
        stalls = Stalls(1)
        for _ in range(50):
            assert await stream_get(ctx, dut.o, stalls=stalls) == 0

    with pytest.raises(SimulationTimeoutError, match="did not end in 1000 cycles"):
        simulate(dut, receive, cycles=1000)


def test_a_failure_shows_its_cycle_what_was_found_and_what_was_expected():
    outcome = SimpleNamespace(status=1, tiles=7, loops=0, lines=0)

    async def fails(ctx):
        await ctx.tick().repeat(5)
        check_made(outcome, Position().play("@0/"))

    with pytest.raises(AssertionError, match=r"7, 0, 0\) == \(.*1, 0, 0\)") as caught:
        simulate(Waiting(), fails)
    assert caught.value.__notes__ == ["in cycle 5"]
