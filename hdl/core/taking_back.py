"""A turn is taken back, tile by tile: what comes before a tile's open sides, and what after."""

from __future__ import annotations

from amaranth.hdl import Module

from loopline.game import Side
from loopline.hdl.core.tile import last_of
from loopline.hdl.core.turn import State, Work
from loopline.hdl.core.undo import EntryKind

__all__ = ["empty_lifted", "take_off"]


def take_off(m: Module, work: Work) -> None:
    """The cases POP, LIFT and BOX: tiles and tracks come from the journal, down to a first tile."""
    ports, turn, sides, undo = work.ports, work.turn, work.sides, work.undo
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
            m.d.comb += [ports.joins.valid.eq(1), undo.pop.eq(ports.joins.ready)]
        with m.Else():
            m.d.comb += undo.pop.eq(1)
            m.d.sync += turn.state.eq(State.LIFT)

    with m.Case(State.LIFT):
        m.d.comb += [
            sides.reading.eq(1),
            ports.ungive.eq(~turn.open_sides.all()),
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
                    m.d.sync += ports.box[edge].eq(at)
        with m.Elif(turn.open_sides.all()):
            m.d.sync += ports.box.empty.eq(1)
        with m.If(~ports.busy):
            m.d.sync += turn.state.eq(State.DONE)


def empty_lifted(m: Module, work: Work) -> None:
    """In any state: the cell of a tile that is off is written, in the POP or BOX behind it."""
    ports, turn = work.ports, work.turn
    with m.If((turn.state == State.POP) | (turn.state == State.BOX)):
        m.d.comb += [
            ports.write.en.eq(turn.lifted),
            ports.write.cell.eq(turn.cell),
            ports.write.space.eq(~turn.open_sides.all()),
        ]
        m.d.sync += turn.lifted.eq(0)
