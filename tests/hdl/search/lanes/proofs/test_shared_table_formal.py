"""Shared table: which entries are written when, and what a probe has to wait for.

For two lanes with queues of two entries, a table of any latency, and any promise that is kept. Two
entries are watched, which may be any. And the lane whose clock is the least one is served soon.
"""

from __future__ import annotations

import pytest
from amaranth.asserts import AnyConst
from amaranth.hdl import Array, Assert, Assume, Cat, Mux, Signal, Value

from loopline.hdl.config import GridConfig
from loopline.hdl.search.config import SearchConfig, Widths
from loopline.hdl.search.lanes import shared_table as unit_module
from loopline.hdl.search.lanes.shared_table import SharedTable
from loopline.hdl.search.table import TableOp
from tests.hdl.support_formal import (
    anything,
    assert_stream_contract,
    assume_stream_contract,
    faulty,
    module,
    proof_and_faults,
    prove,
)

CONFIG = SearchConfig(grid=GridConfig(size=8), table_bits=6, widths=Widths(key=16))
LANES, QUEUE = 2, 2
HASH_BITS, BEAT_BITS, BEATS_DELAY = 3, 5, 4
"""Less than they are, so that the proof takes less time."""


@pytest.fixture
def small(monkeypatch):
    """Short queues, small clocks, and a table that does anything."""
    monkeypatch.setattr(unit_module, "DELAYED_STORES", QUEUE)
    monkeypatch.setattr(unit_module, "BEATS_DELAY", BEATS_DELAY)
    monkeypatch.setattr(unit_module, "BEAT_BITS", BEAT_BITS)
    part = anything(unit_module.TranspositionTable)
    monkeypatch.setattr(unit_module, "TranspositionTable", part)


class Watched:
    """An entry that a lane stores once."""

    def __init__(self, m, name: str):
        self.hash = AnyConst(HASH_BITS)
        self.beat = Signal(BEAT_BITS, name=f"{name}_beat")
        self.came = Signal(name=f"{name}_came")
        self.waits = Signal(name=f"{name}_waits")
        self.lane = self.hash[0]

    @property
    def key(self) -> Value:
        """What orders entries."""
        return Cat(self.lane, self.beat)


def entries_are_written_in_time(dut, cycles=13):
    """An entry is written when no request can come at a beat at which it is not due, and before any
    later one; once, unless it was lost because its lane's queue had no room; and all that a probe
    has to see has been written before, while nothing comes later that it should have seen."""

    def step(m, dut):
        table, ports = m.submodules.table, dut.ports
        asked, done = table.requests.payload, table.requests.valid & table.requests.ready
        stores = table.requests.valid & (asked.op == TableOp.STORE)
        probes = table.requests.valid & (asked.op == TableOp.PROBE)
        assume_stream_contract(m, table.answers)
        assert_stream_contract(m, table.requests)

        # The promise, and clocks that do not go back. The lowest bit of a hash is its lane.
        promised, bound = Signal(BEAT_BITS), Signal(BEAT_BITS)
        higher = dut.known & (dut.least > promised)
        m.d.comb += [
            bound.eq(Mux(higher, dut.least, promised)),
            Assume(~dut.least[-1]),
        ]
        m.d.sync += promised.eq(bound)
        owed = Array(Signal(name=f"owed{n}") for n in range(LANES))
        waiting = Array(Signal(range(QUEUE + 2), name=f"waiting{n}") for n in range(LANES))
        probed = Signal(BEAT_BITS)
        watched = first, second = [Watched(m, name) for name in ("first", "second")]
        m.d.comb += [
            Assume(first.hash != second.hash),
            Assume(~table.answers.valid | Cat(*owed).any()),
        ]
        with m.If(stores & done):
            m.d.sync += waiting[asked.hash[0]].eq(waiting[asked.hash[0]] - 1)
        for number, port in enumerate(ports):
            request, clock = port.requests.payload, Signal(BEAT_BITS, name=f"clock{number}")
            taken = port.requests.valid & port.requests.ready
            assume_stream_contract(m, port.requests)
            assert_stream_contract(m, port.answers)
            with m.If(port.requests.valid):
                m.d.comb += [
                    Assume(request.beat >= bound),
                    Assume(request.beat >= clock),
                    Assume(~request.beat[-1]),
                    Assume(request.hash[HASH_BITS:] == 0),
                    Assume(Value.cast(request.entry) == 0),
                    Assume(request.hash[0] == number),
                    Assume((request.op == TableOp.STORE) | (request.op == TableOp.PROBE)),
                ]
            with m.If(port.answers.valid):
                m.d.comb += Assert(owed[number])
            with m.If(port.answers.valid & port.answers.ready):
                m.d.sync += owed[number].eq(0)
            with m.If(taken):
                m.d.sync += clock.eq(request.beat)
            with m.If(taken & (request.op == TableOp.PROBE)):
                m.d.comb += Assert(probes & done)
                m.d.sync += owed[number].eq(1)
                with m.If(request.beat > probed):
                    m.d.sync += probed.eq(request.beat)
            with m.If(taken & (request.op == TableOp.STORE)):
                room = waiting[number] != QUEUE
                m.d.comb += [Assert(~stores), Assert(request.beat + BEATS_DELAY > probed)]
                with m.If(room):
                    m.d.sync += waiting[number].eq(waiting[number] + 1)
                for entry in watched:
                    # It is lost only if those that wait are not due.
                    own = entry.waits & (entry.lane == number)
                    with m.If(~room & own):
                        m.d.comb += Assert(entry.beat + BEATS_DELAY > request.beat)
                    with m.If(request.hash == entry.hash):
                        m.d.comb += Assume(~entry.came)
                        m.d.sync += entry.came.eq(1)
                        m.d.sync += [entry.waits.eq(room), entry.beat.eq(request.beat)]

        # Whether the second one came later, if that counts.
        later = Signal()
        with m.If(~second.came):
            m.d.sync += later.eq(first.came)
        before = (first.key < second.key) | ((first.key == second.key) & later)
        with m.If(stores):
            m.d.comb += Assert(waiting[asked.hash[0]] != 0)
            for entry in watched:
                with m.If(asked.hash == entry.hash):
                    m.d.comb += [
                        Assert(entry.waits),
                        Assert(entry.beat + BEATS_DELAY <= bound),
                    ]
                    with m.If(done):
                        m.d.sync += entry.waits.eq(0)
            with m.If(asked.hash == second.hash):
                m.d.comb += Assert(~(first.waits & before))
        with m.If(probes):
            beat = Array(port.requests.payload.beat for port in ports)[asked.hash[0]]
            with m.If(first.waits):
                m.d.comb += Assert(first.beat + BEATS_DELAY > beat)

    prove(module(faulty(dut, step)), cycles=cycles)


def entries_look_older(m, dut):
    queues = m.submodules.queues
    m.d.comb += queues.write_ports[0].data.beat.eq(0)


def lanes_share_a_queue(m, dut):
    queues = m.submodules.queues
    m.d.comb += [port.addr[-1].eq(0) for port in (queues.write_ports[0], queues.read_ports[0])]


def a_full_queue_is_written(m, dut):
    queues = m.submodules.queues
    m.d.comb += queues.write_ports[0].en.eq(1)


def probes_are_taken_at_once(m, dut):
    table = m.submodules.table
    port = dut.ports[0].requests
    with m.If(port.valid & (port.payload.op == TableOp.PROBE) & ~table.requests.valid):
        m.d.comb += port.ready.eq(1)


test_entries_are_written_for_longer, test_proof_finds_a_fault = proof_and_faults(
    entries_are_written_in_time,
    lambda: SharedTable(CONFIG, LANES),
    [
        entries_look_older,
        lanes_share_a_queue,
        a_full_queue_is_written,
        probes_are_taken_at_once,
    ],
    fixtures=("small",),
)
test_entries_are_written_for_longer = pytest.mark.slow(test_entries_are_written_for_longer)


@pytest.mark.usefixtures("small")
def test_entries_are_written_in_time():
    """Long enough for each of the faults."""
    entries_are_written_in_time(SharedTable(CONFIG, LANES), cycles=10)


PATIENCE = 12
"""What is left of a walk, and another one, each with a probe of the other lane. Ten are too few."""


def the_least_is_served(dut, cycles=PATIENCE + 8):
    """A request at the beat ``least`` is taken before ``PATIENCE`` cycles have passed in which no
    entry is written, the table is not busy, and no lane lets an answer wait. A walk that leaves an
    entry which is due waits for none: so no lane waits for ever."""

    def step(m, dut):
        table = m.submodules.table
        asked, done = table.requests.payload, table.requests.valid & table.requests.ready
        stores = done & (asked.op == TableOp.STORE)
        assume_stream_contract(m, table.answers)
        # Between its probe and the answer.
        owed = Signal()
        answered = table.answers.valid & table.answers.ready
        m.d.comb += Assume(~table.answers.valid | owed)
        with m.If(done & (asked.op == TableOp.PROBE)):
            m.d.sync += owed.eq(1)
        with m.Elif(answered):
            m.d.sync += owed.eq(0)
        idles = (table.requests.valid & ~table.requests.ready) | (owed & ~answered)
        promised = Signal(BEAT_BITS)
        m.d.comb += Assume(~dut.least[-1])
        with m.If(dut.known):
            m.d.comb += Assume(dut.least >= promised)
            m.d.sync += promised.eq(dut.least)
        for number, port in enumerate(dut.ports):
            request, clock = port.requests.payload, Signal(BEAT_BITS, name=f"clock{number}")
            waited = Signal(range(PATIENCE + 1), name=f"waited{number}")
            assume_stream_contract(m, port.requests)
            with m.If(port.requests.valid):
                m.d.comb += [
                    Assume(request.beat >= Mux(dut.known, dut.least, promised)),
                    Assume(request.beat >= clock),
                    Assume(~request.beat[-1]),
                    Assume((request.op == TableOp.STORE) | (request.op == TableOp.PROBE)),
                ]
                m.d.sync += clock.eq(request.beat)
            is_least = port.requests.valid & dut.known & (request.beat == dut.least)
            with m.If(~is_least | port.requests.ready | stores):
                m.d.sync += waited.eq(0)
            with m.Elif(~idles):
                m.d.sync += waited.eq(waited + 1)
            m.d.comb += Assert(waited != PATIENCE)

    prove(module(faulty(dut, step)), cycles=cycles)


def probes_are_never_taken(m, dut):
    table = m.submodules.table
    with m.If(table.requests.payload.op == TableOp.PROBE):
        m.d.comb += table.requests.valid.eq(0)


def the_last_lane_is_not_visited(m, dut):
    m.d.comb += dut.ports[-1].requests.ready.eq(0)


def entries_look_younger(m, dut):
    """None is due before the last beat."""
    queues = m.submodules.queues
    m.d.comb += queues.write_ports[0].data.beat.eq((1 << BEAT_BITS - 1) - 1)


test_the_least_is_served, test_waiting_proof_finds_a_fault = proof_and_faults(
    the_least_is_served,
    lambda: SharedTable(CONFIG, LANES),
    [probes_are_never_taken, the_last_lane_is_not_visited, entries_look_younger],
    fixtures=("small",),
)
