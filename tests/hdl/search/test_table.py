"""The transposition table against that of the engine."""

from __future__ import annotations

import random

import pytest
from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import connect, flipped

from loopline.engine.board.tables import NO_MOVE
from loopline.engine.search.frames import (
    BEST,
    BEST_MOVE,
    BETA,
    DEPTH,
    FLOOR,
    INFINITE,
    new_memory,
)
from loopline.engine.search.hashing import entry_of, probe, store
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import ShapeCode
from loopline.hdl.search.config import SearchConfig
from loopline.hdl.search.table import (
    BlockTableMemory,
    MemoryOp,
    TableOp,
    TranspositionTable,
    entry_layout,
    finding_layout,
)
from loopline.hdl.search.types import Bound
from tests.hdl.support import Stalls, simulate, stream_get, stream_put

pytestmark = pytest.mark.xdist_group("engine")

BITS = 6
CONFIG = SearchConfig(grid=GridConfig(size=64), table_bits=BITS)
ENTRY, FINDING = entry_layout(CONFIG), finding_layout(CONFIG)


class Whole(wiring.Component):
    """A table and its memory."""

    def __init__(self, config: SearchConfig, word_bits: int):
        self.table = TranspositionTable(config)
        self.memory = BlockTableMemory(config, word_bits=word_bits)
        members = self.table.signature.members
        super().__init__({name: members[name] for name in ("requests", "answers")})

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.table, m.submodules.memory = self.table, self.memory
        connect(m, self.table.memory, self.memory.port)
        connect(m, flipped(self.requests), self.table.requests)
        connect(m, self.table.answers, flipped(self.answers))
        return m


class Model:
    """The engine's table, asked as the gateware's is."""

    def __init__(self) -> None:
        self.memory = new_memory(CONFIG)

    def clear(self) -> None:
        self.memory.table[:] = 0

    def store(self, position: int, finding: dict) -> None:
        """Store a finding at the root: nothing is added to its score."""
        frame = self.memory.frames[0]
        move = finding["move"]
        frame[DEPTH], frame[BEST] = finding["depth"], finding["score"]
        frame[BEST_MOVE] = self.number(move["move"]) if move["valid"] else NO_MOVE
        frame[FLOOR], frame[BETA] = {
            Bound.EXACT: (-INFINITE, INFINITE),
            Bound.AT_LEAST: (-INFINITE, finding["score"]),
            Bound.AT_MOST: (finding["score"], INFINITE),
        }[finding["bound"]]
        store(self.memory, position, entry_of(self.memory, position, 0))

    @staticmethod
    def number(move: dict) -> int:
        place = move["place"]
        return (place["y"] << 6 | place["x"]) << 2 | move["symbol"].value

    def probe(self, position: int) -> tuple[int, ...] | None:
        """The number of the move, score, depth and bound that the engine finds."""
        row = position & ((1 << BITS) - 2)
        move, _ = probe(self.memory, self.memory, position, 0, 0, -INFINITE, INFINITE)
        for entry in self.memory.table[row : row + 2].tolist():
            if entry & 3 and entry >> 36 == position >> 14:
                assert entry >> 6 & 0x3FFF == move
                return move, (entry >> 20 & 0xFFFF) - 0x8000, entry >> 2 & 15, entry & 3
        assert move == NO_MOVE
        return None


def finding(chance: random.Random) -> dict:
    place = {"x": chance.randrange(64), "y": chance.randrange(64)}
    symbol = chance.choice(list(ShapeCode))
    return {
        "score": chance.choice([chance.randint(-8000, 8000), 29_990, -29_990]),
        "move": {"valid": chance.randrange(6) > 0, "move": {"place": place, "symbol": symbol}},
        "depth": chance.randrange(16),
        "bound": chance.choice(list(Bound)[1:]),
    }


def compare(answer, expected: tuple[int, ...] | None) -> bool:
    """Compare an answer of the gateware; return whether an entry was found."""
    assert answer.found == (expected is not None)
    if expected is None:
        return False
    move, *rest = expected
    entry = answer.entry
    assert [entry.score, entry.depth, entry.bound.value] == rest
    assert entry.move.valid == (move & 3 != 3)
    if entry.move.valid:
        place = entry.move.move.place
        assert (place.y << 6 | place.x) << 2 | entry.move.move.symbol.value == move
    return True


async def random_requests(ctx, dut, seed: int, count: int, stalls: Stalls) -> None:
    """Few keys in few rows, so that entries replace one another."""
    chance, model, found = random.Random(seed), Model(), 0
    rows = [chance.getrandbits(14) for _ in range(3)]
    keys = [chance.getrandbits(26) for _ in range(4)]
    for _ in range(count):
        position = chance.choice(keys) << 14 | chance.choice(rows) ^ chance.randint(0, 1)
        request = {"hash": position, "op": TableOp.PROBE, "entry": finding(chance)}
        kind = chance.random()
        if kind < 0.01:
            model.clear()
            await stream_put(ctx, dut.requests, request | {"op": TableOp.CLEAR}, stalls=stalls)
        elif kind < 0.5:
            model.store(position, request["entry"])
            await stream_put(ctx, dut.requests, request | {"op": TableOp.STORE}, stalls=stalls)
        else:
            await stream_put(ctx, dut.requests, request, stalls=stalls)
            answer = await stream_get(ctx, dut.answers, stalls=stalls)
            found += compare(answer, model.probe(position))
    assert found > count / 8


@pytest.mark.parametrize("word_bits", [16, 24, 32, 64])
def test_entries_are_those_of_the_engine(word_bits: int) -> None:
    dut, stalls = Whole(CONFIG, word_bits), Stalls(word_bits)

    async def driver(ctx) -> None:
        await random_requests(ctx, dut, word_bits, 600, stalls)

    checks = [dut.requests, dut.answers, dut.table.memory.requests, dut.table.memory.responses]
    simulate(dut, driver, check=checks)


@pytest.mark.parametrize("seed", range(2))
def test_a_memory_may_take_its_time(seed: int) -> None:
    """Of random latency. It has a request's address and entry at the beginning or at the end."""
    dut, stalls = TranspositionTable(CONFIG), Stalls(seed, longest=12)
    entries = [0] * (1 << BITS)
    responses: list[int] = []
    asked = dut.memory.requests

    async def memory(ctx) -> None:
        while True:
            request = await stream_get(ctx, asked, stalls=stalls)
            if request.op is MemoryOp.EMPTY:
                entries[:] = [0] * len(entries)
            elif request.op is MemoryOp.WRITE:
                entries[request.address] = request.entry.as_bits()
            else:
                responses.append(entries[request.address])

    async def respond(ctx) -> None:
        while True:
            if responses:
                payload = ENTRY.from_bits(responses.pop(0))
                await stream_put(ctx, dut.memory.responses, payload, stalls=stalls)
            else:
                await ctx.tick()

    async def driver(ctx) -> None:
        await random_requests(ctx, dut, seed, 400, stalls)

    checks = [dut.requests, dut.answers, dut.memory.requests, dut.memory.responses]
    simulate(dut, driver, background=[memory, respond], check=checks)


@pytest.mark.parametrize("word_bits", [16, 64])
def test_the_memory_takes_requests_while_a_response_waits(word_bits: int) -> None:
    dut, chance, stalls = BlockTableMemory(CONFIG, word_bits=word_bits), random.Random(1), Stalls(1)
    entries = [0] * (1 << BITS)
    expected: list[int] = []

    async def request(ctx) -> None:
        for _ in range(300):
            op = chance.choice([MemoryOp.READ, MemoryOp.WRITE])
            address, entry = chance.randrange(8), chance.getrandbits(ENTRY.size)
            payload = {"op": op, "address": address, "entry": ENTRY.from_bits(entry)}
            await stream_put(ctx, dut.port.requests, payload, stalls=stalls)
            if op is MemoryOp.READ:
                expected.append(entries[address])
            else:
                entries[address] = entry

    async def respond(ctx) -> None:
        while True:
            entry = await stream_get(ctx, dut.port.responses, stalls=stalls)
            assert entry.as_bits() == expected.pop(0)

    checks = [dut.port.requests, dut.port.responses]
    simulate(dut, request, background=[respond], check=checks)
    assert len(expected) <= 1


@pytest.mark.parametrize("word_bits", [16, 64])
def test_latency(word_bits: int) -> None:
    dut, words = Whole(CONFIG, word_bits), 64 // word_bits
    chance = random.Random(5)

    async def driver(ctx) -> None:
        async def cycles(op: TableOp, key: int, depth: int = 0) -> int:
            entry = finding(chance) | {"depth": depth}
            ctx.set(dut.requests.payload, {"op": op, "hash": key << 14, "entry": entry})
            ctx.set(dut.requests.valid, 1)
            count = 0
            while not ctx.get(dut.requests.ready):
                count += 1
                await ctx.tick()
            await ctx.tick()
            ctx.set(dut.requests.valid, 0)
            return count

        async def answered() -> bool:
            assert ctx.get(dut.answers.valid)
            return bool((await stream_get(ctx, dut.answers)).found)

        # An empty row; the same position; one that is deeper, and one that is not.
        assert await cycles(TableOp.STORE, 1, 3) == 2 * words + 1
        assert await cycles(TableOp.STORE, 1, 2) == 2 * words + 1
        assert await cycles(TableOp.STORE, 2, 2) == 3 * words + 1
        assert await cycles(TableOp.STORE, 3, 1) == 2 * words + 1
        assert await cycles(TableOp.PROBE, 2) == words + 1
        assert await answered()
        assert await cycles(TableOp.PROBE, 3) == 2 * words + 3
        assert await answered()
        assert await cycles(TableOp.PROBE, 1) == 2 * words + 3
        assert not await answered()
        assert await cycles(TableOp.CLEAR, 0) == (1 << BITS) - 1
        for key in (2, 3):
            await cycles(TableOp.PROBE, key)
            assert not await answered()

    simulate(dut, driver)


def test_without_a_table_nothing_is_found() -> None:
    dut = TranspositionTable(SearchConfig(table_bits=0))
    stalls, chance = Stalls(3), random.Random(3)
    assert not hasattr(dut, "memory")

    async def driver(ctx) -> None:
        for _ in range(50):
            op = chance.choice(list(TableOp))
            request = {"op": op, "hash": 7, "entry": finding(chance)}
            await stream_put(ctx, dut.requests, request, stalls=stalls)
            if op is TableOp.PROBE:
                assert not (await stream_get(ctx, dut.answers, stalls=stalls)).found

    simulate(dut, driver, check=[dut.requests, dut.answers])
