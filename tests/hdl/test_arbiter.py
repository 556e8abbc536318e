"""Proofs for the arbiter: the turn unit has one user at a time, the one that it is granted to."""

from __future__ import annotations

from amaranth.hdl import Assert, Mux, Signal

from loopline.hdl.arbiter import Arbiter
from loopline.hdl.config import GridConfig
from tests.hdl.support_formal import module, proof_and_faults, prove

GRID = GridConfig(size=8, frontier_entries=16, journal=32)
COUNT = 3


def grants_to_one(dut: Arbiter) -> None:
    """Whatever player, lane, requesters and turn unit do."""
    m = module(dut)
    player, core = dut.player, dut.core
    last = Signal(range(COUNT))
    for number, requester in enumerate(dut.requesters):
        with m.If(requester.request):
            m.d.sync += last.eq(number)
        m.d.comb += Assert(requester.granted == (player.grants & (last == number)))
        with m.If(last == number):
            valid = Mux(player.grants, requester.commands.valid, player.commands.valid)
            valid = Mux(player.searches, dut.lane.commands.valid, valid)
            m.d.comb += Assert(core.commands.valid == valid)
    users = [
        (player, ~player.searches & ~player.grants),
        (dut.lane, player.searches),
        *((each, each.granted & ~player.searches) for each in dut.requesters),
    ]
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
    prove(m, cycles=4)


test_grants_to_one, test_an_arbiter_with_a_fault = proof_and_faults(
    grants_to_one,
    lambda: Arbiter(GRID, COUNT),
    {
        "two are granted it": lambda dut: dut.requesters[1].granted.eq(dut.player.grants),
        "two have an outcome": lambda dut: dut.player.outcomes.valid.eq(dut.core.outcomes.valid),
        "the lane commands while it does not search": lambda dut: dut.core.commands.valid.eq(
            dut.lane.commands.valid
        ),
        "the player still commands": lambda dut: dut.core.commands.valid.eq(
            dut.player.commands.valid
        ),
    },
)
