"""The stage ENTER CHAIN: the token of a candidate whose first tile forces a space."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, wiring

from loopline.hdl.config import GridConfig
from loopline.hdl.core.tile import first_of
from loopline.hdl.evaluator.sides import by_colour, is_line, opposite, side_of, unit_step
from loopline.hdl.evaluator.types import WINDOW_BITS, Mode

__all__ = ["enter_chain_stage"]


def enter_chain_stage(
    m: Module, ports: wiring.Component, grid: GridConfig, selected: data.View
) -> None:
    """Drive the payload of ``ports.entries`` from the selected candidate.

    The candidate's first forced play is in the first space that its tile forces. The others, at
    most two, are pending.
    """
    forced, neighbour, place = selected.forced, selected.neighbour, selected.place
    following = first_of(forced)
    pending = forced & ~following
    second, third = first_of(pending), pending & ~first_of(pending)
    last = Mux(third.any(), third, second)
    side = Signal(2)
    colour = Signal()
    m.d.comb += [side.eq(side_of(following)), colour.eq(_colour(following, selected))]

    def socket(colour: Value) -> tuple[Value, Value]:
        """The side of the forced space's socket of this colour, and whether it has one."""
        # The code counts from the side that the tile sees, which is opposite to the tile's.
        code = by_colour(neighbour.codes, colour)
        return (opposite(side) + code)[:2], code.any()

    entry = ports.entries.payload
    token = entry.token
    columns, rows = unit_step(side, grid.coord_bits)
    m.d.comb += [
        entry.place.eq(place),
        entry.add.eq(selected.inside & ~following),
        entry.tile.eq(selected.tile),
        entry.ids.eq(selected.ids),
        entry.exits.eq(selected.exits),
        entry.pending.place.eq(place),
        entry.pending.side.eq(side_of(last)),
        entry.pending.colour.eq(_colour(last, selected)),
        token.mode.eq(Mode.CHAIN),
        token.place.x.eq(place.x + columns),
        token.place.y.eq(place.y + rows),
        token.origin.x.eq(place.x[1:WINDOW_BITS]),
        token.origin.y.eq(place.y[1:WINDOW_BITS]),
        token.colour.eq(colour),
        token.a.eq(opposite(side)),
        Value.cast(token.id_a).eq(by_colour(selected.ids, colour)),
        token.exits_a.eq(by_colour(selected.exits, colour)),
        token.b.eq(socket(colour)[0]),
        token.b_base.eq(1),
        Value.cast(token.other).eq(Cat(socket(~colour))),
        token.other_base.eq(1),
        token.space.eq(neighbour.index),
        token.growth.eq(selected.growth),
        token.tiles.eq(1),
        token.lines.eq(Cat(is_line(exits) for exits in selected.exits)),
        token.pending.eq(pending.any()),
        token.extra.valid.eq(third.any()),
        token.extra.side.eq(side_of(second)),
        token.extra.colour.eq(_colour(second, selected)),
        token.index.eq(selected.index),
        token.symbol.eq(selected.symbol),
    ]


def _colour(side: Value, selected: data.View) -> Value:
    """Return the colour of the tile's edge on a side (a mask of one)."""
    return (side & ~selected.tile).any()
