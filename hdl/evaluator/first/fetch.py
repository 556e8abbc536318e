"""What there is to know of a space for its first tiles, fetched ahead."""

from __future__ import annotations

from typing import NamedTuple

from amaranth.hdl import Module, Signal, Value
from amaranth.lib import data, wiring

from loopline.game import Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import exit_sides
from loopline.hdl.core.types import place_layout
from loopline.hdl.evaluator.first.neighbours import codes_of, neighbour_layout
from loopline.hdl.evaluator.sides import side_of
from loopline.hdl.evaluator.types import fetched_layout, growth_layout

__all__ = ["Fetched", "fetch"]


def _asked(grid: GridConfig) -> data.StructLayout:
    """Which space is fetched."""
    index, place = grid.index_bits, place_layout(grid)
    return data.StructLayout({"index": index, "place": place, "growth": growth_layout()})


def _around(grid: GridConfig) -> data.StructLayout:
    """What lies around it: on which sides that is outside of the box, and each neighbour."""
    near = data.ArrayLayout(neighbour_layout(grid), 4)
    return data.StructLayout({"outside": 4, "near": near})


def _space_layout(grid: GridConfig) -> data.StructLayout:
    """All that is fetched of a space."""
    return data.StructLayout(
        {"asked": _asked(grid), "around": _around(grid), "rest": fetched_layout(grid)}
    )


class _Line(NamedTuple):
    """Two places in a line: what is in the first one, and whether there is anything (``ready``),
    in either (``some``); ``room``: not in both."""

    value: data.View
    ready: Value
    some: Value
    room: Value


def _line_up(
    m: Module, name: str, comes: data.View, arrives: Value, leaves: Value, *, at_once: bool = False
) -> _Line:
    """A line of two places: what comes takes the last one, and the first one a cycle later, as soon
    as that is free; or ``at_once``, which takes a LUT for each bit. What is in the first one leaves
    with ``leaves``. Nothing arrives without room, nor in the cycle after another."""
    first, last = (Signal.like(comes, name=f"{name}_{n}") for n in ("first", "last"))
    ready, full = Signal(name=f"{name}_ready"), Signal(name=f"{name}_full")
    room = ~(ready & full)
    # What arrives and what leaves is known late. Until it has arrived nobody looks at it, and a
    # space has two candidates or more, so that the next one has a cycle's time to move up.
    with m.If(room):
        m.d.sync += [last.eq(comes), full.eq(arrives)]
    with m.If(~ready):
        m.d.sync += [first.eq(last), ready.eq(full)]
        if at_once:
            m.d.sync += [ready.eq(full | arrives), full.eq(0)]
            with m.If(~full):
                m.d.sync += first.eq(comes)
    with m.If(leaves):
        m.d.sync += ready.eq(0)
    return _Line(first, ready, ready | full, room)


class Fetched(NamedTuple):
    """What has been fetched: the space that is next, whether there is any (``some``), and whether
    all is known of it (``ready``)."""

    space: data.View
    some: Value
    ready: Value


def fetch(
    m: Module, ports: wiring.Component, grid: GridConfig, held: data.View, take: Value
) -> Fetched:
    """Fetches what there is to know of each space that is ``held``, and clears that. A space leaves
    with ``take``. ``ports`` are those of :class:`First`."""
    out = exit_sides(ports.edges.beside, held.place)
    growth = Signal(growth_layout())
    ask = Signal()
    m.d.comb += [
        growth.any.eq(out.any()),
        growth.side.eq(side_of(out)),
        ports.fetch.place.eq(held.place),
        ports.fetch.space.eq(held.index),
        ports.fetch.growth.eq(growth),
        ask.eq(ports.fetch_valid & ports.fetch_ready),
    ]
    with m.If(ask):
        m.d.sync += held.valid.eq(0)

    # Spaces that are being fetched or wait for their turn, in three parts, as they come: what
    # was asked for, what lies around it, and the rest.
    asked = Signal(_asked(grid))
    around = Signal(_around(grid))
    rest = Signal(fetched_layout(grid))
    m.d.comb += [
        asked.index.eq(held.index),
        asked.place.eq(held.place),
        asked.growth.eq(growth),
        around.outside.eq(ports.fetched_outside),
        rest.eq(ports.fetched),
    ]
    for side in Side:
        near = ports.near[side]
        m.d.comb += [
            around.near[side].index.eq(near.index),
            around.near[side].codes.eq(codes_of(near, side)),
        ]
    parts = {
        "asked": _line_up(m, "asked", asked, ask, take),
        "around": _line_up(m, "around", around, ports.fetched_near, take),
        "rest": _line_up(m, "rest", rest, ports.fetched_rest, take, at_once=True),
    }
    following = Signal(_space_layout(grid))
    m.d.comb += [following[name].eq(part.value) for name, part in parts.items()]
    m.d.comb += ports.fetch_valid.eq(held.valid & parts["asked"].room)
    return Fetched(following, parts["asked"].some, parts["rest"].ready)
