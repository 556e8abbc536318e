"""Proof for a memory that two units share: any row of the host's is what the host has last put
there, whatever the guest does.
"""

import pytest
from amaranth.hdl import Array, Assert, Assume, Mux, Signal

from loopline.hdl.core.rows import Rows, SharedRows
from tests.hdl.support_formal import faulty, finds_it, module, prove


def rows_are_kept(dut, depth):
    m = module(dut)
    rows = dut.host
    m.d.comb += [Assume(rows.row < depth), Assume(rows.at < depth)]
    mine = ~dut.lent
    words = Array(Signal(5, name=f"word{n}") for n in range(depth))
    known = Signal(depth)
    with m.If(rows.put & mine):
        m.d.sync += [words[rows.at].eq(rows.given), known.bit_select(rows.at, 1).eq(1)]
    asked, expected = Signal(), Signal(5)
    with m.If(mine & rows.en):
        m.d.sync += [
            asked.eq(known.bit_select(rows.row, 1)),
            expected.eq(words[rows.row]),
        ]
    with m.Elif(dut.lent):
        m.d.sync += asked.eq(0)
    with m.If(asked & mine):
        m.d.comb += Assert(rows.found == expected)
    prove(m, cycles=6)


def guest_has_the_first(m, dut):
    """The guest writes the host's rows."""
    m.d.comb += m.submodules.memory.rows.at.eq(Mux(dut.lent, dut.guest.at, dut.host.at))


def guest_is_not_asked(m, dut):
    """The guest writes while the host is at work."""
    m.d.comb += m.submodules.memory.rows.put.eq(dut.host.put | dut.guest.put)


def test_rows_are_kept():
    rows_are_kept(SharedRows(Rows(5, 6), Rows(5, 2), depth=8), 6)


@pytest.mark.parametrize("fault", [guest_has_the_first, guest_is_not_asked])
def test_rows_proof_finds_a_fault(fault):
    with finds_it:
        rows_are_kept(faulty(SharedRows(Rows(5, 6), Rows(5, 2), depth=8), fault), 6)
