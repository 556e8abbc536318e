"""Tile logic: which tile goes into a space, and what a tile does to its neighbours.

Everything is combinational. Masks are of sides, bit ``n`` for side ``n``.
"""

from amaranth.hdl import Cat, Const, Module, Mux, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.game import ALL_SIDES, Shape
from loopline.hdl.core.types import ShapeCode

__all__ = ["SocketStep", "TileFit", "first_of", "forced_tile", "has_two", "last_of"]


def first_of(sides: Value) -> Value:
    """The first side of a mask, from north to west, as a mask."""
    return Cat(side & ~sides[:n].any() for n, side in enumerate(sides))


def last_of(sides: Value) -> Value:
    """The last side of a mask, as a mask."""
    return Cat(side & ~sides[n + 1 :].any() for n, side in enumerate(sides))


def has_two(mask: Value) -> Value:
    """Whether at least two of four bits are set."""
    low, high = mask[0] | mask[1], mask[2] | mask[3]
    return (mask[0] & mask[1]) | (mask[2] & mask[3]) | (low & high)


def forced_tile(white: Value, red: Value) -> Value:
    """The tile (mask of white edges) that joins two sockets of one colour. Valid if ``white`` or
    ``red`` has exactly two bits. If both have, the result is the same for either."""
    return Mux(has_two(white), white, ~red & ALL_SIDES)[:4]


class TileFit(wiring.Component):
    """Finds the orientation in which a shape fits a space's sockets. Combinational.

    At most one orientation fits a space with a socket, as the two differ in every edge. In a space
    without sockets it is the one with a white north edge: that of a first turn.

    Members
    -------
    white, red : In(4)
        The space's sockets.
    shape : In(ShapeCode)
        The shape.
    fits : Out(1)
        An orientation matches all sockets.
    tile : Out(4)
        Its white edges. Valid with ``fits``.
    """

    white: In(4)
    red: In(4)
    shape: In(ShapeCode)
    fits: Out(1)
    tile: Out(4)

    def elaborate(self, platform) -> Module:
        m = Module()
        with m.Switch(self.shape):
            for shape in Shape:
                with m.Case(ShapeCode(shape.code)):
                    for tile in reversed(shape.tiles):
                        mask = Const(tile, 4)
                        with m.If(((self.white & ~mask) | (self.red & mask)) == 0):
                            m.d.comb += [self.fits.eq(1), self.tile.eq(mask)]
        return m


class SocketStep(wiring.Component):
    """Adds the socket of a tile's edge to the empty cell beyond it. Combinational.

    Members
    -------
    white, red : In(4)
        The cell's sockets before: at most two of a colour, none on the side of ``entry``.
    entry : In(4)
        The side of the *cell* that meets the edge: one bit.
    colour : In(1)
        The colour of the tile's edge, 0 white.
    next_white, next_red : Out(4)
        The cell's sockets with the new one.
    is_new : Out(1)
        The cell had no sockets, and enters the frontier.
    attached : Out(1)
        The cell had a socket of this colour: the tile's track goes on through the cell.
    forced : Out(1)
        The cell must be filled, and did not have to be before.
    illegal : Out(1)
        The cell has three sockets of one colour: the turn is illegal.
    """

    white: In(4)
    red: In(4)
    entry: In(4)
    colour: In(1)
    next_white: Out(4)
    next_red: Out(4)
    is_new: Out(1)
    attached: Out(1)
    forced: Out(1)
    illegal: Out(1)

    def elaborate(self, platform) -> Module:
        m = Module()
        own = Mux(self.colour, self.red, self.white)
        foreign = Mux(self.colour, self.white, self.red)
        m.d.comb += [
            self.next_white.eq(self.white | Mux(self.colour, 0, self.entry)),
            self.next_red.eq(self.red | Mux(self.colour, self.entry, 0)),
            self.is_new.eq((self.white | self.red) == 0),
            self.attached.eq(own != 0),
            self.illegal.eq(has_two(own)),
            self.forced.eq(self.attached & ~self.illegal & ~has_two(foreign)),
        ]
        return m
