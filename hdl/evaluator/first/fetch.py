"""The stage FETCH: a space's neighbours and tracks, read ahead of its candidates."""

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
from loopline.hdl.evaluator.types import growth_layout, space_tracks_layout

__all__ = ["Fetched", "fetch_stage"]


def _space_layout(grid: GridConfig) -> data.StructLayout:
    """A space: frontier index, place, and how a tile there grows the box."""
    index, place = grid.index_bits, place_layout(grid)
    return data.StructLayout({"index": index, "place": place, "growth": growth_layout()})


def _cells_layout(grid: GridConfig) -> data.StructLayout:
    """The cells around a space: on which sides they are outside of the box, and each neighbour."""
    neighbours = data.ArrayLayout(neighbour_layout(grid), 4)
    return data.StructLayout({"outside": 4, "neighbours": neighbours})


def _fetched_layout(grid: GridConfig) -> data.StructLayout:
    """All that is known of a space: three parts, which become known one after the other."""
    return data.StructLayout(
        {
            "space": _space_layout(grid),
            "cells": _cells_layout(grid),
            "tracks": space_tracks_layout(grid),
        }
    )


class _Queue(NamedTuple):
    """A queue of two items: its ``head``, if ``valid``; whether it has ``some`` item; and ``room``,
    whether another one fits."""

    head: data.View
    valid: Value
    some: Value
    room: Value


def _queue(
    m: Module, name: str, item: data.View, w_en: Value, r_en: Value, *, fast: bool = False
) -> _Queue:
    """Add a queue of two items and return it.

    ``w_en`` appends ``item``: only if there is room, and never in two cycles in a row. ``r_en``
    removes the head. An item becomes the head two cycles after it was appended, or one cycle with
    ``fast``, which takes a LUT for each bit.
    """
    first, last = (Signal.like(item, name=f"{name}_{n}") for n in ("first", "last"))
    valid, full = Signal(name=f"{name}_valid"), Signal(name=f"{name}_full")
    room = ~(valid & full)
    # Both enables are late, so no data depends on them: ``last`` is loaded in any case, and counts
    # only if ``full``. A space has at least two candidates, so the next one has time to move up.
    with m.If(room):
        m.d.sync += [last.eq(item), full.eq(w_en)]
    with m.If(~valid):
        m.d.sync += [first.eq(last), valid.eq(full)]
        if fast:
            m.d.sync += [valid.eq(full | w_en), full.eq(0)]
            with m.If(~full):
                m.d.sync += first.eq(item)
    with m.If(r_en):
        m.d.sync += valid.eq(0)
    return _Queue(head=first, valid=valid, some=valid | full, room=room)


class Fetched(NamedTuple):
    """The output of the stage: the next space (``_fetched_layout``), whether all of it is
    ``ready``, and whether any space is in the stage (``some``)."""

    space: data.View
    ready: Value
    some: Value


def fetch_stage(
    m: Module, ports: wiring.Component, grid: GridConfig, walked: data.View, take: Value
) -> Fetched:
    """Fetch each space that the walk has found.

    Parameters
    ----------
    ports : FirstTiles
        Drives ``fetches``.
    walked : View
        The space that the walk is at, if ``valid``; ``valid`` is cleared when the fetch begins.
    take : Value
        The next stage takes the space.
    """
    sides = exit_sides(ports.edges.beside, walked.place)
    fetches = ports.fetches
    growth = Signal(growth_layout())
    begins = Signal()
    m.d.comb += [
        growth.valid.eq(sides.any()),
        growth.side.eq(side_of(sides)),
        fetches.payload.place.eq(walked.place),
        fetches.payload.space.eq(walked.index),
        fetches.payload.growth.eq(growth),
        begins.eq(fetches.valid & fetches.ready),
    ]
    with m.If(begins):
        m.d.sync += walked.valid.eq(0)

    space = Signal(_space_layout(grid))
    cells = Signal(_cells_layout(grid))
    tracks = Signal(space_tracks_layout(grid))
    m.d.comb += [
        space.index.eq(walked.index),
        space.place.eq(walked.place),
        space.growth.eq(growth),
        cells.outside.eq(ports.reply.outside),
        tracks.eq(ports.reply.tracks),
    ]
    for side in Side:
        word = ports.neighbours[side]
        m.d.comb += [
            cells.neighbours[side].index.eq(word.index),
            cells.neighbours[side].codes.eq(codes_of(word, side)),
        ]
    queues = {
        "space": _queue(m, "space", space, begins, take),
        "cells": _queue(m, "cells", cells, ports.reply.cells_valid, take),
        "tracks": _queue(m, "tracks", tracks, ports.reply.tracks_valid, take, fast=True),
    }
    fetched = Signal(_fetched_layout(grid))
    m.d.comb += [fetched[part].eq(queue.head) for part, queue in queues.items()]
    m.d.comb += fetches.valid.eq(walked.valid & queues["space"].room)
    return Fetched(space=fetched, ready=queues["tracks"].valid, some=queues["space"].some)
