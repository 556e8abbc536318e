"""Placer: makes turns, with all that they force, and unmakes them."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, ResetInserter, Signal
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.game import ALL_SIDES, Side
from loopline.hdl.config import Banks, GridConfig
from loopline.hdl.core.box import BoxGrowth, edges_layout
from loopline.hdl.core.cells import CellReader, CellWrite, beside
from loopline.hdl.core.forced import ForcedQueue, queue_port
from loopline.hdl.core.joiner import EndPairs, JoinerPort
from loopline.hdl.core.journal import EntryKind, Journal, journal_layout
from loopline.hdl.core.memory import MemoryPort
from loopline.hdl.core.spaces import IndexAllocator
from loopline.hdl.core.tile import SocketStep, TileFit, first_of, forced_tile, last_of
from loopline.hdl.core.types import (
    TILE_COUNT_BITS,
    ShapeCode,
    Status,
    box_layout,
    cell_layout,
    is_frontier,
    job_layout,
    laid_layout,
    place_layout,
    result_layout,
)

__all__ = ["ENTRIES_PER_TILE", "SPACES_PER_TILE", "Placer", "State"]

SPACES_PER_TILE = 4
"""Free entries of the frontier table that a tile needs at most."""

ENTRIES_PER_TILE = 5
"""Journal entries of a tile at most: itself, and the tracks at the four ends that it connects."""


class State(enum.Enum, shape=4):
    """What the placer does in a cycle."""

    IDLE = 0
    """Wait for a job."""
    READ = 1
    """Read the cell of the next tile."""
    CELL = 2
    """The cell's word arrives."""
    FIT = 3
    """Find the tile. Read the first open neighbour."""
    ROOM = 4
    """Is there room for the tile? The first neighbour's word arrives."""
    SIDES = 5
    """Add a socket to each open neighbour, or remove it."""
    FILL = 6
    """Write the tile to its cell."""
    NEXT = 7
    """Go on with the next forced play, if there is one."""
    DRAIN = 8
    """Empty the queue and wait for the joiner, before an unfinished turn is unmade."""
    POP = 9
    """Restore a track from the journal, or take a tile from it."""
    LIFT = 10
    """Read the neighbour of the tile that is taken off."""
    BOX = 11
    """Restore the bounding box."""
    DONE = 12
    """Offer the result."""


class _Registers:
    """The placer's registers, and the wires that more than one state uses."""

    def __init__(self, grid: GridConfig):
        self.state = Signal(State)

        # The turn.
        self.status = Signal(Status)
        self.tiles = Signal(TILE_COUNT_BITS)
        # The shape of its first tile, as the job has it.
        self.symbol = Signal(ShapeCode, reset_less=True)
        # One of its forced plays cannot be made.
        self.illegal = Signal()
        # Tiles are taken off.
        self.unmaking = Signal()

        # The tile, and its cell's word without it.
        self.kind = Signal(EntryKind, reset_less=True)
        self.place = Signal(place_layout(grid), reset_less=True)
        self.cell = Signal(cell_layout(grid), reset_less=True)
        self.tile = Signal(4, reset_less=True)
        # The tile is off, and its cell is still to be written. That is done together with the next
        # tile, when no neighbour is read: no bank of the cell map is read and written in one cycle.
        self.lifted = Signal()
        # One cycle ago there was room for one more tile.
        self.room = Signal()

        # The open sides (masks), one after another. Each takes three cycles: its neighbour is read
        # (``read_side``), arrives (``arriving_side``), and is changed (``side``).
        self.unread = Signal(4)
        # The side that is read next. It is computed one cycle ahead, as the way to the cell map is
        # long. None in READ, which reads the cell itself. After the last side, the side of a
        # first tile's neighbour, which BOX uses.
        self.next_side = Signal(4)
        # ``next_side`` is not known yet, as the cell's word has just arrived.
        self.fitting = Signal()
        self.arriving_side = Signal(4)
        self.side = Signal(4)
        # The word of the neighbour on ``side``, and the colour of the tile's edge towards it.
        self.neighbour = Signal(cell_layout(grid), reset_less=True)
        self.colour = Signal()

        # Wires.
        # The sides of ``cell`` without a socket.
        self.open_sides = Signal(4)
        self.read_side = Signal(4)
        # The place that is read. Whether it is read is known too late to choose it.
        self.read_x, self.read_y = beside(self.place, self.read_side, late=True)
        self.neighbour_place = Signal(place_layout(grid))
        # The open sides advance by one.
        self.advance = Signal()
        # The neighbour on ``side`` is changed.
        self.serve = Signal()


class Placer(wiring.Component):
    """Makes turns and unmakes them.

    A turn is a chain of tiles. Each goes through the same states, some of them both ways::

        first tile ──┐
                     ▼
        forced ──► READ ──► CELL ──► FIT ──► ROOM ──► SIDES ──► FILL ──► NEXT ──► DONE
        queue      (its cell)      (which   (for it?) (a new    (its      │
          ▲                         tile?)            socket    cell)     │
          │                                           each)               │
          └───────────────────────────────────────────────────────────────┘

        journal ──► POP ──► LIFT ──► ROOM ──► SIDES ──► ... ──► BOX ──► DONE
                   (a track  (the tile       (a socket
                   or tile)  comes off)      less each)

        no room, an illegal turn: ROOM, FILL ──► DRAIN ──► POP

    The cell of a tile that comes off is written in the next POP or BOX: no bank of the cell map is
    read and written in the same cycle.

    The state is a register and a ``Switch`` instead of ``m.FSM`` for two reasons. Where a state
    leads to can be a value, as after SIDES. And codes that are no states, which an upset can
    leave in the register, have a way out: to IDLE.

    Latency of a turn: at most 4 cycles, for each tile 6 and one for each open side, and up to 3
    more for the first tile, whose second join may wait for its first. A turn that cannot be made
    is unmade at once. Latency to unmake a turn: 2 cycles, for each tile 3 and one for each open
    side, and one for each track of the journal, or 4 if it directly follows another track.

    Parameters
    ----------
    reserved : int
        Rows of the journal's memory that are reserved for another requester.

    Members
    -------
    jobs : In(stream of job_layout), results : Out(stream of result_layout)
        One result for each job, before the next job is taken.
    working : Out(1)
        A job is under way and has no result yet.
    place : Out(place_layout), hold : In(1)
        The place of the last job. Between jobs, the place of the job on offer, whether that is
        valid or not, unless ``hold``. Between jobs the coordinates of ``read`` follow it. ``hold``
        neither with a valid job nor in the cycle after its result is taken.
    reset : In(1)
        Empty the box and the journal, as the board is cleared. Only between jobs.
    commit : In(1)
        Make all turns final: empty the journal. Only between jobs.
    box : Out(box_layout), edges : In(edges_layout)
        The bounding box, and what follows from it, one cycle later.
    laid : Out(laid_layout)
        One pulse for each tile of a turn, as it is laid; at least 6 cycles apart.
    read : Out(CellReader), write : Out(CellWrite)
        The cell map.
    indices : Out(IndexAllocator)
        The free entries of the frontier table.
    joiner : Out(JoinerPort)
        The track joiner, which has ``edges``, too.
    journal_memory, queue_memory : Out(MemoryPort)
        The memories of :class:`Journal` and :class:`ForcedQueue`. While a job is under way, no
        other requester may have the queue's, and from the cycle before it is taken not the
        journal's.
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
                "hold": In(1),
                "reset": In(1),
                "commit": In(1),
                "box": Out(box_layout(grid), init={"empty": 1}),
                "edges": In(edges_layout(grid)),
                "laid": Out(laid_layout(grid)),
                "read": Out(CellReader(grid)),
                "write": Out(CellWrite(grid)),
                "indices": Out(IndexAllocator(grid)),
                "joiner": Out(JoinerPort(grid)),
                "journal_memory": Out(MemoryPort(journal_layout(grid), self._depth)),
                "queue_memory": Out(queue_port(grid)),
            }
        )
        self._journal = Journal(grid, reserved=reserved)
        self._queue = ForcedQueue(grid)
        self._fit = TileFit()
        self._growth = BoxGrowth(grid)
        self._step = SocketStep()
        self._pairs = EndPairs(grid)

    def elaborate(self, platform) -> Module:
        m = Module()
        r = _Registers(self._grid)
        self._connect(m, r)
        self._advance_sides(m, r)
        self._change_neighbour(m, r)
        with m.Switch(r.state):
            with m.Case(State.IDLE):
                self._take_job(m, r)
            with m.Case(State.READ):
                self._read_cell(m, r)
            with m.Case(State.CELL):
                self._keep_cell(m, r)
            with m.Case(State.FIT):
                self._find_tile(m, r)
            with m.Case(State.ROOM):
                self._check_room(m, r)
            with m.Case(State.SIDES):
                self._serve_side(m, r)
            with m.Case(State.FILL):
                self._fill_cell(m, r)
            with m.Case(State.NEXT):
                self._find_next(m, r)
            with m.Case(State.DRAIN):
                self._drain(m, r)
            with m.Case(State.POP):
                self._pop_entry(m, r)
            with m.Case(State.LIFT):
                self._lift_tile(m, r)
            with m.Case(State.BOX):
                self._restore_box(m, r)
            with m.Case(State.DONE):
                self._offer_result(m, r)
            with m.Default():
                # Not the code of a state: go on as after power-on.
                m.d.sync += r.state.eq(State.IDLE)
        self._empty_lifted_cell(m, r)
        return m

    # In any state.

    def _connect(self, m: Module, r: _Registers) -> None:
        """Add the units, and connect what does not depend on the state."""
        journal, queue, fit, growth = self._journal, self._queue, self._fit, self._growth
        m.submodules.journal = journal
        # The reset empties the queue, even if one of its flip-flops was upset.
        m.submodules.queue = ResetInserter(self.reset)(queue)
        m.submodules.fit = fit
        m.submodules.growth = growth
        m.submodules.step = self._step
        m.submodules.pairs = self._pairs
        connect(m, journal.memory, flipped(self.journal_memory))
        connect(m, queue.memory, flipped(self.queue_memory))
        result = self.results.payload
        m.d.comb += [
            result.status.eq(r.status),
            result.tiles.eq(r.tiles),
            result.loops.eq(self.joiner.loops),
            result.lines.eq(self.joiner.lines),
            self.working.eq((r.state != State.IDLE) & (r.state != State.DONE)),
            self.joiner.find_lines.eq(~r.unmaking),
            self.place.eq(r.place),
            self.laid.valid.eq(journal.push_tile),
            self.laid.first.eq(r.kind != EntryKind.FORCED),
            self.laid.place.eq(r.place),
            self.laid.tile.eq(r.tile),
            r.open_sides.eq(~(r.cell.white | r.cell.red)),
            fit.white.eq(r.cell.white),
            fit.red.eq(r.cell.red),
            fit.shape.eq(r.symbol),
            growth.box.eq(self.box),
            growth.place.eq(r.place),
            growth.edges.eq(self.edges),
            journal.clear.eq(self.commit | self.reset),
            journal.push_track.eq(self.joiner.changed),
            journal.track.eq(self.joiner.track),
            journal.kind.eq(r.kind),
            journal.tile.place.eq(r.place),
            journal.tile.tile.eq(r.tile),
            journal.tile.open.eq(r.open_sides),
            journal.tile.index.eq(r.cell.index),
        ]
        with m.If(self.reset):
            m.d.sync += self.box.empty.eq(1)
        m.d.sync += r.room.eq(
            (self.indices.free_count >= SPACES_PER_TILE)
            & (journal.level <= self._depth - ENTRIES_PER_TILE)
        )

    def _advance_sides(self, m: Module, r: _Registers) -> None:
        """Read the open neighbours, one per cycle while ``advance``."""
        rest = Signal(4)
        # In FIT, which has the flip-flop ``fitting``, the first side is that of the cell that has
        # just arrived. Memories with one port are faster than block RAMs, and farther away: for
        # these CELL computes the first side.
        m.d.comb += [
            r.read_side.eq(Mux(r.fitting, first_of(r.unread), r.next_side)),
            rest.eq(r.unread & ~r.read_side),
        ]
        if self._grid.banks is Banks.SINGLE_PORT:
            m.d.comb += r.read_side.eq(r.next_side)
        m.d.sync += r.fitting.eq(0)
        m.d.comb += [
            self.read.x.eq(r.read_x),
            self.read.y.eq(r.read_y),
            self.read.en.eq((r.advance & r.read_side.any()) | (r.state == State.READ)),
            Cat(r.neighbour_place.x, r.neighbour_place.y).eq(Cat(*beside(r.place, r.side))),
        ]
        with m.If(r.advance):
            m.d.sync += [
                r.unread.eq(rest),
                r.next_side.eq(Mux(r.unmaking, last_of(rest), first_of(rest))),
                r.arriving_side.eq(r.read_side),
                r.neighbour.eq(self.read.cell),
                r.side.eq(r.arriving_side),
                r.colour.eq((r.tile & r.arriving_side) == 0),
            ]

    def _change_neighbour(self, m: Module, r: _Registers) -> None:
        """Compute the neighbour with and without the tile's socket, and the join of a track's
        ends. SIDES, FILL and POP write these."""
        step, pairs, join = self._step, self._pairs, self.joiner.joins.payload
        # The side of the neighbour on which the tile lies.
        entry = Cat(r.side[2], r.side[3], r.side[0], r.side[1])
        m.d.comb += [
            step.white.eq(r.neighbour.white & ~entry),
            step.red.eq(r.neighbour.red & ~entry),
            step.entry.eq(entry),
            step.colour.eq(r.colour),
            self.write.x.eq(r.neighbour_place.x),
            self.write.y.eq(r.neighbour_place.y),
            self._queue.place.eq(r.neighbour_place),
            pairs.cell.eq(r.cell),
            pairs.colour.eq(r.colour),
            pairs.index.eq(self._index(r)),
            pairs.attached.eq(step.attached),
            join.eq(pairs.join),
            self.indices.release_index.eq(
                Mux(r.state == State.FILL, r.cell.index, r.neighbour.index)
            ),
        ]
        track = self._journal.top.body.track
        with m.If(r.unmaking):
            # The track's two ends become each other's partners again.
            m.d.comb += [
                join.colour.eq(track.colour),
                join.a.index.eq(track.near),
                join.a.attached.eq(0),
                join.b.index.eq(track.far),
                join.b.attached.eq(0),
            ]

    def _index(self, r: _Registers):
        """The frontier index of the neighbour with the tile's socket."""
        return Mux(self._step.is_new, self.indices.next_free, r.neighbour.index)

    def _empty_lifted_cell(self, m: Module, r: _Registers) -> None:
        """Write the cell of a tile that has come off, in the POP or BOX after it."""
        with m.If((r.state == State.POP) | (r.state == State.BOX)):
            m.d.comb += [
                self.write.en.eq(r.lifted),
                self.write.cell.eq(r.cell),
                self.write.space.eq(~r.open_sides.all()),
            ]
            m.d.sync += r.lifted.eq(0)

    # A job begins and ends.

    def _take_job(self, m: Module, r: _Registers) -> None:
        job = self.jobs.payload
        nothing = job.unmake & (self._journal.level == 0)
        m.d.comb += self.jobs.ready.eq(1)
        # ``jobs.valid`` arrives late, and only ``state`` depends on it.
        m.d.sync += [
            r.symbol.eq(job.symbol),
            r.kind.eq(EntryKind.FIRST),
            r.status.eq(Mux(nothing, Status.END, Status.LEGAL)),
            r.unmaking.eq(job.unmake),
            r.illegal.eq(0),
            r.next_side.eq(0),
            r.arriving_side.eq(0),
        ]
        with m.If(~self.hold):
            m.d.sync += r.place.eq(job.place)
        with m.If(self.jobs.valid):
            begin = Mux(job.unmake, Mux(nothing, State.DONE, State.POP), State.READ)
            m.d.sync += r.state.eq(begin)

    def _offer_result(self, m: Module, r: _Registers) -> None:
        m.d.comb += self.results.valid.eq(1)
        with m.If(self.results.ready):
            m.d.sync += r.state.eq(State.IDLE)

    # Make a turn: what comes before the open sides of a tile, and what after.

    def _read_cell(self, m: Module, r: _Registers) -> None:
        with m.If(r.kind == EntryKind.FIRST):
            m.d.comb += self.joiner.begin.eq(1)
            m.d.sync += r.tiles.eq(0)
        m.d.sync += r.state.eq(State.CELL)

    def _keep_cell(self, m: Module, r: _Registers) -> None:
        cell = self.read.cell
        free = ~(cell.white | cell.red)
        m.d.sync += [
            r.cell.eq(cell),
            r.unread.eq(free),
            r.fitting.eq(1),
            r.state.eq(State.FIT),
        ]
        if self._grid.banks is Banks.SINGLE_PORT:
            m.d.sync += r.next_side.eq(first_of(free))

    def _find_tile(self, m: Module, r: _Registers) -> None:
        fit, growth = self._fit, self._growth
        m.d.comb += [r.advance.eq(1), self._pairs.start.eq(1)]
        m.d.sync += r.state.eq(State.ROOM)
        with m.If(r.kind == EntryKind.FORCED):
            m.d.sync += r.tile.eq(forced_tile(r.cell.white, r.cell.red))
        with m.Else():
            m.d.sync += r.tile.eq(fit.tile)
            first_turn = self.box.empty & (r.symbol != ShapeCode.BACKSLASH)
            with m.If(~(fit.fits & (is_frontier(r.cell) | first_turn))):
                m.d.sync += [r.status.eq(Status.MISMATCH), r.state.eq(State.DONE)]
            with m.Elif(growth.outside):
                m.d.sync += [r.status.eq(Status.AREA), r.state.eq(State.DONE)]
            with m.Elif(growth.too_large):
                m.d.sync += [r.status.eq(Status.BOUNDS), r.state.eq(State.DONE)]
            with m.If(growth.grows):
                m.d.sync += r.kind.eq(EntryKind.GROWN)

    def _fill_cell(self, m: Module, r: _Registers) -> None:
        m.d.comb += [
            self.write.en.eq(1),
            self.write.cell.white.eq(ALL_SIDES),
            self.write.cell.red.eq(ALL_SIDES),
            self.write.cell.index.eq(r.tile),
            self.indices.release.eq(~r.open_sides.all()),
        ]
        m.d.sync += r.state.eq(State.NEXT)
        with m.If(r.illegal):
            m.d.sync += [r.status.eq(Status.FORCED), r.state.eq(State.DRAIN)]

    def _find_next(self, m: Module, r: _Registers) -> None:
        pending = self._queue.pending
        m.d.comb += pending.ready.eq(1)
        m.d.sync += [
            r.place.eq(pending.payload),
            r.kind.eq(EntryKind.FORCED),
            r.next_side.eq(0),
        ]
        with m.If(pending.valid):
            m.d.sync += r.state.eq(State.READ)
        with m.Elif(self._queue.empty & ~self.joiner.busy):
            m.d.sync += r.state.eq(State.DONE)

    def _drain(self, m: Module, r: _Registers) -> None:
        m.d.comb += self._queue.pending.ready.eq(1)
        m.d.sync += r.unmaking.eq(1)
        with m.If(self._queue.empty & ~self.joiner.busy):
            m.d.sync += r.state.eq(State.POP)

    # The open sides of a tile, to make or to unmake a turn.

    def _after_sides(self, r: _Registers):
        """The state after the last open side."""
        back = Mux(r.kind == EntryKind.FORCED, State.POP, State.BOX)
        return Mux(r.unmaking, back, State.FILL)

    def _check_room(self, m: Module, r: _Registers) -> None:
        m.d.comb += r.advance.eq(r.unmaking | r.room)
        m.d.sync += r.state.eq(Mux(r.arriving_side.any(), State.SIDES, self._after_sides(r)))
        with m.If(~r.arriving_side.any()):
            m.d.sync += r.next_side.eq(~r.open_sides)
        with m.If(r.unmaking):
            pass
        with m.Elif(r.room):
            m.d.comb += self._journal.push_tile.eq(1)
            m.d.sync += r.tiles.eq(r.tiles + 1)
            with m.If(r.kind != EntryKind.FORCED):
                m.d.sync += self.box.eq(self._growth.grown)
        with m.Else():
            m.d.sync += [
                r.status.eq(Status.BOUNDS),
                r.state.eq(Mux(r.kind == EntryKind.FORCED, State.DRAIN, State.DONE)),
            ]

    def _serve_side(self, m: Module, r: _Registers) -> None:
        step, pairs, joins, cell = self._step, self._pairs, self.joiner.joins, self.write.cell
        m.d.comb += [
            # A join that is left out, as the turn is illegal, waits, too: that is known late.
            r.serve.eq(r.unmaking | joins.ready | ~pairs.complete),
            r.advance.eq(r.serve),
            self.write.en.eq(r.serve),
            cell.white.eq(step.next_white),
            cell.red.eq(step.next_red),
            cell.index.eq(self._index(r)),
            self.write.space.eq(~r.unmaking | ~step.is_new),
        ]
        with m.If(r.unmaking):
            m.d.comb += [
                cell.white.eq(step.white),
                cell.red.eq(step.red),
                cell.index.eq(Mux(step.is_new, 0, r.neighbour.index)),
                self.indices.release.eq(step.is_new),
            ]
        with m.Else():
            legal = ~(r.illegal | step.illegal)
            m.d.comb += [
                joins.valid.eq(pairs.complete & legal),
                pairs.serve.eq(r.serve),
                self.indices.allocate.eq(r.serve & step.is_new),
                self._queue.push.eq(r.serve & step.forced & legal),
            ]
            m.d.sync += r.illegal.eq(~legal)
        with m.If(r.serve & ~r.arriving_side.any()):
            m.d.sync += [r.next_side.eq(~r.open_sides), r.state.eq(self._after_sides(r))]

    # Unmake a turn: what comes before the open sides of a tile, and what after.

    def _pop_entry(self, m: Module, r: _Registers) -> None:
        journal, joins = self._journal, self.joiner.joins
        laid = journal.top.body.tile
        m.d.sync += [
            r.unread.eq(laid.open),
            r.next_side.eq(last_of(laid.open)),
            r.place.eq(laid.place),
            r.tile.eq(laid.tile),
            r.cell.white.eq(laid.tile & ~laid.open),
            r.cell.red.eq(~laid.tile & ~laid.open),
            r.cell.index.eq(laid.index),
            r.kind.eq(journal.top.kind),
        ]
        with m.If(journal.top.kind == EntryKind.TRACK):
            m.d.comb += [joins.valid.eq(1), journal.pop.eq(joins.ready)]
        with m.Else():
            m.d.comb += journal.pop.eq(1)
            m.d.sync += r.state.eq(State.LIFT)

    def _lift_tile(self, m: Module, r: _Registers) -> None:
        m.d.comb += [
            r.advance.eq(1),
            self.indices.unrelease.eq(~r.open_sides.all()),
        ]
        m.d.sync += [r.lifted.eq(1), r.state.eq(State.ROOM)]

    def _restore_box(self, m: Module, r: _Registers) -> None:
        # A tile outside the box had one neighbour, which lies at the edge of the box.
        with m.If(r.kind == EntryKind.GROWN):
            for side, edge, at in (
                (Side.NORTH, "south", r.read_y),
                (Side.EAST, "west", r.read_x),
                (Side.SOUTH, "north", r.read_y),
                (Side.WEST, "east", r.read_x),
            ):
                with m.If(~r.open_sides[side]):
                    m.d.sync += self.box[edge].eq(at)
        with m.Elif(r.open_sides.all()):
            m.d.sync += self.box.empty.eq(1)
        with m.If(~self.joiner.busy):
            m.d.sync += r.state.eq(State.DONE)
