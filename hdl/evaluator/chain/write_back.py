"""What DECIDE writes down for a trial's next tiles."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data

from loopline.game import Colour, Side
from loopline.hdl.core.types import place_layout
from loopline.hdl.evaluator.chain.ring import Ring, stack_row
from loopline.hdl.evaluator.chain.stage_decide import Play
from loopline.hdl.evaluator.chain.stage_join import Tracks, Way
from loopline.hdl.evaluator.overlay import wiping_cell, wiping_cells
from loopline.hdl.evaluator.types import waiting_layout, window_bits
from loopline.hdl.evaluator.union_find import UNION_ROWS, name_of

__all__ = ["remember"]


def remember(m: Module, ring: Ring, tracks: Tracks, way: Way, play: Play, enters: Value) -> None:
    """Writes down what a forced play with more to come leaves behind, or the first tile of a trial
    that enters; or wipes the memories."""
    _sockets(m, ring, way, play, enters)
    _tracks(m, ring, tracks, way, play, enters)


def _written(ring: Ring, way: Way) -> data.View:
    """The place of the tile that is written down."""
    place = Mux(way.more, Value.cast(ring.decide.place), Value.cast(ring.ports.first.place))
    return data.View(place_layout(ring.grid), place)


def _sockets(m: Module, ring: Ring, way: Way, play: Play, enters: Value) -> None:
    """The sockets that the trial leaves behind, and what waits."""
    ports, decide = ring.ports, ring.decide
    overlay, epochs = ring.overlay, ring.epochs
    at_place = _written(ring, way)
    window = window_bits(ring.grid)
    m.d.comb += [
        overlay.at.x.eq(at_place.x[:window]),
        overlay.at.y.eq(at_place.y[:window]),
        overlay.of.eq(ring.threads[3]),
        overlay.epoch.eq(epochs.epoch),
    ]
    with m.If(epochs.wiping):
        cell = wiping_cell(epochs.row[: (wiping_cells(ring.grid) - 1).bit_length()], ring.grid)
        m.d.comb += [overlay.at.eq(cell), overlay.add.eq(15), overlay.of.eq(epochs.thread)]
    with m.Elif(~way.more):
        m.d.comb += overlay.add.eq(ports.first.add)
    with m.Else():
        for side in Side:
            here = [way.adds[n].valid & (way.adds[n].side == side) for n in range(2)]
            m.d.comb += overlay.add[side].eq(here[0] | here[1])
    m.d.comb += overlay.put.eq(play.goes | enters | epochs.wiping)
    m.d.comb += overlay.colours.eq(Mux(way.more, (~decide.colour).replicate(4), ~ports.first.tile))
    with m.If(way.more):
        for side in Side:
            m.d.comb += Value.cast(overlay.kept[side]).eq(
                Mux(
                    way.adds[0].side == side,
                    Value.cast(way.adds[0].kept),
                    Value.cast(way.adds[1].kept),
                )
            )
    pushes = Signal(waiting_layout(ring.grid))
    m.d.comb += [
        pushes.place.eq(decide.place),
        pushes.side.eq(way.pushed.side),
        pushes.colour.eq(~decide.colour),
    ]
    stack = ports.waiting
    # Nobody asks for it before two cycles later, so that it may be written in the next one.
    m.d.sync += [
        stack.w_en.eq(Mux(way.more, play.goes & way.pushed.valid, enters)),
        stack.w_addr.eq(Cat(Mux(way.more, stack_row(decide.waiting), 0), ring.threads[3])),
        stack.w_data.eq(Mux(way.more, pushes, ports.first.waits)),
    ]


def _tracks(m: Module, ring: Ring, tracks: Tracks, way: Way, play: Play, enters: Value) -> None:
    """By colour, what the trial leaves behind of the tracks."""
    ports, decide, late = ring.ports, ring.decide, ring.late
    names, unions, epochs = ring.names, ring.unions, ring.epochs
    at_place = _written(ring, way)
    window = window_bits(ring.grid)
    for colour in Colour:
        mine = decide.colour == colour
        table, row_put = unions[colour], unions[colour].row
        m.d.comb += [
            names[colour].at.x.eq(at_place.x[:window]),
            names[colour].at.y.eq(at_place.y[:window]),
            names[colour].of.eq(ring.threads[3]),
            names[colour].put.eq(enters | (play.goes & ~mine & way.open_edges)),
            Value.cast(names[colour].given).eq(
                Mux(
                    way.more,
                    Value.cast(tracks.names[colour]),
                    Value.cast(ports.first.names[colour]),
                )
            ),
        ]
        m.d.comb += [table.of.eq(ring.threads[3]), row_put.epoch.eq(epochs.epoch)]
        m.d.comb += [row_put.parent.eq(decide.name_a), row_put.mask.eq(play.mask_other)]
        with m.If(epochs.wiping):
            m.d.comb += [
                table.put.eq(1),
                table.of.eq(epochs.thread),
                table.at.eq(name_of(epochs.row[: (UNION_ROWS - 1).bit_length()], ring.grid)),
            ]
        with m.Elif(late.valid & (late.colour == colour)):
            # It is the thread's that was here a cycle ago.
            m.d.comb += [
                table.put.eq(1),
                table.of.eq(ring.threads[0]),
                table.at.eq(late.name),
                table.at_spare.eq(late.spare),
                row_put.mask.eq(late.mask),
                row_put.epoch.eq(epochs.epochs[0]),
            ]
        with m.Elif(~way.more):
            m.d.comb += [
                table.put.eq(enters & ports.first.masks[colour].any()),
                table.at.eq(ports.first.names[colour]),
                row_put.mask.eq(ports.first.masks[colour]),
            ]
        with m.Else():
            m.d.comb += [
                table.put.eq(play.goes & Mux(mine, way.put_b, play.put_o)),
                table.at.eq(tracks.names[colour]),
                table.at_spare.eq(decide.spare[colour]),
                row_put.child.eq(mine),
            ]
    m.d.sync += [
        late.valid.eq(play.goes & play.put_a),
        late.colour.eq(decide.colour),
        late.name.eq(decide.name_a),
        late.spare.eq(decide.spare_a),
        late.mask.eq(play.mask_pair),
    ]
