"""The rectangle around the tiles of a turn."""

from __future__ import annotations

from amaranth.hdl import Const, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import laid_layout
from loopline.hdl.search.types import span_layout

__all__ = ["TurnSpan"]


class TurnSpan(wiring.Component):
    """Follows the tiles of a turn, and keeps the smallest rectangle around them.

    A tile of a turn has a side in common with an earlier one, except the first tile. So it lies
    in the rectangle, or in a column or row next to it.

    Latency: one cycle after each tile.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    start : In(1)
        A turn begins: there is no tile yet. Not in the cycle of a tile.
    back : In(1), former : In(span_layout)
        The rectangle becomes this one. Not in the cycle of a tile.
    laid : In(laid_layout)
        A tile of the turn is laid. Only ``valid`` and ``place`` are used.
    span : Out(span_layout)
        The rectangle; not valid before the first tile.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(
            {
                "start": In(1),
                "back": In(1),
                "former": In(span_layout(grid)),
                "laid": In(laid_layout(grid)),
                "span": Out(span_layout(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        span, place = self.span, self.laid.place
        with m.If(self.laid.valid):
            m.d.sync += span.valid.eq(1)
            for name, at, low, size in (
                ("across", place.x, span.west, span.width),
                ("down", place.y, span.north, span.height),
            ):
                bits = len(at)
                offset = Signal(bits, name=name)
                m.d.comb += offset.eq(at - low)
                before = offset == Const(-1, bits).as_unsigned()
                after = offset == (size + 1)[:bits]
                with m.If(~span.valid | before):
                    m.d.sync += low.eq(at)
                with m.If(~span.valid):
                    m.d.sync += size.eq(0)
                with m.Elif(before | after):
                    m.d.sync += size.eq(size + 1)
        with m.If(self.start):
            m.d.sync += span.valid.eq(0)
        with m.If(self.back):
            m.d.sync += span.eq(self.former)
        return m
