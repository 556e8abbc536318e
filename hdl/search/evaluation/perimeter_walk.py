"""Perimeter walk: follows a ring of sockets around the formation, or around a hole in it."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.cells import PairReader
from loopline.hdl.core.types import cell_layout, place_layout

__all__ = ["PerimeterWalk", "StepShape", "ring_layout", "window_layout"]

_SOCKETS = 5


def ring_layout(grid: GridConfig) -> data.StructLayout:
    """Where a ring begins.

    - ``place``, ``cell``: a frontier space, and its word of the cell map;
    - ``side``: the side of a socket there;
    - ``look``: the ring may be one that the walk has passed.
    """
    return data.StructLayout(
        {"place": place_layout(grid), "cell": cell_layout(grid), "side": 2, "look": 1}
    )


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
    - ``before``, ``after``: the track of the socket in the middle has its other end at the first,
      at the last socket.
    """
    return data.StructLayout(
        {
            "colours": _SOCKETS,
            "shapes": 2 * (_SOCKETS - 1),
            "before": 1,
            "after": 1,
        }
    )


class _State(enum.Enum, shape=2):
    """What the walk does in a cycle. The first three are the shape of the step to the word of this
    cycle."""

    CORNER = StepShape.CORNER.value
    """The word is that of the cycle before."""
    STRAIGHT = StepShape.STRAIGHT.value
    """The next space along the side arrives, which may have no socket there."""
    AROUND = StepShape.AROUND.value
    """The space around the tile arrives."""
    IDLE = 3
    """Wait for a ring."""


class _Registers:
    """The walk's registers, and two wires."""

    def __init__(self, grid: GridConfig):
        self.state = Signal(_State, init=_State.IDLE)
        # The space of this cycle, and its side. ``held``: its word is ``word``, and does not
        # arrive.
        self.place = Signal(place_layout(grid), reset_less=True)
        self.side = Signal(2, reset_less=True)
        self.word = Signal(cell_layout(grid), reset_less=True)
        self.held = Signal()
        # The ring's first socket, and the space in which the first ring began.
        self.first_place = Signal(place_layout(grid), reset_less=True)
        self.first_index = Signal(grid.index_bits, reset_less=True)
        self.first_side = Signal(2, reset_less=True)
        self.oldest = Signal(grid.index_bits, reset_less=True)
        # LOOK: a socket was passed, which may end the look. Sockets passed, up to 4; sockets to
        # pass after the ring is closed.
        self.look = Signal()
        self.looked = Signal()
        self.passed = Signal(range(_SOCKETS))
        self.closed = Signal()
        self.left = Signal(range(_SOCKETS))
        # The last sockets and steps, and the spaces of the last three, the latest first.
        self.colours = Signal(_SOCKETS, reset_less=True)
        self.shapes = Signal(2 * (_SOCKETS - 1), reset_less=True)
        self.indices = [
            Signal(grid.index_bits, name=f"index{n}", reset_less=True) for n in range(3)
        ]
        # LOOK UP: a socket was passed, and is the fifth one of a window.
        self.pending = Signal()
        self.complete = Signal()
        # COMPARE: the other end of a track is there, for a socket with the one before last.
        self.comparing = Signal()
        self.emits = Signal()
        self.same_colour = Signal()
        self.colour = Signal(reset_less=True)
        self.index = Signal(grid.index_bits, reset_less=True)
        self.window = Signal(window_layout(), reset_less=True)
        # For the last two sockets: it and the one before last are the ends of a track.
        self.joined = Signal(2, reset_less=True)

        # Wires: a socket is passed; the look-up is done.
        self.passes = Signal()
        self.advances = Signal()


class PerimeterWalk(wiring.Component):
    """Walks once along a ring of sockets, clockwise, and describes each socket by its window.

    ::

                  ┌────────────────────────────────────────┐
                  │      ┌─ corner ─┐                      │
                  ▼      ▼          │                      │
        ring ──► pass a socket ─────┴──► next space ──┬─ straight
                  │      ▲                            │
                  │      └──────── around the tile ◄──┘
                  ▼
              LOOK UP ──► COMPARE ──► window
              other end   with the socket
              of a track  before last

    The walk passes four sockets a second time, so that the last one gets its window.

    A ring to ``look`` at is first followed until it is known: as soon as it leads to the first
    ring's first space, or to a space with a lower index than its own first one, the walk is idle
    again. So each further ring is walked along from its lowest space only. When the look ends where
    it began, the walk goes along the ring once more, and describes it.

    Latency: one cycle for each step around a corner or straight on, two around a tile; more while
    ``cells_taken``, or until ``partners_free``. A window comes two cycles after its last socket.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    rings : In(stream of ring_layout)
        Where to begin. The position does not change until the last window.
    window : Out({valid, window})
        The windows of the ring's sockets, in their order. No more than one comes per cycle.
    idle : Out(1)
        No window is to come before the next ring.
    drop : In(1)
        Forget the ring.
    pair : Out(PairReader), cells_taken : In(1)
        The cell map; another unit reads it in this cycle.
    partners_free : In(1), partner_en : Out(1), partner_index : Out
        Read the other ends of the tracks that end in a space, in a cycle in which they are free.
    partners : In, one index for each colour
        The answer, one cycle later.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        window = data.StructLayout({"valid": 1, "window": window_layout()})
        super().__init__(
            {
                "rings": In(stream.Signature(ring_layout(grid))),
                "window": Out(window),
                "idle": Out(1),
                "drop": In(1),
                "pair": Out(PairReader(grid)),
                "cells_taken": In(1),
                "partner_index": Out(grid.index_bits),
                "partner_en": Out(1),
                "partners_free": In(1),
                "partners": In(grid.index_bits).array(2),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        r = _Registers(self._grid)
        self._look_up(m, r)
        self._compare(m, r)
        self._step(m, r)
        m.d.comb += [
            self.rings.ready.eq(r.state == _State.IDLE),
            self.idle.eq((r.state == _State.IDLE) & ~r.pending & ~r.comparing),
        ]
        with m.If(self.rings.valid & self.rings.ready):
            self._begin(m, r)
        with m.If(self.drop):
            m.d.sync += [r.state.eq(_State.IDLE), r.pending.eq(0), r.comparing.eq(0)]
        return m

    def _begin(self, m: Module, r: _Registers) -> None:
        ring = self.rings.payload
        m.d.sync += [
            r.state.eq(_State.CORNER),
            r.held.eq(1),
            r.word.eq(ring.cell),
            r.place.eq(ring.place),
            r.side.eq(ring.side),
            r.first_place.eq(ring.place),
            r.first_index.eq(ring.cell.index),
            r.first_side.eq(ring.side),
            r.look.eq(ring.look),
            r.passed.eq(0),
            r.closed.eq(0),
        ]
        with m.If(~ring.look):
            m.d.sync += r.oldest.eq(ring.cell.index)

    def _step(self, m: Module, r: _Registers) -> None:
        """Pass the socket of this cycle, if there is one, and go on."""
        side, ahead = r.side, (r.side + 1)[:2]
        kept, read = r.word, self.pair.cell
        word = Signal(cell_layout(self._grid))
        # The word that is read arrives late: all that is known ahead comes first.
        has = Signal()
        turns = Signal()
        for found, at in ((has, side), (turns, ahead)):
            known, late = ((each.white | each.red).bit_select(at, 1) for each in (kept, read))
            m.d.comb += found.eq(Mux(r.held, known, late))
        walking = r.state != _State.IDLE
        may_read = walking & ~self.cells_taken
        may_pass = walking & ~(r.pending & ~r.advances)
        corner = Signal()
        straight = Signal()
        around = Signal()
        m.d.comb += [
            word.eq(Mux(r.held, kept, read)),
            corner.eq(has & turns & may_pass),
            straight.eq(has & ~turns & may_pass & may_read),
            around.eq(~has & may_read),
            r.passes.eq(has & may_pass & (turns | may_read)),
            # Both are read, and also in vain, so that no memory waits for the word. The next space
            # lies ahead, that around the tile beside: one of them across, the other down.
            self.pair.en.eq(walking),
            self.pair.place.eq(r.place),
            self.pair.beside.x.eq(r.place.x + Mux(side[1], -1, 1)),
            self.pair.beside.y.eq(r.place.y + Mux(side[0] ^ side[1], 1, -1)),
            self.pair.down.eq(~(has ^ side[0])),
        ]
        m.d.sync += [r.word.eq(word), r.held.eq(1)]
        with m.If(corner):
            m.d.sync += [r.side.eq(ahead), r.state.eq(_State.CORNER)]
        with m.If(around):
            m.d.sync += [r.side.eq(side - 1), r.state.eq(_State.AROUND)]
        with m.If(straight):
            m.d.sync += r.state.eq(_State.STRAIGHT)
        with m.If(straight | around):
            m.d.sync += [
                r.held.eq(0),
                r.place.x.eq(Mux(self.pair.down, r.place.x, self.pair.beside.x)),
                r.place.y.eq(Mux(self.pair.down, self.pair.beside.y, r.place.y)),
            ]
        m.d.sync += r.looked.eq(0)
        with m.If(r.passes):
            self._pass(m, r, word)
        # The end of a look, one cycle after its socket. No window is made meanwhile.
        passed = r.indices[0]
        with m.If(r.looked & ((passed == r.oldest) | (passed < r.first_index))):
            m.d.sync += r.state.eq(_State.IDLE)

    def _pass(self, m: Module, r: _Registers, word: data.View) -> None:
        """Note a socket. End a ring."""
        begun = r.passed != 0
        first = (r.place == r.first_place) & (r.side == r.first_side)
        closes = first & begun & ~r.closed
        emits = (r.passed == _SOCKETS - 1) & ~r.look
        m.d.sync += [
            r.colours.eq(Cat(word.red.bit_select(r.side, 1), r.colours)),
            r.shapes.eq(Cat(r.state, r.shapes)),
            r.indices[0].eq(word.index),
            *(new.eq(old) for new, old in zip(r.indices[1:], r.indices[:-1], strict=True)),
            r.pending.eq(1),
            r.complete.eq(emits),
            r.left.eq(r.left - 1),
        ]
        with m.If(~emits):
            m.d.sync += r.passed.eq(Mux(r.look, 1, r.passed + 1))
        with m.If(r.look):
            m.d.sync += [r.look.eq(~closes), r.looked.eq(~closes)]
        with m.Elif(closes):
            m.d.sync += [r.closed.eq(1), r.left.eq(_SOCKETS - 2)]
        with m.Elif(r.closed & (r.left == 1)):
            m.d.sync += r.state.eq(_State.IDLE)

    def _look_up(self, m: Module, r: _Registers) -> None:
        """Ask for the other end of the last socket's track, if it may be at the socket before
        last."""
        same = r.colours[0] == r.colours[2]
        m.d.comb += [
            self.partner_index.eq(r.indices[0]),
            self.partner_en.eq(r.pending & same & self.partners_free),
            r.advances.eq(r.pending & (~same | self.partners_free)),
        ]
        m.d.sync += r.comparing.eq(r.advances)
        with m.If(r.advances):
            m.d.sync += [
                r.pending.eq(0),
                r.emits.eq(r.complete),
                r.same_colour.eq(same),
                r.colour.eq(r.colours[0]),
                r.index.eq(r.indices[2]),
                r.window.colours.eq(r.colours),
                r.window.shapes.eq(r.shapes),
            ]

    def _compare(self, m: Module, r: _Registers) -> None:
        """The other end is there. Each window has the pairs of its middle socket with the last and
        with the first one."""
        partner = Mux(r.colour, self.partners[1], self.partners[0])
        joined = r.same_colour & (partner == r.index)
        m.d.comb += [
            self.window.valid.eq(r.comparing & r.emits),
            self.window.window.eq(r.window),
            self.window.window.before.eq(r.joined[1]),
            self.window.window.after.eq(joined),
        ]
        with m.If(r.comparing):
            m.d.sync += r.joined.eq(Cat(joined, r.joined))
