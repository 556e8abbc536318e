"""The player and its turn unit, from commands to answers, without the serial line."""

from __future__ import annotations

import random

import pytest
from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, connect, flipped

from loopline.game import Colour, Position
from loopline.hdl.frames.requests import RequestOp
from loopline.hdl.link import LinkOp, link_command_layout
from loopline.hdl.link.command_queue import CommandQueue
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


class QueuedHarness(wiring.Component):
    """The player behind the link's queue, with a lane that is the test's."""

    def __init__(self):
        self.inner = PlayerHarness()
        self.queue = CommandQueue(CONFIG.grid)
        commands = stream.Signature(link_command_layout(CONFIG.grid), always_ready=True)
        super().__init__({"commands": In(commands)})

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.inner = self.inner
        m.submodules.queue = self.queue
        connect(m, flipped(self.commands), self.queue.i)
        connect(m, self.queue.o, self.inner.commands)
        m.d.comb += self.inner.player.session_follows.eq(self.queue.session_follows)
        return m


class SearchedSetUp:
    """A set-up after ``@0/`` in which a frame's search goes on, whose lane is played by hand."""

    LINE_CYCLES = 80
    """So many cycles are between two lines."""

    def __init__(self, ctx, dut: QueuedHarness):
        self.ctx, self.dut = ctx, dut
        self.player = dut.inner.player
        self.lane = self.player.lane

    async def line(self, op: LinkOp, after: int = LINE_CYCLES) -> None:
        await self._pulse(self.dut.commands, {"op": op, "turn": {"symbol": 1}})
        await self.ctx.tick().repeat(after)

    async def _pulse(self, port, payload) -> None:
        self.ctx.set(port.payload, payload)
        self.ctx.set(port.valid, 1)
        await self.ctx.tick()
        self.ctx.set(port.valid, 0)

    async def job(self) -> None:
        """Take the next job."""
        ctx, lane = self.ctx, self.lane
        ctx.set(lane.jobs.ready, 1)
        await ctx.tick().until(lane.jobs.valid)
        ctx.set(lane.jobs.ready, 0)
        ctx.set(lane.busy, 1)

    async def answer(self) -> None:
        ctx, lane = self.ctx, self.lane
        ctx.set(lane.best.found, 1)
        ctx.set(lane.answers.payload, 1)
        ctx.set(lane.answers.valid, 1)
        await ctx.tick().until(lane.answers.ready)
        ctx.set(lane.answers.valid, 0)
        ctx.set(lane.busy, 0)

    async def begin(self, **limits: int) -> None:
        await self.line(LinkOp.SET_UP, after=200)
        await self.line(LinkOp.TURN, after=200)
        frames = self.player.frames
        self.ctx.set(frames.limits.limited, 1)
        for name, value in limits.items():
            self.ctx.set(getattr(frames.limits, name), value)
        await self._pulse(frames.requests, {"op": RequestOp.SEARCH})
        await self.job()
        await self.ctx.tick().repeat(50)


@pytest.mark.parametrize("wait", [1, 2, 150])
@pytest.mark.parametrize("cycles", [0, 60])
def test_a_turn_ends_the_search_of_a_frame_and_has_its_own_time(wait, cycles):
    """``-G`` comes while a frame's search goes on, whose own time is up before the lane ends it."""
    dut = QueuedHarness()

    async def host(ctx):
        bench = SearchedSetUp(ctx, dut)
        await bench.begin(cycles=cycles)
        if not cycles:
            assert not ctx.get(bench.lane.stop)
        await bench.line(LinkOp.GO, after=2)
        taken = 2
        assert ctx.get(bench.lane.stop)
        await ctx.tick().repeat(wait)
        await bench.answer()
        await bench.job()
        taken += wait + 3
        while not ctx.get(bench.lane.stop):
            await ctx.tick()
            taken += 1
            assert taken < CONFIG.think_cycles + 100, "the search for the turn has no end"
        assert taken > CONFIG.think_cycles - 20, "the search for the turn ends too early"

    simulate(dut, host)


@pytest.mark.parametrize("after", [-1, 0, 1])
def test_a_turn_comes_when_the_search_of_a_frame_ends(after):
    """In the cycle of its answer, and in those beside it."""
    dut = QueuedHarness()

    async def host(ctx):
        bench = SearchedSetUp(ctx, dut)
        await bench.begin()
        lane, player = bench.lane, bench.player
        for cycle in range(4):
            ctx.set(dut.commands.payload.op, LinkOp.GO)
            ctx.set(dut.commands.valid, cycle == 0)
            ctx.set(lane.answers.payload, 1)
            ctx.set(lane.answers.valid, cycle == 1 + after)
            if cycle == 1 + after:
                ctx.set(lane.best.found, 1)
                assert ctx.get(lane.answers.ready)
            await ctx.tick()
        ctx.set(lane.busy, 0)
        await bench.job()
        cycles = 0
        while not ctx.get(lane.stop):
            await ctx.tick()
            cycles += 1
            assert cycles < CONFIG.think_cycles + 100, "the search for the turn has no end"
        assert ctx.get(player.frames.found.cycles) >= CONFIG.think_cycles

    simulate(dut, host)


def test_a_session_does_not_wait_behind_turns():
    """A frame's search without a limit of time goes on; one turn is held, one on offer."""
    dut = QueuedHarness()

    async def host(ctx):
        bench = SearchedSetUp(ctx, dut)
        await bench.begin()
        await bench.line(LinkOp.TURN)
        await bench.line(LinkOp.TURN)
        assert ctx.get(dut.queue.o.valid)
        assert not ctx.get(dut.queue.o.ready)
        await bench.line(LinkOp.STOP, after=5)
        assert ctx.get(bench.lane.abandon)
        ctx.set(bench.lane.busy, 0)
        await ctx.tick().repeat(400)
        assert not ctx.get(bench.player.frames.game.on)
        assert ctx.get(bench.player.idle)
        assert not ctx.get(dut.queue.o.valid)

    simulate(dut, host, check=[StreamChecker(dut.queue.o, name="commands")])
