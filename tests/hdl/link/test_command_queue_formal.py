"""Command queue: proofs for every order of commands and every behaviour of the player."""

import pytest
from amaranth.asserts import AnyConst
from amaranth.hdl import Assert, Assume, Signal, Value

from loopline.hdl.config import GridConfig
from loopline.hdl.link import is_session
from loopline.hdl.link.command_queue import CommandQueue
from tests.hdl.support_formal import assert_stream_contract, faulty, finds_it, module, prove

CYCLES = 10


def queue():
    return CommandQueue(GridConfig(size=8))


def contract_is_kept(dut):
    m = module(dut)
    assert_stream_contract(m, dut.o)
    prove(m, cycles=CYCLES)


def newest_session_command_is_among_the_next_two_taken(dut):
    """A session command is among the next two commands taken, unless a newer one comes; ``session``
    is high until then."""
    m = module(dut)
    arrives = dut.i.valid & is_session(dut.i.payload)
    taken = dut.o.valid & dut.o.ready
    # The chosen command has a number in its labels, which the queue ignores.
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


def nothing_is_dropped_for_a_player_that_is_always_ready(dut):
    m = module(dut)
    m.d.comb += Assume(dut.o.ready)
    arrived, before = Signal(), Signal(len(Value.cast(dut.i.payload)))
    m.d.sync += [arrived.eq(dut.i.valid), before.eq(dut.i.payload)]
    m.d.comb += [Assert(~dut.dropped), Assert(dut.o.valid == arrived)]
    with m.If(arrived):
        m.d.comb += Assert(Value.cast(dut.o.payload) == before)
    prove(m, cycles=CYCLES)


def offer_changes(m, dut):
    """A command that arrives replaces the one on offer."""
    with m.If(dut.i.valid):
        m.d.sync += dut.o.payload.eq(dut.i.payload)


def offers_again(m, dut):
    """A command that has been taken stays on offer."""
    with m.If(dut.o.valid):
        m.d.sync += [dut.o.valid.eq(1), dut.o.payload.eq(dut.o.payload)]


def session_is_forgotten(m, dut):
    """A session command counts only while it is on offer."""
    m.d.comb += dut.session.eq(dut.o.valid & is_session(dut.o.payload))


def drops_behind_an_offer(m, dut):
    """A command that arrives while another one is taken is dropped."""
    with m.If(dut.o.valid & dut.o.ready):
        m.d.sync += dut.o.valid.eq(0)


PROOFS = {
    contract_is_kept: [offer_changes],
    newest_session_command_is_among_the_next_two_taken: [offers_again, session_is_forgotten],
    nothing_is_dropped_for_a_player_that_is_always_ready: [offers_again, drops_behind_an_offer],
}
"""The proofs, and the faults that each of them must find."""


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.__name__)
def test_proof(proof):
    proof(queue())


@pytest.mark.parametrize(
    ("proof", "fault"),
    [(proof, fault) for proof, faults in PROOFS.items() for fault in faults],
    ids=lambda function: function.__name__,
)
def test_proof_finds_a_fault(proof, fault):
    with finds_it:
        proof(faulty(queue(), fault))
