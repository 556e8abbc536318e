"""Turn sequencer: the first tile, all forced plays, and the way back."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, ResetInserter, Signal, Value
from amaranth.lib import data, enum, stream, wiring
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
from loopline.hdl.core.types import (
    TILE_COUNT_BITS,
    ShapeCode,
    Status,
    box_layout,
    cell_layout,
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

        class State(enum.Enum, shape=4):
            IDLE = 0
            READ = 1
            CELL = 2
            FIT = 3
            KNOW = 4
            SIDES = 5
            OWN = 6
            CHAIN = 7
            SETTLE = 8
            POP = 9
            LIFT = 10
            BOX = 11
            DONE = 12

        state = Signal(State)
        status = Signal(Status)
        tiles = Signal(TILE_COUNT_BITS)
        symbol = Signal(ShapeCode, reset_less=True)
        # The cell that is being filled or cleared, what it holds without the tile, and the tile.
        kind = Signal(EntryKind, reset_less=True)
        place = Signal(place_layout(grid), reset_less=True)
        cell = Signal(cell_layout(grid), reset_less=True)
        tile = Signal(4, reset_less=True)
        illegal = Signal()
        undoing = Signal()
        # A tile is off, and its cell still to be written: that is done with the next one, when no
        # neighbour is read. So no bank of the cell map is read and written in one cycle.
        lifted = Signal()
        open_sides = Signal(4)
        m.d.comb += [
            open_sides.eq(~(cell.white | cell.red)),
            self.results.payload.status.eq(status),
            self.results.payload.tiles.eq(tiles),
            self.results.payload.loops.eq(self.loops),
            self.results.payload.lines.eq(self.lines),
            self.working.eq((state != State.IDLE) & (state != State.DONE)),
            self.judge.eq(~undoing),
            fit.white.eq(cell.white),
            fit.red.eq(cell.red),
            fit.shape.eq(symbol),
            growth.box.eq(self.box),
            growth.place.eq(place),
            growth.edges.eq(self.edges),
            undo.forget.eq(self.forget | self.reset),
            undo.records.eq(self.records),
            undo.track.eq(self.track),
            undo.kind.eq(kind),
            undo.tile.place.eq(place),
            undo.tile.tile.eq(tile),
            undo.tile.open.eq(open_sides),
            undo.tile.index.eq(cell.index),
        ]
        with m.If(self.reset):
            m.d.sync += self.box.empty.eq(1)
        room = Signal()
        m.d.sync += room.eq(
            (self.free >= SPACES_PER_TILE) & (undo.level <= self._depth - ENTRIES_PER_TILE)
        )

        # Three cycles for each open side, one side after another: its neighbour is read, known,
        # and changed. Turns are made from north to west, and taken back the other way.
        # ``following`` is the one that is read next; it is worked out a cycle before, as the way to
        # the cell map is long. In READ it is no side, and so the cell itself. After the last one
        # it is, for BOX, where a first tile outside of the box has its neighbour.
        unserved, following, asked, side = (
            Signal(4, name=name) for name in ("unserved", "following", "asked", "side")
        )
        known = Signal(cell_layout(grid), reset_less=True)
        colour = Signal()  # of the tile's edge on this side
        left = Signal(4)
        # In FIT, which has a flip-flop of its own, it is the first of the cell that has just come.
        # Memories with one port answer sooner than block RAMs, and are farther away: then that side
        # is worked out as the cell comes.
        fitting, chosen = Signal(), Signal(4)
        m.d.comb += [
            chosen.eq(Mux(fitting, first_of(unserved), following)),
            left.eq(unserved & ~chosen),
        ]
        if grid.banks is Banks.SINGLE_PORT:
            m.d.comb += chosen.eq(following)
        m.d.sync += fitting.eq(0)
        # Where it goes on after the last side.
        back = Mux(kind == EntryKind.FORCED, State.POP, State.BOX)
        served = Mux(undoing, back, State.OWN)
        reading = Signal()
        serving = Signal()
        # Whether a side is read is known too late for where it lies.
        x, y = beside(place, chosen, late=True)
        beyond = Signal(place_layout(grid))
        m.d.comb += [
            self.read.x.eq(x),
            self.read.y.eq(y),
            self.read.en.eq((reading & chosen.any()) | (state == State.READ)),
            Cat(beyond.x, beyond.y).eq(Cat(*beside(place, side))),
        ]
        with m.If(reading):
            m.d.sync += [
                unserved.eq(left),
                following.eq(Mux(undoing, last_of(left), first_of(left))),
                asked.eq(chosen),
                known.eq(self.read.cell),
                side.eq(asked),
                colour.eq((tile & asked) == 0),
            ]

        # The neighbour without the tile's socket, and with it.
        entry = Cat(side[2], side[3], side[0], side[1])
        index = Mux(step.fresh, self.fresh, known.index)
        m.d.comb += [
            step.white.eq(known.white & ~entry),
            step.red.eq(known.red & ~entry),
            step.entry.eq(entry),
            step.colour.eq(colour),
            self.write.x.eq(beyond.x),
            self.write.y.eq(beyond.y),
            queue.place.eq(beyond),
            pairs.cell.eq(cell),
            pairs.colour.eq(colour),
            pairs.index.eq(index),
            pairs.attached.eq(step.attached),
            self.joins.payload.eq(pairs.join),
            self.given.eq(Mux(state == State.OWN, cell.index, known.index)),
        ]
        track = undo.top.body.track
        with m.If(undoing):
            # Its two ends are made each other's partners again.
            m.d.comb += [
                self.joins.payload.colour.eq(track.colour),
                self.joins.payload.a.index.eq(track.near),
                self.joins.payload.a.attached.eq(0),
                self.joins.payload.b.index.eq(track.far),
                self.joins.payload.b.attached.eq(0),
            ]

        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.comb += self.jobs.ready.eq(1)
                job = self.jobs.payload
                nothing = job.undo & (undo.level == 0)
                # Whether there is a job is known late, and only ``state`` asks.
                m.d.sync += [
                    symbol.eq(job.symbol),
                    place.eq(job.place),
                    kind.eq(EntryKind.FIRST),
                    status.eq(Mux(nothing, Status.END, Status.LEGAL)),
                    undoing.eq(job.undo),
                    illegal.eq(0),
                    following.eq(0),
                    asked.eq(0),
                ]
                with m.If(self.jobs.valid):
                    m.d.sync += state.eq(
                        Mux(job.undo, Mux(nothing, State.DONE, State.POP), State.READ)
                    )

            with m.Case(State.READ):
                with m.If(kind == EntryKind.FIRST):
                    m.d.comb += self.mark.eq(1)
                    m.d.sync += tiles.eq(0)
                m.d.sync += state.eq(State.CELL)

            with m.Case(State.CELL):
                read = self.read.cell
                free = ~(read.white | read.red)
                m.d.sync += [
                    cell.eq(read),
                    unserved.eq(free),
                    fitting.eq(1),
                    state.eq(State.FIT),
                ]
                if grid.banks is Banks.SINGLE_PORT:
                    m.d.sync += following.eq(first_of(free))

            with m.Case(State.FIT):
                m.d.comb += [reading.eq(1), pairs.start.eq(1)]
                m.d.sync += state.eq(State.KNOW)
                with m.If(kind == EntryKind.FORCED):
                    m.d.sync += tile.eq(forced_tile(cell.white, cell.red))
                with m.Else():
                    m.d.sync += tile.eq(fit.tile)
                    first_turn = self.box.empty & (symbol != ShapeCode.BACKSLASH)
                    with m.If(~(fit.fits & (is_frontier(cell) | first_turn))):
                        m.d.sync += [status.eq(Status.MISMATCH), state.eq(State.DONE)]
                    with m.Elif(growth.outside):
                        m.d.sync += [status.eq(Status.AREA), state.eq(State.DONE)]
                    with m.Elif(growth.too_large):
                        m.d.sync += [status.eq(Status.BOUNDS), state.eq(State.DONE)]
                    with m.If(growth.grows):
                        m.d.sync += kind.eq(EntryKind.GROWN)

            with m.Case(State.KNOW):
                m.d.comb += reading.eq(undoing | room)
                m.d.sync += state.eq(Mux(asked.any(), State.SIDES, served))
                with m.If(~asked.any()):
                    m.d.sync += following.eq(~open_sides)
                with m.If(undoing):
                    pass
                with m.Elif(room):
                    m.d.comb += undo.lays.eq(1)
                    m.d.sync += tiles.eq(tiles + 1)
                    with m.If(kind != EntryKind.FORCED):
                        m.d.sync += self.box.eq(growth.grown)
                with m.Else():
                    m.d.sync += [
                        status.eq(Status.BOUNDS),
                        state.eq(Mux(kind == EntryKind.FORCED, State.SETTLE, State.DONE)),
                    ]

            with m.Case(State.SIDES):
                m.d.comb += [
                    # A join that an illegal turn does without waits, too: that is known late.
                    serving.eq(undoing | self.joins.ready | ~pairs.complete),
                    reading.eq(serving),
                    self.write.en.eq(serving),
                    self.write.cell.white.eq(step.next_white),
                    self.write.cell.red.eq(step.next_red),
                    self.write.cell.index.eq(index),
                    self.write.space.eq(~undoing | ~step.fresh),
                ]
                with m.If(undoing):
                    m.d.comb += [
                        self.write.cell.white.eq(step.white),
                        self.write.cell.red.eq(step.red),
                        self.write.cell.index.eq(Mux(step.fresh, 0, known.index)),
                        self.give.eq(step.fresh),
                    ]
                with m.Else():
                    fine = ~(illegal | step.illegal)
                    m.d.comb += [
                        self.joins.valid.eq(pairs.complete & fine),
                        pairs.serve.eq(serving),
                        self.take.eq(serving & step.fresh),
                        queue.push.eq(serving & step.forced & fine),
                    ]
                    m.d.sync += illegal.eq(~fine)
                with m.If(serving & ~asked.any()):
                    m.d.sync += [following.eq(~open_sides), state.eq(served)]

            with m.Case(State.OWN):
                m.d.comb += [
                    self.write.en.eq(1),
                    self.write.cell.white.eq(ALL_SIDES),
                    self.write.cell.red.eq(ALL_SIDES),
                    self.write.cell.index.eq(tile),
                    self.give.eq(~open_sides.all()),
                ]
                m.d.sync += state.eq(State.CHAIN)
                with m.If(illegal):
                    m.d.sync += [status.eq(Status.FORCED), state.eq(State.SETTLE)]

            with m.Case(State.CHAIN):
                pending = queue.pending
                m.d.comb += pending.ready.eq(1)
                m.d.sync += [
                    place.eq(pending.payload),
                    kind.eq(EntryKind.FORCED),
                    following.eq(0),
                ]
                with m.If(pending.valid):
                    m.d.sync += state.eq(State.READ)
                with m.Elif(queue.empty & ~self.busy):
                    m.d.sync += state.eq(State.DONE)

            with m.Case(State.SETTLE):
                # The rest of an illegal turn's forced plays will not be made.
                m.d.comb += queue.pending.ready.eq(1)
                m.d.sync += undoing.eq(1)
                with m.If(queue.empty & ~self.busy):
                    m.d.sync += state.eq(State.POP)

            with m.Case(State.POP):
                laid = undo.top.body.tile
                m.d.sync += [
                    unserved.eq(laid.open),
                    following.eq(last_of(laid.open)),
                    place.eq(laid.place),
                    tile.eq(laid.tile),
                    cell.white.eq(laid.tile & ~laid.open),
                    cell.red.eq(~laid.tile & ~laid.open),
                    cell.index.eq(laid.index),
                    kind.eq(undo.top.kind),
                ]
                with m.If(undo.top.kind == EntryKind.TRACK):
                    m.d.comb += [self.joins.valid.eq(1), undo.pop.eq(self.joins.ready)]
                with m.Else():
                    m.d.comb += undo.pop.eq(1)
                    m.d.sync += state.eq(State.LIFT)

            with m.Case(State.LIFT):
                m.d.comb += [
                    reading.eq(1),
                    self.ungive.eq(~open_sides.all()),
                ]
                m.d.sync += [lifted.eq(1), state.eq(State.KNOW)]

            with m.Case(State.BOX):
                # A tile outside of the box had one beside it, which is at the box's edge.
                with m.If(kind == EntryKind.GROWN):
                    for beside_it, edge, at in (
                        (Side.NORTH, "south", y),
                        (Side.EAST, "west", x),
                        (Side.SOUTH, "north", y),
                        (Side.WEST, "east", x),
                    ):
                        with m.If(~open_sides[beside_it]):
                            m.d.sync += self.box[edge].eq(at)
                with m.Elif(open_sides.all()):
                    m.d.sync += self.box.empty.eq(1)
                with m.If(~self.busy):
                    m.d.sync += state.eq(State.DONE)

            with m.Case(State.DONE):
                m.d.comb += self.results.valid.eq(1)
                with m.If(self.results.ready):
                    m.d.sync += state.eq(State.IDLE)

            with m.Default():
                # No code of a state: as after power-on.
                m.d.sync += state.eq(State.IDLE)

        with m.If((state == State.POP) | (state == State.BOX)):
            m.d.comb += [
                self.write.en.eq(lifted),
                self.write.cell.eq(cell),
                self.write.space.eq(~open_sides.all()),
            ]
            m.d.sync += lifted.eq(0)
        return m
