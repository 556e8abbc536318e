"""Proof for a shared memory: no row of ``low`` changes by what ``high`` does."""

from amaranth.hdl import Array, Assert, Assume, Mux, Signal

from loopline.hdl.core.memory import MemoryPort, SharedMemory
from tests.hdl.support_formal import module, proof_and_faults, prove


def rows_are_kept(dut, depth=6):
    m = module(dut)
    low, granted = dut.low, ~dut.grant
    m.d.comb += [Assume(low.r_addr < depth), Assume(low.w_addr < depth)]
    words = Array(Signal(5, name=f"word{n}") for n in range(depth))
    written = Signal(depth)
    with m.If(low.w_en & granted):
        m.d.sync += [words[low.w_addr].eq(low.w_data), written.bit_select(low.w_addr, 1).eq(1)]
    check, expected = Signal(), Signal(5)
    with m.If(granted & low.r_en):
        m.d.sync += [
            check.eq(written.bit_select(low.r_addr, 1)),
            expected.eq(words[low.r_addr]),
        ]
    with m.Elif(dut.grant):
        m.d.sync += check.eq(0)
    with m.If(check & granted):
        m.d.comb += Assert(low.r_data == expected)
    prove(m, cycles=6)


def high_has_the_first_rows(m, dut):
    m.d.comb += m.submodules.memory.port.w_addr.eq(Mux(dut.grant, dut.high.w_addr, dut.low.w_addr))


def high_writes_without_a_grant(m, dut):
    m.d.comb += m.submodules.memory.port.w_en.eq(dut.low.w_en | dut.high.w_en)


def shared():
    return SharedMemory(MemoryPort(5, 6), MemoryPort(5, 2), depth=8)


test_rows_are_kept, test_rows_proof_finds_a_fault = proof_and_faults(
    rows_are_kept, shared, [high_has_the_first_rows, high_writes_without_a_grant]
)
