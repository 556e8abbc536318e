"""Proofs that the core's streams keep the contract, whatever the memories answer.

The memories and the joiner are replaced by parts whose outputs may be anything: what is proved
does not rest on a position being a possible one.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from amaranth.back import rtlil
from amaranth.hdl import Assert, Assume, Cat, Signal, Value

from loopline.hdl.config import Banks, GridConfig
from loopline.hdl.core import unit as unit_module
from loopline.hdl.core.cells import CellMap
from loopline.hdl.core.joiner import TrackJoiner
from loopline.hdl.core.memory import WithMemories
from loopline.hdl.core.moves import MoveGenerator
from loopline.hdl.core.placer import Placer
from loopline.hdl.core.types import Status, TurnOp
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.evaluator import unit as evaluator_module
from tests.hdl.support_formal import (
    anything,
    assert_stream_contract,
    assume_stream_contract,
    finds_it,
    module,
    proof_and_faults,
    prove,
    with_fault,
)

GRID = GridConfig(size=8, frontier_entries=16, journal=32)


def one_for_one(m, inputs, outputs):
    """Assert that an output comes only after an input, and the next input only after that."""
    owed = Signal()
    with m.If(outputs.valid & outputs.ready):
        m.d.sync += owed.eq(0)
    with m.If(inputs.valid & inputs.ready):
        m.d.sync += owed.eq(1)
    m.d.comb += [
        Assert(~outputs.valid | owed),
        Assert(~(inputs.valid & inputs.ready) | ~owed | (outputs.valid & outputs.ready)),
    ]


def steady_joiner(m, joiner, joined):
    """Assume that a joiner is busy only after a join, and else keeps what it has found."""
    busy, quiet, before = Signal(), Signal(), Signal(4)
    found = Cat(joiner.loops, joiner.lines)
    m.d.sync += [
        busy.eq(joiner.busy | joined),
        quiet.eq(~joiner.busy & ~joiner.begin & ~joined),
        before.eq(found),
    ]
    m.d.comb += [Assume(~joiner.busy | busy), Assume(~quiet | (found == before))]


# The placer: results one for one, the joins, and no bank of the cell map read and written at once.


def placer_keeps_contracts(dut):
    m = module(dut)
    assume_stream_contract(m, dut.jobs)
    assert_stream_contract(m, dut.results)
    assert_stream_contract(m, dut.joiner.joins)
    steady_joiner(m, dut.joiner, dut.joiner.joins.valid & dut.joiner.joins.ready)
    # A join that takes back another one is of two ends that are new.
    m.d.comb += Assume(~dut.joiner.changed | (dut.joiner.busy & dut.joiner.find_lines))
    # The next free index stays until one is taken or released.
    indices = dut.indices
    next_free, moved = Signal.like(indices.next_free), Signal(init=1)
    m.d.sync += [
        next_free.eq(indices.next_free),
        moved.eq(indices.allocate | indices.release | indices.unrelease),
    ]
    m.d.comb += Assume(moved | (indices.next_free == next_free))
    one_for_one(m, dut.jobs, dut.results)
    # The box is read while a result is on offer.
    offered, before = Signal(), Signal.like(Value.cast(dut.box))
    m.d.sync += [offered.eq(dut.results.valid), before.eq(dut.box)]
    m.d.comb += [
        Assume(~(dut.reset | dut.commit) | (dut.jobs.ready & ~dut.jobs.valid)),
        Assert(~(offered & dut.results.valid) | (Value.cast(dut.box) == before)),
    ]
    banks = [CellMap._bank(port.x, port.y) for port in (dut.read, dut.write)]
    m.d.comb += Assert(~(dut.read.en & dut.write.en) | (banks[0] != banks[1]))
    prove(m, cycles=17)


PLACER_FAULTS = {
    "results wait for ready": lambda dut: dut.results.valid.eq(dut.results.ready),
    "joins follow the box": lambda dut: dut.joiner.joins.payload.a.index.eq(dut.read.cell.index),
    "a job at any time": lambda dut: dut.jobs.ready.eq(1),
    "a cell is emptied while its first neighbour is read": lambda dut: dut.write.en.eq(
        dut.indices.unrelease
    ),
}


@pytest.mark.parametrize("banks", [Banks.DUAL_PORT, Banks.SINGLE_PORT])
@pytest.mark.slow
def test_placer_keeps_contracts(banks):
    placer_keeps_contracts(WithMemories(Placer(replace(GRID, banks=banks))))


def test_paired_banks_have_the_placer_of_those_alone():
    """So what is proved of it holds for both; with a single port it is another one."""
    placers = {
        banks: rtlil.convert(Placer(replace(GRID, banks=banks)), emit_src=False) for banks in Banks
    }
    assert placers[Banks.PAIRED] == placers[Banks.DUAL_PORT]
    assert placers[Banks.SINGLE_PORT] != placers[Banks.DUAL_PORT]


@pytest.mark.parametrize("name", PLACER_FAULTS)
def test_placer_proof_finds_a_fault(name):
    with finds_it:
        placer_keeps_contracts(WithMemories(with_fault(Placer(GRID), PLACER_FAULTS[name])))


# Candidates and evaluation.


def candidates_keep_the_contract(dut):
    m = module(dut)
    assume_stream_contract(m, dut.cursors)
    assert_stream_contract(m, dut.candidates)
    one_for_one(m, dut.cursors, dut.candidates)
    prove(m, cycles=14)


CANDIDATE_FAULTS = {
    "shows what it reads": lambda dut: dut.candidates.payload.turn.x.eq(dut.entry.place.x),
    "a cursor at any time": lambda dut: dut.cursors.ready.eq(1),
}


test_candidates_keep_the_contract, test_candidates_proof_finds_a_fault = proof_and_faults(
    candidates_keep_the_contract, lambda: MoveGenerator(GRID), CANDIDATE_FAULTS
)


# The turn unit with its evaluator: outcomes one for one but for EVALUATE, which ends with END.


class SensibleEvaluator(evaluator_module.CandidateEvaluator):
    """Its parts may do anything, but neither gives an evaluation the status END."""

    def elaborate(self, platform):
        m = super().elaborate(platform)
        chain, first = m.submodules.chain, m.submodules.first
        for evaluation in (chain.evaluation, first.evaluations.payload):
            m.d.comb += Assume(evaluation.status != Status.END)
        return m


class SteadyJoiner(anything(TrackJoiner)):
    """Finds anything, but keeps it."""

    def elaborate(self, platform):
        m = super().elaborate(platform)
        steady_joiner(m, self.port, self.port.joins.valid & self.port.joins.ready)
        return m


@pytest.fixture
def any_memories(monkeypatch):
    """Any answer from the memories, any findings of the joiner, any evaluations."""
    for name in ("CellMap", "SpaceTable"):
        monkeypatch.setattr(unit_module, name, anything(getattr(unit_module, name)))
    monkeypatch.setattr(unit_module, "TrackJoiner", SteadyJoiner)
    for name in ("Chain", "FirstTiles"):
        part = anything(getattr(evaluator_module, name), registered=True)
        monkeypatch.setattr(evaluator_module, name, part)
    monkeypatch.setattr(unit_module, "CandidateEvaluator", SensibleEvaluator)


def outcomes_keep_the_contract(dut):
    m = module(dut)
    assume_stream_contract(m, dut.commands)
    assert_stream_contract(m, dut.outcomes)
    given, command = dut.commands.valid & dut.commands.ready, dut.commands.payload
    taken, outcome = dut.outcomes.valid & dut.outcomes.ready, dut.outcomes.payload
    owed, trying = Signal(), Signal()
    with m.If(given):
        m.d.sync += [owed.eq(1), trying.eq(command.op == TurnOp.EVALUATE)]
    with m.Elif(taken & (~trying | (outcome.status == Status.END))):
        m.d.sync += owed.eq(0)
    m.d.comb += [Assert(~dut.outcomes.valid | owed), Assert(~given | ~owed)]
    prove(m, cycles=11)


OUTCOME_FAULTS = {
    "two commands at a time": lambda dut: dut.commands.ready.eq(1),
    "an outcome too early": lambda dut: dut.outcomes.valid.eq(dut.outcomes.ready),
    "another box": lambda dut: dut.outcomes.payload.box.west.eq(dut.rules.area),
}


@pytest.mark.parametrize(
    "evaluator",
    [
        pytest.param(False, id="plain"),
        pytest.param(True, id="with evaluator", marks=pytest.mark.slow),
    ],
)
def test_outcomes_keep_the_contract(any_memories, evaluator):
    outcomes_keep_the_contract(TurnUnit(GRID, evaluator=evaluator))


@pytest.mark.parametrize("name", OUTCOME_FAULTS)
def test_outcomes_proof_finds_a_fault(any_memories, name):
    with finds_it:
        outcomes_keep_the_contract(with_fault(TurnUnit(GRID, evaluator=True), OUTCOME_FAULTS[name]))


class HastyEvaluator(SensibleEvaluator):
    """Begins the slow path while an outcome is on offer, whose box changes then."""

    def elaborate(self, platform):
        m = super().elaborate(platform)
        m.d.comb += self.slow.eq(m.submodules.chain.slow)
        return m


def test_outcomes_proof_finds_a_box_that_changes(any_memories, monkeypatch):
    monkeypatch.setattr(unit_module, "CandidateEvaluator", HastyEvaluator)
    with finds_it:
        outcomes_keep_the_contract(TurnUnit(GRID, evaluator=True))
