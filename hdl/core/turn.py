"""What the turn sequencer's states share: the turn, its tile, that tile's open sides, the units."""

from __future__ import annotations

from typing import NamedTuple

from amaranth.hdl import Signal
from amaranth.lib import enum, wiring

from loopline.hdl.config import GridConfig
from loopline.hdl.core.around import EndPairs
from loopline.hdl.core.box import BoxGrowth
from loopline.hdl.core.cells import beside
from loopline.hdl.core.forced import ForcedQueue
from loopline.hdl.core.tile import SocketStep, TileFit
from loopline.hdl.core.types import TILE_COUNT_BITS, ShapeCode, Status, cell_layout, place_layout
from loopline.hdl.core.undo import EntryKind, Undo

__all__ = ["Sides", "State", "Turn", "Work"]


class State(enum.Enum, shape=4):
    """What the turn sequencer does in a cycle; :class:`Placer` draws the ways between them."""

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


class Turn:
    """The turn that is made or taken back, and its tile that is: signals.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Attributes
    ----------
    state : State
    status : Status
        What has become of the turn.
    tiles : TILE_COUNT_BITS
        How many it has so far.
    symbol : ShapeCode
        Its first tile, as the job asks for it.
    kind : EntryKind, place : place_layout
        The tile's.
    cell : cell_layout
        The tile's cell as it is without it.
    tile : 4 bits
        The tile itself.
    open_sides : 4 bits
        The sides of ``cell`` without a socket.
    illegal : 1
        A forced play of the turn cannot be made.
    undoing : 1
        Tiles are taken off.
    lifted : 1
        A tile is off, and its cell still to be written: that is done with the next one, when no
        neighbour is read. So no bank of the cell map is read and written in one cycle.
    room : 1
        There was room for one more tile a cycle ago.
    """

    def __init__(self, grid: GridConfig):
        self.state = Signal(State)
        self.status = Signal(Status)
        self.tiles = Signal(TILE_COUNT_BITS)
        self.symbol = Signal(ShapeCode, reset_less=True)
        self.kind = Signal(EntryKind, reset_less=True)
        self.place = Signal(place_layout(grid), reset_less=True)
        self.cell = Signal(cell_layout(grid), reset_less=True)
        self.tile = Signal(4, reset_less=True)
        self.open_sides = Signal(4)
        self.illegal = Signal()
        self.undoing = Signal()
        self.lifted = Signal()
        self.room = Signal()


class Sides:
    """The open sides of a tile's cell, one after another, each as a mask: signals.

    Three cycles for each: its neighbour is read, known, and changed. Turns are made from north to
    west, and taken back the other way::

        unserved ──► chosen ──► asked ──► side
        following    (at x, y)            (known, beyond, colour)

    Parameters
    ----------
    grid : GridConfig
        Widths.
    turn : Turn
        The turn whose tile it is.

    Attributes
    ----------
    unserved : 4 bits
        The sides that are not read yet.
    following : 4 bits
        The one that is read next. It is worked out a cycle before, as the way to the cell map is
        long. In READ it is no side, and so the cell itself. After the last one it is, for BOX,
        where a first tile outside of the box has its neighbour.
    fitting : 1
        It is not known yet, as the cell has just come.
    chosen : 4 bits
        The one that is read, or none.
    x, y : coordinates
        Where its neighbour lies.
    asked, side : 4 bits
        The one that was read one cycle before, and two.
    known : cell_layout, beyond : place_layout, colour : 1
        The neighbour on ``side`` as it was read, its place, and the colour of the tile's edge
        towards it.
    reading : 1
        The sides move on.
    serving : 1
        The neighbour is changed.
    """

    def __init__(self, grid: GridConfig, turn: Turn):
        self.unserved = Signal(4)
        self.following = Signal(4)
        self.fitting = Signal()
        self.chosen = Signal(4)
        # Whether a side is read is known too late for where it lies.
        self.x, self.y = beside(turn.place, self.chosen, late=True)
        self.asked = Signal(4)
        self.side = Signal(4)
        self.known = Signal(cell_layout(grid), reset_less=True)
        self.beyond = Signal(place_layout(grid))
        self.colour = Signal()
        self.reading = Signal()
        self.serving = Signal()


class Work(NamedTuple):
    """What the states work with: the ports of the placer, its units, its turn, and the sides of
    that turn's tile. For the functions that add cases to a switch of ``turn.state``."""

    grid: GridConfig
    ports: wiring.Component
    undo: Undo
    queue: ForcedQueue
    fit: TileFit
    growth: BoxGrowth
    step: SocketStep
    pairs: EndPairs
    turn: Turn
    sides: Sides
