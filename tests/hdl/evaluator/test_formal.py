"""Proofs about the evaluator's parts. Each proof also has to find planted faults."""

from __future__ import annotations

import pytest
from amaranth.asserts import AnyConst, AnySeq
from amaranth.hdl import Array, Assert, Assume, Cat, Const, Mux, Signal, Value

from loopline.game import Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.cells import rows_around
from loopline.hdl.core.memory import WithMemories
from loopline.hdl.core.types import Status
from loopline.hdl.evaluator import overlay as overlay_module
from loopline.hdl.evaluator import union_find as union_find_module
from loopline.hdl.evaluator import unit as unit_module
from loopline.hdl.evaluator.lane import Lane
from loopline.hdl.evaluator.overlay import Overlay
from loopline.hdl.evaluator.slow import SlowPath
from loopline.hdl.evaluator.track_ids import TrackIds
from loopline.hdl.evaluator.types import sockets_layout, window_bits, window_layout
from loopline.hdl.evaluator.union_find import UnionFind, tag_of
from loopline.hdl.evaluator.unit import CandidateEvaluator
from tests.hdl.support_formal import (
    anything,
    assert_stream_contract,
    assume_stream_contract,
    finds_it,
    module,
    proof_and_faults,
    prove,
)

GRID = GridConfig(size=8, frontier_entries=16)


def at_most_one(mask: Value) -> Value:
    """No two bits of a mask are set."""
    return (mask & (mask - 1)[: len(mask)]) == 0


# What a socket does to a space: for all spaces that there can be between and within turns.


def lane_equals_rules(dut):
    m = module(dut)
    masks = [[dut.base.white, dut.base.red], [Signal(4), Signal(4)]]
    for number, mask in enumerate(masks[1]):
        socket = dut.added[number]
        m.d.comb += mask.eq(Mux(socket.valid, (1 << socket.side)[:4], 0))
    entry = Signal(4)
    m.d.comb += entry.eq(1 << dut.entry)

    def of(pair, colour):
        return Mux(colour, pair[1], pair[0])

    before = [masks[0][number] | masks[1][number] for number in range(2)]
    mine, theirs = of(before, dut.colour), of(before, ~dut.colour)
    single_mine, single_theirs = at_most_one(mine), at_most_one(theirs)
    overlaps = masks[0][0] & masks[0][1]
    for one, other in (
        (masks[1][0], masks[0][0] | masks[0][1]),
        (masks[1][1], masks[0][0] | masks[0][1] | masks[1][0]),
    ):
        overlaps = overlaps | (one & other)
    m.d.comb += [
        # After each turn at most one of each colour; never two sockets on one side.
        Assume(at_most_one(masks[0][0]) & at_most_one(masks[0][1])),
        Assume(overlaps == 0),
        Assume((mine.any() & ~single_mine & ~single_theirs) | ~(entry & (mine | theirs)).any()),
    ]
    free = ~(entry & (mine | theirs)).any()

    def names_sockets(pair, colour):
        """Asserts that a pair names two sockets of the colour, and the other colour's."""
        own, others = of(before, colour), of(before, ~colour)
        base, base_other = of(masks[0], colour), of(masks[0], ~colour)
        return [
            Assert(pair.colour == colour),
            Assert(((1 << pair.b)[:4] & own).any()),
            Assert(pair.b_base == ((1 << pair.b)[:4] & base).any()),
            Assert(pair.other.valid == others.any()),
            Assert(~others.any() | ((1 << pair.other.side)[:4] & others).any()),
            Assert(
                ~others.any() | (pair.other_base == ((1 << pair.other.side)[:4] & base_other).any())
            ),
        ]

    with m.If(free):
        m.d.comb += Assert(dut.illegal == ~single_mine)
        with m.If(~dut.illegal):
            m.d.comb += Assert(dut.forced == (mine.any() & single_theirs))
            with m.If(dut.forced):
                m.d.comb += [Assert(dut.pair.a == dut.entry), Assert(~dut.pair.both)]
                m.d.comb += names_sockets(dut.pair, dut.colour)
        m.d.comb += Assert(dut.overflow == of(masks[1], dut.colour).any())
        kept = Mux(dut.other.valid, (1 << dut.other.side)[:4], 0)
        m.d.comb += Assert(kept == of(masks[1], ~dut.colour))
    with m.If(~single_theirs):
        m.d.comb += names_sockets(dut.revisit, ~dut.colour)
        m.d.comb += [
            Assert(((1 << dut.revisit.a)[:4] & of(masks[1], ~dut.colour)).any()),
            Assert(dut.revisit.b_base),
            Assert(dut.revisit.both == ~single_mine),
        ]
    prove(m, cycles=1)


LANE_FAULTS = {
    "legal at three": lambda dut: dut.illegal.eq(0),
    "forced by one of the other colour": lambda dut: dut.forced.eq(
        dut.base.white.any() | dut.base.red.any()
    ),
    "the other colour's socket is forgotten": lambda dut: dut.other.valid.eq(0),
    "this colour's socket in place of the other's": lambda dut: dut.other.side.eq(
        Mux(dut.colour, dut.added[1].side, dut.added[0].side)
    ),
    "overflow by the other colour": lambda dut: dut.overflow.eq(
        Mux(dut.colour, dut.added[0].valid, dut.added[1].valid)
    ),
    "the wrong end": lambda dut: dut.pair.a.eq(dut.entry ^ 2),
    "all sockets are the position's": lambda dut: dut.pair.other_base.eq(1),
    "never both": lambda dut: dut.revisit.both.eq(0),
    "the other colour is revisited": lambda dut: dut.revisit.colour.eq(dut.colour),
}


test_lane_equals_the_rules, test_lane_proof_finds_a_fault = proof_and_faults(
    lane_equals_rules, lambda: Lane(GRID), LANE_FAULTS
)


# The overlay: for each thread a plain memory that is emptied when its candidate's epoch changes.


@pytest.fixture
def few_epochs(monkeypatch):
    """Epochs of two bits: more than a proof of a few cycles counts."""
    for m in (overlay_module, union_find_module):
        monkeypatch.setattr(m, "EPOCH_BITS", 2)


def overlay_is_memory(dut):
    # Both bits of a kept socket's side are alike, and one is sooner done.
    kept = [Cat(dut.w_others[side].valid, dut.w_others[side].side[0]) for side in Side]
    writes = [dut.w_en, dut.w_cell, dut.w_thread, dut.w_sides, dut.w_colours, dut.w_epoch, *kept]
    m = module(dut, dut.r_cell, dut.r_thread, *writes)
    bits = window_bits(GRID)
    thread = AnyConst(2)
    cell = Signal(window_layout(GRID))
    m.d.comb += Value.cast(cell).eq(AnyConst(2 * bits))
    # The epoch of the chosen thread begins with 1 and only rises. Others have any epoch.
    epoch, last = Signal(2), Signal(2, init=1)
    m.d.comb += [epoch.eq(AnySeq(2)), Assume(epoch >= last)]
    m.d.sync += last.eq(epoch)
    mine = dut.w_thread == thread
    m.d.comb += Assume(~mine | (dut.w_epoch == epoch))

    def beside(place, side):
        columns, rows = side.step
        return ((place.x + columns)[:bits] == cell.x) & ((place.y + rows)[:bits] == cell.y)

    word = Signal(sockets_layout().size)
    now = Signal.like(word)  # emptied for a new candidate
    m.d.comb += now.eq(Mux(epoch == last, word, 0))
    m.d.sync += word.eq(now)
    for side in Side:
        with m.If(mine & dut.w_en & dut.w_sides[side] & beside(dut.w_cell, side)):
            new, old = Cat(Const(side.opposite, 2), 1), Value.cast(dut.w_others[side])
            m.d.sync += word.eq(Mux(dut.w_colours[side], Cat(old, new), Cat(new, old)))
    asked, expected, then = Signal(), Signal.like(word), Signal(2)
    sides = Cat(beside(dut.r_cell, side) for side in Side)
    m.d.sync += [
        asked.eq((dut.r_thread == thread) & sides.any()),
        expected.eq(now),
        then.eq(epoch),
    ]
    # Valid for the candidate that has read it.
    found = Array(dut.r_data)[Cat(cell.x[0], cell.x[1] ^ cell.y[1])]
    with m.If(asked):
        m.d.comb += Assert(
            Mux(found.epoch == then, Value.cast(found.sockets), 0) == expected,
        )
    prove(m, cycles=4)


def shares_windows(m, dut):
    """Writes all threads' words into one window."""
    for number in range(4):
        port = m.submodules[f"bank{number}"].write_ports[0]
        high = len(port.addr) - 2
        m.d.comb += port.addr[high:].eq(0)


def old_epoch(m, dut):
    """Marks words with the epoch before."""
    for number in range(4):
        port = m.submodules[f"bank{number}"].write_ports[0]
        m.d.comb += port.data.epoch.eq(dut.w_epoch - 1)


def other_colour(m, dut):
    """Adds sockets of the other colour, on one side."""
    m.d.comb += m.submodules.bank1.write_ports[0].data.sockets.eq(
        Mux(dut.w_colours[0], Cat(Const(6, 3), dut.w_others[0]), Cat(dut.w_others[0], Const(6, 3)))
    )


def drops_a_write(m, dut):
    """Does not write to one of the banks."""
    m.d.comb += m.submodules.bank2.write_ports[0].en.eq(0)


def wrong_rows(x, y):
    """Two cells of a bank share a row."""
    return [Cat(row[:-1], row[0]) for row in rows_around(x, y)]


test_overlay_is_a_memory_for_each_candidate, test_overlay_proof_finds_a_fault = proof_and_faults(
    overlay_is_memory,
    lambda: Overlay(GRID),
    [shares_windows, old_epoch, other_colour, drops_a_write],
    fixtures=("few_epochs",),
)


def test_overlay_proof_finds_a_shared_row(few_epochs, monkeypatch):
    monkeypatch.setattr(overlay_module, "rows_around", wrong_rows)
    with finds_it:
        overlay_is_memory(Overlay(GRID))


# Track ids and union-find: what is read for a track that was written is either that, or the tag
# tells that the row is another track's.


def track_ids_are_kept(dut):
    dut = WithMemories(dut)
    m = module(
        dut, dut.r_cell, dut.r_thread, dut.w_en, dut.w_cell, dut.w_thread, Value.cast(dut.w_id)[0]
    )
    bits = window_bits(GRID)
    thread, cell = AnyConst(2), AnyConst(2 * bits)
    written, track_id = Signal(), Signal(len(Value.cast(dut.w_id)))
    with m.If(dut.w_en & (dut.w_thread == thread) & (Value.cast(dut.w_cell) == cell)):
        m.d.sync += [written.eq(1), track_id.eq(dut.w_id)]
    read_it, expected = Signal(), Signal.like(track_id)
    m.d.sync += [
        read_it.eq(written & (dut.r_thread == thread) & (Value.cast(dut.r_cell) == cell)),
        expected.eq(track_id),
    ]
    own = dut.r_tag == Cat(cell[bits - 1], cell[2 * bits - 1])
    with m.If(read_it & own):
        m.d.comb += Assert(Value.cast(dut.r_id) == expected)
    # It is another's only if that came later.
    since = Signal()
    with m.If(dut.w_en & (dut.w_thread == thread)):
        m.d.sync += since.eq(Value.cast(dut.w_cell) != cell)
    before = Signal()
    m.d.sync += before.eq(since)
    m.d.comb += Assert(~read_it | own | before | ~written)
    prove(m, cycles=5)


def drops_the_tag(m, dut):
    """Writes no tag: all tiles of a row are taken for one."""
    m.d.comb += dut.memory.w_data.tag.eq(Cat(dut.r_cell.x[-1], dut.r_cell.y[-1]))


def ids_of_one_thread(m, dut):
    """Reads what thread 0 has written."""
    m.d.comb += dut.memory.r_addr[len(dut.memory.r_addr) - 2 :].eq(0)


def one_thread(m, dut):
    """Reads what thread 0 has written."""
    port = m.submodules.rows.read_ports[0]
    m.d.comb += port.addr[len(port.addr) - 2 :].eq(0)


test_track_ids_are_kept, test_track_ids_proof_finds_a_fault = proof_and_faults(
    track_ids_are_kept, lambda: TrackIds(GRID), [drops_the_tag, ids_of_one_thread]
)


@pytest.fixture
def few_rows(monkeypatch):
    """Eight rows for each thread: more tracks share a row, and the proof is shorter."""
    monkeypatch.setattr(union_find_module, "_ROW_BITS", 3)


def rows_are_kept(dut):
    bit = dut.w_data.exits[0]  # all bits of a row but the tag are alike
    m = module(dut, dut.r_thread, dut.w_en, dut.w_thread, dut.w_id, dut.w_second_way, bit)
    id_shape = dut.w_id.shape()
    read_id, read_second_way = Signal(id_shape), Signal()
    m.d.comb += [
        Value.cast(read_id).eq(AnySeq(id_shape.size)),
        read_second_way.eq(AnySeq(1)),
        dut.r_row.eq(union_find_module.row_of(read_id, read_second_way)),
    ]
    thread, second_way, track_id = AnyConst(2), AnyConst(1), Signal(id_shape)
    m.d.comb += Value.cast(track_id).eq(AnyConst(id_shape.size))
    writes = dut.w_en & (dut.w_thread == thread)
    written, row, taken = Signal(), Signal(dut.w_data.shape()), Signal()
    with m.If(
        writes & (Value.cast(dut.w_id) == Value.cast(track_id)) & (dut.w_second_way == second_way)
    ):
        m.d.sync += [written.eq(1), row.eq(dut.w_data), row.tag.eq(tag_of(track_id)), taken.eq(0)]
    with m.Elif(writes):
        m.d.sync += taken.eq(1)
    read_it, expected, overwritten = Signal(), Signal(dut.w_data.shape()), Signal()
    same = (Value.cast(read_id) == Value.cast(track_id)) & (read_second_way == second_way)
    m.d.sync += [
        read_it.eq(written & (dut.r_thread == thread) & same),
        expected.eq(row),
        overwritten.eq(taken),
    ]
    with m.If(read_it):
        own = dut.r_data.tag == tag_of(track_id)
        m.d.comb += [
            Assert(~own | (Value.cast(dut.r_data) == Value.cast(expected))),
            Assert(own | overwritten),
        ]
    prove(m, cycles=5)


def no_tag(m, dut):
    """Does not tell tracks with the same row apart."""
    m.d.comb += m.submodules.rows.write_ports[0].data.tag.eq(0)


def tag_of_what_is_read(m, dut):
    """Takes the row that is read for the tag."""
    m.d.comb += m.submodules.rows.write_ports[0].data.tag.eq(dut.r_row)


test_union_find_keeps_rows, test_union_find_proof_finds_a_fault = proof_and_faults(
    rows_are_kept,
    lambda: UnionFind(GRID),
    [no_tag, tag_of_what_is_read, one_thread],
    fixtures=("few_epochs", "few_rows"),
)


# The slow path: make, unmake what was legal, give the outcome.


def slow_path_keeps_its_order(dut):
    m = module(dut)
    assume_stream_contract(m, dut.results)
    assert_stream_contract(m, dut.jobs)
    # A request stays until its outcome is taken.
    turn = Cat(dut.place, dut.symbol)
    held, before = Signal(), Signal.like(turn)
    m.d.sync += [held.eq(dut.request & ~(dut.done & dut.ack)), before.eq(turn)]
    m.d.comb += Assume(~held | (dut.request & (turn == before)))
    # The result of UNMAKE is that of MAKE once more.
    payload = Value.cast(dut.results.payload)
    begun, made, back, over = (Signal(name=name) for name in ("begun", "made", "back", "over"))
    job, said = dut.jobs.payload, Signal(dut.results.payload.shape())
    m.d.comb += Assume(~(dut.results.valid & back) | (payload == Value.cast(said)))
    m.d.comb += [
        Assert(~dut.jobs.valid | (dut.request & ~over & (~begun | (made & ~back)))),
        Assert(~dut.jobs.valid | (job.unmake == made)),
        Assert(~dut.jobs.valid | job.unmake | (Cat(job.place, job.symbol) == turn)),
        # Once when what was made is to be unmade, and then with the outcome.
        Assert(~dut.results.ready | (begun & Mux(over, dut.ack, ~made))),
        Assert(dut.done == over),
    ]
    for field in ("status", "tiles", "loops", "lines"):
        m.d.comb += Assert(~dut.done | (dut.outcome[field] == said[field]))
    with m.If(dut.jobs.valid & dut.jobs.ready):
        m.d.sync += [begun.eq(1), back.eq(job.unmake)]
    with m.If(dut.results.valid & begun & ~over & (made == back)):
        legal = dut.results.payload.status == Status.LEGAL
        m.d.sync += over.eq(made | ~legal)
        with m.If(~made):
            m.d.sync += [said.eq(dut.results.payload), made.eq(legal)]
            m.d.comb += Assert(dut.results.ready == legal)
    with m.If(dut.done & dut.ack):
        m.d.sync += [begun.eq(0), made.eq(0), back.eq(0), over.eq(0)]
    prove(m, cycles=14)


SLOW_FAULTS = {
    "withdraws a job": lambda dut: dut.jobs.valid.eq(dut.jobs.ready),
    "takes a result too early": lambda dut: dut.results.ready.eq(1),
    "unmakes nothing": lambda dut: dut.jobs.payload.unmake.eq(0),
    "done at once": lambda dut: dut.done.eq(dut.request),
    "says nothing of loops": lambda dut: dut.outcome.loops.eq(0),
}


test_slow_path_keeps_its_order, test_slow_path_proof_finds_a_fault = proof_and_faults(
    slow_path_keeps_its_order, lambda: SlowPath(GRID), SLOW_FAULTS
)


# The stream of outcomes, whatever the chain and the first tiles do.


@pytest.fixture
def any_parts(monkeypatch):
    """Parts that may do anything, but stand still while their clock is not enabled."""
    for name in ("Chain", "FirstTiles"):
        part = anything(getattr(unit_module, name), registered=True)
        monkeypatch.setattr(unit_module, name, part)


class SensibleEvaluator(CandidateEvaluator):
    """Its parts may do anything, but neither gives an end mark, nor an evaluation after the end."""

    def elaborate(self, platform):
        m = super().elaborate(platform)
        ended = ~self.busy | (self.outcomes.valid & self.outcomes.payload.end)
        chain, first = m.submodules.chain, m.submodules.first.evaluations
        for evaluation, valid in (
            (chain.evaluation, chain.evaluation_valid),
            (first.payload, first.valid),
        ):
            m.d.comb += [Assume(~evaluation.end), Assume(~(valid & ended))]
        return m


def outcomes_keep_the_contract(dut):
    m = module(dut)
    assert_stream_contract(m, dut.outcomes)
    taken = dut.outcomes.valid & dut.outcomes.ready
    under_way = Signal()
    with m.If(dut.start):
        m.d.sync += under_way.eq(1)
    with m.Elif(taken & dut.outcomes.payload.end):
        m.d.sync += under_way.eq(0)
    m.d.comb += [
        # It is started while it is not busy, and runs only after that.
        Assume(~dut.start | (~dut.busy & dut.run)),
        Assume(under_way | dut.start | ~dut.run),
        Assert(dut.busy == under_way),
        # The slow path changes the position: not while an outcome of the one before is on offer.
        Assert(~(dut.slow & dut.outcomes.valid)),
    ]
    prove(m, cycles=8)


OUTCOME_FAULTS = {
    "does not wait": lambda dut: dut.advances.eq(dut.run),
    "valid waits for ready": lambda dut: dut.outcomes.valid.eq(dut.outcomes.ready & dut.busy),
    "idle too early": lambda dut: dut.busy.eq(dut.outcomes.valid),
    "the slow path does not wait": lambda dut: dut.slow.eq(dut.run),
}


test_outcomes_keep_the_contract, test_outcomes_proof_finds_a_fault = proof_and_faults(
    outcomes_keep_the_contract,
    lambda: SensibleEvaluator(GRID),
    OUTCOME_FAULTS,
    fixtures=("any_parts",),
)
