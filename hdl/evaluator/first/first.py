"""First tiles: every candidate of every frontier space, and what its first tile alone does."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import edges_layout
from loopline.hdl.core.spaces import seen_layout
from loopline.hdl.core.types import cell_layout
from loopline.hdl.evaluator.first.evaluate import judge
from loopline.hdl.evaluator.first.fetch import fetch
from loopline.hdl.evaluator.first.go_on import go_on
from loopline.hdl.evaluator.first.walk import walk
from loopline.hdl.evaluator.types import fetch_layout, fetched_layout, first_layout, trial_layout

__all__ = ["First"]


class First(wiring.Component):
    """Walks the frontier table and judges the first tile of every candidate.

    ::

        walk ─► held ─► fetch ───────► next space ────► this space ───► done (nothing forced)
        table entry     (a round of    sockets around,  one candidate   first (to the chain)
                        the chain)     tracks, exits    per cycle

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    start : In(1), busy : Out(1)
        Begin; under way.
    edges : In(edges_layout)
        What follows from the position's box.
    high : In, space : Out, seen : In(seen_layout)
        The frontier table: free from here on; read port, latency one cycle. Its answer has to stay
        while this stands still.
    elsewhere : In(1)
        What the frontier table shows is for somebody else.
    denied : In(1)
        What it reads in this cycle is for somebody else.
    near : In(ArrayLayout(cell_layout, 4))
        The cell map's answer to a fetch, by side.
    fetch, fetch_valid, fetch_ready, fetched_near, fetched_outside, fetched_rest, fetched
        What :class:`Chain` reads for each space.
    first, first_valid, first_ready
        CandidateEvaluator that go on in :class:`Chain`.
    done : Out(trial_layout), done_valid : Out(1), done_ready : In(1)
        The outcomes of those that end with their first tile.
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
                "elsewhere": In(1),
                "denied": In(1),
                "near": In(data.ArrayLayout(cell_layout(grid), 4)),
                "fetch": Out(fetch_layout(grid)),
                "fetch_valid": Out(1),
                "fetch_ready": In(1),
                "fetched_near": In(1),
                "fetched_outside": In(4),
                "fetched_rest": In(1),
                "fetched": In(fetched_layout(grid)),
                "first": Out(first_layout(grid)),
                "first_valid": Out(1),
                "first_ready": In(1),
                "done": Out(trial_layout(grid)),
                "done_valid": Out(1),
                "done_ready": In(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._grid
        walking, held = walk(m, self, grid)
        take = Signal()
        following = fetch(m, self, grid, held, take)
        left, picked = judge(m, self, grid, following, take)
        m.d.comb += self.busy.eq(
            walking | held.valid | following.some | left.any() | self.first_valid
        )
        go_on(m, self, grid, picked)
        return m
