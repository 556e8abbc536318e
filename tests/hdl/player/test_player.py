"""The player and its turn unit, from commands to answers, without the serial line."""

from __future__ import annotations

import random

from amaranth.hdl import Module
from amaranth.lib.wiring import connect

from loopline.game import Colour, Position
from loopline.hdl.link import LinkOp
from tests.hdl.player.harness import CONFIG, Host, PlayerHarness
from tests.hdl.player.stand_in import StandIn
from tests.hdl.support import Stalls, StreamChecker, simulate


class SearchingHarness(PlayerHarness):
    """The same with a lane."""

    def __init__(self):
        super().__init__()
        self.lane = StandIn(self.config.search)

    def elaborate(self, platform) -> Module:
        m = super().elaborate(platform)
        m.submodules.lane = self.lane
        connect(m, self.player.lane, self.lane.port)
        connect(m, self.lane.core, self.arbiter.lane)
        return m


def streams(dut: SearchingHarness) -> list[StreamChecker]:
    player = dut.player
    return [
        StreamChecker(dut.commands, name="commands"),
        StreamChecker(dut.answers, name="answers"),
        StreamChecker(player.lane.jobs, name="jobs"),
        StreamChecker(player.core.commands, name="core commands"),
        StreamChecker(dut.arbiter.core.outcomes, name="core outcomes"),
    ]


def test_games_in_time_whatever_interrupts_them():
    """A turn by either colour, ``-T`` while the player thinks, and the next game at once.

    ``test_sessions`` does all of that at native speed; here the streams' contract is checked, too.
    """
    dut, rng, latest = SearchingHarness(), random.Random(4), 0

    async def host(ctx):
        nonlocal latest
        host = Host(ctx, dut, Stalls(0))
        for colour, turns in ((Colour.WHITE, 3), (Colour.RED, 2)):
            position = Position()
            await host.start(LinkOp.NEW_WHITE if colour is Colour.WHITE else LinkOp.NEW_RED)
            for _ in range(turns):
                if position.to_move is not colour:
                    turn = rng.choice(position.legal_turns())
                    position.play(turn)
                    await host.send(turn)
                cycles = 0
                while not ctx.get(dut.answers.valid):
                    await ctx.tick()
                    cycles += 1
                latest = max(latest, cycles)
                position.play(await host.answer())
            await host.send(rng.choice(position.legal_turns()))
            await ctx.tick().repeat(400)
            await host.start(LinkOp.STOP)

    simulate(dut, host, check=streams(dut))
    assert CONFIG.think_cycles < latest < CONFIG.think_cycles + 1_500
