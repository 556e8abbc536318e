"""A player with its turn unit in Amaranth's simulator, and the other end of its streams."""

from __future__ import annotations

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.game import SHAPE_OF_CODE, Turn, parse_turn
from loopline.hdl.arbiter import Arbiter
from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import rules_of
from loopline.hdl.core.types import ShapeCode
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.design import DesignConfig
from loopline.hdl.link import LinkOp, link_command_layout, turn_label_layout
from loopline.hdl.player import Player
from loopline.hdl.search.config import SearchConfig
from tests.hdl.support import Stalls, stream_get, stream_put

CONFIG = DesignConfig(
    clock_hz=1_000_000,
    baud=62_500,
    search=SearchConfig(GridConfig(size=16, frontier_entries=64, journal=128)),
    think_ms=1,
)
"""Thinks for 1,000 cycles."""


class PlayerHarness(wiring.Component):
    """A player with its turn unit; its ports for the lane and for frames are the test's."""

    def __init__(self, config: DesignConfig = CONFIG):
        self.config = config
        self.player = Player(config)
        self.arbiter = Arbiter(config.grid, 0)
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
        m.submodules.arbiter = self.arbiter
        m.submodules.unit = self.unit
        m.d.comb += [
            self.player.contest_rules.eq(rules_of(self.config.variant, self.config.grid)),
            self.unit.rules.eq(self.player.rules),
        ]
        connect(m, flipped(self.commands), self.player.commands)
        connect(m, self.player.answers, flipped(self.answers))
        connect(m, self.player.core, self.arbiter.player)
        connect(m, self.arbiter.core.commands, self.unit.commands)
        connect(m, self.unit.outcomes, self.arbiter.core.outcomes)
        return m


class Host:
    """The other end of the player's streams."""

    def __init__(self, ctx, dut: PlayerHarness, stalls: Stalls | None = None):
        self.ctx, self.dut, self.stalls = ctx, dut, stalls

    async def start(self, op: LinkOp) -> None:
        await stream_put(self.ctx, self.dut.commands, {"op": op}, stalls=self.stalls)

    async def send(self, turn: Turn | str, op: LinkOp = LinkOp.TURN) -> None:
        turn = parse_turn(turn) if isinstance(turn, str) else turn
        label = {"column": turn.column, "row": turn.row, "symbol": ShapeCode(turn.shape.code)}
        command = {"op": op, "turn": label}
        await stream_put(self.ctx, self.dut.commands, command, stalls=self.stalls)

    async def answer(self) -> Turn:
        label = await stream_get(self.ctx, self.dut.answers, stalls=self.stalls)
        return Turn(label.column, label.row, SHAPE_OF_CODE[label.symbol.value])
