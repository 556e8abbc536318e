"""Turn sequencer: the first tile, all forced plays, and the way back."""

from __future__ import annotations

from amaranth.hdl import Array, Cat, Module, Mux, Signal
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import ALL_SIDES, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import BoxGrowth
from loopline.hdl.core.cells import CellReader, CellWrite
from loopline.hdl.core.forced import ForcedQueue
from loopline.hdl.core.joiner import join_layout
from loopline.hdl.core.journal import Journal
from loopline.hdl.core.spaces import SpaceWrite
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

__all__ = ["Placer", "job_layout", "result_layout"]

_ENTRIES_PER_TILE = 4
"""Journal entries that a tile takes at most: itself and three neighbours."""


class EntryKind(enum.Enum, shape=2):
    """What a journal entry takes back."""

    MARK = 0
    """Nothing: it stands between two turns, with the box before the later one."""
    TILE = 1
    """A tile: the cell was a space."""
    SOCKET = 2
    """A socket: the cell was a space with fewer of them."""


def entry_layout(grid: GridConfig) -> data.StructLayout:
    """A journal entry: the box, or a cell's place and what it held.

    For a cell that entered the frontier ``cell`` has no sockets, and the index it was given.
    """
    cell = data.StructLayout({"place": place_layout(grid), "cell": cell_layout(grid)})
    return data.StructLayout(
        {"kind": EntryKind, "body": data.UnionLayout({"box": box_layout(grid), "was": cell})}
    )


def job_layout(grid: GridConfig) -> data.StructLayout:
    """A turn to make (first tile), or with ``undo`` the last turn to take back."""
    return data.StructLayout({"undo": 1, "symbol": ShapeCode, "place": place_layout(grid)})


def result_layout() -> data.StructLayout:
    """What became of a job; ``tiles``, ``loops`` and ``lines`` of a turn that was made."""
    return data.StructLayout({"status": Status, "tiles": TILE_COUNT_BITS, "loops": 2, "lines": 2})


class Placer(wiring.Component):
    """Makes turns and takes them back.

    A turn is a chain of tiles; each goes through the same steps::

        first tile ──► FIT ─────┐
                                ▼
        forced ──► FORCED ───► NEAR ──► CHECK ──► SIDES ──► OWN ──► JOIN ──► CHAIN
        queue  (which tile)   (read    (illegal? (a new    (fill   (ends to    │
          ▲                    four     room?)    socket    the     the two    │
          │                    cells)             each)     cell)   joiners)   │
          └────────────────────────────────────────┴───────────────────────────┘

    Latency of a turn: 3 cycles, and for each tile 7 and one for each open side; a joiner that is
    still busy with the last tile may hold up the next. A turn that cannot be made is taken back
    at once: 3 cycles and one for each journal entry, as for an undo.

    Parameters
    ----------
    grid : GridConfig
        Widths and depths.

    Members
    -------
    jobs : In(stream of job_layout), results : Out(stream of result_layout)
        One result for each job, before the next job is taken.
    reset : In(1)
        Empty the box and the journals: the board is being cleared. Only between jobs.
    forget : In(1)
        Make all turns final. Only between jobs.
    box : Out(box_layout)
        The bounding box.
    read : Out(CellReader), around : Out(1), near : In, write : Out(CellWrite)
        The cell map.
    fresh, free : In, take, give, given, ungive : Out
        The frontier table's stack of free indices.
    spaces : Out(SpaceWrite)
        The frontier table's entries.
    joins : Out(stream of join_layout), one for each colour
        The joiners' work.
    mark, undo : Out(1); busy, room, loops, lines : In(2)
        The joiners' turns and findings, bit 0 white, bit 1 red.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "jobs": In(stream.Signature(job_layout(grid))),
                "results": Out(stream.Signature(result_layout())),
                "reset": In(1),
                "forget": In(1),
                "box": Out(box_layout(grid), init={"empty": 1}),
                "read": Out(CellReader(grid)),
                "around": Out(1),
                "near": In(data.ArrayLayout(cell_layout(grid), 4)),
                "write": Out(CellWrite(grid)),
                "fresh": In(grid.index_bits),
                "free": In(range(grid.spaces + 1)),
                "take": Out(1),
                "give": Out(1),
                "given": Out(grid.index_bits),
                "ungive": Out(1),
                "spaces": Out(SpaceWrite(grid)),
                "joins": Out(stream.Signature(join_layout(grid))).array(2),
                "mark": Out(1),
                "undo": Out(1),
                "busy": In(2),
                "room": In(2),
                "loops": In(2),
                "lines": In(2),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._grid
        entry = entry_layout(grid)
        m.submodules.journal = journal = Journal(entry, grid.journal)
        m.submodules.queue = queue = ForcedQueue(grid)
        m.submodules.fit = fit = TileFit()
        m.submodules.growth = growth = BoxGrowth(grid)

        class State(enum.Enum, shape=4):
            IDLE = 0
            FIT = 1
            FORCED = 2
            NEAR = 3
            CHECK = 4
            SIDES = 5
            OWN = 6
            JOIN = 7
            CHAIN = 8
            SETTLE = 9
            UNDO = 10
            DONE = 11

        state = Signal(State)
        result = Signal(result_layout())
        symbol = Signal(ShapeCode)
        # The cell that is being filled, what it held, and its neighbours.
        place = Signal(place_layout(grid))
        cell = Signal(cell_layout(grid))
        tile = Signal(4)
        near = Signal(data.ArrayLayout(cell_layout(grid), 4))
        m.d.comb += [
            self.results.payload.eq(result),
            fit.white.eq(self.read.cell.white),
            fit.red.eq(self.read.cell.red),
            fit.shape.eq(symbol),
            growth.box.eq(self.box),
            growth.place.eq(place),
            queue.place.eq(place),
            journal.clear.eq(self.forget | self.reset),
        ]
        with m.If(self.reset):
            m.d.sync += self.box.empty.eq(1)

        # What the tile's edges do to the cells beyond them.
        steps = []
        illegal = Signal()
        sockets = cell.white | cell.red
        for side in Side:
            m.submodules[f"step_{side.name.lower()}"] = step = SocketStep(side)
            m.d.comb += [
                step.white.eq(near[side].white),
                step.red.eq(near[side].red),
                step.colour.eq(~tile[side]),
            ]
            steps.append(step)
        m.d.comb += illegal.eq((Cat(step.illegal for step in steps) & ~sockets & ALL_SIDES) != 0)
        open_sides = (~sockets & ALL_SIDES)[:4]
        room = (
            (self.free >= _ENTRIES_PER_TILE)
            & (journal.level <= grid.journal - _ENTRIES_PER_TILE - 2)
            & self.room.all()
        )

        # SIDES: one open side at a time.
        todo = Signal(4)
        side = Signal(2)
        for number in reversed(range(4)):
            with m.If(todo[number]):
                m.d.comb += side.eq(number)
        beyond = Signal(place_layout(grid))
        with m.Switch(side):
            for number in Side:
                columns, rows = number.step
                with m.Case(number):
                    m.d.comb += [
                        beyond.x.eq(place.x + columns),
                        beyond.y.eq(place.y + rows),
                    ]
        before = near[side]
        fresh = Array(step.fresh for step in steps)[side]
        index = Mux(fresh, self.fresh, before.index)
        ends = Signal(data.ArrayLayout(grid.index_bits, 4))

        # JOIN: the ends that the tile connects, by colour.
        joined = Signal(2)
        needed = Signal(2)
        for colour, edges in enumerate((tile, (~tile & ALL_SIDES)[:4])):
            join = self.joins[colour]
            linked = edges & sockets
            m.d.comb += needed[colour].eq((edges & open_sides) != 0)
            # ``a`` is the first open side; ``b`` the other edge, open or the tile's own space.
            for number in reversed(range(4)):
                with m.If(edges[number] & open_sides[number]):
                    m.d.comb += [
                        join.payload.a.index.eq(ends[number]),
                        join.payload.a.attached.eq(steps[number].attached),
                    ]
            for number in range(4):
                with m.If(edges[number] & open_sides[number]):
                    m.d.comb += [
                        join.payload.b.index.eq(ends[number]),
                        join.payload.b.attached.eq(steps[number].attached),
                    ]
            with m.If(linked != 0):
                m.d.comb += [
                    join.payload.b.index.eq(cell.index),
                    join.payload.b.attached.eq(1),
                ]

        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.comb += self.jobs.ready.eq(1)
                job = self.jobs.payload
                m.d.comb += [
                    self.read.x.eq(job.place.x),
                    self.read.y.eq(job.place.y),
                    self.read.en.eq(self.jobs.valid),
                    journal.entry.kind.eq(EntryKind.MARK),
                    journal.entry.body.box.eq(self.box),
                ]
                m.d.sync += [
                    symbol.eq(job.symbol),
                    place.eq(job.place),
                    result.eq(0),
                    result.status.eq(Status.LEGAL),
                ]
                with m.If(self.jobs.valid & ~job.undo):
                    m.d.comb += [journal.push.eq(1), self.mark.eq(1)]
                    m.d.sync += state.eq(State.FIT)
                with m.Elif(self.jobs.valid & (journal.level == 0)):
                    m.d.sync += [result.status.eq(Status.END), state.eq(State.DONE)]
                with m.Elif(self.jobs.valid):
                    m.d.sync += state.eq(State.SETTLE)

            with m.Case(State.FIT):
                first_turn = self.box.empty & (symbol != ShapeCode.BACKSLASH)
                m.d.comb += [
                    self.read.x.eq(place.x),
                    self.read.y.eq(place.y),
                    self.read.en.eq(1),
                    self.around.eq(1),
                ]
                m.d.sync += [cell.eq(self.read.cell), tile.eq(fit.tile)]
                with m.If(~(fit.fits & (is_frontier(self.read.cell) | first_turn))):
                    m.d.sync += [result.status.eq(Status.MISMATCH), state.eq(State.SETTLE)]
                with m.Elif(growth.too_large):
                    m.d.sync += [result.status.eq(Status.BOUNDS), state.eq(State.SETTLE)]
                with m.Else():
                    m.d.sync += [self.box.eq(growth.grown), state.eq(State.NEAR)]

            with m.Case(State.FORCED):
                m.d.comb += [
                    self.read.x.eq(place.x),
                    self.read.y.eq(place.y),
                    self.read.en.eq(1),
                    self.around.eq(1),
                ]
                m.d.sync += [
                    cell.eq(self.read.cell),
                    tile.eq(forced_tile(self.read.cell.white, self.read.cell.red)),
                    state.eq(State.NEAR),
                ]

            with m.Case(State.NEAR):
                m.d.sync += [near.eq(self.near), state.eq(State.CHECK)]

            with m.Case(State.CHECK):
                m.d.sync += [todo.eq(open_sides), state.eq(State.SIDES)]
                with m.If(illegal):
                    m.d.sync += [result.status.eq(Status.FORCED), state.eq(State.SETTLE)]
                with m.Elif(~room):
                    m.d.sync += [result.status.eq(Status.BOUNDS), state.eq(State.SETTLE)]
                with m.Elif(open_sides == 0):
                    m.d.sync += state.eq(State.OWN)

            with m.Case(State.SIDES):
                m.d.comb += [
                    self.write.en.eq(1),
                    self.write.x.eq(beyond.x),
                    self.write.y.eq(beyond.y),
                    self.write.cell.white.eq(Array(step.next_white for step in steps)[side]),
                    self.write.cell.red.eq(Array(step.next_red for step in steps)[side]),
                    self.write.cell.index.eq(index),
                    journal.push.eq(1),
                    journal.entry.kind.eq(EntryKind.SOCKET),
                    journal.entry.body.was.place.eq(beyond),
                    journal.entry.body.was.cell.white.eq(before.white),
                    journal.entry.body.was.cell.red.eq(before.red),
                    journal.entry.body.was.cell.index.eq(index),
                    self.take.eq(fresh),
                    self.spaces.en.eq(fresh),
                    self.spaces.index.eq(index),
                    self.spaces.place.eq(beyond),
                    queue.push.eq(Array(step.forced for step in steps)[side]),
                    queue.place.eq(beyond),
                ]
                m.d.sync += ends[side].eq(index)
                rest = todo & (todo - 1)[:4]
                m.d.sync += todo.eq(rest)
                with m.If(rest == 0):
                    m.d.sync += state.eq(State.OWN)

            with m.Case(State.OWN):
                m.d.comb += [
                    self.write.en.eq(1),
                    self.write.x.eq(place.x),
                    self.write.y.eq(place.y),
                    self.write.cell.white.eq(ALL_SIDES),
                    self.write.cell.red.eq(ALL_SIDES),
                    self.write.cell.index.eq(tile),
                    journal.push.eq(1),
                    journal.entry.kind.eq(EntryKind.TILE),
                    journal.entry.body.was.place.eq(place),
                    journal.entry.body.was.cell.eq(cell),
                    self.give.eq(sockets != 0),
                    self.given.eq(cell.index),
                ]
                m.d.sync += [
                    result.tiles.eq(result.tiles + 1),
                    joined.eq(0),
                    state.eq(State.JOIN),
                ]

            with m.Case(State.JOIN):
                taken = Signal(2)
                for colour in range(2):
                    join = self.joins[colour]
                    m.d.comb += [
                        join.valid.eq(needed[colour] & ~joined[colour]),
                        taken[colour].eq(~needed[colour] | joined[colour] | join.ready),
                    ]
                m.d.sync += joined.eq(taken)
                with m.If(taken.all()):
                    m.d.sync += state.eq(State.CHAIN)

            with m.Case(State.CHAIN):
                pending = queue.pending
                m.d.comb += [
                    self.read.x.eq(pending.payload.x),
                    self.read.y.eq(pending.payload.y),
                    self.read.en.eq(pending.valid),
                    pending.ready.eq(1),
                ]
                m.d.sync += place.eq(pending.payload)
                with m.If(pending.valid):
                    m.d.sync += state.eq(State.FORCED)
                with m.Elif(queue.empty & (self.busy == 0)):
                    m.d.sync += [
                        result.loops.eq(self.loops),
                        result.lines.eq(self.lines),
                        state.eq(State.DONE),
                    ]

            with m.Case(State.SETTLE):
                # The rest of an illegal turn's forced plays will not be made.
                m.d.comb += queue.pending.ready.eq(1)
                with m.If(queue.empty & (self.busy == 0)):
                    m.d.comb += self.undo.eq(1)
                    m.d.sync += state.eq(State.UNDO)

            with m.Case(State.UNDO):
                was = journal.top.body.was
                blank = (was.cell.white | was.cell.red) == 0
                m.d.comb += [
                    self.write.x.eq(was.place.x),
                    self.write.y.eq(was.place.y),
                    self.write.cell.eq(was.cell),
                    self.spaces.index.eq(was.cell.index),
                    self.spaces.place.eq(was.place),
                    self.given.eq(was.cell.index),
                ]
                with m.If(blank):
                    m.d.comb += self.write.cell.index.eq(0)
                with m.Switch(journal.top.kind):
                    with m.Case(EntryKind.TILE):
                        m.d.comb += [
                            self.write.en.eq(1),
                            self.ungive.eq(~blank),
                            self.spaces.en.eq(~blank),
                            journal.pop.eq(1),
                        ]
                    with m.Case(EntryKind.SOCKET):
                        m.d.comb += [
                            self.write.en.eq(1),
                            self.give.eq(blank),
                            journal.pop.eq(1),
                        ]
                    with m.Default():
                        m.d.sync += self.box.eq(journal.top.body.box)
                        with m.If(self.busy == 0):
                            m.d.comb += journal.pop.eq(1)
                            m.d.sync += state.eq(State.DONE)

            with m.Case(State.DONE):
                m.d.comb += self.results.valid.eq(1)
                with m.If(self.results.ready):
                    m.d.sync += state.eq(State.IDLE)
        return m
