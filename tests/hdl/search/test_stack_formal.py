"""Frame stack: what is taken is what was stored last, in any order of both."""

from amaranth.asserts import AnyConst
from amaranth.hdl import Assert, Assume, Signal

from loopline.hdl.search.stack import FrameStack
from tests.hdl.support_formal import module, proof_and_faults, prove

DEPTH, BITS = 4, 5


def last_in_first_out(dut):
    m = module(dut)
    level, chosen = Signal(range(DEPTH + 1)), AnyConst(range(DEPTH))
    stored, owed, after = Signal(BITS), Signal(), Signal()
    takes = owed & ~dut.busy
    m.d.comb += [
        Assume(~dut.push | (~dut.busy & ~dut.pop & ~owed & (level != DEPTH))),
        Assume(~dut.pop | (~owed & (level != 0))),
    ]
    m.d.sync += after.eq(dut.push)
    with m.If(dut.pop):
        m.d.sync += owed.eq(1)
    with m.If(dut.push):
        m.d.sync += level.eq(level + 1)
        with m.If(level == chosen):
            m.d.sync += stored.eq(dut.frame)
    with m.If(takes):
        m.d.sync += [level.eq(level - 1), owed.eq(0)]
        with m.If(level == chosen + 1):
            m.d.comb += Assert(dut.top == stored)
    prove(m, cycles=24)


def forgets_what_is_in_memory(m, dut):
    m.d.comb += m.submodules.memory.write_ports[0].en.eq(0)


test_last_in_first_out, test_stack_proof_finds_a_fault = proof_and_faults(
    last_in_first_out,
    lambda: FrameStack(BITS, DEPTH, word_bits=2),
    [forgets_what_is_in_memory],
)
