"""Proofs for the arbiter: the turn unit has one user at a time, the one that it is granted to."""

from __future__ import annotations

import pytest
from amaranth.hdl import Assert, Module, Mux, Signal

from loopline.hdl.arbiter import Arbiter
from loopline.hdl.config import GridConfig
from tests.hdl.support_formal import finds_it, module, prove, with_fault

GRID = GridConfig(size=8, frontier_entries=16, journal=32)
COUNT = 3


def grants_to_one(dut: Arbiter) -> Module:
    """Whatever player, requesters and turn unit do."""
    m = module(dut)
    player, core = dut.player, dut.core
    last = Signal(range(COUNT))
    for number, requester in enumerate(dut.requesters):
        with m.If(requester.request):
            m.d.sync += last.eq(number)
        m.d.comb += Assert(requester.granted == (player.grants & (last == number)))
        with m.If(last == number):
            valid = Mux(player.grants, requester.commands.valid, player.commands.valid)
            m.d.comb += Assert(core.commands.valid == valid)
    users = [(player, ~player.grants), *((each, each.granted) for each in dut.requesters)]
    for user, granted in users:
        m.d.comb += [
            Assert(user.commands.ready == (granted & core.commands.ready)),
            Assert(user.outcomes.valid == (granted & core.outcomes.valid)),
        ]
        with m.If(granted):
            m.d.comb += [
                Assert(core.commands.payload == user.commands.payload),
                Assert(core.outcomes.ready == user.outcomes.ready),
            ]
    return m


def test_grants_to_one():
    prove(grants_to_one(Arbiter(GRID, COUNT)), cycles=4)


@pytest.mark.parametrize(
    "fault",
    [
        lambda dut: dut.requesters[1].granted.eq(dut.player.grants),
        lambda dut: dut.player.outcomes.valid.eq(dut.core.outcomes.valid),
        lambda dut: dut.core.commands.valid.eq(dut.player.commands.valid),
    ],
    ids=["two are granted it", "two have an outcome", "the player still commands"],
)
def test_an_arbiter_with_a_fault(fault):
    with finds_it:
        prove(grants_to_one(with_fault(Arbiter(GRID, COUNT), fault)), cycles=4)
