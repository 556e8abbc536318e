"""Proofs for the requesters of the turn unit among the framed commands: their streams keep the
contract, and what is abandoned ends."""

from __future__ import annotations

import pytest
from amaranth.hdl import Assert, Assume, Module, Signal

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status, TurnOp
from loopline.hdl.frames.position_dump import PositionDumper
from loopline.hdl.frames.selftest import SelfTest
from loopline.hdl.frames.turn_count import TurnCounter
from loopline.hdl.frames.turn_list import TurnLister
from tests.hdl.support_formal import (
    assert_stream_contract,
    assume_stream_contract,
    faulty,
    finds_it,
    module,
    prove,
)

GRID = GridConfig(size=8, frontier_entries=16, journal=32)
REQUESTERS = [TurnLister, PositionDumper, TurnCounter, SelfTest]


def requester_keeps_contracts(dut) -> Module:
    """Contracts hold for all outcomes, and whenever the grant ends."""
    m = module(dut)
    commands, outcomes, pieces = dut.core.commands, dut.core.outcomes, dut.pieces
    assume_stream_contract(m, outcomes)
    assert_stream_contract(m, commands)
    assert_stream_contract(m, pieces)
    if isinstance(dut, PositionDumper):
        # The commander takes its bytes at once: no value changes while a byte is on offer.
        m.d.comb += Assume(~pieces.valid | pieces.ready)
    # Each command has one outcome, EVALUATE any number and an end; till then the requester is busy.
    owed, several = Signal(), Signal()
    with m.If(
        outcomes.valid & outcomes.ready & (~several | (outcomes.payload.status == Status.END))
    ):
        m.d.sync += owed.eq(0)
    with m.If(commands.valid & commands.ready):
        m.d.sync += [owed.eq(1), several.eq(commands.payload.op == TurnOp.EVALUATE)]
    m.d.comb += [
        Assume(~outcomes.valid | owed),
        Assert(~commands.valid | ~owed),
        Assert(dut.core.busy == (commands.valid | owed)),
    ]
    # Once the grant has ended, or the requester has to abandon, it gives no further command.
    active, ended = Signal(), Signal()
    must_end = dut.core.abandon | ~dut.core.granted
    ends = pieces.valid & pieces.ready & pieces.payload.ends & ~pieces.payload.byte[6]
    with m.If(ends):
        m.d.sync += active.eq(0)
    with m.If(dut.start):
        m.d.sync += active.eq(1)
    m.d.comb += [
        Assume(~dut.start | ~active),
        Assert(active | ~(commands.valid | pieces.valid | owed)),
        Assert(~ends | active),
    ]
    m.d.sync += ended.eq(must_end & (ended | ~dut.core.busy) & ~dut.start)
    m.d.comb += Assume(~ended | must_end)
    m.d.comb += Assert(~ended | ~commands.valid)
    return m


@pytest.mark.parametrize("requester", REQUESTERS)
def test_requester_keeps_contracts(requester):
    prove(requester_keeps_contracts(requester(GRID)), cycles=14)


@pytest.mark.parametrize("requester", REQUESTERS)
def test_a_requester_with_a_fault(requester):
    def fault(m, dut):
        m.d.comb += dut.core.commands.valid.eq(dut.core.granted)

    with finds_it:
        prove(requester_keeps_contracts(faulty(requester(GRID), fault)), cycles=8)
