"""The helpers themselves: an honest stream passes, and every kind of violation is caught."""

import pytest
from amaranth.hdl import ClockDomain, Module
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.sim import Simulator

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


def run(dut, *, seed, count=50, checkers=(), cycles=10_000):
    sent = [{"x": n % 16, "y": n * 7 % 16} for n in range(count)]
    received = []

    async def send(ctx):
        for payload in sent:
            await stream_put(ctx, dut.i, payload, stalls=Stalls(seed) if seed else None)

    async def receive(ctx):
        stalls = Stalls(seed + 1) if seed else None
        for _ in sent:
            payload = await stream_get(ctx, dut.o, stalls=stalls)
            received.append({"x": payload.x, "y": payload.y})

    simulate(dut, send, receive, check=[dut.i, *checkers], cycles=cycles)
    assert received == sent


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_honest_stream_passes_and_is_recorded(seed):
    dut = Register()
    checker = StreamChecker(dut.o, name="o")
    run(dut, seed=seed, checkers=[checker])
    assert [payload.x for payload in checker.payloads] == [n % 16 for n in range(50)]


def test_without_stalls_there_is_a_transfer_in_every_cycle():
    run(Register(), seed=0, cycles=53)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("withdraws", "^o: valid withdrawn before the transfer of 0x"),
        ("changes", "^o: payload changed from 0x"),
    ],
)
def test_violation_is_caught(fault, message):
    dut = Register(fault)
    with pytest.raises(StreamViolationError, match=message):
        run(dut, seed=1, checkers=[StreamChecker(dut.o, name="o")])


def test_stream_that_waits_for_ready_hangs_and_fails():
    dut = Waiting()

    async def receive(ctx):
        stalls = Stalls(1)
        for _ in range(50):
            assert await stream_get(ctx, dut.o, stalls=stalls) == 0

    with pytest.raises(SimulationTimeoutError, match="did not end in 1000 cycles"):
        simulate(dut, receive, cycles=1000)


def test_reset_ends_obligations():
    dut = Register()
    m = Module()
    m.domains.sync = sync = ClockDomain()
    m.submodules.dut = dut

    async def bench(ctx):
        await stream_put(ctx, dut.i, {"x": 1, "y": 2})
        await ctx.tick().repeat(3)
        assert ctx.get(dut.o.valid)
        ctx.set(sync.rst, 1)
        await ctx.tick()
        ctx.set(sync.rst, 0)
        await ctx.tick().repeat(3)
        assert not ctx.get(dut.o.valid)

    checker = StreamChecker(dut.o)
    m.submodules.checker = checker
    simulator = Simulator(m)
    simulator.add_clock(1e-6)
    simulator.add_testbench(bench)
    checker.attach(simulator)
    simulator.run()
    assert checker.payloads == []
