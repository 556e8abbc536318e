"""Streams and simulations: what every test of the gateware shares.

A test is one call of :func:`simulate` with the component, its testbenches and the streams that
have to keep the contract::

    from tests.hdl.support import Stalls, simulate, stream_get, stream_put

    def test_fifo_keeps_order():
        dut = SyncFIFO(...)
        stalls = Stalls(seed=1)

        async def send(ctx):
            for value in range(100):
                await stream_put(ctx, dut.i, value, stalls=stalls)

        async def receive(ctx):
            for value in range(100):
                assert await stream_get(ctx, dut.o, stalls=stalls) == value

        simulate(dut, send, receive, check=[dut.i, dut.o])

The simulation ends with its last testbench; one that hangs fails after ``cycles``. Without
``stalls`` both functions transfer as fast as the other side does. A payload is set and compared as
Amaranth does it: an ``int``, an enumeration's member, or for a structure a ``dict`` when it is set
and a view of constants when it is read (``payload.x``).

To watch a stream and see what passed over it, keep the checker::

    checker = StreamChecker(dut.o, name="o")
    simulate(dut, send, receive, check=[checker])
    assert checker.payloads == [...]

With a simulator of one's own, make it a submodule of what is simulated, and attach it with
``checker.attach(sim)`` before ``sim.run()``.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from amaranth.hdl import (
    ClockDomain,
    Elaboratable,
    Module,
    ResetSignal,
    ShapeCastable,
    Signal,
    Value,
)
from amaranth.sim import Simulator

__all__ = [
    "SimulationTimeoutError",
    "Stalls",
    "StreamChecker",
    "StreamViolationError",
    "pulse",
    "simulate",
    "stream_get",
    "stream_put",
    "ticks",
]


class Stalls:
    """Seeded random back-pressure: how long to wait before a transfer is offered.

    Parameters
    ----------
    seed : int
        The same seed gives the same pauses.
    chance : float
        How often there is a pause at all.
    longest : int
        The longest pause, in cycles.
    """

    def __init__(self, seed: int, *, chance: float = 0.5, longest: int = 6):
        self._random = random.Random(seed)
        self._chance = chance
        self._longest = longest

    def cycles(self) -> int:
        """The length of the next pause."""
        if self._random.random() >= self._chance:
            return 0
        return self._random.randint(1, self._longest)

    def hold_back(self) -> bool:
        """Whether a receiver shows ``ready`` only after it has seen ``valid``."""
        return self._random.random() < self._chance


async def _until(ctx, condition, value=0):
    """Wait for the clock edge at which ``condition`` holds; return ``value`` at that edge.

    As ``ctx.tick().until()``; but that one cannot be abandoned without a warning, and when one
    testbench fails, all others are.
    """
    while True:
        _, _, done, result = await ctx.tick().sample(condition, value)
        if done:
            return result


async def ticks(ctx, count: int):
    """Wait for some cycles; for none if ``count`` is 0."""
    for _ in range(count):
        await ctx.tick()


async def pulse(ctx, *signals):
    """Set signals to 1 for one cycle."""
    for signal in signals:
        ctx.set(signal, 1)
    await ctx.tick()
    for signal in signals:
        ctx.set(signal, 0)


async def stream_put(ctx, stream, payload, *, stalls: Stalls | None = None):
    """Transfer one payload into a component's input stream; return when it is taken."""
    await ticks(ctx, stalls.cycles() if stalls else 0)
    ctx.set(stream.payload, payload)
    ctx.set(stream.valid, 1)
    await _until(ctx, stream.ready)
    ctx.set(stream.valid, 0)


async def stream_get(ctx, stream, *, stalls: Stalls | None = None):
    """Take one payload from a component's output stream and return it."""
    if stalls:
        if stalls.hold_back():
            await _until(ctx, stream.valid)
        await ticks(ctx, stalls.cycles())
    ctx.set(stream.ready, 1)
    payload = await _until(ctx, stream.valid, stream.payload)
    ctx.set(stream.ready, 0)
    return payload


class StreamViolationError(AssertionError):
    """A stream broke its contract (Amaranth RFC 61)."""


class SimulationTimeoutError(AssertionError):
    """A simulation did not end in the cycles that it was given."""


class StreamChecker(Elaboratable):
    """Assert in every cycle that a stream keeps its contract, and record what it transfers.

    Once ``valid`` is shown it stays, and the payload with it, until the cycle in which ``ready``
    is shown, too. A reset ends all obligations.

    It is a part of the design that is simulated: Python is asked when there is a transfer or a
    violation, not in every cycle, which would take as long as a tenth of the turn unit.

    Parameters
    ----------
    stream : stream.Interface
        An input or output of the component, or a stream within it.
    name : str
        How messages call it.

    Attributes
    ----------
    payloads : list
        All payloads transferred so far, in order.
    """

    def __init__(self, stream, *, name: str | None = None):
        self.stream = stream
        self.name = name or getattr(Value.cast(stream.payload), "name", "stream")
        self.payloads: list = []
        # Of the last two cycles with ``valid``; and how many cycles there were.
        self._shown, self._before = (
            Signal(len(Value.cast(stream.payload)), reset_less=True) for _ in range(2)
        )
        self._cycles = Signal(32, reset_less=True)
        # Changes with each transfer; rises with a violation.
        self._transfers, self._withdrawn, self._changed = (
            Signal(reset_less=True) for _ in range(3)
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        valid, ready = self.stream.valid, self.stream.ready
        bits = Value.cast(self.stream.payload).as_unsigned()
        reset = ResetSignal(allow_reset_less=True)
        offered = Signal(reset_less=True)
        m.d.sync += [
            self._cycles.eq(self._cycles + 1),
            offered.eq(valid & ~ready & ~reset),
            self._withdrawn.eq(offered & ~valid),
            self._changed.eq(offered & (bits != self._shown)),
        ]
        with m.If(valid):
            m.d.sync += [self._shown.eq(bits), self._before.eq(self._shown)]
        with m.If(valid & ready & ~reset):
            m.d.sync += self._transfers.eq(~self._transfers)
        return m

    def attach(self, simulator: Simulator) -> None:
        """Watch the stream from the beginning of the simulation to its end."""
        simulator.add_testbench(self._watch, background=True)

    async def _watch(self, ctx):
        payload = self.stream.payload
        while True:
            await ctx.changed(self._transfers, self._withdrawn, self._changed)
            cycle, shown = ctx.get(self._cycles) - 1, ctx.get(self._shown)
            if ctx.get(self._withdrawn):
                raise StreamViolationError(
                    f"{self.name}: valid withdrawn before the transfer of {shown:#x} "
                    f"in cycle {cycle}"
                )
            if ctx.get(self._changed):
                raise StreamViolationError(
                    f"{self.name}: payload changed from {ctx.get(self._before):#x} to {shown:#x} "
                    f"before its transfer in cycle {cycle}"
                )
            self.payloads.append(_read(payload, shown))


def _read(payload, bits: int):
    """What ``ctx.get(payload)`` makes of these bits."""
    shape = payload.shape()
    if isinstance(shape, ShapeCastable):
        return shape.from_bits(bits)
    if shape.signed and bits >> (shape.width - 1):
        return bits - (1 << shape.width)
    return bits


def simulate(
    dut,
    *testbenches,
    check: Iterable = (),
    background: Iterable = (),
    cycles: int = 1_000_000,
    period: float = 1e-6,
) -> None:
    """Run testbenches on a component until all have ended. A failed assertion names its cycle.

    Parameters
    ----------
    dut : Elaboratable
        The design; its domain is ``sync``, or it is combinational.
    testbenches : async functions of one argument, the simulator's context
        They run side by side.
    check : iterable of streams or checkers
        Streams that must keep their contract; and whatever else watches the simulation and has an
        ``attach`` as :class:`StreamChecker` has, which may be a part of what is simulated.
    background : iterable of async functions
        Testbenches that the simulation does not wait for.
    cycles : int
        A simulation that takes longer fails with :class:`SimulationTimeoutError`.
    period : float
        Clock period in seconds of simulated time.
    """
    top = Module()
    # Defined here, so that a combinational design has a clock as well, to step its testbenches by.
    top.domains.sync = ClockDomain()
    top.submodules.dut = dut
    cycle = Signal(range(cycles + 1), reset_less=True)
    top.d.sync += cycle.eq(cycle + 1)
    checkers = [stream if hasattr(stream, "attach") else StreamChecker(stream) for stream in check]
    top.submodules += [checker for checker in checkers if isinstance(checker, Elaboratable)]
    simulator = Simulator(top)
    simulator.add_clock(period)
    for checker in checkers:
        checker.attach(simulator)

    async def watchdog(ctx):
        await ctx.delay(cycles * period)
        raise SimulationTimeoutError(f"the simulation did not end in {cycles} cycles")

    def noting(testbench):
        async def run(ctx):
            try:
                await testbench(ctx)
            except AssertionError as error:
                error.add_note(f"in cycle {ctx.get(cycle)}")
                raise

        return run

    simulator.add_testbench(watchdog, background=True)
    for testbench in background:
        simulator.add_testbench(noting(testbench), background=True)
    for testbench in testbenches:
        simulator.add_testbench(noting(testbench))
    simulator.run()
