"""The lane's choice: the largest of a node's values, and of equal ones the first."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from amaranth.asserts import AnyConst
from amaranth.hdl import Assert, Assume, Cat, Mux, Signal, Value

from loopline.hdl.config import GridConfig
from loopline.hdl.search import lane as lane_module
from loopline.hdl.search.config import SearchConfig
from loopline.hdl.search.evaluation.weights import read_groups
from loopline.hdl.search.lane import Lane, State
from tests.hdl.support_formal import anything, faulty, module, proof_and_faults, prove

CONFIG = SearchConfig(
    grid=GridConfig(size=8, frontier_entries=16, journal=32), plies=8, root_turns=64, table_bits=6
)
PARTS = (
    *("NodeScan", "PlacementWalk", "KillerTable", "TurnSpan", "PositionHash"),
    *("TranspositionTable", "FrameStack", "RootList", "Variation"),
)
REGISTERS = ("state", "f", "ply", "number", "best_number", "value", "busy", "offered")
OTHER_FRAME = (State.ITERATE, State.EXPAND, State.FINISHED, State.UNWOUND)
"""States that leave the frame for another one."""


@pytest.fixture
def any_parts(monkeypatch):
    """All units of the lane may do anything."""
    for name in PARTS:
        monkeypatch.setattr(lane_module, name, anything(getattr(lane_module, name)))


def best_is_the_first_of_the_largest(dut):
    """From any state: a value that is taken becomes the best one if it is the node's first, or
    larger than the best one so far. Nothing else changes what is best."""

    def step(m, dut):
        now, before = dut._registers, SimpleNamespace()
        # Cycle 0 loads the registers: from cycle 2 on the lane has made the step before.
        load, follows = Signal(init=1), Signal()
        m.d.sync += [load.eq(0), follows.eq(~load)]
        for name in REGISTERS:
            register = getattr(now, name)
            last = Signal(register.shape(), name=f"last_{name}")
            setattr(before, name, last)
            m.d.sync += last.eq(register)
            start = AnyConst(len(Value.cast(register)))
            with m.If(load):
                m.d.sync += Value.cast(register).eq(start)
                if name == "ply":
                    m.d.sync += now.at_root.eq(start == 0)
        m.d.comb += Assume(~dut.abandon)
        # A child of the last ply has a value.
        m.d.comb += Assume((now.state != State.EXPAND) | ~now.ply.all())
        with m.If(follows):
            m.d.comb += Assert(now.at_root == (now.ply == 0))

        old, new = before.f, now.f
        taken = (before.state == State.TAKE) & (now.state != State.TAKE)
        better = ~old.tried | (before.value > old.best)
        raises = before.value > old.alpha
        at_root = before.ply == 0
        with m.If(follows & taken):
            m.d.comb += [
                Assert(new.tried),
                Assert(new.best == Mux(better, before.value, old.best)),
                Assert(new.alpha == Mux(raises, before.value, old.alpha)),
                Assert(new.raised == (old.raised | raises)),
                Assert((now.state == State.FINISH) == (raises & (before.value >= old.beta))),
                Assert(now.number == (before.number + at_root)[: len(now.number)]),
            ]
            with m.If(better):
                m.d.comb += [Assert(new.move.valid), Assert(new.move.move == old.made)]
            with m.Else():
                m.d.comb += Assert(new.move == old.move)
        chooses = taken & better & at_root
        with m.If(follows):
            number = before.number[: len(now.best_number)]
            m.d.comb += Assert(now.best_number == Mux(chooses, number, before.best_number))
        leaves = Cat(before.state == state for state in OTHER_FRAME).any()
        with m.If(follows & ~taken & ~leaves):
            m.d.comb += [
                Assert(getattr(new, name) == getattr(old, name))
                for name in ("best", "tried", "alpha", "beta", "raised")
            ]
            # Only the turn of the root that is searched again comes in the place of another one.
            with m.If((before.state == State.UNWIND) & at_root & now.better):
                m.d.comb += [
                    Assert(old.tried & ~old.zero & (old.depth > 1)),
                    Assert(new.move.move == old.made),
                ]
            with m.Else():
                m.d.comb += Assert(new.move == old.move)

    prove(module(faulty(dut, step)), cycles=4)


def an_equal_turn_is_better(m, dut):
    r = dut._registers
    with m.If((r.state == State.TAKE) & (r.value == r.f.best)):
        m.d.sync += r.f.move.move.eq(r.f.made)


def the_first_value_has_to_be_larger(m, dut):
    r = dut._registers
    with m.If((r.state == State.TAKE) & (r.value <= r.f.best)):
        m.d.sync += r.f.best.eq(r.f.best)


def the_first_number_is_the_best(m, dut):
    m.d.sync += dut._registers.best_number.eq(0)


def alpha_falls(m, dut):
    r = dut._registers
    with m.If((r.state == State.TAKE) & (r.value < r.f.alpha)):
        m.d.sync += r.f.alpha.eq(r.value)


def a_value_is_the_best_one_at_once(m, dut):
    r = dut._registers
    with m.If(r.state == State.VALUE):
        m.d.sync += r.f.best.eq(r.value)


test_best_is_the_first_of_the_largest, test_choice_proof_finds_a_fault = proof_and_faults(
    best_is_the_first_of_the_largest,
    lambda: Lane(CONFIG, read_groups()),
    [
        an_equal_turn_is_better,
        the_first_value_has_to_be_larger,
        the_first_number_is_the_best,
        alpha_falls,
        a_value_is_the_best_one_at_once,
    ],
    fixtures=("any_parts",),
)
