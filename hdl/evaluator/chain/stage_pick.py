"""The stage PICK: the spaces beyond the open edges, and the ids of the tracks that end here."""

from __future__ import annotations

from typing import NamedTuple

from amaranth.hdl import Array, Cat, Module, Mux, Signal, Value
from amaranth.lib import data

from loopline.game import Colour
from loopline.hdl.core.types import cell_layout
from loopline.hdl.evaluator.chain.ring import Ring, stack_row
from loopline.hdl.evaluator.chain.stage_read import Read
from loopline.hdl.evaluator.sides import equal
from loopline.hdl.evaluator.types import Mode, sockets_layout, track_id_layout
from loopline.hdl.evaluator.union_find import row_of

__all__ = ["Picked", "pick_stage"]


class Picked(NamedTuple):
    """What PICK hands on. All in JOIN, ``ids`` and ``is_base`` by colour.

    - ``ids``: the track's id;
    - ``is_base``: it is a track of the position;
    - ``is_candidate``: the token is a candidate's, so rows of the union-find may be valid for it; a
      fetch uses a thread whose candidate is evaluated;
    - ``wrong_tile``: a stored id that the token needs is that of another tile.
    """

    ids: list[data.View]
    is_base: Value
    is_candidate: Value
    wrong_tile: Value


def pick_stage(m: Module, ring: Ring, read: Read) -> Picked:
    """Hand the spaces beyond the open edges to :class:`NextSpace`, and read the tracks' rows of the
    union-find."""
    _pick_spaces(m, ring, read)
    return _pick_tracks(m, ring, read)


def _pick_spaces(m: Module, ring: Ring, read: Read) -> None:
    """Pick the spaces beyond the open edges from the banks, and read the top of the stack."""
    ports, next_space, overlay = ring.ports, ring.next_space, ring.overlay
    base_words = Array([Value.cast(ports.banks[n]) for n in range(4)])
    added_words = Array([Value.cast(overlay.r_data[n].sockets) for n in range(4)])
    # The comparisons come before the choice of the bank: so there are four of them, not eight.
    is_valid = Array(
        [
            equal(m, overlay.r_data[n].epoch, ring.epochs.epochs[1], f"same_overlay{n}")
            for n in range(4)
        ]
    )
    for n in range(2):
        bank = read.pick_edges[n].bank
        base = Signal(cell_layout(ring.grid), name=f"base{n}")
        added = Signal(sockets_layout(), name=f"added{n}")
        is_added = Signal(name=f"is_added{n}")
        m.d.comb += [next_space.bases[n].eq(base), next_space.added[n].eq(added)]
        m.d.sync += [
            Value.cast(base).eq(base_words[bank]),
            Value.cast(added).eq(added_words[bank]),
            is_added.eq(is_valid[bank]),
        ]
        # ``is_valid`` is late, so the words are qualified after the register, in JOIN.
        for colour in Colour:
            m.d.comb += next_space.added[n][colour].valid.eq(added[colour].valid & is_added)

    top = stack_row(ring.pick.pending - 1)
    m.d.comb += ports.pending.r_addr.eq(Cat(top, ring.threads[1]))


def _pick_tracks(m: Module, ring: Ring, read: Read) -> Picked:
    """Find out the tracks' ids and read their rows of the union-find."""
    ports, pick = ring.ports, ring.pick
    id_shape = track_id_layout(ring.grid)
    join_ids = [Signal(id_shape, name=f"join_id{n}") for n in range(2)]
    join_is_base = Signal(2)
    join_wrong_tile = Signal()
    join_is_candidate = Signal()
    m.d.sync += join_is_candidate.eq(pick.mode != Mode.FETCH)
    wrong_tile = []
    for colour in Colour:
        source, stored = read.sources[colour], ring.track_ids[colour]
        union_find = ring.union_finds[colour]
        track_id, far_id = (
            Signal(id_shape, name=f"{n}{colour.value}") for n in ("track_id", "far_id")
        )
        near_row = Signal.like(source.row, name=f"near_row{colour.value}", attrs={"keep": 1})
        stored_id = Mux(source.is_stored, Value.cast(stored.r_id), 0)
        # Which end of a track is the lower one is late, so it is the last choice in each path.
        is_far = ports.partners[colour] < source.limit
        m.d.comb += [
            far_id.number.eq(ports.partners[colour]),
            Value.cast(track_id).eq(Mux(is_far, far_id, Value.cast(source.given) | stored_id)),
            near_row.eq(source.row ^ stored_id[: len(source.row)]),
            union_find.r_row.eq(Mux(is_far, row_of(far_id, pick.second_way[colour]), near_row)),
            union_find.r_thread.eq(ring.threads[1]),
            ports.follow[colour].eq(source.is_base & ring.exits.matter),
        ]
        m.d.sync += [join_ids[colour].eq(track_id), join_is_base[colour].eq(source.is_base)]
        needed = source.is_stored & ((pick.colour == colour) | read.pick_edges[0].valid)
        wrong_tile.append(needed & (stored.r_tag != source.tag))
    m.d.sync += join_wrong_tile.eq(wrong_tile[0] | wrong_tile[1])
    return Picked(
        ids=join_ids,
        is_base=join_is_base,
        is_candidate=join_is_candidate,
        wrong_tile=join_wrong_tile,
    )
