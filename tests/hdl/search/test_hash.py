"""Tiles that the turn unit lays, the hash, and the frontier table's bound, against the engine."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from loopline.engine.board.board import FREE, HASH_NOW, HIGH
from loopline.engine.board.position import EnginePosition
from loopline.engine.board.tables import hash_of, variety_of
from loopline.game import STANDARD, Shape
from loopline.hdl.config import SEED_BITS, GridConfig
from loopline.hdl.core.types import ReadKind, ShapeCode, Status, TurnOp
from loopline.hdl.search.hash import PositionHash
from loopline.hdl.search.hashing import TO_MOVE_HASH
from loopline.hdl.search.types import TURN_BITS
from loopline.sim.probe.probe import Probe
from tests.hdl.search.tiles_harness import TilesHarness
from tests.hdl.support import pulse, simulate, ticks

pytestmark = pytest.mark.xdist_group("tiles")  # Compiled once.

GRID = GridConfig(size=64, frontier_entries=64, journal=512)


@pytest.fixture(scope="module")
def probe() -> Iterator[Probe]:
    with Probe(TilesHarness(GRID)) as probe:
        yield probe


class Walk:
    """A walk on the gateware and on the engine's board, which may go back."""

    def __init__(self, probe: Probe) -> None:
        self.probe, self.here = probe, EnginePosition(STANDARD, GRID)
        self.hashes = [int(self.here.board.state[HASH_NOW])]
        self.call(op=TurnOp.CLEAR)

    def call(self, **fields: int):
        self.seen = self.probe.outcomes.unpack(self.probe.call(self.probe.commands.pack(**fields)))
        return self.seen

    def high(self) -> int:
        """The least bound from which on all indices are free, and in order on the free stack."""
        board, high = self.here.board, GRID.frontier_entries
        for index in board.free[: board.state[FREE]].tolist():
            if index != high - 1:
                break
            high -= 1
        return high

    def make(self, cell: int, shape: Shape) -> bool:
        outcome = self.here.make(cell, shape)
        fields = {"x": cell & 63, "y": cell >> 6, "symbol": shape.code, "base": self.hashes[-1]}
        seen = self.call(op=TurnOp.MAKE, **fields)
        assert seen.status == outcome.status.value
        assert seen.high == self.high() <= self.here.board.state[HIGH]
        if outcome.status is not Status.LEGAL:
            return False
        self.hashes.append(int(self.here.board.state[HASH_NOW]))
        assert seen.hash == self.hashes[-1]
        assert (seen.laid, seen.first) == (seen.tiles, 1)
        return True

    def unmake(self) -> None:
        self.here.unmake()
        self.hashes.pop()
        assert self.call(op=TurnOp.UNMAKE).status == Status.LEGAL.value
        assert self.seen.high == self.high() <= self.here.board.state[HIGH]
        assert self.seen.laid == 0

    def compare_indices(self) -> None:
        """Compare all entries below the engine's bound, which none of the gateware's is beyond."""
        board = self.here.board
        for index in range(board.state[HIGH]):
            seen = self.call(op=TurnOp.READ, symbol=ReadKind.SPACE, index=index)
            if board.sockets[index]:
                assert (seen.y << 6 | seen.x, seen.free) == (board.place[index], 0)
            assert seen.status in (Status.LEGAL.value, Status.END.value)


@pytest.mark.parametrize("seed", range(6))
def test_walks(probe: Probe, seed: int) -> None:
    chance, walk = random.Random(seed), Walk(probe)
    probe.stall(seed % 2 * 7)
    nearest, lower = 15, 0
    for number in range(1500):
        turns = walk.here.turns
        if turns and chance.random() < (0.2 if turns < 35 else 0.6):
            walk.unmake()
        else:
            before = walk.seen.high
            chosen = chance.choice(list(walk.here.candidates()))
            walk.make(chosen.cell, chosen.shape)
            nearest = min(nearest, walk.seen.apart)
            lower += walk.seen.high < before
        if number % 10 == 0:
            walk.compare_indices()
    assert 6 <= nearest <= 7
    assert lower >= 3


@pytest.mark.parametrize("size", [16, 32, 64])
def test_tiles_six_cycles_apart(size: int) -> None:
    """Without a pause; the next turn begins as soon as the hash is ready, or earlier."""
    grid, chance = GridConfig(size=size), random.Random(size)
    dut = PositionHash(grid)

    async def driver(ctx) -> None:
        for _ in range(40):
            expected = base = chance.getrandbits(40)
            expected ^= TO_MOVE_HASH
            ctx.set(dut.base, base)
            await pulse(ctx, dut.start)
            ctx.set(dut.base, 0)
            for _ in range(chance.randint(1, 4)):
                x, y, tile = chance.randrange(size), chance.randrange(size), chance.randrange(16)
                expected ^= int(hash_of(y << 6 | x, tile))
                ctx.set(dut.laid, {"valid": 1, "place": {"x": x, "y": y}, "tile": tile})
                await ctx.tick()
                ctx.set(dut.laid, {"valid": 0, "place": {"x": y, "y": x}, "tile": ~tile & 15})
                await ticks(ctx, 5)
                assert not ctx.get(dut.ready)
            if chance.randrange(4):
                await ctx.tick()
                assert ctx.get(dut.ready)
                assert ctx.get(dut.hash) == expected

    simulate(dut, driver)


@pytest.mark.parametrize("size", [16, 64])
def test_points_are_those_of_the_engine(size: int) -> None:
    grid, chance = GridConfig(size=size), random.Random(size)
    dut = PositionHash(grid)

    async def driver(ctx) -> None:
        await pulse(ctx, dut.start)
        for _ in range(60):
            x, y, shape = chance.randrange(size), chance.randrange(size), chance.choice(list(Shape))
            seed, turns = chance.getrandbits(SEED_BITS), chance.getrandbits(TURN_BITS)
            ctx.set(dut.move, {"place": {"x": x, "y": y}, "symbol": ShapeCode(shape.code)})
            ctx.set(dut.seed, seed)
            ctx.set(dut.turns, turns)
            await pulse(ctx, dut.draw)
            ctx.set(dut.turns, 0)
            await ticks(ctx, 6)
            assert ctx.get(dut.ready)
            await ticks(ctx, chance.randrange(3))
            assert ctx.get(dut.points) == variety_of(y << 6 | x, shape.code, seed, turns)
            # The hash is not that of a tile.
            assert ctx.get(dut.hash) == TO_MOVE_HASH

    simulate(dut, driver)
