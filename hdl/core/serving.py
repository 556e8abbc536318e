"""A tile's open sides, one after another: a socket more in each neighbour, or a socket less."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal, Value

from loopline.hdl.config import Banks
from loopline.hdl.core.cells import beside
from loopline.hdl.core.tile import first_of, last_of
from loopline.hdl.core.turn import State, Work
from loopline.hdl.core.types import Status
from loopline.hdl.core.undo import EntryKind

__all__ = ["change", "move_on", "serve"]


def move_on(m: Module, work: Work) -> None:
    """In any state: the sides move on, one after the other, and the chosen neighbour is read."""
    ports, turn, sides = work.ports, work.turn, work.sides
    unserved, following = sides.unserved, sides.following
    left = Signal(4)
    # In FIT, which has a flip-flop of its own, it is the first of the cell that has just come.
    # Memories with one port answer sooner than block RAMs, and are farther away: then that side
    # is worked out as the cell comes.
    m.d.comb += [
        sides.chosen.eq(Mux(sides.fitting, first_of(unserved), following)),
        left.eq(unserved & ~sides.chosen),
    ]
    if work.grid.banks is Banks.SINGLE_PORT:
        m.d.comb += sides.chosen.eq(following)
    m.d.sync += sides.fitting.eq(0)
    m.d.comb += [
        ports.read.x.eq(sides.x),
        ports.read.y.eq(sides.y),
        ports.read.en.eq((sides.reading & sides.chosen.any()) | (turn.state == State.READ)),
        Cat(sides.beyond.x, sides.beyond.y).eq(Cat(*beside(turn.place, sides.side))),
    ]
    with m.If(sides.reading):
        m.d.sync += [
            unserved.eq(left),
            following.eq(Mux(turn.undoing, last_of(left), first_of(left))),
            sides.asked.eq(sides.chosen),
            sides.known.eq(ports.read.cell),
            sides.side.eq(sides.asked),
            sides.colour.eq((turn.tile & sides.asked) == 0),
        ]


def change(m: Module, work: Work) -> Value:
    """In any state: what becomes of the neighbour. Returns its frontier index with the socket."""
    ports, turn, sides = work.ports, work.turn, work.sides
    step, pairs = work.step, work.pairs
    known, side = sides.known, sides.side
    # The neighbour without the tile's socket, and with it.
    entry = Cat(side[2], side[3], side[0], side[1])
    index = Mux(step.fresh, ports.fresh, known.index)
    m.d.comb += [
        step.white.eq(known.white & ~entry),
        step.red.eq(known.red & ~entry),
        step.entry.eq(entry),
        step.colour.eq(sides.colour),
        ports.write.x.eq(sides.beyond.x),
        ports.write.y.eq(sides.beyond.y),
        work.queue.place.eq(sides.beyond),
        pairs.cell.eq(turn.cell),
        pairs.colour.eq(sides.colour),
        pairs.index.eq(index),
        pairs.attached.eq(step.attached),
        ports.joins.payload.eq(pairs.join),
        ports.given.eq(Mux(turn.state == State.OWN, turn.cell.index, known.index)),
    ]
    track = work.undo.top.body.track
    with m.If(turn.undoing):
        # Its two ends are made each other's partners again.
        m.d.comb += [
            ports.joins.payload.colour.eq(track.colour),
            ports.joins.payload.a.index.eq(track.near),
            ports.joins.payload.a.attached.eq(0),
            ports.joins.payload.b.index.eq(track.far),
            ports.joins.payload.b.attached.eq(0),
        ]
    return index


def serve(m: Module, work: Work, index: Value) -> None:
    """The cases KNOW and SIDES: a socket more in each open neighbour, or with an undo a socket
    less; ``index`` is what :func:`change` returns."""
    ports, turn, sides = work.ports, work.turn, work.sides
    step, pairs = work.step, work.pairs
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
            m.d.comb += work.undo.lays.eq(1)
            m.d.sync += turn.tiles.eq(turn.tiles + 1)
            with m.If(turn.kind != EntryKind.FORCED):
                m.d.sync += ports.box.eq(work.growth.grown)
        with m.Else():
            m.d.sync += [
                turn.status.eq(Status.BOUNDS),
                turn.state.eq(Mux(turn.kind == EntryKind.FORCED, State.SETTLE, State.DONE)),
            ]

    with m.Case(State.SIDES):
        m.d.comb += [
            # A join that an illegal turn does without waits, too: that is known late.
            sides.serving.eq(turn.undoing | ports.joins.ready | ~pairs.complete),
            sides.reading.eq(sides.serving),
            ports.write.en.eq(sides.serving),
            ports.write.cell.white.eq(step.next_white),
            ports.write.cell.red.eq(step.next_red),
            ports.write.cell.index.eq(index),
            ports.write.space.eq(~turn.undoing | ~step.fresh),
        ]
        with m.If(turn.undoing):
            m.d.comb += [
                ports.write.cell.white.eq(step.white),
                ports.write.cell.red.eq(step.red),
                ports.write.cell.index.eq(Mux(step.fresh, 0, sides.known.index)),
                ports.give.eq(step.fresh),
            ]
        with m.Else():
            fine = ~(turn.illegal | step.illegal)
            m.d.comb += [
                ports.joins.valid.eq(pairs.complete & fine),
                pairs.serve.eq(sides.serving),
                ports.take.eq(sides.serving & step.fresh),
                work.queue.push.eq(sides.serving & step.forced & fine),
            ]
            m.d.sync += turn.illegal.eq(~fine)
        with m.If(sides.serving & ~sides.asked.any()):
            m.d.sync += [sides.following.eq(~turn.open_sides), turn.state.eq(served)]
