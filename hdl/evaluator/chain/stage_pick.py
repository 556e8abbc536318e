"""The stage PICK: which spaces the open edges lead to, and which tracks end here."""

from __future__ import annotations

from typing import NamedTuple

from amaranth.hdl import Array, Cat, Module, Mux, Signal, Value
from amaranth.lib import data

from loopline.game import Colour
from loopline.hdl.core.types import cell_layout
from loopline.hdl.evaluator.chain.ring import Ring, stack_row
from loopline.hdl.evaluator.chain.stage_read import Source, Tile
from loopline.hdl.evaluator.equal import equal
from loopline.hdl.evaluator.types import Mode, name_layout, sockets_layout
from loopline.hdl.evaluator.union_find import row_of

__all__ = ["Named", "pick_stage"]


class Named(NamedTuple):
    """What PICK has found of the tracks, in JOIN.

    By colour the name, and whether it is that of a track of the position (``base``); whether the
    token looks names up (``looks``), and whether one was that of another tile (``strange``).
    """

    names: list[data.View]
    base: Value
    looks: Value
    strange: Value


def pick_stage(m: Module, ring: Ring, sources: list[Source], tile: Tile) -> Named:
    """Hands the spaces beyond the tile's open edges to :class:`NextSpace`, and asks for the rows of
    the tracks' names, which it tells."""
    _spaces(m, ring, tile)
    return _names(m, ring, sources, tile)


def _spaces(m: Module, ring: Ring, tile: Tile) -> None:
    """The spaces beyond the open edges, and the one of those that wait."""
    ports, onward = ring.ports, ring.onward
    base_words = Array([Value.cast(ports.banks[n]) for n in range(4)])
    added_words = Array([Value.cast(ring.overlay.banks[n].sockets) for n in range(4)])
    # Which bank is meant is chosen after the comparison: that takes fewer of them.
    there = Array(
        [
            equal(m, ring.overlay.banks[n].epoch, ring.epochs.epochs[1], f"same_overlay{n}")
            for n in range(4)
        ]
    )
    for n in range(2):
        bank = tile.pick_lanes[n].bank
        base = Signal(cell_layout(ring.grid), name=f"base{n}")
        added = Signal(sockets_layout(), name=f"added{n}")
        is_added = Signal(name=f"is_added{n}")
        m.d.comb += [onward.bases[n].eq(base), onward.added[n].eq(added)]
        m.d.sync += [
            Value.cast(base).eq(base_words[bank]),
            Value.cast(added).eq(added_words[bank]),
            is_added.eq(there[bank]),
        ]
        # Whether it is there is known last, and asked for in JOIN only.
        for colour in Colour:
            m.d.comb += onward.added[n][colour].valid.eq(added[colour].valid & is_added)

    # What waits is on a stack for each thread; the one on top may be next.
    top = stack_row(ring.pick.waiting - 1)
    m.d.comb += ports.waiting.r_addr.eq(Cat(top, ring.threads[1]))


def _names(m: Module, ring: Ring, sources: list[Source], tile: Tile) -> Named:
    """By colour, the name of the track. READ has worked out where it comes from, since it is late
    when the lower end of a track is known."""
    ports, pick = ring.ports, ring.pick
    names, unions = ring.names, ring.unions
    name_shape = name_layout(ring.grid)
    join_names = [Signal(name_shape, name=f"join_name{n}") for n in range(2)]
    join_base = Signal(2)
    join_strange = Signal()
    # A fetch uses a thread whose last trial is over.
    join_looks = Signal()
    m.d.sync += join_looks.eq(pick.mode != Mode.FETCH)
    strange = []
    for colour in Colour:
        is_base, is_asked, known, known_row, limit, tag = sources[colour]
        name, partner = (Signal(name_shape, name=f"{n}{colour.value}") for n in ("name", "far"))
        near_row = Signal.like(known_row, name=f"near_row{colour.value}", attrs={"keep": 1})
        asked = Mux(is_asked, Value.cast(names[colour].name), 0)
        # Which end is the lower one is known last, so it chooses last.
        is_far = ports.partners[colour] < limit
        m.d.comb += [
            partner.id.eq(ports.partners[colour]),
            Value.cast(name).eq(Mux(is_far, partner, Value.cast(known) | asked)),
            near_row.eq(known_row ^ asked[: len(known_row)]),
            unions[colour].read_row.eq(Mux(is_far, row_of(partner, pick.spare[colour]), near_row)),
            unions[colour].thread.eq(ring.threads[1]),
        ]
        m.d.comb += ports.follow[colour].eq(is_base & ring.exits.matter)
        m.d.sync += [join_names[colour].eq(name), join_base[colour].eq(is_base)]
        asks = is_asked & ((pick.colour == colour) | tile.pick_lanes[0].on)
        strange.append(asks & (names[colour].tag != tag))
    m.d.sync += join_strange.eq(strange[0] | strange[1])
    return Named(join_names, join_base, join_looks, join_strange)
