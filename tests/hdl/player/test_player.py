"""The player and its turn unit, from commands to answers, without the serial line."""

from __future__ import annotations

import itertools
import random

import pytest
from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.game import Colour, Position, Shape, Turn, parse_turn
from loopline.hdl.config import DesignConfig, GridConfig
from loopline.hdl.core.rules import rules_of
from loopline.hdl.core.types import ShapeCode
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.link import LinkOp, link_command_layout, turn_label_layout
from loopline.hdl.player import Player
from tests.hdl.support import Stalls, StreamChecker, simulate, stream_get, stream_put

CONFIG = DesignConfig(
    clock_hz=1_000_000,
    baud=62_500,
    grid=GridConfig(size=16, frontier_entries=64, journal=128),
    think_ms=3,
)
"""Thinks for 3,000 cycles, so that some searches end by themselves and some are cut short."""

SHAPES = {shape.code: shape for shape in Shape}

SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))]
"""``test_sessions`` plays far more at native speed; here stream contracts are checked, too."""

WAITS = [
    (1, 64, 400),
    pytest.param((0, 7, 63, 65, 66, 150, 1_000, 2_500), marks=pytest.mark.slow),
]
"""``test_sessions`` tries every cycle."""


class PlayerHarness(wiring.Component):
    """A player with its turn unit, in Amaranth's simulator."""

    def __init__(self, config: DesignConfig = CONFIG):
        self.rules = rules_of(config.variant, config.grid)
        self.player = Player(config)
        self.unit = TurnUnit(config.grid)
        super().__init__(
            {
                "commands": In(stream.Signature(link_command_layout(config.grid))),
                "answers": Out(stream.Signature(turn_label_layout(config.grid))),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.player = self.player
        m.submodules.unit = self.unit
        m.d.comb += [
            self.player.contest_rules.eq(self.rules),
            self.unit.rules.eq(self.player.rules),
        ]
        connect(m, flipped(self.commands), self.player.commands)
        connect(m, self.player.answers, flipped(self.answers))
        connect(m, self.player.core.commands, self.unit.commands)
        connect(m, self.unit.outcomes, self.player.core.outcomes)
        return m


class Host:
    """The other end of the player's streams."""

    def __init__(self, ctx, dut: PlayerHarness, stalls: Stalls | None = None):
        self.ctx, self.dut, self.stalls = ctx, dut, stalls

    async def start(self, op: LinkOp) -> None:
        await stream_put(self.ctx, self.dut.commands, {"op": op}, stalls=self.stalls)

    async def send(self, turn: Turn | str) -> None:
        turn = parse_turn(turn) if isinstance(turn, str) else turn
        label = {"column": turn.column, "row": turn.row, "symbol": ShapeCode(turn.shape.code)}
        command = {"op": LinkOp.TURN, "turn": label}
        await stream_put(self.ctx, self.dut.commands, command, stalls=self.stalls)

    async def answer(self) -> Turn:
        label = await stream_get(self.ctx, self.dut.answers, stalls=self.stalls)
        return Turn(label.column, label.row, SHAPES[label.symbol.value])

    async def settle(self) -> None:
        """Wait until the player is idle."""
        await self.ctx.tick().until(self.dut.player.idle)

    async def refused(self) -> bool:
        """Whether a line is refused before the player comes to rest."""
        refused = False
        while not self.ctx.get(self.dut.player.idle):
            refused |= bool(self.ctx.get(self.dut.player.refused))
            await self.ctx.tick()
        return refused


def streams(dut: PlayerHarness) -> list[StreamChecker]:
    player = dut.player
    return [
        StreamChecker(dut.commands, name="commands"),
        StreamChecker(dut.answers, name="answers"),
        StreamChecker(player.core.commands, name="core commands"),
        StreamChecker(player.core.outcomes, name="core outcomes"),
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_plays_legal_turns_as_either_colour(seed):
    dut, rng = PlayerHarness(), random.Random(seed)

    async def host(ctx):
        host = Host(ctx, dut, Stalls(seed))
        for colour in Colour:
            position = Position()
            await host.start(LinkOp.NEW_WHITE if colour is Colour.WHITE else LinkOp.NEW_RED)
            while position.turns < 6 and not position.result:
                if position.to_move is colour:
                    position.play(await host.answer())
                else:
                    turn = rng.choice(position.legal_turns())
                    position.play(turn)
                    await host.send(turn)
            if position.result:
                await host.settle()
                assert ctx.get(dut.player.over)
                assert not ctx.get(dut.player.thinking)

    simulate(dut, host, check=streams(dut))


def test_an_illegal_turn_leaves_the_game_as_it_was():
    dut = PlayerHarness()

    async def host(ctx):
        host = Host(ctx, dut)
        for opening in ("@0/", "@0+"):
            position = Position()
            await host.start(LinkOp.NEW_RED)
            for turn in ("@0\\", "A1+", "B1/", "@1+", "A0+", "N9/"):
                await host.settle()
                await host.send(turn)
                assert await host.refused(), turn
            await host.send(opening)
            position.play(opening)
            position.play(await host.answer())
            legal = set(position.legal_turns())
            every = {
                Turn(column, row, shape)
                for column in range(position.width + 3)
                for row in range(position.height + 3)
                for shape in Shape
            }
            for turn in sorted(every - legal, key=str):
                await host.settle()
                await host.send(turn)
                assert await host.refused(), turn
            turn = min(legal, key=str)
            await host.send(turn)
            position.play(turn)
            position.play(await host.answer())

    simulate(dut, host, check=streams(dut))


def test_turns_that_are_not_awaited_are_refused():
    dut = PlayerHarness()

    async def host(ctx):
        host = Host(ctx, dut)

        async def refused_at_once() -> None:
            ctx.set(dut.commands.payload, {"op": LinkOp.TURN})
            ctx.set(dut.commands.valid, 1)
            assert ctx.get(dut.commands.ready)
            assert ctx.get(dut.player.refused)
            await ctx.tick()
            ctx.set(dut.commands.valid, 0)

        await refused_at_once()  # before any game
        await host.start(LinkOp.NEW_WHITE)
        await ctx.tick().repeat(80)
        await refused_at_once()  # the player's own turn
        first = await host.answer()
        position = Position()
        position.play(first)
        await host.start(LinkOp.STOP)
        await host.settle()
        await refused_at_once()  # after -T
        assert not ctx.get(dut.player.thinking)

    simulate(dut, host, check=streams(dut))


@pytest.mark.parametrize("waits", WAITS, ids=["", "more"])
def test_a_new_session_ends_a_search_at_once(waits):
    dut = PlayerHarness()

    async def host(ctx):
        host = Host(ctx, dut)
        for wait, op in itertools.product(waits, (LinkOp.NEW_WHITE, LinkOp.NEW_RED, LinkOp.STOP)):
            await host.start(LinkOp.NEW_RED)
            await host.send("@0/")
            await ctx.tick().repeat(wait + 1)
            await host.start(op)
            if op is LinkOp.STOP:
                await host.settle()
                assert not ctx.get(dut.player.thinking)
                continue
            position = Position()
            if op is LinkOp.NEW_RED:
                # The turn that a new opponent may send at once, before the board is cleared.
                await host.send("@0+")
                position.play("@0+")
            position.play(await host.answer())

    simulate(dut, host, check=streams(dut))


@pytest.mark.parametrize("seed", SEEDS)
def test_any_mixture_of_commands_leaves_it_able_to_play(seed):
    dut, rng = PlayerHarness(), random.Random(seed)

    async def host(ctx):
        host = Host(ctx, dut)
        for _ in range(60):
            op = rng.choice(list(LinkOp))
            if op is LinkOp.TURN:
                shape = rng.choice(list(Shape))
                await host.send(Turn(rng.randrange(4), rng.randrange(4), shape))
            else:
                await host.start(op)
            ctx.set(dut.answers.ready, rng.random() < 0.7)
            await ctx.tick().repeat(rng.choice([1, 2, 5, 70, 200, 900]))
        ctx.set(dut.answers.ready, 1)
        await host.start(LinkOp.STOP)
        await host.settle()
        ctx.set(dut.answers.ready, 0)
        await host.start(LinkOp.NEW_WHITE)
        assert str(await host.answer()) in ("@0/", "@0+")

    simulate(dut, host, check=streams(dut))


def test_time_runs_out_in_every_position_alike():
    config = DesignConfig(
        clock_hz=1_000_000, baud=62_500, grid=GridConfig(size=16, frontier_entries=64), think_ms=1
    )
    dut = PlayerHarness(config)

    async def host(ctx):
        host = Host(ctx, dut)
        position = Position()
        await host.start(LinkOp.NEW_RED)
        await host.settle()
        rng = random.Random(2)
        while position.turns < 6 and not position.result:
            turn = rng.choice(position.legal_turns())
            if position.play(turn).result:
                break
            await host.send(turn)
            cycles = 0
            while not ctx.get(dut.answers.valid):
                cycles += 1
                await ctx.tick()
            assert cycles <= config.think_cycles + 1_500
            position.play(await host.answer())

    simulate(dut, host, check=streams(dut))
