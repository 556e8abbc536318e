"""Turn sequencer: the first tile, all forced plays, and the way back."""

from __future__ import annotations

from amaranth.hdl import Module, ResetInserter
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.hdl.config import GridConfig
from loopline.hdl.core.around import EndPairs
from loopline.hdl.core.box import BoxGrowth, edges_layout
from loopline.hdl.core.cells import CellReader, CellWrite
from loopline.hdl.core.forced import ForcedQueue, queue_port
from loopline.hdl.core.jobs import begin, end, job_layout, result_layout
from loopline.hdl.core.joiner import join_layout, track_layout
from loopline.hdl.core.making import choose, go_on
from loopline.hdl.core.memory import MemoryPort
from loopline.hdl.core.serving import change, move_on, serve
from loopline.hdl.core.taking_back import empty_lifted, take_off
from loopline.hdl.core.tile import SocketStep, TileFit
from loopline.hdl.core.turn import Sides, State, Turn, Work
from loopline.hdl.core.types import box_layout, place_layout
from loopline.hdl.core.undo import Undo, journal_layout

__all__ = ["ENTRIES_PER_TILE", "SPACES_PER_TILE", "Placer"]

SPACES_PER_TILE = 4
"""Free entries of the frontier table that a tile needs at most."""

ENTRIES_PER_TILE = 5
"""Journal entries of a tile at most: itself, and the tracks at the four ends that it connects."""


class Placer(wiring.Component):
    """Makes turns and takes them back.

    A turn is a chain of tiles; each goes through the same steps, and back through some of them::

        first tile ──┐
                     ▼
        forced ──► READ ──► CELL ──► FIT ──► KNOW ──► SIDES ──► OWN ──► CHAIN ──► DONE
        queue      (its cell)      (which   (room?)  (a new    (fill   (next?)
          ▲                         tile)             socket    the       │
          │                                           each)     cell)     │
          └──────────────────────────────────────────────┴────────────────┘

        journal ──► POP ──► LIFT ──► KNOW ──► SIDES ──► ... ──► BOX ──► DONE
                   (a tile (which            (a socket         (as it
                   or track) cells?)          less each)        was)

        no room, an illegal turn: KNOW, OWN ──► SETTLE ──► POP
                                                (queue and joiner run empty)

    A cell from which a tile is lifted is written in the POP or BOX behind it: so no bank of the
    cell map is read and written in the same cycle.

    Latency of a turn: at most 4 cycles, and for each tile 6 and one for each open side; and up to 3
    more in the first tile, whose second join may have to wait for its first. A turn that cannot be
    made is taken back at once. Latency of an undo: 2 cycles, for each tile 3 and one for each open
    side, and one for each journalled track, 4 if it follows another one at once.

    Parameters
    ----------
    grid : GridConfig
        Widths and depths.
    reserved : int
        Rows of the journal's memory that are reserved for another requester.

    Members
    -------
    jobs : In(stream of job_layout), results : Out(stream of result_layout)
        One result for each job, before the next job is taken.
    working : Out(1)
        A job is under way, and has no result yet.
    place : Out(place_layout), keep : In(1)
        The place of the last job or, between jobs, that of the one on offer, whether there is one
        or not; with ``keep`` it stays. Between jobs ``read`` names the cell there, and does not
        read it. Not with a job, nor in the cycle after its result is taken.
    reset : In(1)
        Empty the box and the journal: the board is being cleared. Only between jobs.
    forget : In(1)
        Make all turns final. Only between jobs.
    box : Out(box_layout), edges : In(edges_layout)
        The bounding box, and what follows from it, one cycle later.
    read : Out(CellReader), write : Out(CellWrite)
        The cell map.
    fresh, free : In, take, give, given, ungive : Out
        The frontier table's free indices.
    joins : Out(stream of join_layout)
        The joiner's work.
    mark, judge : Out(1); busy : In(1), loops, lines : In(2)
        The joiner's turns and findings, which stay while it is not ``busy``, until ``mark``.
    records : In(1), track : In(track_layout)
        The joiner's entries for the journal.
    journal, queue : Out(MemoryPort)
        The memories of :class:`Undo` and :class:`ForcedQueue`. Nobody else may use the queue's
        while a job is under way, nor the journal's from the cycle before it is taken.
    """

    def __init__(self, grid: GridConfig, *, reserved: int = 0):
        self._grid = grid
        self._depth = grid.journal - reserved
        super().__init__(
            {
                "jobs": In(stream.Signature(job_layout(grid))),
                "results": Out(stream.Signature(result_layout())),
                "working": Out(1),
                "place": Out(place_layout(grid)),
                "keep": In(1),
                "reset": In(1),
                "forget": In(1),
                "box": Out(box_layout(grid), init={"empty": 1}),
                "edges": In(edges_layout(grid)),
                "read": Out(CellReader(grid)),
                "write": Out(CellWrite(grid)),
                "fresh": In(grid.index_bits),
                "free": In(range(grid.spaces + 1)),
                "take": Out(1),
                "give": Out(1),
                "given": Out(grid.index_bits),
                "ungive": Out(1),
                "joins": Out(stream.Signature(join_layout(grid))),
                "mark": Out(1),
                "judge": Out(1),
                "busy": In(1),
                "loops": In(2),
                "lines": In(2),
                "records": In(1),
                "track": In(track_layout(grid)),
                "journal": Out(MemoryPort(journal_layout(grid), self._depth)),
                "queue": Out(queue_port(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        work = self._add_units(m)
        self._connect(m, work)
        move_on(m, work)
        index = change(m, work)
        with m.Switch(work.turn.state):
            begin(m, work)  # IDLE
            choose(m, work)  # READ, CELL, FIT
            serve(m, work, index)  # KNOW, SIDES
            go_on(m, work)  # OWN, CHAIN, SETTLE
            take_off(m, work)  # POP, LIFT, BOX
            end(m, work)  # DONE
        empty_lifted(m, work)
        return m

    def _add_units(self, m: Module) -> Work:
        """The units, and with them all that the states work with."""
        grid = self._grid
        m.submodules.undo_log = undo = Undo(grid, reserved=grid.journal - self._depth)
        queue = ForcedQueue(grid)
        # Empty as it is between jobs: it is so too if one of its flip-flops has changed by itself.
        m.submodules.queue = ResetInserter(self.reset)(queue)
        connect(m, undo.memory, flipped(self.journal))
        connect(m, queue.memory, flipped(self.queue))
        m.submodules.fit = fit = TileFit()
        m.submodules.growth = growth = BoxGrowth(grid)
        m.submodules.step = step = SocketStep()
        m.submodules.pairs = pairs = EndPairs(grid)
        turn = Turn(grid)
        return Work(grid, self, undo, queue, fit, growth, step, pairs, turn, Sides(grid, turn))

    def _connect(self, m: Module, work: Work) -> None:
        """What holds in any state."""
        turn, undo, fit, growth = work.turn, work.undo, work.fit, work.growth
        m.d.comb += [
            turn.open_sides.eq(~(turn.cell.white | turn.cell.red)),
            self.results.payload.status.eq(turn.status),
            self.results.payload.tiles.eq(turn.tiles),
            self.results.payload.loops.eq(self.loops),
            self.results.payload.lines.eq(self.lines),
            self.working.eq((turn.state != State.IDLE) & (turn.state != State.DONE)),
            self.judge.eq(~turn.undoing),
            self.place.eq(turn.place),
            fit.white.eq(turn.cell.white),
            fit.red.eq(turn.cell.red),
            fit.shape.eq(turn.symbol),
            growth.box.eq(self.box),
            growth.place.eq(turn.place),
            growth.edges.eq(self.edges),
            undo.forget.eq(self.forget | self.reset),
            undo.records.eq(self.records),
            undo.track.eq(self.track),
            undo.kind.eq(turn.kind),
            undo.tile.place.eq(turn.place),
            undo.tile.tile.eq(turn.tile),
            undo.tile.open.eq(turn.open_sides),
            undo.tile.index.eq(turn.cell.index),
        ]
        with m.If(self.reset):
            m.d.sync += self.box.empty.eq(1)
        m.d.sync += turn.room.eq(
            (self.free >= SPACES_PER_TILE) & (undo.level <= self._depth - ENTRIES_PER_TILE)
        )
