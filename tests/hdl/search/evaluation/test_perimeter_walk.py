"""The walk along the perimeter against that of the engine."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.engine.board.board import HIGH
from loopline.engine.evaluation.evaluation import evaluate
from loopline.engine.evaluation.scan import Scanner, scan
from loopline.engine.search.searcher import Searcher
from loopline.game import STANDARD
from loopline.hdl.core.client import PositionReader
from loopline.hdl.search.evaluation.perimeter_walk import PerimeterWalk, window_layout
from loopline.sim.probe.probe import Probe
from tests.hdl.search.evaluation.reader_harness import GRID, ReaderGame, ReaderHarness, play_games

pytestmark = pytest.mark.xdist_group("perimeter-walk")


class WalkPart(wiring.Component):
    """The walk with streams. A job with ``read`` returns window ``index`` of the last walk; any
    other is a walk from the entry ``index``, and returns the number of windows. If ``busy``, the
    walk gets the cell map and the partners in about half of the cycles."""

    def __init__(self):
        job = {"index": 8, "side": 2, "look": 1, "busy": 1, "read": 1}
        result = {"count": 10, "window": window_layout()}
        super().__init__(
            {
                "jobs": In(stream.Signature(data.StructLayout(job))),
                "results": Out(stream.Signature(data.StructLayout(result))),
                "reader": Out(PositionReader(GRID)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.walk = walk = PerimeterWalk(GRID)
        m.submodules.windows = windows = Memory(shape=window_layout(), depth=1024, init=[])
        write, read = windows.write_port(), windows.read_port()
        job, reader = self.jobs.payload, self.reader
        connect(m, walk.pair, flipped(reader.pair))

        class State(enum.Enum):
            IDLE = 0
            BEGIN = 1
            WALK = 2
            DONE = 3

        state, count, noise = Signal(State), Signal(10), Signal(16, init=0xACE1)
        kept = Signal(job.shape())
        m.d.sync += noise.eq((noise >> 1) ^ (noise[0].replicate(16) & 0xB400))
        ring, entry = walk.rings.payload, reader.entry
        m.d.comb += [
            reader.active.eq(state != State.IDLE),
            reader.en.eq(1),
            reader.index.eq(kept.index),
            reader.tracks_of.eq(walk.partner_index),
            reader.tracks_en.eq(walk.partner_en),
            # The other unit reads any cell.
            reader.cells.x.eq(noise),
            reader.cells.y.eq(noise >> 8),
            reader.cells.en.eq(walk.cells_taken),
            *(walk.partners[n].eq(reader.partners[n]) for n in range(2)),
            walk.cells_taken.eq(kept.busy & noise[3]),
            walk.partners_free.eq(~(kept.busy & noise[7])),
            ring.place.eq(entry.place),
            ring.cell.white.eq(entry.white),
            ring.cell.red.eq(entry.red),
            ring.cell.index.eq(kept.index),
            ring.side.eq(kept.side),
            ring.look.eq(kept.look),
            write.en.eq(walk.window.valid),
            write.addr.eq(count),
            write.data.eq(walk.window.window),
            read.addr.eq(job.index),
            self.results.payload.count.eq(count),
            self.results.payload.window.eq(read.data),
        ]
        with m.If(walk.window.valid):
            m.d.sync += count.eq(count + 1)
        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.comb += self.jobs.ready.eq(1)
                with m.If(self.jobs.valid):
                    m.d.sync += [kept.eq(job), state.eq(Mux(job.read, State.DONE, State.BEGIN))]
            with m.Case(State.BEGIN):
                # The entry is read in the first of two cycles.
                begun = Signal()
                m.d.sync += begun.eq(~begun)
                m.d.comb += walk.rings.valid.eq(begun)
                with m.If(begun):
                    m.d.sync += [count.eq(0), state.eq(State.WALK)]
            with m.Case(State.WALK), m.If(walk.idle):
                m.d.sync += state.eq(State.DONE)
            with m.Case(State.DONE):
                m.d.comb += [self.results.valid.eq(1), read.en.eq(0)]
                with m.If(self.results.ready):
                    m.d.sync += state.eq(State.IDLE)
        return m


@pytest.fixture(scope="module")
def probe() -> Iterator[Probe]:
    with Probe(ReaderHarness(WalkPart())) as probe:
        yield probe


@pytest.fixture(scope="module")
def scanner() -> Scanner:
    return Searcher().scanner


def masked(window: int) -> int:
    """A window of the engine without far ends of the other colour, which have no meaning."""
    own = window >> 2 & 1
    for bit, socket in ((13, 4), (14, 0)):
        if window >> socket & 1 != own:
            window &= ~(1 << bit)
    return window


def ring_from(game: ReaderGame, index: int, busy: int, *, look: bool = False) -> list[int]:
    """The windows of the ring that begins with the first socket of a space."""
    sockets = int(game.here.board.sockets[index])
    side = next(n for n in range(4) if (sockets | sockets >> 4) >> n & 1)
    count = game.job(index=index, side=side, busy=busy, look=look).result__count
    windows = []
    for number in range(count):
        window = game.job(index=number, read=1)
        ends = window.result__window__after << 1 | window.result__window__before
        windows.append(
            ends << 13 | window.result__window__shapes << 5 | window.result__window__colours
        )
    return windows


@pytest.mark.parametrize("busy", [0, 1])
def test_windows_are_those_of_the_engine(probe: Probe, scanner: Scanner, busy: int) -> None:
    chance, whole, looks = random.Random(busy), 0, 0
    for game in play_games(probe, STANDARD, chance, 5, 10, 20, 40):
        board = game.here.board
        scan(board, scanner, 0)
        evaluate(board, scanner, 0)
        used = [n for n in range(board.state[HIGH]) if board.sockets[n]]
        length = sum(int(board.sockets[n]).bit_count() for n in used)
        windows = ring_from(game, used[0], busy)
        expected = [masked(int(window)) for window in scanner.windows[: len(windows)]]
        assert windows == expected, str(game)
        if len(windows) == length:
            # All other spaces are on this ring.
            whole += 1
            for other in chance.sample(used, 2):
                assert ring_from(game, other, busy, look=True) == [], (str(game), other)
                looks += 1
    assert whole > 30
    assert looks > 60
