"""What DECIDE writes for a candidate's later tiles."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data

from loopline.game import Colour, Side
from loopline.hdl.evaluator.chain.ring import Ring, stack_row
from loopline.hdl.evaluator.chain.stage_decide import Decided
from loopline.hdl.evaluator.chain.stage_join import Joined
from loopline.hdl.evaluator.overlay import wiping_cell, wiping_cells
from loopline.hdl.evaluator.types import pending_layout, window_bits, window_layout
from loopline.hdl.evaluator.union_find import UNION_FIND_ROWS, id_of_row

__all__ = ["write_back"]


def write_back(m: Module, ring: Ring, joined: Joined, decided: Decided, enters: Value) -> None:
    """Write what a forced play leaves behind for those to come, or the first tile of a candidate
    that enters; or wipe the memories."""
    _write_sockets(m, ring, joined, decided, enters)
    _write_pending(m, ring, joined, decided, enters)
    for colour in Colour:
        _write_track(m, ring, joined, decided, enters, colour)
    _defer_write(m, ring, decided)


def _written_cell(ring: Ring, joined: Joined) -> data.View:
    """Return the cell, within the window, of the tile that is written."""
    window = window_bits(ring.grid)
    of_play, of_first_tile = (
        Cat(place.x[:window], place.y[:window])
        for place in (ring.decide.place, ring.ports.entries.payload.place)
    )
    return data.View(window_layout(ring.grid), Mux(joined.route.more, of_play, of_first_tile))


def _write_sockets(m: Module, ring: Ring, joined: Joined, decided: Decided, enters: Value) -> None:
    """Write the sockets that the tile adds to the spaces around it."""
    entry, decide, route = ring.ports.entries.payload, ring.decide, joined.route
    overlay, epochs = ring.overlay, ring.epochs
    m.d.comb += [
        overlay.w_en.eq(decided.writes | enters | epochs.wiping),
        overlay.w_cell.eq(_written_cell(ring, joined)),
        overlay.w_thread.eq(ring.threads[3]),
        overlay.w_epoch.eq(epochs.epoch),
        overlay.w_colours.eq(Mux(route.more, (~decide.colour).replicate(4), ~entry.tile)),
    ]
    with m.If(epochs.wiping):
        cell = wiping_cell(epochs.row[: (wiping_cells(ring.grid) - 1).bit_length()], ring.grid)
        m.d.comb += [
            overlay.w_cell.eq(cell),
            overlay.w_sides.eq(15),
            overlay.w_thread.eq(epochs.thread),
        ]
    with m.Elif(~route.more):
        m.d.comb += overlay.w_sides.eq(entry.add)
    with m.Else():
        for side in Side:
            here = [write.valid & (write.side == side) for write in route.socket_writes]
            m.d.comb += overlay.w_sides[side].eq(here[0] | here[1])
    with m.If(route.more):
        for side in Side:
            first, second = route.socket_writes
            m.d.comb += Value.cast(overlay.w_others[side]).eq(
                Mux(first.side == side, Value.cast(first.other), Value.cast(second.other))
            )


def _write_pending(m: Module, ring: Ring, joined: Joined, decided: Decided, enters: Value) -> None:
    """Push a space that becomes pending."""
    entry, decide, route = ring.ports.entries.payload, ring.decide, joined.route
    pushed = Signal(pending_layout(ring.grid))
    m.d.comb += [
        pushed.place.eq(decide.place),
        pushed.side.eq(route.pushed.side),
        pushed.colour.eq(~decide.colour),
    ]
    memory = ring.ports.pending
    # The candidate reads it two cycles later at the earliest, so the write may be registered.
    m.d.sync += [
        memory.w_en.eq(Mux(route.more, decided.writes & route.pushed.valid, enters)),
        memory.w_addr.eq(Cat(Mux(route.more, stack_row(decide.pending), 0), ring.threads[3])),
        memory.w_data.eq(Mux(route.more, pushed, entry.pending)),
    ]


def _write_track(
    m: Module, ring: Ring, joined: Joined, decided: Decided, enters: Value, colour: Colour
) -> None:
    """Write the id of a colour's track through the tile, and the track's row of the union-find."""
    entry, decide, deferred = ring.ports.entries.payload, ring.decide, ring.deferred
    tracks, route = joined
    track_ids, union_find, epochs = ring.track_ids[colour], ring.union_finds[colour], ring.epochs
    row = union_find.w_data
    own = decide.colour == colour
    m.d.comb += [
        # The track of the other colour goes on at the open edges.
        track_ids.w_en.eq(enters | (decided.writes & ~own & route.open_edges)),
        track_ids.w_cell.eq(_written_cell(ring, joined)),
        track_ids.w_thread.eq(ring.threads[3]),
        Value.cast(track_ids.w_id).eq(
            Mux(route.more, Value.cast(tracks.ids[colour]), Value.cast(entry.ids[colour]))
        ),
        union_find.w_thread.eq(ring.threads[3]),
        row.epoch.eq(epochs.epoch),
        row.parent.eq(decide.id_a),
        row.exits.eq(decided.exits_other),
    ]
    with m.If(epochs.wiping):
        m.d.comb += [
            union_find.w_en.eq(1),
            union_find.w_thread.eq(epochs.thread),
            union_find.w_id.eq(
                id_of_row(epochs.row[: (UNION_FIND_ROWS - 1).bit_length()], ring.grid)
            ),
        ]
    with m.Elif(deferred.valid & (deferred.colour == colour)):
        # Of the thread that was in this stage a cycle ago.
        m.d.comb += [
            union_find.w_en.eq(1),
            union_find.w_thread.eq(ring.threads[0]),
            union_find.w_id.eq(deferred.id),
            union_find.w_second_way.eq(deferred.second_way),
            row.exits.eq(deferred.exits),
            row.epoch.eq(epochs.epochs[0]),
        ]
    with m.Elif(~route.more):
        m.d.comb += [
            union_find.w_en.eq(enters & entry.exits[colour].any()),
            union_find.w_id.eq(entry.ids[colour]),
            row.exits.eq(entry.exits[colour]),
        ]
    with m.Else():
        # The track at ``b`` is joined to the one at ``a``; the other colour's gets its exits.
        m.d.comb += [
            union_find.w_en.eq(decided.writes & Mux(own, route.writes_pair, decided.writes_other)),
            union_find.w_id.eq(tracks.ids[colour]),
            union_find.w_second_way.eq(decide.second_way[colour]),
            row.has_parent.eq(own),
        ]


def _defer_write(m: Module, ring: Ring, decided: Decided) -> None:
    """Defer the row of the track at ``a``, which has the exits of the joined track."""
    deferred, decide = ring.deferred, ring.decide
    m.d.sync += [
        deferred.valid.eq(decided.writes & decided.writes_a),
        deferred.colour.eq(decide.colour),
        deferred.id.eq(decide.id_a),
        deferred.second_way.eq(decide.second_way_a),
        deferred.exits.eq(decided.exits_pair),
    ]
