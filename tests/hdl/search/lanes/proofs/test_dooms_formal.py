"""Dooms: nothing that is to be given up is lost, and nothing else is given up.

Beside the component stands what has to be given up, by ply, with clocks that do not overflow. The
component has few places and narrow clocks here.
"""

from __future__ import annotations

import pytest
from amaranth.asserts import AnySeq
from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, Signal, Value

from loopline.hdl.search.lanes import dooms as dooms_module
from loopline.hdl.search.lanes import turnstile as turnstile_module
from loopline.hdl.search.lanes.dooms import Dooms
from tests.hdl.support_formal import module, proof_and_faults, prove

PLIES = 4
BEAT_BITS, CLOCK_BITS = 3, 6
HALF = 1 << (BEAT_BITS - 1)
CYCLES = 10


@pytest.fixture
def few(monkeypatch):
    """The component has the constants of the proofs: three places for three lanes."""
    monkeypatch.setattr(dooms_module, "SHARED_NODES", 1)
    for each in (dooms_module, turnstile_module):
        monkeypatch.setattr(each, "BEAT_BITS", BEAT_BITS)


def least_of(which: list[Value]) -> Value:
    """The number of the first one of these."""
    found: Value = Const(0, range(PLIES))
    for ply in reversed(range(PLIES)):
        found = Mux(which[ply], ply, found)
    return found


def kept(dut: Dooms, places: int) -> None:
    """All outputs are what follows from the dooms that were added, and not forgotten."""
    m = module(dut, dut.add, dut.forget, dut.left, dut.clear, dut.home, dut.ply)
    clock, before, beat = Signal(CLOCK_BITS), Signal(CLOCK_BITS), Signal(CLOCK_BITS)
    m.d.sync += before.eq(clock)
    m.d.comb += [
        clock.eq(AnySeq(CLOCK_BITS)),
        beat.eq(AnySeq(CLOCK_BITS)),
        dut.now.eq(clock),
        dut.beat.eq(beat),
        # A lane's clock goes on by steps that can be compared. A lane may be ahead of the beat of a
        # cut that it hears of.
        Assume((clock >= before) & (clock - before < HALF)),
        Assume((clock < beat + HALF) & (beat <= clock + HALF)),
        Assume(~(dut.add & dut.any) | (dut.home < dut.least)),
    ]
    here = Signal(PLIES)
    stays, due = Signal(PLIES), Signal(PLIES)
    was_due = Signal(PLIES)
    for ply in range(PLIES):
        theirs = Signal(CLOCK_BITS, name=f"beat{ply}")
        m.d.comb += [
            stays[ply].eq(here[ply] & ~(dut.forget & (dut.left <= ply))),
            due[ply].eq(here[ply] & (was_due[ply] | (clock >= theirs))),
        ]
        m.d.comb += Assume(~here[ply] | was_due[ply] | (clock < theirs + HALF))
        adds = dut.add & (dut.home == ply)
        with m.If(adds):
            m.d.sync += theirs.eq(beat)
        alone = dut.add & (places == 1)
        m.d.sync += [
            here[ply].eq(~dut.clear & (adds | (stays[ply] & ~alone))),
            was_due[ply].eq(due[ply] & ~adds),
        ]
    m.d.comb += Assume(~dut.add | (places == 1) | (sum(stays) < places))
    m.d.comb += Assert(dut.any == here.any())
    with m.If(here.any()):
        m.d.comb += Assert(dut.least == least_of(list(here)))
    # These are a cycle behind, and hear another one later of what has been forgotten.
    last, left, is_below, told = Signal(PLIES), Signal(PLIES), Signal(), Signal()
    m.d.sync += [
        last.eq(due),
        left.eq(due & stays),
        is_below.eq(Cat(due[ply] & (dut.ply > ply) for ply in range(PLIES)).any()),
        told.eq(~(dut.clear | (dut.add & (places == 1)))),
    ]
    with m.If(told):
        m.d.comb += [Assert(dut.due == last.any()), Assert(dut.is_below == is_below)]
        with m.If(left.any()):
            m.d.comb += Assert(dut.target == least_of(list(left)))
    prove(m, cycles=CYCLES)


def of_three_lanes(dut: Dooms) -> None:
    """There are as many places as dooms may be."""
    kept(dut, places=3)


def of_two_lanes(dut: Dooms) -> None:
    """The last one has the only place."""
    kept(dut, places=1)


def target_is_the_uppermost(m: Module, dut: Dooms) -> None:
    m.d.comb += dut.target.eq(dut.least)


def due_is_lost_to_another(m: Module, dut: Dooms) -> None:
    with m.If(~turnstile_module.reached(dut.now, dut.beat) & dut.add):
        m.d.sync += dut.due.eq(0)


def below_before_it_is_due(m: Module, dut: Dooms) -> None:
    m.d.sync += dut.is_below.eq(dut.any & (dut.ply > dut.least))


def at_the_node_itself(m: Module, dut: Dooms) -> None:
    with m.If(dut.due & (dut.ply == dut.target)):
        m.d.sync += dut.is_below.eq(1)


test_of_three_lanes, test_proof_of_three_finds_a_fault = proof_and_faults(
    of_three_lanes,
    lambda: Dooms(PLIES, 3),
    [
        target_is_the_uppermost,
        due_is_lost_to_another,
        below_before_it_is_due,
        at_the_node_itself,
    ],
    fixtures=("few",),
)
test_of_two_lanes, test_proof_of_two_finds_a_fault = proof_and_faults(
    of_two_lanes,
    lambda: Dooms(PLIES, 2),
    [below_before_it_is_due, at_the_node_itself],
    fixtures=("few",),
)
