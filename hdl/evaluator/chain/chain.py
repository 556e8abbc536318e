"""The chain: the forced plays of four candidates at a time, one tile of each in turn."""

from __future__ import annotations

from itertools import pairwise

from amaranth.hdl import Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.game import Colour
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import edges_layout
from loopline.hdl.core.types import box_layout, cell_layout, place_layout
from loopline.hdl.evaluator.chain.recirculate import admit, recirculate
from loopline.hdl.evaluator.chain.ring import Ring, deferred_layout
from loopline.hdl.evaluator.chain.stage_decide import (
    decide_stage,
    offer_evaluation,
    reply_to_fetches,
)
from loopline.hdl.evaluator.chain.stage_join import join_stage
from loopline.hdl.evaluator.chain.stage_pick import pick_stage
from loopline.hdl.evaluator.chain.stage_read import read_stage
from loopline.hdl.evaluator.chain.write_back import write_back
from loopline.hdl.evaluator.epochs import Epochs
from loopline.hdl.evaluator.exits import Exits
from loopline.hdl.evaluator.neighbourhood import Neighbourhood
from loopline.hdl.evaluator.next_space import NextSpace
from loopline.hdl.evaluator.overlay import Overlay
from loopline.hdl.evaluator.track_ids import TrackIds, track_id_port
from loopline.hdl.evaluator.types import (
    THREADS,
    FetchReply,
    chain_entry_layout,
    evaluation_layout,
    fetch_layout,
    pending_port,
    slot_layout,
    token_layout,
)
from loopline.hdl.evaluator.union_find import UnionFind

__all__ = ["Chain"]


class Chain(wiring.Component):
    """Makes the forced plays of up to four candidates, one of each candidate every four cycles.

    ::

          cell map,           overlay,          union-find,
          partner tables      track ids         stack of pending spaces
             ▲ addresses         │                 │
             │                   ▼                 ▼
        ┌─► READ ─────────────► PICK ───────────► JOIN ────────────► DECIDE ──┬─► evaluation
        │   addresses of the    the two spaces    what each space    loops    │
        │   neighbours, of      that the tile's   becomes; rows of   lines    │
        │   the tracks that     open edges lead   the tracks and     next     │
        │   end here            to; track ids     what they say      space    │
        │                                                                     │
        │                               overlay, track ids,                   │
        │                               union-find, stack ◄───── write_back ──┤
        │                                                                     │
        └──────────────────────────────── recirculate ◄───────────────────────┘
                                               ▲
              fetches, entries ── admit ───────┘  (where a place is free)

    A *token* is the state of one candidate; each of the four is in another stage. A token goes
    round once more as it was if it cannot make its play yet: a track has been joined to another one
    or has its row in the second way, or a write port is taken.

    Members
    -------
    box : In(box_layout), edges : In(edges_layout)
        The position's box, and what follows from it.
    place : Out(place_layout), banks : In(ArrayLayout(cell_layout, 4))
        The cell map: the neighbours of a cell by bank, one cycle later.
    space : Out, partners : In
        By colour, the other end of the track that ends in a frontier space, one cycle later.
    follow : Out(2), partner_places : In
        By colour, read the coordinates of ``partners``; they are valid one cycle later.
    fetches : In(stream of fetch_layout), reply : Out(FetchReply)
        Spaces to read for :class:`FirstTiles`. A fetch has priority over an entry. ``cells_valid``
        comes two cycles after a fetch is taken, ``tracks_valid`` four.
    entries : In(stream of chain_entry_layout)
        Candidates whose first tile forces a space.
    evaluation : Out(evaluation_layout), evaluation_valid : Out(1)
        The evaluation of a candidate, valid for one cycle.
    slow : Out(1), slow_outcome : In(evaluation_layout)
        A candidate is left to the slow path, and nothing else is under way; ``evaluation.index``
        and ``evaluation.symbol`` say which one. The unit has to stand still until the outcome is
        valid.
    idle : Out(1)
        Nothing is under way.
    track_ids_white, track_ids_red, pending : Out(MemoryPort)
        Memories. Their contents do not matter while nothing is under way, or while all that is
        waits for the slow path.
    slot : Out(slot_layout)
        What DECIDE does in this cycle, without ``first`` and ``advances``.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                # The position.
                "box": In(box_layout(grid)),
                "edges": In(edges_layout(grid)),
                "place": Out(place_layout(grid)),
                "banks": In(data.ArrayLayout(cell_layout(grid), 4)),
                "space": Out(grid.index_bits),
                "partners": In(data.ArrayLayout(grid.index_bits, 2)),
                "follow": Out(2),
                "partner_places": In(data.ArrayLayout(place_layout(grid), 2)),
                # Candidates.
                "fetches": In(stream.Signature(fetch_layout(grid))),
                "reply": Out(FetchReply(grid)),
                "entries": In(stream.Signature(chain_entry_layout(grid))),
                "evaluation": Out(evaluation_layout(grid)),
                "evaluation_valid": Out(1),
                # The slow path.
                "slow": Out(1),
                "slow_outcome": In(evaluation_layout(grid)),
                "idle": Out(1),
                # Memories.
                "track_ids_white": Out(track_id_port(grid)),
                "track_ids_red": Out(track_id_port(grid)),
                "pending": Out(pending_port(grid)),
                "slot": Out(slot_layout()),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        ring = self._add_ring(m)
        read = read_stage(m, ring)
        picked = pick_stage(m, ring, read)
        joined = join_stage(m, ring, read, picked)
        decided = decide_stage(m, ring, joined)
        offer_evaluation(m, ring, joined, decided)
        enters = admit(m, ring, joined, decided)
        recirculate(m, ring, joined, decided, enters)
        write_back(m, ring, joined, decided, enters)
        reply_to_fetches(m, ring, read, joined)
        return m

    def _add_ring(self, m: Module) -> Ring:
        """Add the tokens, each of which is in the next stage in every cycle, and the parts."""
        grid = self._grid
        m.submodules.overlay = overlay = Overlay(grid)
        track_ids = [TrackIds(grid) for _ in Colour]
        union_finds = [UnionFind(grid) for _ in Colour]
        for colour in Colour:
            name = colour.name.lower()
            m.submodules[f"track_ids_{name}"] = track_ids[colour]
            m.submodules[f"union_find_{name}"] = union_finds[colour]
            connect(m, track_ids[colour].memory, flipped(getattr(self, f"track_ids_{name}")))
        m.submodules.epochs = epochs = Epochs(grid)
        m.submodules.exits = exits = Exits(grid)
        m.submodules.neighbourhood = neighbourhood = Neighbourhood(grid)
        m.submodules.next_space = next_space = NextSpace(grid)

        read, pick, join, decide = tokens = [
            Signal(token_layout(grid), name=f"token_{stage}")
            for stage in ("read", "pick", "join", "decide")
        ]
        m.d.sync += [following.eq(token) for token, following in pairwise(tokens)]
        thread = Signal(2)
        m.d.sync += thread.eq(thread + 1)
        return Ring(
            read=read,
            pick=pick,
            join=join,
            decide=decide,
            threads=[(thread - n)[:2] for n in range(THREADS)],
            overlay=overlay,
            track_ids=track_ids,
            union_finds=union_finds,
            epochs=epochs,
            exits=exits,
            neighbourhood=neighbourhood,
            next_space=next_space,
            deferred=Signal(deferred_layout(grid), name="deferred"),
            grid=grid,
            ports=self,
        )
