"""The walk along the frontier table, one space after another."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import data, wiring

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import place_layout

__all__ = ["walk"]


def walk(m: Module, ports: wiring.Component, grid: GridConfig) -> tuple[Value, data.View]:
    """Goes along the frontier table: whether it does, and the next space to fetch, ``valid`` until
    somebody has cleared that. ``ports`` are those of :class:`First`."""
    held = Signal(
        data.StructLayout({"valid": 1, "index": grid.index_bits, "place": place_layout(grid)})
    )
    # The walk along the table: one entry further in each cycle in which one is looked at. It
    # ends where it begins, so that the first entry is there as soon as it has begun.
    cursor = Signal(range(grid.frontier_entries + 1))
    onward = Signal(range(grid.frontier_entries + 1))
    walking = Signal()
    looked = Signal()
    step = Signal()
    # While the table is somebody else's nobody looks at what is asked for: that is known late.
    m.d.comb += [
        step.eq(walking & looked & ~held.valid),
        onward.eq(Mux(step, cursor + 1, cursor)),
        ports.space.eq(onward),
    ]
    m.d.sync += looked.eq(~ports.elsewhere & ~ports.denied)
    with m.If(~ports.elsewhere):
        m.d.sync += cursor.eq(onward)
    with m.If(ports.start):
        m.d.sync += walking.eq(1)

    with m.If(walking & ~ports.elsewhere):
        with m.If(cursor == ports.high):
            m.d.sync += [walking.eq(0), cursor.eq(0)]
        with m.Elif(step):
            m.d.sync += [
                held.valid.eq(ports.seen.live),
                held.index.eq(cursor),
                held.place.eq(ports.seen.place),
            ]
    return walking, held
