"""Command queue: proofs for every order of commands and every behaviour of the player."""

import pytest
from amaranth.asserts import AnyConst, AnySeq
from amaranth.hdl import Assert, Assume, Module, ResetSignal, Signal, Value

from loopline.hdl.config import GridConfig
from loopline.hdl.link import is_session
from loopline.hdl.link.queue import CommandQueue
from tests.hdl.support_formal import ProofError, assert_stream_contract, prove

CYCLES = 10


def free_queue(queue=None):
    """A module with a queue whose inputs may be anything in every cycle."""
    m = Module()
    m.submodules.dut = dut = queue or CommandQueue(GridConfig(size=8))
    m.d.comb += [
        Assume(~ResetSignal()),
        dut.i.valid.eq(AnySeq(1)),
        Value.cast(dut.i.payload).eq(AnySeq(len(Value.cast(dut.i.payload)))),
        dut.o.ready.eq(AnySeq(1)),
    ]
    return m, dut


def test_stream_contract():
    m, dut = free_queue()
    assert_stream_contract(m, dut.o)
    prove(m, cycles=CYCLES)


def test_newest_session_command_is_among_the_next_two_taken():
    """Any one of them, as long as no newer one has come; and ``session`` is high until then."""
    m, dut = free_queue()
    arrives = dut.i.valid & is_session(dut.i.payload)
    taken = dut.o.valid & dut.o.ready
    # The number of the chosen one, told by its labels, which the queue does not look at.
    number = AnyConst(3)
    mark = dut.i.payload.turn.column
    with m.If(dut.i.valid):
        m.d.comb += Assume((mark == number) | (mark == 0))
    m.d.comb += Assume(number != 0)

    chosen, delivered, after = Signal(), Signal(), Signal(range(3))
    begins = arrives & (mark == number)
    with m.If(dut.i.valid & (mark == number)):
        m.d.comb += Assume(~chosen & begins)
        m.d.sync += chosen.eq(1)
    with m.Elif(chosen & arrives):
        m.d.comb += Assume(0)
    with m.If(chosen & taken & (after != 2)):
        m.d.sync += after.eq(after + 1)
    with m.If(chosen & taken & (dut.o.payload.turn.column == number)):
        m.d.comb += Assert(~delivered)
        m.d.sync += delivered.eq(1)

    with m.If(after == 2):
        m.d.comb += Assert(delivered)
    with m.If(begins | (chosen & ~delivered)):
        m.d.comb += Assert(dut.session)
    with m.If(chosen & delivered):
        m.d.comb += Assert(~dut.session)
    prove(m, cycles=CYCLES)


def test_nothing_is_dropped_for_a_player_that_is_always_ready():
    m, dut = free_queue()
    m.d.comb += Assume(dut.o.ready)
    arrived, before = Signal(), Signal(len(Value.cast(dut.i.payload)))
    m.d.sync += [arrived.eq(dut.i.valid), before.eq(dut.i.payload)]
    m.d.comb += [Assert(~dut.dropped), Assert(dut.o.valid == arrived)]
    with m.If(arrived):
        m.d.comb += Assert(Value.cast(dut.o.payload) == before)
    prove(m, cycles=CYCLES)


def test_a_proof_can_fail():
    m, dut = free_queue()
    m.d.comb += Assert(~dut.dropped)
    with pytest.raises(ProofError, match="Assert failed in top"):
        prove(m, cycles=CYCLES)
