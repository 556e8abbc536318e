"""A turn is made, tile by tile: what comes before a tile's open sides, and what after."""

from __future__ import annotations

from amaranth.hdl import Module

from loopline.game import ALL_SIDES
from loopline.hdl.config import Banks
from loopline.hdl.core.tile import first_of, forced_tile
from loopline.hdl.core.turn import State, Work
from loopline.hdl.core.types import ShapeCode, Status, is_frontier
from loopline.hdl.core.undo import EntryKind

__all__ = ["choose", "go_on"]


def choose(m: Module, work: Work) -> None:
    """The cases READ, CELL and FIT: a tile's cell is read, and it is found out which tile it is."""
    ports, turn, sides = work.ports, work.turn, work.sides
    fit, growth = work.fit, work.growth
    with m.Case(State.READ):
        with m.If(turn.kind == EntryKind.FIRST):
            m.d.comb += ports.mark.eq(1)
            m.d.sync += turn.tiles.eq(0)
        m.d.sync += turn.state.eq(State.CELL)

    with m.Case(State.CELL):
        read = ports.read.cell
        free = ~(read.white | read.red)
        m.d.sync += [
            turn.cell.eq(read),
            sides.unserved.eq(free),
            sides.fitting.eq(1),
            turn.state.eq(State.FIT),
        ]
        if work.grid.banks is Banks.SINGLE_PORT:
            m.d.sync += sides.following.eq(first_of(free))

    with m.Case(State.FIT):
        m.d.comb += [sides.reading.eq(1), work.pairs.start.eq(1)]
        m.d.sync += turn.state.eq(State.KNOW)
        with m.If(turn.kind == EntryKind.FORCED):
            m.d.sync += turn.tile.eq(forced_tile(turn.cell.white, turn.cell.red))
        with m.Else():
            m.d.sync += turn.tile.eq(fit.tile)
            first_turn = ports.box.empty & (turn.symbol != ShapeCode.BACKSLASH)
            with m.If(~(fit.fits & (is_frontier(turn.cell) | first_turn))):
                m.d.sync += [turn.status.eq(Status.MISMATCH), turn.state.eq(State.DONE)]
            with m.Elif(growth.outside):
                m.d.sync += [turn.status.eq(Status.AREA), turn.state.eq(State.DONE)]
            with m.Elif(growth.too_large):
                m.d.sync += [turn.status.eq(Status.BOUNDS), turn.state.eq(State.DONE)]
            with m.If(growth.grows):
                m.d.sync += turn.kind.eq(EntryKind.GROWN)


def go_on(m: Module, work: Work) -> None:
    """The cases OWN, CHAIN and SETTLE: the tile's own cell is filled, and the next tile begun."""
    ports, turn, sides, queue = work.ports, work.turn, work.sides, work.queue
    with m.Case(State.OWN):
        m.d.comb += [
            ports.write.en.eq(1),
            ports.write.cell.white.eq(ALL_SIDES),
            ports.write.cell.red.eq(ALL_SIDES),
            ports.write.cell.index.eq(turn.tile),
            ports.give.eq(~turn.open_sides.all()),
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
        with m.Elif(queue.empty & ~ports.busy):
            m.d.sync += turn.state.eq(State.DONE)

    with m.Case(State.SETTLE):
        # The rest of an illegal turn's forced plays will not be made.
        m.d.comb += queue.pending.ready.eq(1)
        m.d.sync += turn.undoing.eq(1)
        with m.If(queue.empty & ~ports.busy):
            m.d.sync += turn.state.eq(State.POP)
