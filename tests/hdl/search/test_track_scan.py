"""The track scan against that of the engine, in positions of games of all variants."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from amaranth.hdl import Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.engine.evaluation.scan import TRACKS, Scanner, scan
from loopline.engine.search.searcher import Searcher
from loopline.game import MINI, STANDARD, Variant
from loopline.hdl.core.client import PositionReader
from loopline.hdl.search.track_scan import TrackScan, scan_layout
from loopline.sim.probe.probe import Probe
from tests.hdl.search.evaluation.reader_harness import (
    GRID,
    VARIANTS,
    ReaderGame,
    ReaderHarness,
    engine_attacks,
    gateware_attacks,
    play_games,
)

pytestmark = pytest.mark.xdist_group("track-scan")  # Compiled once.


class ScanPart(wiring.Component):
    """The scan with streams. Its tracks are counted. If ``busy``, they are taken in half of the
    cycles, and the other ends of tracks are read in some by another unit."""

    def __init__(self):
        result = data.StructLayout({"found": scan_layout(GRID), "tracks": 9})
        super().__init__(
            {
                "jobs": In(
                    stream.Signature(data.StructLayout({"mover": 1, "whole": 1, "busy": 1}))
                ),
                "results": Out(stream.Signature(result)),
                "reader": Out(PositionReader(GRID)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.scan = scan = TrackScan(GRID)
        connect(m, scan.reader, flipped(self.reader))
        running, busy, noise = Signal(), Signal(), Signal(16, init=0xACE1)
        m.d.sync += noise.eq((noise >> 1) ^ (noise[0].replicate(16) & 0xB400))
        job, tracks = self.jobs.payload, self.results.payload.tracks
        count = Signal(9)
        m.d.comb += [
            self.jobs.ready.eq(~running),
            scan.start.eq(self.jobs.valid & ~running),
            scan.mover.eq(job.mover),
            scan.whole.eq(job.whole),
            scan.tracks.ready.eq(~busy | noise[3]),
            scan.tracks_taken.eq(busy & noise[7] & noise[9] & scan.tracks_free),
            self.results.valid.eq(running & scan.done),
            self.results.payload.found.eq(scan.found),
            tracks.eq(count),
        ]
        with m.If(scan.tracks_taken):
            m.d.comb += [self.reader.tracks_of.eq(noise), self.reader.tracks_en.eq(1)]
        with m.If(scan.start):
            m.d.sync += [running.eq(1), busy.eq(job.busy), count.eq(0)]
        with m.If(self.results.valid & self.results.ready):
            m.d.sync += running.eq(0)
        with m.If(scan.tracks.valid & scan.tracks.ready):
            m.d.sync += count.eq(count + 1)
        return m


@pytest.fixture(scope="module")
def probe() -> Iterator[Probe]:
    with Probe(ReaderHarness(ScanPart())) as probe:
        yield probe


@pytest.fixture(scope="module")
def scanner() -> Scanner:
    return Searcher().scanner


def compare(game: ReaderGame, scanner: Scanner, mover: int, whole: int, busy: int) -> int:
    """Scan; return whether the side to move has an attack."""
    scan(game.here.board, scanner, mover)
    expected = engine_attacks(scanner)
    result = game.job(mover=mover, whole=whole, busy=busy)
    seen = gateware_attacks(result, "result__found__")
    where = str(game), mover, whole, busy
    assert seen[0] == expected[0], where
    if whole or not seen[0]:
        assert seen == expected, where
        assert result.result__tracks == scanner.found[TRACKS], where
    return seen[0]


@pytest.mark.parametrize("seed", [58, 88, 125, 161, 186, 257, 317, 420])
def test_lines_through_a_space_beside_an_end(probe: Probe, scanner: Scanner, seed: int) -> None:
    """In the games of these seeds a tile between an end and the box's edge completes a line, and
    the ends are in two rows and columns, the lower one of either at different ends."""
    probe.stall(0)
    for game in play_games(probe, STANDARD, random.Random(seed), 40):
        for mover in range(2):
            compare(game, scanner, mover, 1, 0)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("stall", [0, 7])
def test_attacks_are_those_of_the_engine(
    probe: Probe, scanner: Scanner, variant: Variant, stall: int
) -> None:
    chance, attacks = random.Random(f"{variant}{stall}"), 0
    probe.stall(stall)
    for game in play_games(probe, variant, chance, 5, 10, 20, 30, 60, 60):
        for mover in range(2):
            whole, busy = chance.randrange(2), chance.randrange(2)
            attacks += compare(game, scanner, mover, whole, busy)
    assert attacks or variant is MINI
