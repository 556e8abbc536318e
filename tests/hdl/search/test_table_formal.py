"""Transposition table: the update of a row, for all entries and any latency of the memory."""

import pytest
from amaranth.asserts import AnyConst, AnySeq
from amaranth.hdl import Assert, Assume, Cat, Mux, Signal, Value

from loopline.hdl.config import GridConfig
from loopline.hdl.search.config import SearchConfig, Widths
from loopline.hdl.search.table import MemoryOp, TableOp, TranspositionTable, entry_layout
from loopline.hdl.search.types import Bound
from tests.hdl.support_formal import (
    assert_stream_contract,
    assume_stream_contract,
    module,
    proof_and_faults,
    prove,
)

CONFIG = SearchConfig(grid=GridConfig(size=8), table_bits=6, widths=Widths(key=16))
ENTRY = entry_layout(CONFIG)
NO_SHAPE = 3


def row_is_updated(dut):
    """Of one row: what the memory has after each ``STORE``, and what each ``PROBE`` answers."""
    m = module(dut, dut.requests.valid, dut.requests.payload, dut.answers.ready)
    asked, ops = dut.requests.payload, dut.memory.requests
    assume_stream_contract(m, dut.requests)
    assert_stream_contract(m, dut.answers)
    assert_stream_contract(m, ops)
    key, new = asked.hash[-16:], asked.entry
    # All requests are for one row.
    row = AnyConst(CONFIG.table_bits - 1)
    m.d.comb += [
        Assume(asked.hash[1 : CONFIG.table_bits] == row),
        Assume(new.bound != Bound.NONE),
        Assume(Value.cast(asked.op) != 3),
        Assume(Value.cast(new.move.move.symbol) != NO_SHAPE),
    ]
    loaded = Signal()
    m.d.sync += loaded.eq(1)
    m.d.comb += Assume(loaded | ~dut.requests.valid)

    # The memory, and the row as it has to be.
    rows = [Signal(ENTRY, name=f"row{n}") for n in range(2)]
    model = [Signal(ENTRY, name=f"model{n}") for n in range(2)]
    pending, shown, what = Signal(), Signal(), Signal(ENTRY)
    m.d.comb += [
        ops.ready.eq(AnySeq(1) & ~(pending & (ops.payload.op == MemoryOp.READ))),
        dut.memory.responses.valid.eq(pending & shown),
        dut.memory.responses.payload.eq(what),
    ]
    m.d.sync += shown.eq(pending & (shown | AnySeq(1)))
    with m.If(~loaded):
        for entry, expected in zip(rows, model, strict=True):
            any_entry = AnyConst(ENTRY.size)
            m.d.sync += [Value.cast(entry).eq(any_entry), Value.cast(expected).eq(any_entry)]
    with m.If(dut.memory.responses.valid & dut.memory.responses.ready):
        m.d.sync += [pending.eq(0), shown.eq(0)]
    with m.If(ops.valid & ops.ready):
        m.d.comb += Assert((ops.payload.op == MemoryOp.EMPTY) | (ops.payload.address[1:] == row))
        with m.If(ops.payload.op == MemoryOp.READ):
            m.d.sync += [
                pending.eq(1),
                what.eq(Mux(ops.payload.address[0], rows[1], rows[0])),
            ]
        for number, entry in enumerate(rows):
            with m.If((ops.payload.op == MemoryOp.WRITE) & (ops.payload.address[0] == number)):
                m.d.sync += entry.eq(ops.payload.entry)
            with m.If(ops.payload.op == MemoryOp.EMPTY):
                m.d.sync += entry.bound.eq(Bound.NONE)

    written = Signal(ENTRY)
    m.d.comb += [
        written.bound.eq(new.bound),
        written.depth.eq(new.depth),
        written.score.eq(new.score),
        written.key.eq(key),
        Cat(written.move.place.x, written.move.place.y).eq(
            Cat(new.move.move.place.x, new.move.move.place.y)
        ),
        Value.cast(written.move.symbol).eq(
            Mux(new.move.valid, Value.cast(new.move.move.symbol), NO_SHAPE)
        ),
    ]
    first, second = model
    fits = [(entry.bound != Bound.NONE) & (entry.key == key) for entry in model]
    done = dut.requests.valid & dut.requests.ready
    with m.If(done & (asked.op == TableOp.STORE)):
        with m.If(fits[0] | (first.bound == Bound.NONE)):
            m.d.sync += first.eq(written)
        with m.Elif(first.depth <= new.depth):
            m.d.sync += [first.eq(written), second.eq(first)]
        with m.Else():
            m.d.sync += second.eq(written)
    with m.If(done & (asked.op == TableOp.CLEAR)):
        m.d.sync += [entry.bound.eq(Bound.NONE) for entry in model]

    # A probe's answer is that of the row when it was taken.
    taken, found, seen = Signal(), Signal(), Signal(ENTRY)
    with m.If(done):
        m.d.sync += [
            taken.eq(asked.op == TableOp.PROBE),
            found.eq(fits[0] | fits[1]),
            seen.eq(Mux(fits[0], first, second)),
        ]
    answer = dut.answers.payload
    with m.If(dut.answers.valid):
        m.d.comb += [Assert(taken), Assert(answer.found == found)]
        with m.If(found):
            m.d.comb += [
                Assert(answer.entry.score == seen.score),
                Assert(answer.entry.depth == seen.depth),
                Assert(answer.entry.bound == seen.bound),
                Assert(answer.entry.move.valid == (Value.cast(seen.move.symbol) != NO_SHAPE)),
                Assert(Value.cast(answer.entry.move.move) == Value.cast(seen.move)),
            ]
    finished = Signal()
    m.d.sync += finished.eq(done)
    with m.If(finished):
        for entry, expected in zip(rows, model, strict=True):
            m.d.comb += Assert(Value.cast(entry) == Value.cast(expected))
    prove(m, cycles=14)


def moves_nothing(m, dut):
    """The new entry is written to the second place, too, in place of the old first one."""
    m.d.comb += dut.memory.requests.payload.entry.depth.eq(dut.requests.payload.entry.depth)


def empty_entries_count(m, dut):
    """The entry that was read first is the answer."""
    m.d.comb += dut.answers.payload.found.eq(1)


def one_place(m, dut):
    m.d.comb += dut.memory.requests.payload.address[0].eq(0)


test_row_is_updated, test_row_proof_finds_a_fault = proof_and_faults(
    row_is_updated,
    lambda: TranspositionTable(CONFIG),
    [moves_nothing, empty_entries_count, one_place],
)
test_row_is_updated = pytest.mark.slow(test_row_is_updated)
