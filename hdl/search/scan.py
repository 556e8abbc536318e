"""Node scan: what a node of the search says about its position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from amaranth.hdl import Module, Mux, Signal, signed
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.hdl.core.client import PositionReader
from loopline.hdl.core.rules import rules_layout
from loopline.hdl.search.config import SearchConfig
from loopline.hdl.search.evaluation.perimeter_walk import PerimeterWalk
from loopline.hdl.search.evaluation.perimeter_weigher import PerimeterWeigher
from loopline.hdl.search.evaluation.ring_finder import RingFinder
from loopline.hdl.search.evaluation.track_weigher import TrackWeigher
from loopline.hdl.search.track_scan import TrackScan, near_layout

__all__ = ["NodeScan", "node_job_layout", "node_layout"]


def node_job_layout() -> data.StructLayout:
    """A job of the node scan.

    - ``mover``: the side to move;
    - ``whole``: evaluate, and find all attacks, even if the side to move has one.
    """
    return data.StructLayout({"mover": 1, "whole": 1})


def node_layout(config: SearchConfig) -> data.StructLayout:
    """What a node says about its position.

    - ``own``: the side to move has an attack. Unless the job was ``whole``, the other fields are
      not valid then.
    - ``other``: the other side has one.
    - ``near``: the other side's loop attacks; see :func:`near_layout`.
    - ``evaluation``: the value for the side to move, saturated.
    - ``tracks``, of several lanes only: how many there are, by which their clocks go.
    """
    counted = {"tracks": range(config.grid.frontier_entries + 1)} if config.lanes > 1 else {}
    return data.StructLayout(
        {
            "own": 1,
            "other": 1,
            "near": near_layout(config.grid),
            "evaluation": signed(config.widths.evaluation),
            **counted,
        }
    )


class NodeScan(wiring.Component):
    """Finds the attacks of both sides, and evaluates the position.

    ::

                        ┌────────────┐ spaces ┌────────────┐ rings  ┌───────────────┐
        jobs ──┬───────►│ TrackScan  ├───────►│ RingFinder ├───────►│ PerimeterWalk │
               │        └──┬──────┬──┘        └────────────┘        └───────┬───────┘
               │   attacks │      │ tracks                          windows │
               │           │ ┌────▼─────────┐                    ┌──────────▼───────┐
               │           │ │ TrackWeigher │                    │ PerimeterWeigher │
               │           │ └────┬─────────┘                    └──────────┬───────┘
               │           │      │ weights                         weights │
               │           │      └────────────► sum ◄──────────────────────┘
               └─ tempo ───┼─────────────────────►│
                           ▼                      ▼
                         results: attacks, evaluation

    The scan and the walk run at the same time. The walk reads the cell map in most cycles, and the
    scan the frontier table; each may have the other's memory for a cycle. Unless the job is
    ``whole``, the first attack of the side to move ends everything at once.

    The results are those of ``scan`` and ``evaluate`` in ``loopline.engine.evaluation``.

    Latency: with an attack of the side to move that of the scan up to there; else the longer of
    scan and walk, and 5 cycles. The memories are free when the result is offered.

    Parameters
    ----------
    config : SearchConfig
        Widths.
    weights : mapping
        The weights, as :func:`loopline.hdl.search.evaluation.weights.read_groups` returns them.

    Members
    -------
    jobs : In(stream of node_job_layout), may_begin : In(1)
        Scan for this side. The turn unit has no command until the result. ``may_begin`` is high
        whenever a job is on offer, and the reader is active then: that one is may be known late.
    results : Out(stream of node_layout)
        One for each job. The payload stays until the next job, also after its transfer.
    rules : In(rules_layout)
        The variant that is played.
    reader : Out(PositionReader)
        The position.
    """

    def __init__(self, config: SearchConfig, weights: Mapping[str, Sequence[int]]):
        self._config = config
        self._weights = weights
        grid = config.grid
        super().__init__(
            {
                "jobs": In(stream.Signature(node_job_layout())),
                "may_begin": In(1),
                "results": Out(stream.Signature(node_layout(config))),
                "rules": In(rules_layout(grid)),
                "reader": Out(PositionReader(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._config.grid
        m.submodules.scan = scan = TrackScan(grid)
        m.submodules.rings = rings = RingFinder(grid)
        m.submodules.walk = walk = PerimeterWalk(grid)
        m.submodules.tracks = tracks = TrackWeigher(grid, self._weights)
        m.submodules.perimeter = perimeter = PerimeterWeigher(self._weights)
        connect(m, scan.tracks, tracks.tracks)
        connect(m, rings.rings, walk.rings)

        running = Signal()
        mover = Signal()
        whole = Signal()
        start = Signal()
        won = Signal()
        complete = Signal()
        ended = Signal()
        m.d.comb += [
            start.eq(self.jobs.valid & self.jobs.ready),
            self.jobs.ready.eq(~running),
            won.eq(scan.done & scan.found.own & ~whole),
            complete.eq(scan.done & rings.done & tracks.idle & perimeter.idle),
            ended.eq(won | complete),
            self.results.valid.eq(running & ended),
        ]
        with m.If(self.results.valid & self.results.ready):
            m.d.sync += running.eq(0)
        with m.If(start):
            m.d.sync += [
                running.eq(1),
                mover.eq(self.jobs.payload.mover),
                whole.eq(self.jobs.payload.whole),
            ]
        m.d.comb += [
            scan.start.eq(start),
            scan.mover.eq(self.jobs.payload.mover),
            scan.whole.eq(self.jobs.payload.whole),
            rings.start.eq(start),
            rings.scanned.eq(scan.done),
            rings.entered.eq(scan.entered),
            rings.counts.eq(scan.counts),
            rings.idle.eq(walk.idle),
            rings.window.eq(walk.window.valid),
            perimeter.window.eq(walk.window),
            perimeter.mover.eq(mover),
            tracks.mover.eq(mover),
            tracks.lines.eq(self.rules.lines),
            tracks.last.eq(scan.last),
            *(each.drop.eq(won) for each in (rings, walk, tracks, perimeter)),
        ]
        if self._config.lanes > 1:
            count = self.results.payload.tracks
            with m.If(start):
                m.d.sync += count.eq(0)
            with m.Elif(scan.tracks.valid & scan.tracks.ready):
                m.d.sync += count.eq(count + 1)
        self._share_reader(m, scan, rings, walk)
        m.d.comb += self.reader.active.eq(self.may_begin | (running & ~ended))

        # The sum.
        most = (1 << (self._config.widths.evaluation - 1)) - 1
        total = Signal(signed(_sum_bits(self._config, self._weights)))
        result = self.results.payload
        m.d.comb += [
            result.own.eq(scan.found.own),
            result.other.eq(scan.found.other),
            result.near.eq(scan.found.near),
            result.evaluation.eq(Mux(total > most, most, Mux(total < -most, -most, total))),
        ]
        with m.If(start):
            m.d.sync += total.eq(self._weights["tempo"][0])
        with m.Elif(~ended):
            m.d.sync += total.eq(
                total
                + Mux(tracks.valid, tracks.weight, 0)
                + Mux(perimeter.valid, perimeter.weight, 0)
            )
        return m

    def _share_reader(
        self, m: Module, scan: TrackScan, rings: RingFinder, walk: PerimeterWalk
    ) -> None:
        """Give the scan and the walk the reader's ports. The scan has the cells, and the walk the
        other ends of tracks, when both want them."""
        reader, part = self.reader, scan.reader
        connect(m, walk.pair, flipped(reader.pair))
        taken = walk.partner_en
        m.d.comb += [
            *(each.high.eq(reader.high) for each in (part, rings)),
            part.box.eq(reader.box),
            part.edges.eq(reader.edges),
            part.cells.cell.eq(reader.cells.cell),
            part.entry.eq(reader.entry),
            rings.entry.eq(reader.entry),
            reader.index.eq(Mux(rings.reads, rings.index, part.index)),
            reader.en.eq(rings.reads | part.en),
            reader.follow.eq(part.follow),
            reader.tracks_of.eq(Mux(taken, walk.partner_index, part.index)),
            walk.partners_free.eq(scan.tracks_free),
            scan.tracks_taken.eq(taken),
            reader.tracks_en.eq(taken | part.tracks_en),
            walk.cells_taken.eq(part.cells.en),
            reader.cells.en.eq(part.cells.en),
            reader.cells.x.eq(part.cells.x),
            reader.cells.y.eq(part.cells.y),
        ]
        for colour in range(2):
            m.d.comb += [
                part.ends[colour].eq(reader.ends[colour]),
                rings.ends[colour].eq(reader.ends[colour]),
                part.partners[colour].eq(reader.partners[colour]),
                walk.partners[colour].eq(reader.partners[colour]),
            ]


def _sum_bits(config: SearchConfig, weights: Mapping[str, Sequence[int]]) -> int:
    """Return the width of the sum of the weights of all tracks and sockets, so that it fits."""
    entries = config.grid.frontier_entries
    largest = {
        kind: max(
            abs(weight) for name in weights if name.endswith(kind) for weight in weights[name]
        )
        for kind in ("tempo", "ends", "distances", "lines", "rims")
    }
    track = largest["ends"] + largest["distances"] + 2 * largest["lines"]
    most = largest["tempo"] + entries * track + 2 * entries * largest["rims"]
    return most.bit_length() + 1
