"""The forced plays of four trials at a time, one tile of each in turn."""

from __future__ import annotations

from itertools import pairwise

from amaranth.hdl import Module, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.game import Colour
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import edges_layout
from loopline.hdl.core.types import box_layout, cell_layout, place_layout
from loopline.hdl.evaluator.chain.recirculate import enter, go_round
from loopline.hdl.evaluator.chain.ring import Ring, late_layout
from loopline.hdl.evaluator.chain.stage_decide import answer_fetches, decide_stage, tell
from loopline.hdl.evaluator.chain.stage_join import join_stage
from loopline.hdl.evaluator.chain.stage_pick import pick_stage
from loopline.hdl.evaluator.chain.stage_read import read_stage
from loopline.hdl.evaluator.chain.write_back import remember
from loopline.hdl.evaluator.epochs import Epochs
from loopline.hdl.evaluator.exits import Exits
from loopline.hdl.evaluator.neighbourhood import Neighbourhood
from loopline.hdl.evaluator.next_space import NextSpace
from loopline.hdl.evaluator.overlay import Overlay
from loopline.hdl.evaluator.track_ids import TrackIds, name_rows
from loopline.hdl.evaluator.types import (
    THREADS,
    fetch_layout,
    fetched_layout,
    first_layout,
    slot_layout,
    token_layout,
    trial_layout,
    waiting_rows,
)
from loopline.hdl.evaluator.union_find import UnionFind

__all__ = ["Chain"]


class Chain(wiring.Component):
    """Follows the forced plays of up to four trials, each one tile further every four cycles.

    ::

        ┌─► READ ───────────► PICK ─────────────► JOIN ───────────► DECIDE ─┐
        │   addresses of      the two spaces that what each space   on with │
        │   the neighbours,   the tile's open     becomes; rows of  which   │
        │   of the tracks     edges lead to; the  the tracks' names space,  │
        │   that end here     tracks' names                         writes  │
        └───────────────────────────────────────────────────────────────────┘

    A token that cannot go on yet, since a name stands for another one, its row is taken, or a write
    port is, goes round once more as it is.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    box : In(box_layout), edges : In(edges_layout)
        The position's box, and what follows from it.
    place : Out(place_layout), banks : In(ArrayLayout(cell_layout, 4))
        The cell map: the neighbours of a cell by bank, one cycle later.
    space : Out, partners : In
        By colour, the other end of the track that ends in a frontier space, one cycle later.
    follow : Out(2), partner_places : In
        By colour, whether its coordinates are asked for in that cycle; they are there in the next.
    fetch : In(fetch_layout), fetch_valid : In(1), fetch_ready : Out(1)
        A space to read for :class:`First`: it comes before a first tile.
    fetched_near : Out(1), fetched_outside : Out(4)
        In this cycle the cell map shows what a fetch has read, and on which sides that is outside
        of the box. In the order of the fetches.
    fetched_rest : Out(1), fetched : Out(fetched_layout)
        The rest of it, two cycles later.
    first : In(first_layout), first_valid : In(1), first_ready : Out(1)
        A trial whose first tile forces something.
    done : Out(trial_layout), done_valid : Out(1)
        The outcome of a trial, in one cycle.
    slow : Out(1), slow_outcome : In
        A trial is left to the slow path, and nothing else is under way; ``done.index`` and
        ``done.symbol`` say which. The unit has to stand still until its outcome is there.
    idle : Out(1)
        Nothing is under way.
    names_white, names_red, waiting : Out(Rows)
        Memories. What they hold while nothing is under way, or all that is waits for the slow path,
        does not matter.
    slot : Out(slot_layout)
        What DECIDE does in this cycle; ``first`` and ``moves`` are not set here.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "box": In(box_layout(grid)),
                "edges": In(edges_layout(grid)),
                # The position.
                "place": Out(place_layout(grid)),
                "banks": In(data.ArrayLayout(cell_layout(grid), 4)),
                "space": Out(grid.index_bits),
                "partners": In(data.ArrayLayout(grid.index_bits, 2)),
                "follow": Out(2),
                "partner_places": In(data.ArrayLayout(place_layout(grid), 2)),
                # Fetches.
                "fetch": In(fetch_layout(grid)),
                "fetch_valid": In(1),
                "fetch_ready": Out(1),
                "fetched_near": Out(1),
                "fetched_outside": Out(4),
                "fetched_rest": Out(1),
                "fetched": Out(fetched_layout(grid)),
                # Candidates.
                "first": In(first_layout(grid)),
                "first_valid": In(1),
                "first_ready": Out(1),
                "done": Out(trial_layout(grid)),
                "done_valid": Out(1),
                # The slow path.
                "slow": Out(1),
                "slow_outcome": In(trial_layout(grid)),
                "idle": Out(1),
                "names_white": Out(name_rows(grid)),
                "names_red": Out(name_rows(grid)),
                "waiting": Out(waiting_rows(grid)),
                "slot": Out(slot_layout()),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        ring = self._ring(m)
        sources, tile = read_stage(m, ring)
        named = pick_stage(m, ring, sources, tile)
        tracks, way = join_stage(m, ring, tile, named)
        play = decide_stage(m, ring, tracks, way)
        tell(m, ring, way, play)
        enters = enter(m, ring, way, play)
        go_round(m, ring, tracks, way, play, enters)
        remember(m, ring, tracks, way, play, enters)
        answer_fetches(m, ring, tile, tracks)
        return m

    def _ring(self, m: Module) -> Ring:
        """The tokens, each at the next stage in every cycle, and the parts that serve them."""
        grid = self._grid
        m.submodules.overlay = overlay = Overlay(grid)
        names = [TrackIds(grid) for _ in Colour]
        unions = [UnionFind(grid) for _ in Colour]
        for colour in Colour:
            m.submodules[f"names_{colour.name.lower()}"] = names[colour]
            m.submodules[f"unions_{colour.name.lower()}"] = unions[colour]
            memory = self.names_red if colour is Colour.RED else self.names_white
            connect(m, names[colour].memory, flipped(memory))
        m.submodules.epochs = epochs = Epochs(grid)
        m.submodules.exits = exits = Exits(grid)
        m.submodules.surroundings = surroundings = Neighbourhood(grid)
        m.submodules.onward = onward = NextSpace(grid)

        tokens = [Signal(token_layout(grid), name=f"token{n}") for n in range(THREADS)]
        m.d.sync += [following.eq(token) for token, following in pairwise(tokens)]
        turn = Signal(2)
        m.d.sync += turn.eq(turn + 1)
        threads = [(turn - n)[:2] for n in range(THREADS)]
        late = Signal(late_layout(grid))
        parts = (overlay, names, unions, epochs, exits, surroundings, onward)
        return Ring(*tokens, threads, *parts, late, grid, self)
