"""Proofs for the requesters of the turn unit among the framed commands: their streams keep the
contract, and what is abandoned ends."""

from __future__ import annotations

import pytest
from amaranth.hdl import Assert, Assume, Const, Module, Signal
from amaranth.lib.wiring import Flow

from loopline.hdl.config import GridConfig
from loopline.hdl.frames.position_dump import PositionDumper
from loopline.hdl.frames.selftest import SelfTest
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
REQUESTERS = [TurnLister, PositionDumper, SelfTest]


def requester_keeps_contracts(dut) -> Module:
    """Whatever the turn unit says, and whenever it is taken away."""
    signals = [signal for _, member, signal in dut.signature.flatten(dut) if member.flow is Flow.In]
    m = module(dut, *(signal for signal in signals if not isinstance(signal, Const)))
    commands, outcomes, pieces = dut.core.commands, dut.core.outcomes, dut.pieces
    assume_stream_contract(m, outcomes)
    assert_stream_contract(m, commands)
    assert_stream_contract(m, pieces)
    if isinstance(dut, PositionDumper):
        # Bytes are taken at once there, so that nothing changes while one is on offer.
        m.d.comb += Assume(~pieces.valid | pieces.ready)
    # One outcome for each command; in between it is busy.
    owed = Signal()
    with m.If(outcomes.valid & outcomes.ready):
        m.d.sync += owed.eq(0)
    with m.If(commands.valid & commands.ready):
        m.d.sync += owed.eq(1)
    m.d.comb += [
        Assume(~outcomes.valid | owed),
        Assert(~commands.valid | ~owed),
        Assert(dut.core.busy == (commands.valid | owed)),
    ]
    # The unit is granted until the report needs it no more, or is told to give up: from then on no
    # other operation is begun.
    reporting, given_up = Signal(), Signal()
    gives_up = dut.core.abandon | ~dut.core.granted
    ends = pieces.valid & pieces.ready & pieces.payload.ends & ~pieces.payload.byte[6]
    with m.If(ends):
        m.d.sync += reporting.eq(0)
    with m.If(dut.start):
        m.d.sync += reporting.eq(1)
    m.d.comb += [
        Assume(~dut.start | ~reporting),
        Assert(reporting | ~(commands.valid | pieces.valid | owed)),
        Assert(~ends | reporting),
    ]
    m.d.sync += given_up.eq(gives_up & (given_up | ~dut.core.busy) & ~dut.start)
    m.d.comb += Assume(~given_up | gives_up)
    m.d.comb += Assert(~given_up | ~commands.valid)
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
