"""Perimeter walk: follows a ring of sockets around the formation, or around a hole in it."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.cells import CellReader, beside
from loopline.hdl.core.types import cell_layout, place_layout

__all__ = ["PerimeterWalk", "StepShape", "ring_layout", "window_layout"]

_SOCKETS = 5


def ring_layout(grid: GridConfig) -> data.StructLayout:
    """Where a ring begins: a frontier space, by its place, and the side of a socket there."""
    return data.StructLayout({"place": place_layout(grid), "side": 2})


class StepShape(enum.Enum, shape=2):
    """How the perimeter goes on from a socket to the next one, clockwise."""

    CORNER = 0
    """Around the corner of the space: its next side has a socket, too."""
    STRAIGHT = 1
    """On to the next space, along the same side."""
    AROUND = 2
    """Around the tile, to its next side."""


def window_layout() -> data.StructLayout:
    """Five sockets in a row along the perimeter, and the four steps between them.

    The last ones are in the low bits. It describes the place of the socket in the middle.

    - ``colours``: 1 for a red socket.
    - ``shapes``: a :class:`StepShape` for each step.
    - ``before``, ``after``: the track of the socket in the middle has its other end in the space of
      the first, of the last socket.
    """
    return data.StructLayout(
        {
            "colours": _SOCKETS,
            "shapes": 2 * (_SOCKETS - 1),
            "before": 1,
            "after": 1,
        }
    )


class _State(enum.Enum, shape=3):
    """What the walk does in a cycle."""

    IDLE = 0
    """Wait for a ring; read its first space."""
    STEP = 1
    """Pass a socket. Look for the next one in the same space, else read the next space."""
    NEXT = 2
    """The next space along the side arrives. Read the space around the tile."""
    AGAIN = 3
    """Read the space around the tile, as the cell map was taken before."""
    WORD = 4
    """The space arrives."""


class PerimeterWalk(wiring.Component):
    """Walks once along a ring of sockets, clockwise, and describes each socket by its window.

    ::

                                  ┌─ corner ─┐
                                  ▼          │
        ring ──► IDLE ──► WORD ──► STEP ─────┴──► NEXT ──┬─ straight ──► STEP
                            ▲                            │
                            └───────── around the tile ──┘

    The walk passes four sockets a second time, so that the last one gets its window.

    Latency: one cycle for each step around a corner, 2 for a straight one, 3 around a tile; more
    while ``cells_taken``, or while no window is taken.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    rings : In(stream of ring_layout)
        Where to begin. The position does not change until the last window has been taken.
    windows : Out(stream of {window, end})
        The windows of the ring's sockets, beginning with that of ``rings``; ``end`` with the last.
    cells : Out(CellReader), cells_taken : In(1)
        The cell map; another unit reads it in this cycle.
    partner_index : Out, partner_colour : Out(1), partner_request : Out(1)
        Ask for the space at the other end of the track of a colour that ends in a space.
    partner_granted : In(1), partner : In
        The request is served in this cycle; the answer, one cycle later.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        window = data.StructLayout({"window": window_layout(), "end": 1})
        super().__init__(
            {
                "rings": In(stream.Signature(ring_layout(grid))),
                "windows": Out(stream.Signature(window)),
                "cells": Out(CellReader(grid)),
                "cells_taken": In(1),
                "partner_index": Out(grid.index_bits),
                "partner_colour": Out(1),
                "partner_request": Out(1),
                "partner_granted": In(1),
                "partner": In(grid.index_bits),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._grid
        state = Signal(_State)
        place, side = Signal(place_layout(grid), reset_less=True), Signal(2, reset_less=True)
        word = Signal(cell_layout(grid), reset_less=True)
        # The ring's first socket.
        first_index, first_side = Signal(grid.index_bits, reset_less=True), Signal(2)
        # Sockets passed, up to 4; sockets to pass after the ring is closed.
        passed, closed = Signal(range(_SOCKETS)), Signal()
        left = Signal(range(_SOCKETS))
        colours = Signal(_SOCKETS - 1, reset_less=True)
        shapes = Signal(2 * (_SOCKETS - 1), reset_less=True)
        # The spaces of the last four sockets, the latest first.
        indices = [Signal(grid.index_bits, name=f"index{n}", reset_less=True) for n in range(4)]

        # Window stage: ask for the middle socket's other end, compare, offer.
        waiting, asked = Signal(), Signal()
        held = Signal(self.windows.payload.shape(), reset_less=True)
        middle, before, after = (
            Signal(grid.index_bits, name=name, reset_less=True)
            for name in ("middle", "before", "after")
        )
        can_emit = Signal()
        m.d.comb += [
            self.partner_index.eq(middle),
            self.partner_colour.eq(held.window.colours[2]),
            self.partner_request.eq(waiting & ~asked),
            self.windows.valid.eq(waiting & asked),
            can_emit.eq(~waiting | (self.windows.valid & self.windows.ready)),
        ]
        # The partner's index holds until the next request is granted.
        answer, fresh = Signal(grid.index_bits), Signal()
        kept = Signal(grid.index_bits, reset_less=True)
        m.d.comb += answer.eq(Mux(fresh, self.partner, kept))
        m.d.sync += fresh.eq(self.partner_request & self.partner_granted)
        with m.If(fresh):
            m.d.sync += kept.eq(self.partner)
        m.d.comb += [
            self.windows.payload.eq(held),
            self.windows.payload.window.before.eq(answer == before),
            self.windows.payload.window.after.eq(answer == after),
        ]
        with m.If(self.partner_request & self.partner_granted):
            m.d.sync += asked.eq(1)
        with m.If(self.windows.valid & self.windows.ready):
            m.d.sync += waiting.eq(0)

        # The walk. In STEP the next space is ``there``, in NEXT and AGAIN that around the tile.
        ahead, there = Signal(2), Signal(place_layout(grid))
        towards = Mux(state == _State.STEP, ahead, side)
        reads, granted, passes = Signal(), Signal(), Signal()
        arriving = self.cells.cell
        colour = word.red.bit_select(side, 1)
        emits, last = passed == _SOCKETS - 1, closed & (left == 1)
        closes = (word.index == first_index) & (side == first_side) & (passed != 0) & ~closed
        m.d.comb += [
            ahead.eq(side + 1),
            Cat(there.x, there.y).eq(Cat(*beside(place, Cat(towards == n for n in range(4))))),
            self.cells.x.eq(there.x),
            self.cells.y.eq(there.y),
            self.cells.en.eq(reads & granted),
            granted.eq(~self.cells_taken),
        ]
        with m.If(passes):
            m.d.sync += [
                colours.eq(Cat(colour, colours)),
                indices[0].eq(word.index),
                *(new.eq(old) for new, old in zip(indices[1:], indices[:-1], strict=True)),
            ]
            with m.If(passed == 0):
                m.d.sync += first_index.eq(word.index)
            with m.If(closed):
                m.d.sync += left.eq(left - 1)
            with m.If(closes):
                m.d.sync += [closed.eq(1), left.eq(_SOCKETS - 2)]
            with m.If(emits):
                m.d.sync += [
                    waiting.eq(1),
                    asked.eq(0),
                    held.window.colours.eq(Cat(colour, colours)),
                    held.window.shapes.eq(shapes),
                    held.end.eq(last),
                    middle.eq(indices[1]),
                    before.eq(indices[3]),
                    after.eq(word.index),
                ]
            with m.Else():
                m.d.sync += passed.eq(passed + 1)

        def go_on(shape: StepShape, following: _State) -> list:
            return [shapes.eq(Cat(shape, shapes)), state.eq(following)]

        with m.Switch(state):
            with m.Case(_State.IDLE):
                ring = self.rings.payload
                m.d.comb += [
                    self.rings.ready.eq(granted & ~waiting),
                    reads.eq(self.rings.valid & ~waiting),
                    self.cells.x.eq(ring.place.x),
                    self.cells.y.eq(ring.place.y),
                ]
                m.d.sync += [
                    place.eq(ring.place),
                    side.eq(ring.side),
                    first_side.eq(ring.side),
                    passed.eq(0),
                    closed.eq(0),
                ]
                with m.If(self.rings.valid & self.rings.ready):
                    m.d.sync += state.eq(_State.WORD)

            with m.Case(_State.STEP):
                with m.If(emits & ~can_emit):
                    pass
                with m.Elif(emits & last):
                    m.d.comb += passes.eq(1)
                    m.d.sync += state.eq(_State.IDLE)
                with m.Elif((word.white | word.red).bit_select(ahead, 1)):
                    m.d.comb += passes.eq(1)
                    m.d.sync += [side.eq(ahead), *go_on(StepShape.CORNER, _State.STEP)]
                with m.Else():
                    m.d.comb += [reads.eq(1), passes.eq(granted)]
                    with m.If(granted):
                        m.d.sync += [place.eq(there), state.eq(_State.NEXT)]

            with m.Case(_State.NEXT):
                m.d.comb += reads.eq(1)
                m.d.sync += word.eq(arriving)
                with m.If((arriving.white | arriving.red).bit_select(side, 1)):
                    m.d.sync += go_on(StepShape.STRAIGHT, _State.STEP)
                with m.Elif(granted):
                    m.d.sync += [
                        place.eq(there),
                        side.eq(side - 1),
                        *go_on(StepShape.AROUND, _State.WORD),
                    ]
                with m.Else():
                    m.d.sync += state.eq(_State.AGAIN)

            with m.Case(_State.AGAIN):
                m.d.comb += reads.eq(1)
                with m.If(granted):
                    m.d.sync += [
                        place.eq(there),
                        side.eq(side - 1),
                        *go_on(StepShape.AROUND, _State.WORD),
                    ]

            with m.Case(_State.WORD):
                m.d.sync += [word.eq(arriving), state.eq(_State.STEP)]

            with m.Default():
                # Not the code of a state: go on as after power-on.
                m.d.sync += state.eq(_State.IDLE)
        return m
