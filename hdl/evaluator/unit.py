"""The candidate evaluator: first tiles and chain together, behind a stream of evaluations."""

from __future__ import annotations

from amaranth.hdl import EnableInserter, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out, connect

from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import edges_layout
from loopline.hdl.core.memory import DualPortMemory
from loopline.hdl.core.spaces import seen_layout
from loopline.hdl.core.types import box_layout, cell_layout, place_layout
from loopline.hdl.evaluator.chain.chain import Chain
from loopline.hdl.evaluator.first.first import FirstTiles
from loopline.hdl.evaluator.track_ids import track_id_port
from loopline.hdl.evaluator.types import evaluation_layout, pending_port, slot_layout

__all__ = ["CandidateEvaluator"]


class CandidateEvaluator(wiring.Component):
    """Evaluates every candidate of a position without making one.

    ::

                               evaluations (first tile forces nothing)
                          ┌──────────────────────────────────────────────────┐
                          │                                                  ▼
        frontier ──► FirstTiles ──── entries (first tile forces) ────► Chain ──► outcomes
        table            │ ▲                                           │ ▲ ▲ └─► slow path
                         │ └────────────────── reply ──────────────────┘ │ └──── cell map,
                         └─────────────────── fetches ───────────────────┘       partner tables

    Members
    -------
    start : In(1)
        Begin; only with ``run``, and only while not ``busy``.
    run : In(1)
        The evaluator stands still while this is low.
    busy : Out(1)
        Under way, until the last outcome is taken.
    outcomes : Out(stream of evaluation_layout)
        One for each candidate, in no certain order, and an end mark, which is no evaluation. The
        evaluator stands still while an outcome is not taken.
    advances : Out(1)
        The evaluator does not stand still: it reads the memories. Their answers have to stay while
        it stands still.
    stalled : Out(1)
        The evaluator stands still since an outcome is not taken. Only then does the frontier
        table's answer have to stay: on the slow path other units read the table.
    box : In(box_layout), edges : In(edges_layout)
        The position's box, and what follows from it.
    high, space, seen
        The frontier table: entries from ``high`` on are free; read port, latency one cycle.
    place, banks, neighbours
        The cell map: the neighbours of ``place``, by bank and by side, latency one cycle.
    track, partners
        By colour, the other end of the track that ends in a space: latency one cycle.
    follow, partner_places
        By colour, the frontier table is to read the coordinates of ``partners`` in place of
        ``space``: latency one cycle.
    slow : Out(1), slow_place, slow_symbol : Out
        A candidate that is to be made and unmade; ``run`` may stay high. ``slow_place`` is what the
        frontier table shows, so it is valid as long as the position is unchanged.
    slow_done : In(1), slow_outcome : In(evaluation_layout)
        That is done; only with ``run``, and only while no outcome is on offer. ``status``,
        ``tiles``, ``loops`` and ``lines`` are read.
    track_ids : Out(MemoryPort), pending : Out(MemoryPort)
        Memories for the ids of red tracks and for pending spaces. Their contents do not matter
        while nothing is under way, or during ``slow``.
    slot : Out(slot_layout)
        What the evaluator does in this cycle. Costs nothing where it is not connected.

    The throughput is about 2.5 cycles per candidate; see ``docs/core.md``.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "start": In(1),
                "run": In(1),
                "busy": Out(1),
                "outcomes": Out(stream.Signature(evaluation_layout(grid))),
                "advances": Out(1),
                "stalled": Out(1),
                "box": In(box_layout(grid)),
                "edges": In(edges_layout(grid)),
                "high": In(range(grid.frontier_entries + 1)),
                "space": Out(grid.index_bits),
                "seen": In(seen_layout(grid)),
                "place": Out(place_layout(grid)),
                "banks": In(data.ArrayLayout(cell_layout(grid), 4)),
                "neighbours": In(data.ArrayLayout(cell_layout(grid), 4)),
                "track": Out(grid.index_bits),
                "partners": In(data.ArrayLayout(grid.index_bits, 2)),
                "follow": Out(2),
                "partner_places": In(data.ArrayLayout(place_layout(grid), 2)),
                "slow": Out(1),
                "slow_place": Out(place_layout(grid)),
                "slow_symbol": Out(2),
                "slow_done": In(1),
                "slow_outcome": In(evaluation_layout(grid)),
                "track_ids": Out(track_id_port(grid)),
                "pending": Out(pending_port(grid)),
                "slot": Out(slot_layout()),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._grid
        chain, first = Chain(grid), FirstTiles(grid)
        advances = self.advances
        m.submodules.chain = EnableInserter(advances)(chain)
        m.submodules.first = EnableInserter(advances)(first)
        connect(m, first.fetches, chain.fetches)
        connect(m, first.entries, chain.entries)
        connect(m, chain.reply, first.reply)
        self._connect_position(m, chain, first)
        self._connect_memories(m, chain)

        outcome = Signal(evaluation_layout(grid))
        valid = Signal()
        ending = Signal()
        m.d.comb += [
            self.stalled.eq(valid & ~self.outcomes.ready),
            advances.eq(self.run & ~self.stalled & ~(chain.slow & ~self.slow_done)),
            self.outcomes.valid.eq(valid),
            self.outcomes.payload.eq(outcome),
            self.busy.eq(ending | valid),
            first.start.eq(self.start),
            first.evaluations.ready.eq(~chain.evaluation_valid),
        ]
        with m.If(valid & self.outcomes.ready):
            m.d.sync += valid.eq(0)
        with m.If(advances):
            with m.If(chain.evaluation_valid):
                m.d.sync += [outcome.eq(chain.evaluation), valid.eq(1)]
            with m.Elif(first.evaluations.valid):
                m.d.sync += [outcome.eq(first.evaluations.payload), valid.eq(1)]
            with m.Elif(ending & ~first.busy & chain.idle):
                m.d.sync += [outcome.eq(0), outcome.end.eq(1), valid.eq(1), ending.eq(0)]
        with m.If(self.start):
            m.d.sync += ending.eq(1)

        # The slow path begins when the frontier table shows the candidate's place, and when the
        # outcome before is taken: making the turn changes the box that this one is offered with.
        shows_place = Signal()
        m.d.sync += shows_place.eq(chain.slow & ~advances & ~self.stalled)
        m.d.comb += [
            chain.slow_outcome.eq(self.slow_outcome),
            self.slow.eq(chain.slow & shows_place),
            self.slow_place.eq(self.seen.place),
            self.slow_symbol.eq(chain.evaluation.symbol),
            self.slot.eq(chain.slot),
            self.slot.first.eq(first.evaluations.valid & first.evaluations.ready),
            self.slot.advances.eq(advances),
        ]
        return m

    def _connect_position(self, m: Module, chain: Chain, first: FirstTiles) -> None:
        """Connect the position: the chain reads cells and tracks, and on the slow path a place."""
        m.d.comb += [
            chain.box.eq(self.box),
            chain.edges.eq(self.edges),
            chain.banks.eq(self.banks),
            chain.partners.eq(self.partners),
            chain.partner_places.eq(self.partner_places),
            first.edges.eq(self.edges),
            first.high.eq(self.high),
            first.seen.eq(self.seen),
            first.table_taken.eq(chain.slow),
            first.denied.eq(chain.follow.all()),
            first.neighbours.eq(self.neighbours),
            self.space.eq(Mux(chain.slow, chain.evaluation.index, first.space)),
            self.place.eq(chain.place),
            self.track.eq(chain.space),
            self.follow.eq(chain.follow),
        ]

    def _connect_memories(self, m: Module, chain: Chain) -> None:
        """Connect the chain's memories, which stand still with it; the ids of white tracks have one
        here."""
        white = track_id_port(self._grid)
        m.submodules.track_ids_white = memory = DualPortMemory(
            white.shape, white.depth, in_luts=self._grid.lut_memories
        )
        for inner, outer in (
            (chain.track_ids_white, memory.port),
            (chain.track_ids_red, self.track_ids),
            (chain.pending, self.pending),
        ):
            m.d.comb += [
                outer.r_addr.eq(inner.r_addr),
                outer.r_en.eq(self.advances),
                outer.w_en.eq(inner.w_en & self.advances),
                outer.w_addr.eq(inner.w_addr),
                outer.w_data.eq(inner.w_data),
                inner.r_data.eq(outer.r_data),
            ]
