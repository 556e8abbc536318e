"""First tiles: the stage WALK, and all stages together."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import edges_layout
from loopline.hdl.core.spaces import seen_layout
from loopline.hdl.core.types import cell_layout, place_layout
from loopline.hdl.evaluator.first.enter_chain import enter_chain_stage
from loopline.hdl.evaluator.first.evaluate import evaluate_stage
from loopline.hdl.evaluator.first.fetch import fetch_stage
from loopline.hdl.evaluator.types import (
    FetchReply,
    chain_entry_layout,
    evaluation_layout,
    fetch_layout,
)

__all__ = ["FirstTiles"]


class FirstTiles(wiring.Component):
    """Walks the frontier table and evaluates the first tile of every candidate.

    ::

        frontier                                                   ┌──► evaluations
        table                                                      │    (nothing forced)
          │                                                        │
          ▼      space         space, cells, tracks      candidate │
        WALK ─────────► FETCH ─────────────────────► EVALUATE ─────┤
                         │ ▲                         one candidate │    token
                 fetches │ │ reply                   per cycle     └──► ENTER CHAIN ──► entries
                         ▼ │
                   (a round of the chain)

    Members
    -------
    start : In(1), busy : Out(1)
        Begin a position; under way.
    edges : In(edges_layout)
        What follows from the position's box.
    high : In, space : Out, seen : In(seen_layout)
        The frontier table: entries from ``high`` on are free; read port, latency one cycle. The
        table's answer has to stay while this unit stands still.
    table_taken : In(1)
        In this cycle the table's answer belongs to another unit.
    denied : In(1)
        The table does not serve this cycle's read.
    neighbours : In(ArrayLayout(cell_layout, 4))
        The cell map's answer to a fetch, by side.
    fetches : Out(stream of fetch_layout), reply : In(FetchReply)
        Spaces that the chain reads, and what it has read.
    entries : Out(stream of chain_entry_layout)
        Candidates whose first tile forces a space.
    evaluations : Out(stream of evaluation_layout)
        The evaluations of all other candidates.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "start": In(1),
                "busy": Out(1),
                "edges": In(edges_layout(grid)),
                "high": In(range(grid.frontier_entries + 1)),
                "space": Out(grid.index_bits),
                "seen": In(seen_layout(grid)),
                "table_taken": In(1),
                "denied": In(1),
                "neighbours": In(data.ArrayLayout(cell_layout(grid), 4)),
                "fetches": Out(stream.Signature(fetch_layout(grid))),
                "reply": In(FetchReply(grid)),
                "entries": Out(stream.Signature(chain_entry_layout(grid))),
                "evaluations": Out(stream.Signature(evaluation_layout(grid))),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._grid
        walking, walked = self._walk_stage(m)
        take = Signal()
        fetched = fetch_stage(m, self, grid, walked, take)
        evaluated = evaluate_stage(m, self, grid, fetched, take)
        enter_chain_stage(m, self, grid, evaluated.selected)
        m.d.comb += self.busy.eq(
            walking | walked.valid | fetched.some | evaluated.some | self.entries.valid
        )
        return m

    def _walk_stage(self, m: Module) -> tuple[Value, data.View]:
        """Walk along the frontier table.

        Return whether the walk is under way, and the space that it is at: it stays until the next
        stage clears its ``valid``.
        """
        grid = self._grid
        walked = Signal(
            data.StructLayout({"valid": 1, "index": grid.index_bits, "place": place_layout(grid)})
        )
        # ``cursor`` is the entry that the table shows, ``following`` the one that it reads. After
        # the last entry the cursor is at the first one again, so the next walk can begin at once.
        cursor = Signal(range(grid.frontier_entries + 1))
        following = Signal(range(grid.frontier_entries + 1))
        walking = Signal()
        served = Signal()
        step = Signal()
        # A read that is not served is ignored a cycle later: ``table_taken`` and ``denied`` are
        # late.
        m.d.comb += [
            step.eq(walking & served & ~walked.valid),
            following.eq(Mux(step, cursor + 1, cursor)),
            self.space.eq(following),
        ]
        m.d.sync += served.eq(~self.table_taken & ~self.denied)
        with m.If(~self.table_taken):
            m.d.sync += cursor.eq(following)
        with m.If(self.start):
            m.d.sync += walking.eq(1)

        with m.If(walking & ~self.table_taken):
            with m.If(cursor == self.high):
                m.d.sync += [walking.eq(0), cursor.eq(0)]
            with m.Elif(step):
                m.d.sync += [
                    walked.valid.eq(self.seen.live),
                    walked.index.eq(cursor),
                    walked.place.eq(self.seen.place),
                ]
        return walking, walked
