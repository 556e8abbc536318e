"""The parts of the turn unit, and what they tell each other whatever the command."""

from __future__ import annotations

from typing import NamedTuple

from amaranth.hdl import Module, Signal
from amaranth.lib import data
from amaranth.lib.wiring import connect

from loopline.game import Colour
from loopline.hdl.core.box import BoxEdges
from loopline.hdl.core.cells import CellMap
from loopline.hdl.core.joiner import TrackJoiner
from loopline.hdl.core.moves import MoveGenerator
from loopline.hdl.core.placer import Placer
from loopline.hdl.core.score import TrackScore
from loopline.hdl.core.spaces import SpaceTable

__all__ = ["Parts", "connect_parts"]


class Parts(NamedTuple):
    """The parts; the cell map is read for ``READ`` in ``looks``, for ``EVALUATE`` in ``tries``."""

    placer: Placer
    moves: MoveGenerator
    score: TrackScore
    cells: CellMap
    spaces: SpaceTable
    joiner: TrackJoiner
    edges: BoxEdges
    looks: Signal
    tries: Signal


def connect_parts(m: Module, parts: Parts, rules: data.View) -> None:
    """Connect the parts; the frontier table and the joiner are read for the candidates and the
    evaluation, unless a statement behind these says otherwise."""
    placer, moves, score, cells, spaces, joiner, edges, looks, tries = parts
    connect(m, placer.joins, joiner.joins)
    for write in (cells.write, spaces.write):
        m.d.comb += [
            write.en.eq(placer.write.en),
            write.x.eq(placer.write.x),
            write.y.eq(placer.write.y),
            write.cell.eq(placer.write.cell),
            write.space.eq(placer.write.space),
        ]
    m.d.comb += [
        edges.box.eq(placer.box),
        edges.area.eq(rules.area),
        edges.lines.eq(rules.lines),
        placer.edges.eq(edges.edges),
        placer.read.cell.eq(cells.read.cell),
        placer.fresh.eq(spaces.fresh),
        placer.free.eq(spaces.free),
        placer.busy.eq(joiner.busy),
        placer.loops.eq(joiner.loops),
        placer.lines.eq(joiner.lines),
        placer.records.eq(joiner.records),
        placer.track.eq(joiner.track),
        cells.read.x.eq(placer.read.x),
        cells.read.y.eq(placer.read.y),
        # One at a time, and when the placer does is known late.
        cells.read.en.eq(placer.read.en | looks | tries),
        spaces.working.eq(placer.working),
        joiner.working.eq(placer.working),
        spaces.take.eq(placer.take),
        spaces.give.eq(placer.give),
        spaces.given.eq(placer.given),
        spaces.ungive.eq(placer.ungive),
        spaces.clear.eq(placer.reset),
        spaces.index.eq(moves.index),
        joiner.edges.eq(edges.edges),
        joiner.mark.eq(placer.mark),
        joiner.judge.eq(placer.judge),
        joiner.index.eq(score.index),
        joiner.place.eq(spaces.places[Colour.WHITE]),
        spaces.far.eq(joiner.far),
        moves.empty.eq(placer.box.empty),
        moves.edges.eq(edges.edges),
        moves.high.eq(spaces.high),
        moves.entry.eq(spaces.entry),
        score.lines.eq(rules.lines),
        score.box.eq(placer.box),
        score.edges.eq(edges.edges),
        score.high.eq(spaces.high),
        score.entry.eq(spaces.entry),
    ]
    for colour in Colour:
        m.d.comb += [
            spaces.partners[colour].eq(joiner.partners[colour]),
            score.partners[colour].eq(joiner.partners[colour]),
            score.partner_places[colour].eq(spaces.places[colour]),
        ]
