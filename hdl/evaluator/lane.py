"""What becomes of a space beside a trial's tile: plain, forced, or one socket too many."""

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
    """A space about to be filled: sockets ``a``, the trial's last, and ``b`` are joined.

    The fields are those of a token, see :func:`token_layout`.
    """
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
    """One space and one new socket. Combinational.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    base : In(cell_layout)
        The space as the position has it.
    added : In(sockets_layout)
        The sockets that the trial has added before.
    colour : In(1), entry : In(2)
        The new socket.
    illegal : Out(1)
        It is the third of its colour.
    forced : Out(1)
        The space is to be filled now, and was not before: ``pair`` says how.
    pair : Out(pair_layout)
        See ``forced``.
    kept : Out(socket_layout)
        What the trial has added before of the other colour.
    full : Out(1)
        The trial has added two of this colour, which the overlay cannot say.
    waiting : Out(pair_layout)
        How to fill the space with the sockets it had before, if it has two of the colour that is
        not ``colour``.
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
                "kept": Out(socket_layout()),
                "full": Out(1),
                "waiting": Out(pair_layout()),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        masks = [self.base.white, self.base.red]
        has = [mask.any() for mask in masks]
        sides = [side_of(mask) for mask in masks]
        own, foreign = self.colour, ~self.colour

        def of(values: list[Value], colour: Value) -> Value:
            return Mux(colour, values[1], values[0])

        added = self.added
        valid = [added[0].valid, added[1].valid]
        places = [added[0].side, added[1].side]
        waits = [has[0] & valid[0], has[1] & valid[1]]
        m.d.comb += [
            self.illegal.eq(of(waits, own)),
            self.forced.eq((of(has, own) | of(valid, own)) & ~of(waits, foreign)),
            self.full.eq(of(valid, own)),
            self.kept.valid.eq(of(valid, foreign)),
            self.kept.side.eq(of(places, foreign)),
            self.pair.colour.eq(own),
            self.pair.a.eq(self.entry),
            self.pair.b.eq(Mux(of(has, own), of(sides, own), of(places, own))),
            self.pair.b_base.eq(of(has, own)),
            self.pair.other.valid.eq(of(has, foreign) | of(valid, foreign)),
            self.pair.other.side.eq(Mux(of(has, foreign), of(sides, foreign), of(places, foreign))),
            self.pair.other_base.eq(of(has, foreign)),
        ]
        # Of a space that has waited, the colour that came last: the token has that one.
        last = foreign
        m.d.comb += [
            self.waiting.colour.eq(last),
            self.waiting.a.eq(of(places, last)),
            self.waiting.b.eq(of(sides, last)),
            self.waiting.b_base.eq(1),
            self.waiting.other.valid.eq(of(has, ~last) | of(valid, ~last)),
            self.waiting.other.side.eq(Mux(of(has, ~last), of(sides, ~last), of(places, ~last))),
            self.waiting.other_base.eq(of(has, ~last)),
            self.waiting.both.eq(waits[0] & waits[1]),
        ]
        return m
