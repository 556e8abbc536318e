"""Turn sequencer: the first tile, all forced plays, and the way back."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import ALL_SIDES, Colour, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.around import EndsOfTile, SocketsOfTile
from loopline.hdl.core.box import BoxGrowth
from loopline.hdl.core.cells import CellReader, CellWrite
from loopline.hdl.core.forced import ForcedQueue
from loopline.hdl.core.joiner import join_layout
from loopline.hdl.core.spaces import SpaceWrite
from loopline.hdl.core.tile import TileFit, forced_tile
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

__all__ = ["Placer", "job_layout", "result_layout"]

_CHANGES_PER_TILE = 4
"""Cells that a tile changes at most, and journal entries with them: itself and three neighbours."""


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

    Latency of a turn: 5 cycles, and for each tile 6 and one for each open side; up to 4 less if
    the last tile connects no ends. A turn that cannot be made is taken back at once.
    Latency of an undo: 3 cycles and one for each journal entry.

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
    area : In
        The most columns and rows that the variant allows; see :func:`rules_layout`.
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
                "area": In(grid.coord_bits),
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
        m.submodules.undo_log = undo = Undo(grid)
        m.submodules.queue = queue = ForcedQueue(grid)
        m.submodules.fit = fit = TileFit()
        m.submodules.growth = growth = BoxGrowth(grid)
        m.submodules.sockets = sockets = SocketsOfTile(grid)
        ends_of = {}
        for colour in Colour:
            ends_of[colour] = EndsOfTile(grid)
            m.submodules[f"ends_{colour.name.lower()}"] = ends_of[colour]

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
            growth.area.eq(self.area),
            queue.place.eq(sockets.beyond),
            undo.forget.eq(self.forget | self.reset),
        ]
        with m.If(self.reset):
            m.d.sync += self.box.empty.eq(1)

        # The neighbours; in SIDES one open side at a time, the lowest that is left.
        unserved, joined = Signal(4), Signal(2)
        ends = Signal(data.ArrayLayout(grid.index_bits, 4))
        m.d.comb += [
            sockets.place.eq(place),
            sockets.cell.eq(cell),
            sockets.tile.eq(tile),
            sockets.near.eq(near),
            sockets.fresh_index.eq(self.fresh),
        ]
        for side in reversed(Side):
            with m.If(unserved[side]):
                m.d.comb += sockets.side.eq(side)
        room = (
            (self.free >= _CHANGES_PER_TILE)
            & (undo.level <= grid.journal - _CHANGES_PER_TILE - 2)
            & self.room.all()
        )

        # The ends, by colour.
        for colour, tile_ends in ends_of.items():
            m.d.comb += [
                tile_ends.edges.eq(tile if colour is Colour.WHITE else ~tile),
                tile_ends.open_sides.eq(sockets.open_sides),
                tile_ends.attached.eq(sockets.attached),
                tile_ends.own.eq(cell.index),
                tile_ends.ends.eq(ends),
                self.joins[colour].payload.eq(tile_ends.join),
            ]

        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.comb += self.jobs.ready.eq(1)
                job = self.jobs.payload
                m.d.comb += [
                    self.read.x.eq(job.place.x),
                    self.read.y.eq(job.place.y),
                    self.read.en.eq(self.jobs.valid),
                    undo.entry.kind.eq(EntryKind.MARK),
                    undo.entry.body.box.eq(self.box),
                ]
                m.d.sync += [
                    symbol.eq(job.symbol),
                    place.eq(job.place),
                    result.eq(0),
                    result.status.eq(Status.LEGAL),
                ]
                with m.If(self.jobs.valid & ~job.undo):
                    m.d.comb += [undo.record.eq(1), self.mark.eq(1)]
                    m.d.sync += state.eq(State.FIT)
                with m.Elif(self.jobs.valid & (undo.level == 0)):
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
                with m.Elif(growth.outside):
                    m.d.sync += [result.status.eq(Status.AREA), state.eq(State.SETTLE)]
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
                m.d.sync += [unserved.eq(sockets.open_sides), state.eq(State.SIDES)]
                with m.If(sockets.illegal):
                    m.d.sync += [result.status.eq(Status.FORCED), state.eq(State.SETTLE)]
                with m.Elif(~room):
                    m.d.sync += [result.status.eq(Status.BOUNDS), state.eq(State.SETTLE)]
                with m.Elif(sockets.open_sides == 0):
                    m.d.sync += state.eq(State.OWN)

            with m.Case(State.SIDES):
                m.d.comb += [
                    self.write.en.eq(1),
                    self.write.x.eq(sockets.beyond.x),
                    self.write.y.eq(sockets.beyond.y),
                    self.write.cell.eq(sockets.after),
                    undo.record.eq(1),
                    undo.entry.kind.eq(EntryKind.SOCKET),
                    undo.entry.body.was.place.eq(sockets.beyond),
                    undo.entry.body.was.cell.eq(sockets.before),
                    self.take.eq(sockets.fresh),
                    self.spaces.en.eq(sockets.fresh),
                    self.spaces.index.eq(sockets.after.index),
                    self.spaces.place.eq(sockets.beyond),
                    queue.push.eq(sockets.forced),
                ]
                rest = unserved & (unserved - 1)[:4]
                m.d.sync += [ends[sockets.side].eq(sockets.after.index), unserved.eq(rest)]
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
                    undo.record.eq(1),
                    undo.entry.kind.eq(EntryKind.TILE),
                    undo.entry.body.was.place.eq(place),
                    undo.entry.body.was.cell.eq(cell),
                    self.give.eq(~sockets.open_sides.all()),
                    self.given.eq(cell.index),
                ]
                m.d.sync += [
                    result.tiles.eq(result.tiles + 1),
                    joined.eq(0),
                    state.eq(State.JOIN),
                ]

            with m.Case(State.JOIN):
                taken = Signal(2)
                for colour, tile_ends in ends_of.items():
                    join = self.joins[colour]
                    m.d.comb += [
                        join.valid.eq(tile_ends.needed & ~joined[colour]),
                        taken[colour].eq(~tile_ends.needed | joined[colour] | join.ready),
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
                    m.d.comb += [undo.start.eq(1), self.undo.eq(1)]
                    m.d.sync += state.eq(State.UNDO)

            with m.Case(State.UNDO):
                m.d.comb += [
                    self.write.en.eq(undo.write.en),
                    self.write.x.eq(undo.write.x),
                    self.write.y.eq(undo.write.y),
                    self.write.cell.eq(undo.write.cell),
                    self.spaces.en.eq(undo.spaces.en),
                    self.spaces.index.eq(undo.spaces.index),
                    self.spaces.place.eq(undo.spaces.place),
                    self.give.eq(undo.give),
                    self.given.eq(undo.given),
                    self.ungive.eq(undo.ungive),
                ]
                with m.If(undo.restore):
                    m.d.sync += self.box.eq(undo.box)
                with m.If(~undo.busy & (self.busy == 0)):
                    m.d.sync += state.eq(State.DONE)

            with m.Case(State.DONE):
                m.d.comb += self.results.valid.eq(1)
                with m.If(self.results.ready):
                    m.d.sync += state.eq(State.IDLE)
        return m
