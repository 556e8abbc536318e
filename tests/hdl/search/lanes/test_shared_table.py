# amaranth: UnusedElaboratable=no
"""The table that lanes share against a model that knows beats only, not cycles."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest
from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import connect

from loopline.hdl.config import GridConfig
from loopline.hdl.search.config import BEATS_DELAY, DELAYED_STORES, SearchConfig
from loopline.hdl.search.lanes.shared_table import SharedTable
from loopline.hdl.search.lanes.turnstile import BEAT_BITS
from loopline.hdl.search.table import BlockTableMemory, MemoryOp, TableOp, entry_layout
from tests.hdl.search.test_table import Model, compare, finding
from tests.hdl.support import Stalls, simulate, stream_get, stream_put, ticks

pytestmark = pytest.mark.xdist_group("engine")

CONFIG = SearchConfig(grid=GridConfig(size=64), table_bits=6)
ENTRY = entry_layout(CONFIG)
AHEAD = 1500
"""No clock of a test is so much ahead of another."""


@dataclass
class Event:
    """A request of a lane at a beat, and what a probe is to find."""

    beat: int
    op: TableOp
    position: int
    entry: dict
    expected: tuple[int, ...] | None = None


@dataclass
class Script:
    """What each lane does, in order, and what happens by beats alone."""

    lanes: list[list[Event]]
    lost: int = 0
    found: int = 0
    apart: int = 0
    """Probes that find something else than they would if entries were written at once."""

    def __post_init__(self) -> None:
        stored = [entry for n, events in enumerate(self.lanes) for entry in self._kept(n, events)]
        # Sorting keeps the order of a lane's own entries of one beat.
        stored.sort(key=lambda each: (each[1].beat, each[0]))
        probes = [each for events in self.lanes for each in events if each.op is TableOp.PROBE]
        late, now = Model(), Model()
        due, there = list(stored), list(stored)
        for probe in sorted(probes, key=lambda each: each.beat):
            while due and due[0][1].beat + BEATS_DELAY <= probe.beat:
                self._store(late, due.pop(0)[1])
            while there and there[0][1].beat <= probe.beat:
                self._store(now, there.pop(0)[1])
            probe.expected = late.probe(probe.position)
            self.found += probe.expected is not None
            self.apart += probe.expected != now.probe(probe.position)

    @staticmethod
    def _store(model: Model, event: Event) -> None:
        model.store(event.position, event.entry)

    def _kept(self, lane: int, events: list[Event]) -> list[tuple[int, Event]]:
        """The stores of a lane that are not lost."""
        kept: list[Event] = []
        for event in events:
            if event.op is TableOp.STORE:
                waiting = sum(each.beat + BEATS_DELAY > event.beat for each in kept)
                if waiting < DELAYED_STORES:
                    kept.append(event)
                else:
                    self.lost += 1
        return [(lane, event) for event in kept]


def random_script(seed: int, lanes: int, count: int, start: int) -> Script:
    """Few keys in few rows, and beats at which often several lanes do something."""
    chance = random.Random(seed)
    rows = [chance.getrandbits(14) for _ in range(2)]
    keys = [chance.getrandbits(26) for _ in range(3)]

    def events() -> list[Event]:
        beat, made = start, []
        while len(made) < count:
            beat += chance.choice([0, 0, 4, 8, 8, 16, 32, 64, 100])
            # Chains of stores at a beat, sometimes of more than there is room for.
            chain = chance.choice([1, 2, 3, 10]) if chance.random() < 0.15 else 0
            for op in [TableOp.STORE] * chain or [chance.choice([TableOp.PROBE, TableOp.STORE])]:
                position = chance.choice(keys) << 14 | chance.choice(rows)
                made.append(Event(beat, op, position, finding(chance)))
        return made

    return Script([events() for _ in range(lanes)])


class Run:
    """The gateware with a script's lanes, a memory, and what tells of the least clock."""

    def __init__(self, script: Script, seed: int):
        self.script = script
        self.dut = SharedTable(CONFIG, len(script.lanes))
        self.stalls = Stalls(seed, longest=9)
        self.chance = random.Random(seed)
        self.answers: list[list] = [[] for _ in script.lanes]
        start = min(events[0].beat for events in script.lanes)
        self.clocks: list[int | None] = [start for _ in script.lanes]
        self.cleared = False
        self.entries = [0] * (1 << CONFIG.table_bits)
        self.responses: list[int] = []

    def simulate(self) -> None:
        dut = self.dut
        checks = [stream for port in dut.ports for stream in (port.requests, port.answers)]
        simulate(
            dut,
            *(self._lane(n) for n in range(len(self.clocks))),
            background=[self._promise, self._memory, self._respond],
            check=[*checks, dut.memory.requests, dut.memory.responses],
            cycles=40_000,
        )

    def _least(self) -> int:
        return min((clock for clock in self.clocks if clock is not None), default=0)

    def _lane(self, number: int):
        port, events = self.dut.ports[number], self.script.lanes[number]

        async def run(ctx) -> None:
            if number == 0:
                clear = {"op": TableOp.CLEAR, "beat": events[0].beat % (1 << BEAT_BITS)}
                await stream_put(ctx, port.requests, clear, stalls=self.stalls)
                self.cleared = True
            while not self.cleared:
                await ctx.tick()
            for event in events:
                while (clock := self.clocks[number]) != event.beat:
                    assert clock is not None
                    step = self.chance.choice([1, 5, 30])
                    if clock - self._least() < AHEAD:
                        self.clocks[number] = min(clock + step, event.beat)
                    await ticks(ctx, self.chance.choice([1, 1, 3, 20]))
                request = {"op": event.op, "hash": event.position, "entry": event.entry}
                request["beat"] = event.beat % (1 << BEAT_BITS)
                await stream_put(ctx, port.requests, request, stalls=self.stalls)
                if event.op is TableOp.PROBE:
                    answer = await stream_get(ctx, port.answers, stalls=self.stalls)
                    self.answers[number].append(answer.as_bits() if answer.found else None)
                    compare(answer, event.expected)
            self.clocks[number] = None

        return run

    async def _promise(self, ctx) -> None:
        """Tell of the least clock, sometimes late, and sometimes not at all."""
        least = self._least()
        while True:
            if self.chance.random() < 0.5:
                least = self._least()
            ctx.set(self.dut.least, least % (1 << BEAT_BITS))
            ctx.set(self.dut.known, int(self.cleared and self.chance.random() < 0.7))
            await ctx.tick()

    async def _memory(self, ctx) -> None:
        entries = self.entries
        while True:
            request = await stream_get(ctx, self.dut.memory.requests, stalls=self.stalls)
            if request.op is MemoryOp.EMPTY:
                entries[:] = [0] * len(entries)
            elif request.op is MemoryOp.WRITE:
                entries[request.address] = request.entry.as_bits()
            else:
                self.responses.append(entries[request.address])

    async def _respond(self, ctx) -> None:
        while True:
            if self.responses:
                payload = ENTRY.from_bits(self.responses.pop(0))
                await stream_put(ctx, self.dut.memory.responses, payload, stalls=self.stalls)
            else:
                await ctx.tick()


class Whole(wiring.Component):
    """A shared table and its memory."""

    def __init__(self, lanes: int):
        self.table = SharedTable(CONFIG, lanes)
        self.memory = BlockTableMemory(CONFIG, word_bits=64)
        super().__init__({})
        self.ports, self.least, self.known = self.table.ports, self.table.least, self.table.known

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.table, m.submodules.memory = self.table, self.memory
        connect(m, self.table.memory, self.memory.port)
        return m

    @property
    def streams(self) -> list:
        return [stream for port in self.ports for stream in (port.requests, port.answers)]


class Asker:
    """Requests of a test's lanes, one at a time or left on offer."""

    def __init__(self, ctx, dut: Whole):
        self.ctx, self.dut = ctx, dut
        self.chance = random.Random(1)

    def promise(self, least: int) -> None:
        self.ctx.set(self.dut.least, least % (1 << BEAT_BITS))
        self.ctx.set(self.dut.known, 1)

    def offer(self, lane: int, op: TableOp, beat: int, key: int = 0, depth: int = 0) -> None:
        entry = finding(self.chance) | {"depth": depth}
        request = {"op": op, "hash": key << 14, "entry": entry, "beat": beat % (1 << BEAT_BITS)}
        self.ctx.set(self.dut.ports[lane].requests.payload, request)
        self.ctx.set(self.dut.ports[lane].requests.valid, 1)

    async def taken(self, lane: int, *, within: int = 300) -> int | None:
        """The cycles until a request is taken; none if it is still on offer after so many."""
        requests = self.dut.ports[lane].requests
        for cycles in range(within):
            ready = self.ctx.get(requests.ready)
            await self.ctx.tick()
            if ready:
                self.ctx.set(requests.valid, 0)
                return cycles
        return None

    async def store(self, lane: int, beat: int, key: int, depth: int = 0) -> int | None:
        self.offer(lane, TableOp.STORE, beat, key, depth)
        return await self.taken(lane, within=40)

    async def finds(self, lane: int, beat: int, key: int) -> bool:
        self.offer(lane, TableOp.PROBE, beat, key)
        assert await self.taken(lane) is not None
        return await self.answer(lane)

    async def answer(self, lane: int) -> bool:
        return bool((await stream_get(self.ctx, self.dut.ports[lane].answers)).found)

    async def clear(self, beat: int = 0) -> None:
        self.offer(0, TableOp.CLEAR, beat)
        assert await self.taken(0) is not None
        self.promise(beat)


def ask(lanes: int, steps) -> None:
    """Run the steps of a test, which ask."""
    dut = Whole(lanes)

    async def driver(ctx) -> None:
        asker = Asker(ctx, dut)
        await asker.clear()
        await steps(asker)

    simulate(dut, driver, check=dut.streams, cycles=5_000)


@pytest.mark.parametrize("first", [0, 1])
def test_lanes_that_store_at_the_same_beat_have_an_order(first: int) -> None:
    """Of three in a row of two the first is lost: that of lane 0, whoever has come first."""

    async def steps(asker: Asker) -> None:
        await asker.store(first, 5, key=1 + first)
        await asker.store(1 - first, 5, key=2 - first)
        await asker.store(2, 5, key=3)
        asker.promise(80)
        assert [await asker.finds(0, 80, key) for key in (1, 2, 3)] == [False, True, True]

    ask(3, steps)


def test_a_full_queue() -> None:
    """It drops what comes before its oldest entry is due, and otherwise waits for that one."""

    async def steps(asker: Asker) -> None:
        for key in range(DELAYED_STORES):
            assert await asker.store(1, 10, 100 + key, depth=key) is not None
        assert await asker.store(1, 10 + BEATS_DELAY - 1, 1, depth=15) is not None
        assert await asker.store(1, 10 + BEATS_DELAY, 2, depth=14) is None
        asker.promise(10 + BEATS_DELAY - 1)
        assert await asker.taken(1, within=50) is None
        asker.promise(10 + BEATS_DELAY)
        assert await asker.taken(1) is not None
        asker.promise(10 + 2 * BEATS_DELAY)
        beat = 10 + 2 * BEATS_DELAY
        assert [await asker.finds(0, beat, key) for key in (1, 2, 107, 106)] == [
            False,
            True,
            True,
            False,
        ]

    ask(2, steps)


@pytest.mark.parametrize("beat", [20, (1 << BEAT_BITS) - BEATS_DELAY // 2])
def test_a_probe_waits_for_what_it_has_to_see(beat: int) -> None:
    """For an entry that is due at its beat; and for one that may still be stored."""

    async def steps(asker: Asker) -> None:
        await asker.clear(beat)
        assert await asker.store(0, beat, key=1) is not None
        assert not await asker.finds(1, beat + BEATS_DELAY - 1, key=1)
        asker.promise(beat + 1)
        asker.offer(1, TableOp.PROBE, beat + BEATS_DELAY, key=1)
        assert await asker.taken(1, within=50) is None
        asker.promise(beat + BEATS_DELAY)
        assert await asker.taken(1) is not None
        assert await asker.answer(1)
        # No entry waits, but one that is due at the probe's beat may come.
        asker.offer(1, TableOp.PROBE, beat + 2 * BEATS_DELAY, key=2)
        assert await asker.taken(1, within=50) is None
        assert await asker.store(0, beat + BEATS_DELAY, key=2) is not None
        asker.promise(beat + BEATS_DELAY + 1)
        assert await asker.taken(1, within=50) is None
        asker.promise(beat + 2 * BEATS_DELAY)
        assert await asker.taken(1) is not None
        assert await asker.answer(1)

    ask(2, steps)


def test_a_clear_empties_the_table_and_the_queues() -> None:
    """Also if the clocks then begin anew."""

    async def steps(asker: Asker) -> None:
        await asker.store(1, 500, key=1)
        asker.promise(600)
        assert await asker.finds(1, 600, key=1)
        await asker.store(1, 600, key=2)
        await asker.store(0, 600, key=3)
        await asker.clear(0)
        assert not await asker.finds(1, 3, key=1)
        asker.promise(700)
        assert [await asker.finds(1, 700, key) for key in (1, 2, 3)] == [False] * 3
        assert await asker.store(1, 700, key=4) is not None
        asker.promise(800)
        assert await asker.finds(0, 800, key=4)

    ask(2, steps)


def test_a_clear_forgets_what_beats_have_passed() -> None:
    """A probe just after it waits for the clocks of its own job."""

    async def steps(asker: Asker) -> None:
        asker.promise(600)
        assert not await asker.finds(1, 600, key=1)
        await asker.clear(540)
        asker.offer(0, TableOp.STORE, 540, key=1)
        asker.offer(1, TableOp.PROBE, 540 + BEATS_DELAY, key=1)
        assert await asker.taken(0) is not None
        assert await asker.taken(1, within=50) is None
        asker.promise(540 + BEATS_DELAY)
        assert await asker.taken(1) is not None
        assert await asker.answer(1)

    ask(2, steps)


@pytest.mark.parametrize("lanes", [2, 8])
def test_latency(lanes: int) -> None:
    """Of a request without waiting: a walk, and what the table takes. Of the probe that waits
    longest, for all that fits into the queues: as many walks, and as many entries."""

    async def steps(asker: Asker) -> None:
        seen = set()
        for pause in range(2 * lanes):
            await ticks(asker.ctx, pause)
            asker.offer(1, TableOp.PROBE, 3, key=1)
            cycles = await asker.taken(1)
            assert cycles is not None
            assert asker.ctx.get(asker.dut.ports[1].answers.valid)
            assert not await asker.answer(1)
            # The second entry of the row is read as well.
            seen.add(cycles - 5)
        assert max(seen) <= lanes + 1
        stored = set()
        for lane in range(lanes):
            for pause in range(DELAYED_STORES):
                await ticks(asker.ctx, pause)
                stored.add(await asker.store(lane, 3, key=1))
        assert max(stored) <= lanes + 1
        # Then all are written, one in each walk.
        asker.promise(3 + BEATS_DELAY)
        asker.offer(1, TableOp.PROBE, 3 + BEATS_DELAY, key=1)
        cycles = await asker.taken(1, within=2_000)
        entries = lanes * DELAYED_STORES
        assert cycles is not None
        assert entries * (lanes + 2) < cycles <= (entries + 2) * (lanes + 2) + entries * 5 + 5

    ask(lanes, steps)


@pytest.mark.parametrize(
    ("seed", "lanes"),
    [(1, 3), *(pytest.param(*each, marks=pytest.mark.slow) for each in ((0, 2), (2, 8)))],
)
def test_answers_follow_from_beats(seed: int, lanes: int) -> None:
    """Whatever takes its time: twice, with other stalls. The clocks pass their end."""
    script = random_script(seed, lanes, 360 // lanes, (1 << BEAT_BITS) - 300)
    assert script.lost > 5
    assert script.found > 50
    assert script.apart > 20
    runs = [Run(script, 10 * seed + n) for n in range(2)]
    for run in runs:
        run.simulate()
    assert runs[0].answers == runs[1].answers


def test_what_cannot_be_shared() -> None:
    with pytest.raises(ValueError, match="table_bits is 0"):
        SharedTable(SearchConfig(table_bits=0), 2)
    for lanes in (1, 17):
        with pytest.raises(ValueError, match=f"from 2 to 16 lanes share a table, not {lanes}"):
            SharedTable(CONFIG, lanes)
