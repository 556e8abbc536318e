"""What a new socket does to a space: nothing special, a forced play, or an illegal turn."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import cell_layout
from loopline.hdl.evaluator.sides import side_of
from loopline.hdl.evaluator.types import socket_layout, sockets_layout

__all__ = ["Lane", "pair_layout"]


def pair_layout() -> data.StructLayout:
    """How a space is filled: its sockets on the sides ``a``, which the candidate added last, and
    ``b`` are joined. The fields are those of a token, see :func:`token_layout`."""
    return data.StructLayout(
        {
            "colour": 1,
            "a": 2,
            "b": 2,
            "b_base": 1,
            "other": socket_layout(),
            "other_base": 1,
            "both": 1,
        }
    )


class Lane(wiring.Component):
    """One space that gets one new socket. Combinational.

    Members
    -------
    base : In(cell_layout), added : In(sockets_layout)
        The space's sockets: the position's, and those that the candidate has added.
    colour : In(1), entry : In(2)
        Colour and side of the new socket.
    illegal : Out(1)
        The new socket is the third of its colour.
    forced : Out(1), pair : Out(pair_layout)
        The new socket forces the space, which was not forced before; how it is filled.
    other : Out(socket_layout)
        The socket of the other colour that the candidate has added, if any.
    overflow : Out(1)
        The candidate has added a socket of this colour before. The overlay cannot hold both.
    revisit : Out(pair_layout)
        Without the new socket: how the space is filled if it has two sockets of the other colour.
        For a pending space that is read again.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(
            {
                "base": In(cell_layout(grid)),
                "added": In(sockets_layout()),
                "colour": In(1),
                "entry": In(2),
                "illegal": Out(1),
                "forced": Out(1),
                "pair": Out(pair_layout()),
                "other": Out(socket_layout()),
                "overflow": Out(1),
                "revisit": Out(pair_layout()),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        masks = [self.base.white, self.base.red]
        has = [mask.any() for mask in masks]
        base_sides = [side_of(mask) for mask in masks]
        own, foreign = self.colour, ~self.colour

        def of(values: list[Value], colour: Value) -> Value:
            return Mux(colour, values[1], values[0])

        added = self.added
        valid = [added[0].valid, added[1].valid]
        added_sides = [added[0].side, added[1].side]
        paired = [has[0] & valid[0], has[1] & valid[1]]

        def side(colour: Value) -> Value:
            """The side of a colour's only socket, the position's or the candidate's."""
            return Mux(of(has, colour), of(base_sides, colour), of(added_sides, colour))

        m.d.comb += [
            self.illegal.eq(of(paired, own)),
            self.forced.eq((of(has, own) | of(valid, own)) & ~of(paired, foreign)),
            self.overflow.eq(of(valid, own)),
            self.other.valid.eq(of(valid, foreign)),
            self.other.side.eq(of(added_sides, foreign)),
            self.pair.colour.eq(own),
            self.pair.a.eq(self.entry),
            self.pair.b.eq(side(own)),
            self.pair.b_base.eq(of(has, own)),
            self.pair.other.valid.eq(of(has, foreign) | of(valid, foreign)),
            self.pair.other.side.eq(side(foreign)),
            self.pair.other_base.eq(of(has, foreign)),
        ]
        # A pending space got its last socket in the other colour: the token has this one.
        last = foreign
        m.d.comb += [
            self.revisit.colour.eq(last),
            self.revisit.a.eq(of(added_sides, last)),
            self.revisit.b.eq(of(base_sides, last)),
            self.revisit.b_base.eq(1),
            self.revisit.other.valid.eq(of(has, ~last) | of(valid, ~last)),
            self.revisit.other.side.eq(side(~last)),
            self.revisit.other_base.eq(of(has, ~last)),
            self.revisit.both.eq(paired[0] & paired[1]),
        ]
        return m
