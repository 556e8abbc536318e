"""Turnstile: grants in the order of the clocks, in time, and a least clock that holds.

The lanes do whatever the turnstile's contract allows. It has narrow clocks here. Those of the lanes
are wider, so that they do not overflow.
"""

from __future__ import annotations

import pytest
from amaranth.asserts import AnySeq
from amaranth.hdl import Assert, Assume, Cat, Module, Mux, Signal, Value

from loopline.hdl.search.lanes import turnstile as turnstile_module
from loopline.hdl.search.lanes.turnstile import GRANT_CYCLES, Turnstile
from tests.hdl.support_formal import module, proof_and_faults, prove

BEAT_BITS, BEATS_DELAY = 3, 2
HALF = 1 << (BEAT_BITS - 1)
STEP = HALF - BEATS_DELAY
"""The most beats by which a clock goes on after the lane was not ahead."""


@pytest.fixture
def narrow_clocks(monkeypatch):
    """The turnstile has the constants of the proofs."""
    monkeypatch.setattr(turnstile_module, "BEAT_BITS", BEAT_BITS)
    monkeypatch.setattr(turnstile_module, "BEATS_DELAY", BEATS_DELAY)


def last(m: Module, value: Value, name: str) -> Signal:
    """A value one cycle ago."""
    before = Signal(len(value), name=name)
    m.d.sync += before.eq(value)
    return before


def any_lanes(m: Module, dut: Turnstile) -> list[Signal]:
    """Let lanes do what they may; return their clocks."""
    lanes = range(len(dut.asks))
    clocks = [Signal(BEAT_BITS + 1, name=f"clock{lane}") for lane in lanes]
    before = [last(m, clock, "before") for clock in clocks]
    active, asks = dut.active, dut.asks
    was_active, asked = last(m, active, "was_active"), last(m, asks, "asked")
    acted = last(m, dut.granted & asks, "acted")
    # Some lane works, and did so before.
    goes_on = was_active.any() & active.any()
    for lane, clock in enumerate(clocks):
        # The beat up to which the clock may go.
        goal = Signal(BEAT_BITS + 2, name=f"goal{lane}")
        with m.If(~active[lane]):
            m.d.sync += goal.eq(0)
        with m.Elif(~dut.ahead[lane] & (clock + STEP > goal)):
            m.d.sync += goal.eq(clock + STEP)
        waits = asked[lane] & asks[lane]
        works = active[lane] & was_active[lane]
        woken = goes_on & active[lane] & ~was_active[lane]
        rests = goes_on & ~active[lane] & was_active[lane]
        m.d.comb += [
            clock.eq(AnySeq(len(clock))),
            dut.clocks[lane].eq(clock),
            Assume(~waits | (clock == before[lane])),
            Assume(~works | (clock == before[lane]) | ((clock > before[lane]) & (clock <= goal))),
            Assume(~asked[lane] | asks[lane] | acted[lane] | ~active[lane]),
            Assume(~(rests | woken) | acted.any()),
        ]
        for other in lanes:
            waker = before[other]
            m.d.comb += [
                Assume(~(active[lane] & active[other]) | (clock < clocks[other] + HALF)),
                Assume(~(woken & acted[other]) | ((clock >= waker) & (clock < waker + STEP))),
            ]
    return clocks


def grants_in_order(dut: Turnstile) -> None:
    """One lane at a time has the grant, when it is before all others, and not too late."""
    m = module(dut, dut.active, dut.asks)
    clocks = any_lanes(m, dut)
    latency = GRANT_CYCLES
    was_granted = last(m, dut.granted, "was_granted")
    held = last(m, (dut.granted & dut.asks).any(), "held")
    was_held = last(m, held, "was_held")
    m.d.comb += Assert((dut.granted & (dut.granted - 1)) == 0)
    for lane, clock in enumerate(clocks):
        others = [
            ~dut.active[other] | ((clock <= theirs) if lane < other else (clock < theirs))
            for other, theirs in enumerate(clocks)
            if other != lane
        ]
        is_next = dut.active[lane] & dut.asks[lane] & Cat(others).all()
        given = dut.granted[lane] & ~was_granted[lane]
        m.d.comb += Assert(~given | (last(m, is_next, "was_next") & ~held & ~was_held))
        waited = Signal(range(latency + 1), name=f"waited{lane}")
        with m.If(is_next & ~(dut.granted & dut.asks).any()):
            m.d.sync += waited.eq(waited + (waited != latency))
        with m.Else():
            m.d.sync += waited.eq(0)
        m.d.comb += [
            Assert((waited != latency) | dut.granted[lane]),
            Assert(~was_granted[lane] | dut.granted[lane] | ~last(m, dut.asks[lane], "had_asked")),
        ]
    prove(m, cycles=2 * len(clocks) + 6)


def least_holds(dut: Turnstile) -> None:
    """No active lane's clock is less than the least one, which is one of theirs before long."""
    m = module(dut, dut.active, dut.asks)
    clocks = any_lanes(m, dut)
    latency = GRANT_CYCLES
    was_active = last(m, dut.active, "were_active")
    m.d.comb += Assert(~dut.known | was_active.any())
    for lane, clock in enumerate(clocks):
        with m.If(dut.active[lane]):
            above = (clock - dut.least)[:BEAT_BITS]
            m.d.comb += [
                Assert(~dut.known | (above < HALF)),
                Assert(dut.ahead[lane] == (~dut.known | (above >= BEATS_DELAY))),
            ]
    befores = [last(m, clock, "last_clock") for clock in clocks]
    stayed = Signal(range(latency + 1))
    stays = (dut.active == was_active) & (Cat(clocks) == Cat(befores))
    with m.If((dut.granted & dut.asks).any() | ~dut.active.any()):
        m.d.sync += stayed.eq(0)
    with m.Else():
        m.d.sync += stayed.eq(Mux(stays, stayed + (stayed != latency), 1))
    is_one = [
        active & (clock[:BEAT_BITS] == dut.least)
        for active, clock in zip(was_active, befores, strict=True)
    ]
    m.d.comb += Assert((stayed != latency) | (dut.known & Cat(is_one).any()))
    prove(m, cycles=2 * len(clocks) + 6)


def given_to_all_who_ask(m, dut):
    m.d.sync += dut.granted.eq(dut.asks & dut.active)


def given_to_the_first_who_asks(m, dut):
    m.d.sync += dut.granted.eq(dut.asks & dut.active & -dut.asks)


def never_given_to_the_last(m, dut):
    m.d.sync += dut.granted[-1].eq(0)


def given_at_once(m, dut):
    with m.If(~(dut.granted & dut.asks).any() & dut.active[0]):
        first = dut.asks[0] & ((dut.clocks[0] == dut.least) | ~dut.active[1])
        m.d.sync += dut.granted.eq(first)


def taken_away(m, dut):
    with m.If(dut.granted.all() | dut.granted[0]):
        m.d.sync += dut.granted.eq(0)


def least_is_that_of_the_first(m, dut):
    with m.If(dut.active.any()):
        m.d.sync += dut.least.eq(dut.clocks[0])


def known_for_good(m, dut):
    with m.If(dut.known):
        m.d.sync += dut.known.eq(1)


def least_stays(m, dut):
    with m.If(dut.known):
        m.d.sync += dut.least.eq(dut.least)


def never_ahead(m, dut):
    m.d.comb += dut.ahead.eq(0)


test_grants_in_order, test_order_proof_finds_a_fault = proof_and_faults(
    grants_in_order,
    lambda: Turnstile(2),
    [
        given_to_all_who_ask,
        given_to_the_first_who_asks,
        never_given_to_the_last,
        given_at_once,
        taken_away,
    ],
    fixtures=("narrow_clocks",),
)
test_least_holds, test_least_proof_finds_a_fault = proof_and_faults(
    least_holds,
    lambda: Turnstile(2),
    [least_is_that_of_the_first, known_for_good, least_stays, never_ahead],
    fixtures=("narrow_clocks",),
)


@pytest.mark.slow
@pytest.mark.usefixtures("narrow_clocks")
@pytest.mark.parametrize("holds", [grants_in_order, least_holds])
def test_of_three_lanes(holds):
    holds(Turnstile(3))
