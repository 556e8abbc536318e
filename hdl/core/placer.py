"""Turn sequencer: the first tile, all forced plays, and the way back."""

from __future__ import annotations

from typing import NamedTuple

from amaranth.hdl import Cat, Module, Mux, ResetInserter, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.game import ALL_SIDES, Side
from loopline.hdl.config import Banks, GridConfig
from loopline.hdl.core.around import EndPairs
from loopline.hdl.core.box import BoxGrowth, edges_layout
from loopline.hdl.core.cells import CellReader, CellWrite, beside
from loopline.hdl.core.forced import ForcedQueue, queue_rows
from loopline.hdl.core.joiner import join_layout, track_layout
from loopline.hdl.core.rows import Rows
from loopline.hdl.core.tile import SocketStep, TileFit, forced_tile
from loopline.hdl.core.turn import Sides, State, Turn
from loopline.hdl.core.types import (
    TILE_COUNT_BITS,
    ShapeCode,
    Status,
    box_layout,
    is_frontier,
    place_layout,
)
from loopline.hdl.core.undo import EntryKind, Undo
from loopline.hdl.core.undo import entry_layout as journal_layout

__all__ = ["ENTRIES_PER_TILE", "SPACES_PER_TILE", "Placer", "job_layout", "result_layout"]

SPACES_PER_TILE = 4
"""Free entries of the frontier table that a tile needs at most."""

ENTRIES_PER_TILE = 5
"""Journal entries of a tile at most: itself, and the tracks at the four ends that it connects."""


def first_of(sides: Value) -> Value:
    """The first side of a mask, from north to west, as a mask."""
    return Cat(sides[n] & ~sides[:n].any() for n in range(4))


def last_of(sides: Value) -> Value:
    """The last side of a mask, as a mask."""
    return Cat(sides[n] & ~sides[n + 1 :].any() for n in range(4))


def job_layout(grid: GridConfig) -> data.StructLayout:
    """A turn to make (first tile), or with ``undo`` the last turn to take back."""
    return data.StructLayout({"undo": 1, "symbol": ShapeCode, "place": place_layout(grid)})


def result_layout() -> data.StructLayout:
    """What became of a job; ``tiles``, ``loops`` and ``lines`` of a turn that was made. Taking a
    turn back right after it was made tells the same once more."""
    return data.StructLayout({"status": Status, "tiles": TILE_COUNT_BITS, "loops": 2, "lines": 2})


class _Units(NamedTuple):
    """The units that the turn sequencer works with."""

    undo: Undo
    queue: ForcedQueue
    fit: TileFit
    growth: BoxGrowth
    step: SocketStep
    pairs: EndPairs


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

    A cell from which a tile is lifted is written in the POP or BOX behind it: so no bank of the
    cell map is read and written in the same cycle.

    Latency of a turn: 4 cycles, and for each tile 6 and one for each open side; and up to 3 more
    in the first tile, whose second join may have to wait for its first. A turn that cannot be made
    is taken back at once. Latency of an undo: 2 cycles, for each tile 3 and one for each open side,
    and one for each journalled track, 4 if it follows another one at once.

    Parameters
    ----------
    grid : GridConfig
        Widths and depths.
    lent : int
        So many of the journal's rows are somebody else's.

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
    journal, queue : Out(Rows)
        The memories of :class:`Undo` and :class:`ForcedQueue`. Nobody else may use the queue's
        while a job is under way, nor the journal's from the cycle before it is taken.
    """

    def __init__(self, grid: GridConfig, *, lent: int = 0):
        self._grid = grid
        self._depth = grid.journal - lent
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
                "journal": Out(Rows(journal_layout(grid), self._depth)),
                "queue": Out(queue_rows(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._grid
        m.submodules.undo_log = undo = Undo(grid, lent=grid.journal - self._depth)
        queue = ForcedQueue(grid)
        # Empty as it is between jobs: it is so too if one of its flip-flops has changed by itself.
        m.submodules.queue = ResetInserter(self.reset)(queue)
        connect(m, undo.rows, flipped(self.journal))
        connect(m, queue.rows, flipped(self.queue))
        m.submodules.fit = fit = TileFit()
        m.submodules.growth = growth = BoxGrowth(grid)
        m.submodules.step = step = SocketStep()
        m.submodules.pairs = pairs = EndPairs(grid)
        units = _Units(undo, queue, fit, growth, step, pairs)

        turn = Turn(grid)
        sides = Sides(grid, turn)
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
        self._move_on(m, turn, sides)
        index = self._change(m, units, turn, sides)

        with m.Switch(turn.state):
            self._begin(m, units, turn, sides)
            self._choose(m, units, turn, sides)
            self._serve(m, units, turn, sides, index)
            self._go_on(m, units, turn, sides)
            self._take_off(m, units, turn, sides)
            self._end(m, turn)
        with m.If((turn.state == State.POP) | (turn.state == State.BOX)):
            m.d.comb += [
                self.write.en.eq(turn.lifted),
                self.write.cell.eq(turn.cell),
                self.write.space.eq(~turn.open_sides.all()),
            ]
            m.d.sync += turn.lifted.eq(0)
        return m

    def _move_on(self, m: Module, turn: Turn, sides: Sides) -> None:
        """The sides move on from one to the next, and the neighbour that is chosen is read."""
        unserved, following = sides.unserved, sides.following
        left = Signal(4)
        # In FIT, which has a flip-flop of its own, it is the first of the cell that has just come.
        # Memories with one port answer sooner than block RAMs, and are farther away: then that side
        # is worked out as the cell comes.
        m.d.comb += [
            sides.chosen.eq(Mux(sides.fitting, first_of(unserved), following)),
            left.eq(unserved & ~sides.chosen),
        ]
        if self._grid.banks is Banks.SINGLE_PORT:
            m.d.comb += sides.chosen.eq(following)
        m.d.sync += sides.fitting.eq(0)
        m.d.comb += [
            self.read.x.eq(sides.x),
            self.read.y.eq(sides.y),
            self.read.en.eq((sides.reading & sides.chosen.any()) | (turn.state == State.READ)),
            Cat(sides.beyond.x, sides.beyond.y).eq(Cat(*beside(turn.place, sides.side))),
        ]
        with m.If(sides.reading):
            m.d.sync += [
                unserved.eq(left),
                following.eq(Mux(turn.undoing, last_of(left), first_of(left))),
                sides.asked.eq(sides.chosen),
                sides.known.eq(self.read.cell),
                sides.side.eq(sides.asked),
                sides.colour.eq((turn.tile & sides.asked) == 0),
            ]

    def _change(self, m: Module, units: _Units, turn: Turn, sides: Sides) -> Value:
        """What becomes of the neighbour; returns its frontier index with the tile's socket."""
        step, pairs = units.step, units.pairs
        known, side = sides.known, sides.side
        # The neighbour without the tile's socket, and with it.
        entry = Cat(side[2], side[3], side[0], side[1])
        index = Mux(step.fresh, self.fresh, known.index)
        m.d.comb += [
            step.white.eq(known.white & ~entry),
            step.red.eq(known.red & ~entry),
            step.entry.eq(entry),
            step.colour.eq(sides.colour),
            self.write.x.eq(sides.beyond.x),
            self.write.y.eq(sides.beyond.y),
            units.queue.place.eq(sides.beyond),
            pairs.cell.eq(turn.cell),
            pairs.colour.eq(sides.colour),
            pairs.index.eq(index),
            pairs.attached.eq(step.attached),
            self.joins.payload.eq(pairs.join),
            self.given.eq(Mux(turn.state == State.OWN, turn.cell.index, known.index)),
        ]
        track = units.undo.top.body.track
        with m.If(turn.undoing):
            # Its two ends are made each other's partners again.
            m.d.comb += [
                self.joins.payload.colour.eq(track.colour),
                self.joins.payload.a.index.eq(track.near),
                self.joins.payload.a.attached.eq(0),
                self.joins.payload.b.index.eq(track.far),
                self.joins.payload.b.attached.eq(0),
            ]
        return index

    def _begin(self, m: Module, units: _Units, turn: Turn, sides: Sides) -> None:
        """IDLE: waits for a job."""
        with m.Case(State.IDLE):
            m.d.comb += self.jobs.ready.eq(1)
            job = self.jobs.payload
            nothing = job.undo & (units.undo.level == 0)
            # Whether there is a job is known late, and only ``state`` asks.
            m.d.sync += [
                turn.symbol.eq(job.symbol),
                turn.kind.eq(EntryKind.FIRST),
                turn.status.eq(Mux(nothing, Status.END, Status.LEGAL)),
                turn.undoing.eq(job.undo),
                turn.illegal.eq(0),
                sides.following.eq(0),
                sides.asked.eq(0),
            ]
            with m.If(~self.keep):
                m.d.sync += turn.place.eq(job.place)
            with m.If(self.jobs.valid):
                m.d.sync += turn.state.eq(
                    Mux(job.undo, Mux(nothing, State.DONE, State.POP), State.READ)
                )

    def _choose(self, m: Module, units: _Units, turn: Turn, sides: Sides) -> None:
        """READ, CELL, FIT: reads a tile's cell, and finds out which tile it is."""
        fit, growth = units.fit, units.growth
        with m.Case(State.READ):
            with m.If(turn.kind == EntryKind.FIRST):
                m.d.comb += self.mark.eq(1)
                m.d.sync += turn.tiles.eq(0)
            m.d.sync += turn.state.eq(State.CELL)

        with m.Case(State.CELL):
            read = self.read.cell
            free = ~(read.white | read.red)
            m.d.sync += [
                turn.cell.eq(read),
                sides.unserved.eq(free),
                sides.fitting.eq(1),
                turn.state.eq(State.FIT),
            ]
            if self._grid.banks is Banks.SINGLE_PORT:
                m.d.sync += sides.following.eq(first_of(free))

        with m.Case(State.FIT):
            m.d.comb += [sides.reading.eq(1), units.pairs.start.eq(1)]
            m.d.sync += turn.state.eq(State.KNOW)
            with m.If(turn.kind == EntryKind.FORCED):
                m.d.sync += turn.tile.eq(forced_tile(turn.cell.white, turn.cell.red))
            with m.Else():
                m.d.sync += turn.tile.eq(fit.tile)
                first_turn = self.box.empty & (turn.symbol != ShapeCode.BACKSLASH)
                with m.If(~(fit.fits & (is_frontier(turn.cell) | first_turn))):
                    m.d.sync += [turn.status.eq(Status.MISMATCH), turn.state.eq(State.DONE)]
                with m.Elif(growth.outside):
                    m.d.sync += [turn.status.eq(Status.AREA), turn.state.eq(State.DONE)]
                with m.Elif(growth.too_large):
                    m.d.sync += [turn.status.eq(Status.BOUNDS), turn.state.eq(State.DONE)]
                with m.If(growth.grows):
                    m.d.sync += turn.kind.eq(EntryKind.GROWN)

    def _serve(self, m: Module, units: _Units, turn: Turn, sides: Sides, index: Value) -> None:
        """KNOW, SIDES: a socket more in each open neighbour, or with an undo a socket less."""
        step, pairs = units.step, units.pairs
        # Where it goes on after the last side.
        back = Mux(turn.kind == EntryKind.FORCED, State.POP, State.BOX)
        served = Mux(turn.undoing, back, State.OWN)
        with m.Case(State.KNOW):
            m.d.comb += sides.reading.eq(turn.undoing | turn.room)
            m.d.sync += turn.state.eq(Mux(sides.asked.any(), State.SIDES, served))
            with m.If(~sides.asked.any()):
                m.d.sync += sides.following.eq(~turn.open_sides)
            with m.If(turn.undoing):
                pass
            with m.Elif(turn.room):
                m.d.comb += units.undo.lays.eq(1)
                m.d.sync += turn.tiles.eq(turn.tiles + 1)
                with m.If(turn.kind != EntryKind.FORCED):
                    m.d.sync += self.box.eq(units.growth.grown)
            with m.Else():
                m.d.sync += [
                    turn.status.eq(Status.BOUNDS),
                    turn.state.eq(Mux(turn.kind == EntryKind.FORCED, State.SETTLE, State.DONE)),
                ]

        with m.Case(State.SIDES):
            m.d.comb += [
                # A join that an illegal turn does without waits, too: that is known late.
                sides.serving.eq(turn.undoing | self.joins.ready | ~pairs.complete),
                sides.reading.eq(sides.serving),
                self.write.en.eq(sides.serving),
                self.write.cell.white.eq(step.next_white),
                self.write.cell.red.eq(step.next_red),
                self.write.cell.index.eq(index),
                self.write.space.eq(~turn.undoing | ~step.fresh),
            ]
            with m.If(turn.undoing):
                m.d.comb += [
                    self.write.cell.white.eq(step.white),
                    self.write.cell.red.eq(step.red),
                    self.write.cell.index.eq(Mux(step.fresh, 0, sides.known.index)),
                    self.give.eq(step.fresh),
                ]
            with m.Else():
                fine = ~(turn.illegal | step.illegal)
                m.d.comb += [
                    self.joins.valid.eq(pairs.complete & fine),
                    pairs.serve.eq(sides.serving),
                    self.take.eq(sides.serving & step.fresh),
                    units.queue.push.eq(sides.serving & step.forced & fine),
                ]
                m.d.sync += turn.illegal.eq(~fine)
            with m.If(sides.serving & ~sides.asked.any()):
                m.d.sync += [sides.following.eq(~turn.open_sides), turn.state.eq(served)]

    def _go_on(self, m: Module, units: _Units, turn: Turn, sides: Sides) -> None:
        """OWN, CHAIN, SETTLE: fills the tile's own cell, and goes on with the next tile."""
        queue = units.queue
        with m.Case(State.OWN):
            m.d.comb += [
                self.write.en.eq(1),
                self.write.cell.white.eq(ALL_SIDES),
                self.write.cell.red.eq(ALL_SIDES),
                self.write.cell.index.eq(turn.tile),
                self.give.eq(~turn.open_sides.all()),
            ]
            m.d.sync += turn.state.eq(State.CHAIN)
            with m.If(turn.illegal):
                m.d.sync += [turn.status.eq(Status.FORCED), turn.state.eq(State.SETTLE)]

        with m.Case(State.CHAIN):
            pending = queue.pending
            m.d.comb += pending.ready.eq(1)
            m.d.sync += [
                turn.place.eq(pending.payload),
                turn.kind.eq(EntryKind.FORCED),
                sides.following.eq(0),
            ]
            with m.If(pending.valid):
                m.d.sync += turn.state.eq(State.READ)
            with m.Elif(queue.empty & ~self.busy):
                m.d.sync += turn.state.eq(State.DONE)

        with m.Case(State.SETTLE):
            # The rest of an illegal turn's forced plays will not be made.
            m.d.comb += queue.pending.ready.eq(1)
            m.d.sync += turn.undoing.eq(1)
            with m.If(queue.empty & ~self.busy):
                m.d.sync += turn.state.eq(State.POP)

    def _take_off(self, m: Module, units: _Units, turn: Turn, sides: Sides) -> None:
        """POP, LIFT, BOX: takes tiles and tracks from the journal, down to a first tile."""
        undo = units.undo
        with m.Case(State.POP):
            laid = undo.top.body.tile
            m.d.sync += [
                sides.unserved.eq(laid.open),
                sides.following.eq(last_of(laid.open)),
                turn.place.eq(laid.place),
                turn.tile.eq(laid.tile),
                turn.cell.white.eq(laid.tile & ~laid.open),
                turn.cell.red.eq(~laid.tile & ~laid.open),
                turn.cell.index.eq(laid.index),
                turn.kind.eq(undo.top.kind),
            ]
            with m.If(undo.top.kind == EntryKind.TRACK):
                m.d.comb += [self.joins.valid.eq(1), undo.pop.eq(self.joins.ready)]
            with m.Else():
                m.d.comb += undo.pop.eq(1)
                m.d.sync += turn.state.eq(State.LIFT)

        with m.Case(State.LIFT):
            m.d.comb += [
                sides.reading.eq(1),
                self.ungive.eq(~turn.open_sides.all()),
            ]
            m.d.sync += [turn.lifted.eq(1), turn.state.eq(State.KNOW)]

        with m.Case(State.BOX):
            # A tile outside of the box had one beside it, which is at the box's edge.
            with m.If(turn.kind == EntryKind.GROWN):
                for beside_it, edge, at in (
                    (Side.NORTH, "south", sides.y),
                    (Side.EAST, "west", sides.x),
                    (Side.SOUTH, "north", sides.y),
                    (Side.WEST, "east", sides.x),
                ):
                    with m.If(~turn.open_sides[beside_it]):
                        m.d.sync += self.box[edge].eq(at)
            with m.Elif(turn.open_sides.all()):
                m.d.sync += self.box.empty.eq(1)
            with m.If(~self.busy):
                m.d.sync += turn.state.eq(State.DONE)

    def _end(self, m: Module, turn: Turn) -> None:
        """DONE: says what became of the job."""
        with m.Case(State.DONE):
            m.d.comb += self.results.valid.eq(1)
            with m.If(self.results.ready):
                m.d.sync += turn.state.eq(State.IDLE)

        with m.Default():
            # No code of a state: as after power-on.
            m.d.sync += turn.state.eq(State.IDLE)
