"""All candidates of a position, judged: the parts of the trials put together."""

from __future__ import annotations

from amaranth.hdl import EnableInserter, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import edges_layout
from loopline.hdl.core.memory import DualPortMemory
from loopline.hdl.core.spaces import seen_layout
from loopline.hdl.core.types import box_layout, cell_layout, place_layout
from loopline.hdl.evaluator.chain.chain import Chain
from loopline.hdl.evaluator.first.first import First
from loopline.hdl.evaluator.track_ids import name_rows
from loopline.hdl.evaluator.types import slot_layout, trial_layout, waiting_rows

__all__ = ["CandidateEvaluator"]


class CandidateEvaluator(wiring.Component):
    """Judges every candidate of a position without making it.

    ::

                      first tiles that force nothing
                    ┌───────────────────────────────────┐
        frontier    │                                   ▼
        table ──► First ── first tiles that do ──► Chain ──► outcomes
                    │ ▲                              │
                    │ └── what a fetch has found ────┤◄── cell map, partner tables
                    └──── fetch of a space ──────────┘

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    start : In(1)
        Begin; with ``run``, and only while not ``busy``.
    run : In(1)
        The unit stands still while this is low.
    busy : Out(1)
        Under way, until the last outcome is taken.
    outcomes : Out(stream of trial_layout)
        One for each candidate, in no certain order; the last has ``end`` and is none. While one
        waits to be taken, everything else waits, too.
    moves : Out(1)
        The unit does not stand still: it reads the memories. Their answers have to stay while it
        does.
    stalled : Out(1)
        It stands still since an outcome waits to be taken: only then the frontier table's answer
        has to stay. On the slow path others read it.
    box : In(box_layout), edges : In(edges_layout)
        The position's box, and what follows from it.
    high, space, seen
        The frontier table: entries from ``high`` on are free; read port, latency one cycle.
    place, banks, near
        The cell map: the neighbours of ``place``, by bank and by side, latency one cycle.
    track, partners
        By colour, the other end of the track that ends in a space: latency one cycle.
    follow, partner_places
        By colour, the frontier table is to read the coordinates of ``partners``, and not ``space``:
        latency one cycle.
    slow : Out(1), slow_place, slow_symbol : Out
        A trial that is left to be made and taken back by other means; ``run`` may stay high.
        ``slow_place`` is what the frontier table shows, as long as the position is unchanged.
    slow_done : In(1), slow_outcome : In(trial_layout)
        That has been done; with ``run``, and only while no outcome waits. ``status``, ``tiles``,
        ``loops`` and ``lines`` are read.
    names : Out(MemoryPort), waiting : Out(MemoryPort)
        Memories: of the tracks of red, and of the spaces that wait. What they hold while nothing is
        under way, or in ``slow``, does not matter.
    slot : Out(slot_layout)
        What the pipeline does in this cycle. Costs nothing where it is not connected.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "start": In(1),
                "run": In(1),
                "busy": Out(1),
                "outcomes": Out(stream.Signature(trial_layout(grid))),
                "moves": Out(1),
                "stalled": Out(1),
                "box": In(box_layout(grid)),
                "edges": In(edges_layout(grid)),
                "high": In(range(grid.frontier_entries + 1)),
                "space": Out(grid.index_bits),
                "seen": In(seen_layout(grid)),
                "place": Out(place_layout(grid)),
                "banks": In(data.ArrayLayout(cell_layout(grid), 4)),
                "near": In(data.ArrayLayout(cell_layout(grid), 4)),
                "track": Out(grid.index_bits),
                "partners": In(data.ArrayLayout(grid.index_bits, 2)),
                "follow": Out(2),
                "partner_places": In(data.ArrayLayout(place_layout(grid), 2)),
                "slow": Out(1),
                "slow_place": Out(place_layout(grid)),
                "slow_symbol": Out(2),
                "slow_done": In(1),
                "slow_outcome": In(trial_layout(grid)),
                "names": Out(name_rows(grid)),
                "waiting": Out(waiting_rows(grid)),
                "slot": Out(slot_layout()),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._grid
        chain, first = Chain(grid), First(grid)
        moves = self.moves
        m.submodules.chain = EnableInserter(moves)(chain)
        white = name_rows(grid)
        m.submodules.names_white = names = DualPortMemory(
            white.shape, white.depth, in_luts=grid.lut_memories
        )
        # What the chain keeps elsewhere stands still with it.
        for inside, outside in (
            (chain.names_white, names.port),
            (chain.names_red, self.names),
            (chain.waiting, self.waiting),
        ):
            m.d.comb += [
                outside.r_addr.eq(inside.r_addr),
                outside.r_en.eq(moves),
                outside.w_en.eq(inside.w_en & moves),
                outside.w_addr.eq(inside.w_addr),
                outside.w_data.eq(inside.w_data),
                inside.r_data.eq(outside.r_data),
            ]
        m.submodules.first = EnableInserter(moves)(first)

        outcome = Signal(trial_layout(grid))
        valid = Signal()
        ending = Signal()
        m.d.comb += [
            self.stalled.eq(valid & ~self.outcomes.ready),
            moves.eq(self.run & ~self.stalled & ~(chain.slow & ~self.slow_done)),
            self.outcomes.valid.eq(valid),
            self.outcomes.payload.eq(outcome),
        ]
        # Where a trial on the slow path begins, the frontier table says, once the outcome before is
        # taken: making the turn changes the box, which that one is offered with.
        found = Signal()
        m.d.sync += found.eq(chain.slow & ~moves & ~self.stalled)
        with m.If(valid & self.outcomes.ready):
            m.d.sync += valid.eq(0)
        with m.If(moves):
            with m.If(chain.done_valid):
                m.d.sync += [outcome.eq(chain.done), valid.eq(1)]
            with m.Elif(first.done_valid):
                m.d.sync += [outcome.eq(first.done), valid.eq(1)]
            with m.Elif(ending & ~first.busy & chain.idle):
                m.d.sync += [outcome.eq(0), outcome.end.eq(1), valid.eq(1), ending.eq(0)]
        with m.If(self.start):
            m.d.sync += ending.eq(1)

        m.d.comb += [
            first.start.eq(self.start),
            self.busy.eq(ending | valid),
            first.done_ready.eq(~chain.done_valid),
            first.edges.eq(self.edges),
            first.high.eq(self.high),
            first.seen.eq(self.seen),
            first.elsewhere.eq(chain.slow),
            first.denied.eq(chain.follow.all()),
            first.near.eq(self.near),
            first.fetched_near.eq(chain.fetched_near),
            first.fetched_outside.eq(chain.fetched_outside),
            first.fetched_rest.eq(chain.fetched_rest),
            first.fetched.eq(chain.fetched),
            first.fetch_ready.eq(chain.fetch_ready),
            first.first_ready.eq(chain.first_ready),
            chain.fetch.eq(first.fetch),
            chain.fetch_valid.eq(first.fetch_valid),
            chain.first.eq(first.first),
            chain.first_valid.eq(first.first_valid),
            chain.box.eq(self.box),
            chain.edges.eq(self.edges),
            chain.banks.eq(self.banks),
            chain.partners.eq(self.partners),
            chain.partner_places.eq(self.partner_places),
            chain.slow_outcome.eq(self.slow_outcome),
            self.space.eq(Mux(chain.slow, chain.done.index, first.space)),
            self.place.eq(chain.place),
            self.track.eq(chain.space),
            self.follow.eq(chain.follow),
            self.slow.eq(chain.slow & found),
            self.slow_place.eq(self.seen.place),
            self.slow_symbol.eq(chain.done.symbol),
            self.slot.eq(chain.slot),
            self.slot.first.eq(first.done_valid & first.done_ready),
            self.slot.moves.eq(moves),
        ]
        return m
