"""Where a trial goes on whose first tile forces something."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, wiring

from loopline.hdl.config import GridConfig
from loopline.hdl.core.tile import first_of
from loopline.hdl.evaluator.sides import by_colour, opposite, side_of, unit_step, whole
from loopline.hdl.evaluator.types import WINDOW_BITS, Mode

__all__ = ["go_on"]


def go_on(m: Module, ports: wiring.Component, grid: GridConfig, picked: data.View) -> None:
    """Sends the candidate that is picked to the first space that it forces; the others wait.
    ``ports`` are those of :class:`First`."""
    forced, near, place = picked.forced, picked.near, picked.place
    go = first_of(forced)
    wait = forced & ~go
    second, third = first_of(wait), wait & ~first_of(wait)
    last = Mux(third.any(), third, second)
    side = Signal(2)
    colour = Signal()
    m.d.comb += [side.eq(side_of(go)), colour.eq((go & ~picked.tile).any())]

    def socket(colour: Value) -> tuple[Value, Value]:
        # The neighbour's side: so far on from the one that is seen, which is opposite to ours.
        code = by_colour(near.codes, colour)
        return (opposite(side) + code)[:2], code.any()

    first, token = ports.first, ports.first.token
    columns, rows = unit_step(side, grid.coord_bits)
    m.d.comb += [
        first.place.eq(place),
        first.add.eq(picked.inside & ~go),
        first.tile.eq(picked.tile),
        first.names.eq(picked.names),
        first.masks.eq(picked.masks),
        token.mode.eq(Mode.CHAIN),
        token.place.x.eq(place.x + columns),
        token.place.y.eq(place.y + rows),
        token.origin.x.eq(place.x[1:WINDOW_BITS]),
        token.origin.y.eq(place.y[1:WINDOW_BITS]),
        token.colour.eq(colour),
        token.a.eq(opposite(side)),
        Value.cast(token.name_a).eq(by_colour(picked.names, colour)),
        token.mask_a.eq(by_colour(picked.masks, colour)),
        token.b.eq(socket(colour)[0]),
        token.b_base.eq(1),
        Value.cast(token.other).eq(Cat(socket(~colour))),
        token.other_base.eq(1),
        token.space.eq(near.index),
        token.growth.eq(picked.growth),
        token.tiles.eq(1),
        token.lines.eq(Cat(whole(mask) for mask in picked.masks)),
        token.waiting.eq(wait.any()),
        token.two.eq(third.any()),
        token.two_side.eq(side_of(second)),
        token.two_colour.eq((second & ~picked.tile).any()),
        first.waits.place.eq(place),
        first.waits.side.eq(side_of(last)),
        first.waits.colour.eq((last & ~picked.tile).any()),
        token.index.eq(picked.index),
        token.symbol.eq(picked.symbol),
    ]
